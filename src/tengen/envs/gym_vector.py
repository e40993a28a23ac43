"""The native environment as a `gymnasium.vector.VectorEnv`: thousands of boards per call, for any Gymnasium learner.

env = gymnasium.make_vec("tengen/Gomoku-v0", num_envs=512, vectorization_mode="vector_entry_point", size=7)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tengen.envs.reward import Reward
from tengen.envs.vector import EnvConfig, Opponent, Seat, StepResult, VectorEnv
from tengen.errors import TengenError
from tengen.rules import Rule, parse_rule

Planes = NDArray[np.float32]


class GomokuVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Observations are planes [N, 2, H, W]; legal cells are in `info["action_mask"]` and `action_masks()`, [N, cells].

    A finished board begins another game in the same step (AutoresetMode.SAME_STEP): `info["final_obs"]` is its board
    after the agent's last stone, `info["final_info"]` result (1, 0, -1) and stones, `info["_final_obs"]` says where.
    An illegal action raises TengenError and no board changes.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        size: int = 9,
        k: int = 5,
        rule: Rule | str = Rule.FREESTYLE,
        opponent: Opponent = "greedy",
        depth: int = 2,
        seat: Seat = "random",
        opening: int = 0,
        reward: Reward | dict[str, float] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if opponent == "self":
            raise TengenError("opponent='self' shows either side in turn; use tengen.envs.VectorEnv for it")
        if render_mode is not None:
            raise TengenError("many boards are not rendered; leave render_mode out")
        self.config = EnvConfig(
            width=size, height=size, k=k, rule=parse_rule(rule), opponent=opponent, depth=depth, seat=seat,
            opening=opening, reward=Reward.model_validate(reward or {}),
        )  # fmt: skip
        self.num_envs, self.render_mode = num_envs, None
        self._native = VectorEnv(num_envs, self.config)
        self._planes = self._native.observe()
        self.single_observation_space = gymnasium.spaces.Box(0.0, 1.0, (2, size, size), np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(size * size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """One seed decides all boards. Without one, new games are drawn."""
        if isinstance(seed, list):
            raise TengenError("the boards share one generator: give one seed")
        super().reset(seed=seed)
        self._native = VectorEnv(self.num_envs, self.config, seed=int(self.np_random.integers(2**62)))
        self._planes = self._native.observe()
        return self._planes.copy(), {"action_mask": self.action_masks()}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Planes, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        moves = np.asarray(actions)
        step = self._native.step(moves)
        done = step.results != StepResult.ONGOING
        info: dict[str, Any] = {}
        if done.any():
            final = self._planes.copy()
            final.reshape(self.num_envs, 2, -1)[np.arange(self.num_envs), 0, moves] = 1
            result = np.select([step.results == StepResult.WIN, step.results == StepResult.LOSS], [1, -1], 0)
            info = {"final_obs": final, "_final_obs": done, "_final_info": done,
                    "final_info": {"result": result, "stones": step.lengths}}  # fmt: skip
        self._planes = self._native.observe()
        info["action_mask"] = self.action_masks()
        never = np.zeros(self.num_envs, np.bool_)
        return self._planes.copy(), step.rewards.astype(np.float64), done, never, info

    def action_masks(self) -> NDArray[np.bool_]:
        return self._native.mask()
