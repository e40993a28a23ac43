"""Plays by a Q-network: one forward pass, the legal cell with the largest Q."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tengen.board import Board
from tengen.inference.base import stone_planes
from tengen.inference.models import Model, ModelError, load_model
from tengen.inference.onnx import open_session
from tengen.players.base import Analysis, Candidate, Decision, refuse_finished
from tengen.rules import Limit, Move

CENTRE = 5
"""Side of the central square of a random first stone, where the card does not tell what it was in training."""


class DqnPlayer:
    """Deterministic but for the first stone, which falls in the centre as in training. Its Q-values are the cells'
    `prior` in an analysis. Raises ModelError for a card that does not fit its network."""

    def __init__(self, model: str | Model, seed: int = 0, provider: str = "cpu") -> None:
        self.model = model if isinstance(model, Model) else load_model(model)
        if self.model.encoding != "q-stones":
            raise ModelError(f"model '{self.model.name}' is not a Q-network; play it as alphazero:model=...")
        self._q_win, self._centre = _q_win(self.model), _centre(self.model)
        self._session = open_session(self.model.source, self.model.name, threads=1, provider=provider)
        self._seed = seed
        self._try()

    def new_game(self, seed: int) -> None:
        self._seed = seed

    def check_board(self, board: Board) -> None:
        """Raises ModelError if the network does not play such boards."""
        self.model.check_board(board)

    def q_values(self, board: Board) -> dict[Move, float]:
        """Q of every legal cell, in scaled reward."""
        self.check_board(board)
        q = self._run(board)[0]
        if not np.isfinite(q).all():
            raise ModelError(f"model '{self.model.name}' answered with a number that is not finite")
        return {move: float(q[move]) for move in board.legal_moves()}

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        q = self.q_values(board)
        if board.stones == 0 and self._centre:
            central = central_cells(board.width, board.height, self._centre)
            return Decision(random.Random(self._seed).choice(central), nodes=1)
        best = max(q, key=lambda move: q[move])
        return Decision(best, value=self._value(q[best]), pv=(best,), nodes=1, policy=_softmax(q))

    def analyse(self, board: Board, limit: Limit) -> Iterator[Analysis]:
        refuse_finished(board)
        q = self.q_values(board)
        order = sorted(q, key=lambda move: -q[move])
        candidates = tuple(Candidate(m, self._value(q[m]), prior=q[m], pv=(m,)) for m in order)
        yield Analysis(candidates, candidates[0].value, nodes=1, seconds=0.0, policy=_softmax(q))

    def _value(self, q: float) -> float:
        """Q on the scale of results: what winning at once would bring is 1."""
        return float(np.clip(q / self._q_win, -1, 1))

    def _run(self, board: Board) -> Any:
        """[1, cells]"""
        return self._session.run(["q"], {"planes": stone_planes(board, board.turn)[None]})[0]

    def _try(self) -> None:
        """One pass on the card's own board tells whether the two belong together, whatever shapes the file declares."""
        name, variant = self.model.name, self.model.variant
        try:
            q = self._run(Board(variant))
        except Exception:  # onnxruntime's own, of many kinds and lines
            q = np.empty(0)
        if q.shape != (1, variant.cells):
            raise ModelError(f"model '{name}' does not fit its card: it is not a Q-network for {variant.size}")
        if not np.isfinite(q).all():
            raise ModelError(f"model '{name}' answers with numbers that are not finite")


def _q_win(model: Model) -> float:
    value = model.card.get("q_win", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ModelError(f"the card of model '{model.name}' says q_win = {value!r}; it must be a number above 0")
    return float(value)


def _centre(model: Model) -> int:
    """Side of the square of random first stones, play.first_random of the training; 0: Q decides."""
    recipe = model.card.get("recipe")
    play = recipe.get("play") if isinstance(recipe, dict) else None
    side = play.get("first_random", CENTRE) if isinstance(play, dict) else CENTRE
    if isinstance(side, bool) or not isinstance(side, int) or side < 0:
        raise ModelError(f"the card of model '{model.name}' says first_random = {side!r}; it must be 0 or more cells")
    return side


def central_cells(width: int, height: int, side: int) -> list[Move]:
    """The cells that first stones are drawn from, here and in training; on even boards one nearer to the top left."""
    return [row * width + col for row in _middle(height, side) for col in _middle(width, side)]


def _middle(length: int, side: int) -> range:
    first = (length - side) // 2
    return range(max(0, first), min(length, first + side))


def _softmax(q: dict[Move, float]) -> dict[Move, float]:
    values = np.array(list(q.values()))
    shares = np.exp(values - values.max())
    return dict(zip(q, (shares / shares.sum()).tolist(), strict=True))
