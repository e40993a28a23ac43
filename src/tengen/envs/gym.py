"""A Gymnasium environment with the opponent inside: one step is the agent's stone and the opponent's answer."""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from tengen._core import Shape
from tengen.board import Board
from tengen.envs.border import RENDER_MODES, cell_of, check_choice, check_render_mode, render, starting_board
from tengen.envs.reward import Reward
from tengen.errors import TengenError
from tengen.inference.base import stone_planes
from tengen.players.base import Player, check_board, close_player
from tengen.registry import create, parse_spec
from tengen.rules import Color, Limit, Move, Rule, Variant, parse_rule

Observation = dict[str, NDArray[Any]] | NDArray[Any]


class GomokuEnv(gymnasium.Env[Any, Any]):
    """`opponent` is any player spec. Observations are {"observation": planes [2, H, W], "action_mask": [cells]},
    or the planes alone with `observation="planes"`; the mask is also in `info` and in `action_masks()`.

    An illegal action ends the episode as a loss (`illegal="lose"`) or raises (`illegal="raise"`); the board is
    untouched either way. Anything but a whole number raises TengenError, a step after the end ResetNeeded.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - declared so by the base class

    def __init__(
        self,
        size: int = 9,
        k: int = 5,
        rule: Rule | str = Rule.FREESTYLE,
        opponent: str = "greedy",
        seat: Literal["first", "second", "random"] = "random",
        reward: Reward | dict[str, float] | None = None,
        observation: Literal["dict", "planes"] = "dict",
        illegal: Literal["lose", "raise"] = "lose",
        opponent_limit: Limit | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_choice("seat", seat, ("first", "second", "random"))
        check_choice("observation", observation, ("dict", "planes"))
        check_choice("illegal", illegal, ("lose", "raise"))
        check_render_mode(render_mode)
        self._empty = Board(Variant(size, k=k, rule=parse_rule(rule)))
        self._opponent_spec, self._limit = opponent, opponent_limit or Limit()
        self._seat, self._observation, self._illegal = seat, observation, illegal
        self._reward = Reward.model_validate(reward or {})
        self.render_mode = render_mode
        planes = gymnasium.spaces.Box(0.0, 1.0, (2, size, size), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (size * size,), np.int8)
        self.observation_space = (
            planes if observation == "planes" else gymnasium.spaces.Dict({"observation": planes, "action_mask": mask})
        )
        self.action_space = gymnasium.spaces.Discrete(size * size)
        self.board = self._empty.copy()
        self._agent = Color.BLACK
        self._over = False
        self._opponent = _fit_player(opponent, self._empty)  # a wrong one fails here, not in the first step

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """`options={"moves": [...]}` starts from a given position."""
        super().reset(seed=seed)
        self.board = starting_board(self._empty, options)
        self._over = False
        self.close()
        self._opponent = create(self._opponent_spec, seed=int(self.np_random.integers(2**31)))
        second = self._seat == "second" or (self._seat == "random" and bool(self.np_random.integers(2)))
        self._agent = self.board.turn.other if second else self.board.turn
        if second:
            self._answer()
        return self._observe(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        move = cell_of(action)
        if self._over or self.board.outcome() is not None:
            raise gymnasium.error.ResetNeeded("the game is over; call reset()")
        if not self.board.is_legal(move):
            return self._refuse(move)
        own, broken = best_shape(self.board, self._agent, move), best_shape(self.board, self._agent.other, move)
        self.board.play(move)
        answered = self._answer() if self.board.outcome() is None else Shape.NONE
        reward = self._result_reward(self._reward.step(own, answered, broken))
        return self._observe(), reward, self.board.outcome() is not None, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        mask = np.zeros(self.board.cells, np.bool_)
        mask[self.board.legal_moves()] = True
        return mask

    def render(self) -> Any:
        return render(self.board, self.render_mode)

    def close(self) -> None:
        """Ends an opponent that is another program."""
        close_player(self._opponent)

    def _answer(self) -> Shape:
        """The opponent plays; returns the best shape it made."""
        answer = self._opponent.choose(self.board, self._limit).move
        shape = best_shape(self.board, self._agent.other, answer)
        self.board.play(answer)
        return shape

    def _refuse(self, move: Move) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._illegal == "raise":
            self.board.copy().play(move)  # raises with the reason
        self._over = True
        return self._observe(), self._reward.loss, True, False, {**self._info(), "illegal": True}

    def _result_reward(self, going_on: float) -> float:
        outcome = self.board.outcome()
        if outcome is None:
            return going_on
        reward = self._reward
        return {1: reward.win, 0: reward.draw, -1: reward.loss}[outcome.result.sign(self._agent)]

    def _observe(self) -> Observation:
        planes = stone_planes(self.board, self._agent)
        return planes if self._observation == "planes" else {"observation": planes, "action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        return self.action_masks().astype(np.int8)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "agent": int(self._agent), "plies": len(self.board.moves)}


def best_shape(board: Board, color: Color, move: Move) -> Shape:
    """The best shape a stone makes over its four lines; an overline counts as nothing."""
    return board.core.best_shape(int(color), move)


def _fit_player(spec: str, board: Board) -> Player:
    """A player for this board; raises for a person and for a model of another board."""
    if parse_spec(spec)[0] == "human":
        raise TengenError("opponent='human': an environment has no terminal to type at; choose another player")
    agent = create(spec)
    check_board(agent, board)
    return agent
