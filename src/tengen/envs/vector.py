"""Thousands of boards stepped in one call, opponent included, all in the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from tengen import _core
from tengen._core import StepResult
from tengen.envs.reward import Reward
from tengen.errors import TengenError
from tengen.rules import Rule, Variant

__all__ = ["EnvConfig", "Opponent", "Seat", "Step", "StepResult", "VectorEnv"]

Opponent = Literal["random", "greedy", "minimax", "self"]
Seat = Literal["first", "second", "random"]


class EnvConfig(BaseModel):
    """What is played and against whom."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    width: int = Field(7, description="columns of the board")
    height: int = Field(7, description="rows of the board")
    k: int = Field(5, description="stones in a row needed to win")
    rule: Rule = Field(Rule.FREESTYLE, description=f"one of {', '.join(Rule)}")
    opponent: Opponent = Field("greedy", description="the other side; self: every step is one move of the side to move")
    depth: int = Field(2, ge=1, le=6, description="depth of the minimax opponent")
    seat: Seat = Field("first", description="whether the player moves first, second, or either at random")
    opening: int = Field(
        0, ge=0, le=20, description="random stones placed before play, in alternating colours, near the centre"
    )
    errors: float = Field(0, ge=0, le=1, description="share of the opponent's moves that are random")
    reward: Reward = Field(default_factory=Reward, description="the reward function")

    @property
    def variant(self) -> Variant:
        """Raises TengenError for an impossible board."""
        return Variant(self.width, self.height, self.k, self.rule)


@dataclass(frozen=True, slots=True)
class Step:
    """What one call brought. A game whose result is not ONGOING has ended and a new one has begun."""

    rewards: NDArray[np.float32]  # [N]
    results: NDArray[np.int8]  # [N] each a StepResult
    lengths: NDArray[np.int32]  # [N] stones of a finished game, else 0


class VectorEnv:
    """Buffers are made anew for each call, so what it returns may be kept."""

    def __init__(self, boards: int, config: EnvConfig | None = None, seed: int = 0) -> None:
        self.config = c = config or EnvConfig()
        if boards < 1:
            raise TengenError(f"{boards} boards cannot be stepped; ask for 1 or more")
        self.size, self.cells = boards, c.variant.cells
        _check_opening(c)
        self._env = _core.VecEnv(
            boards, c.width, c.height, c.k, str(c.rule), c.opponent, c.depth, c.seat, c.opening, c.errors,
            c.reward.numbers(), seed,
        )  # fmt: skip

    def reset(self) -> None:
        self._env.reset()

    def observe(self) -> NDArray[np.float32]:
        """Own and the opponent's stones of the side to move, [N, 2, H, W]."""
        planes = np.empty((self.size, 2, self.config.height, self.config.width), np.float32)
        self._env.observe(planes)
        return planes

    def mask(self, near: int = -1) -> NDArray[np.bool_]:
        """[N, cells] where the player may play; `near` >= 0 keeps to the rectangle of the stones grown by that."""
        mask = np.empty((self.size, self.cells), np.uint8)
        self._env.mask(mask, near)
        return mask.view(np.bool_)

    def greedy_actions(self) -> NDArray[np.int32]:
        """An action of the greedy rule for every board."""
        actions = np.empty(self.size, np.int32)
        self._env.greedy_actions(actions)
        return actions

    def forced_actions(self) -> NDArray[np.int32]:
        """For every board what is forced (make five, stop a five or an open four), else any cell beside a stone."""
        actions = np.empty(self.size, np.int32)
        self._env.forced_actions(actions)
        return actions

    def attack_actions(self, stones: int) -> NDArray[np.int32]:
        """For every board the first of at most `stones` forcing moves that win against this opponent; -1: none seen.

        Playing against itself, fours that win whatever the answers."""
        actions = np.empty(self.size, np.int32)
        self._env.attack_actions(actions, stones)
        return actions

    def plan_actions(self, quiet: int, stones: int, asked: NDArray[np.bool_] | None = None) -> NDArray[np.int32]:
        """For every board the first move of a plan that beats all this opponent was heard to answer: at most `quiet` of
        the player's moves in a game, not counting a stone on the empty board, force nothing, then at most `stones` do;
        -1: there is no plan, or no stone is down.

        Looking for one more quiet move costs several times as much; what was found once is remembered. On boards that
        are not `asked` none is looked for."""
        if quiet < 0 or stones < 1:
            raise TengenError(f"a plan of {quiet} quiet and {stones} forcing moves; ask for 0 or more and 1 or more")
        where = np.ones(self.size, np.bool_) if asked is None else np.asarray(asked)
        if where.shape != (self.size,) or where.dtype != np.bool_:
            raise TengenError(f"asked must be truth values of shape ({self.size},)")
        actions = np.empty(self.size, np.int32)
        self._env.plan_actions(actions, where.astype(np.uint8), quiet, stones)
        return actions

    def step(self, actions: NDArray[np.integer[Any]]) -> Step:
        """One stone on every board, actions [N], and the answers. An illegal action raises and no board changes."""
        moves = self._checked(np.asarray(actions))
        step = Step(np.empty(self.size, np.float32), np.empty(self.size, np.int8), np.empty(self.size, np.int32))
        self._env.step(moves, step.rewards, step.results, step.lengths)
        return step

    def _checked(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        """Cells as the core takes them; nothing is cut, wrapped or flattened on the way."""
        if actions.shape != (self.size,) or actions.dtype.kind not in "iu":
            raise TengenError(
                f"actions must be whole numbers of shape ({self.size},), not {actions.dtype} of shape {actions.shape}"
            )
        beyond = np.flatnonzero((actions < 0) | (actions >= self.cells))
        if beyond.size:
            i = beyond[0]
            raise TengenError(f"action {actions[i]} is not legal on board {i}; cells go from 0 to {self.cells - 1}")
        return np.ascontiguousarray(actions, np.int32)


def _check_opening(c: EnvConfig) -> None:
    """The core draws until the stones lie and the game goes on, which must not take long, or for ever.

    Half of the central cells always leaves room. An opponent that goes on from there must not find a win at hand, k - 1
    stones of its own: the game would be over before the player's first stone.
    """
    central = (2 * min(2, c.width // 2 - 1) + 1) * (2 * min(2, c.height // 2 - 1) + 1)  # as VecEnv::open draws
    most = min((central + 1) // 2, 2 * c.k - 3)
    if c.opening > most:
        raise TengenError(
            f"opening = {c.opening} is too many random stones on {c.width}x{c.height} with k = {c.k}; "
            f"choose 0 to {most}"
        )
