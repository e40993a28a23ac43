"""A PettingZoo AEC environment: two agents, black_0 and white_0, one stone per step."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tengen.board import Board
from tengen.envs.border import RENDER_MODES, cell_of, check_render_mode, render, starting_board
from tengen.errors import TengenError
from tengen.inference.base import stone_planes
from tengen.rules import Color, Rule, Variant, parse_rule

AGENTS = ("black_0", "white_0")


def env(**options: Any) -> AECEnv[str, Any, int]:
    """The environment with the usual wrappers: an illegal move loses, calls out of order raise."""
    wrapped: AECEnv[str, Any, int] = RawEnv(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class RawEnv(AECEnv[str, Any, int]):  # type: ignore[misc]
    """Sparse reward: 1 and -1 at the end, 0 for a draw. A game is truncated after `max_cycles` stones of each agent."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tengen_gomoku_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        size: int = 9,
        k: int = 5,
        rule: Rule | str = Rule.FREESTYLE,
        render_mode: str | None = None,
        max_cycles: int | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self._most_steps = None if max_cycles is None else len(AGENTS) * _checked_cycles(max_cycles)
        self._steps = 0
        self.board = self._empty = Board(Variant(size, k=k, rule=parse_rule(rule)))
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[0]
        planes = gymnasium.spaces.Box(0.0, 1.0, (2, size, size), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (size * size,), np.int8)
        self._observation_space = gymnasium.spaces.Dict({"observation": planes, "action_mask": mask})
        self._action_space = gymnasium.spaces.Discrete(size * size)
        self.observation_spaces = dict.fromkeys(AGENTS, self._observation_space)
        self.action_spaces = dict.fromkeys(AGENTS, self._action_space)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """`options={"moves": [...]}` starts from a given position."""
        self.board = starting_board(self._empty, options)
        self._steps = 0
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[self.board.turn]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {name: {"action_mask": self._mask(name)} for name in AGENTS}

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        me = Color(AGENTS.index(agent))
        return {"observation": stone_planes(self.board, me), "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.board.play(cell_of(action))
        self._steps += 1
        self._cumulative_rewards[agent] = 0.0
        self._settle()
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self.infos = {name: {"action_mask": self._mask(name)} for name in self.agents}
        self._accumulate_rewards()

    def render(self) -> Any:
        return render(self.board, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _settle(self) -> None:
        self._clear_rewards()
        outcome = self.board.outcome()
        if outcome is None:
            self.truncations = dict.fromkeys(AGENTS, self._steps == self._most_steps)
            return
        self.terminations = dict.fromkeys(AGENTS, True)
        self.rewards = {name: float(outcome.result.sign(side)) for name, side in zip(AGENTS, Color, strict=True)}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        mask = np.zeros(self.board.cells, np.int8)
        if self.board.turn == AGENTS.index(agent):
            mask[self.board.legal_moves()] = 1
        return mask


def _checked_cycles(cycles: int) -> int:
    if isinstance(cycles, bool) or not isinstance(cycles, int) or cycles < 1:
        raise TengenError(f"max_cycles={cycles!r} is not a number of stones; choose 1 or more, or None for no limit")
    return cycles
