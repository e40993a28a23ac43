"""Plays by a Q-network: one forward pass, the legal cell with the largest Q."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from tengen.agents.base import Analysis, Candidate, Decision, refuse_finished
from tengen.board import Board
from tengen.evaluators.base import stone_planes
from tengen.evaluators.models import Model, ModelError, load_model
from tengen.evaluators.onnx import open_session
from tengen.rules import Limit, Move

CENTRE = 5
"""Side of the central square in which the first stone of a game falls at random, as in training."""


class DqnAgent:
    """Deterministic but for the first stone. Its Q-values are the cells' `prior` in an analysis."""

    def __init__(self, model: str | Model, seed: int = 0) -> None:
        self.model = model if isinstance(model, Model) else load_model(model)
        if self.model.encoding != "q-stones":
            raise ModelError(f"model '{self.model.name}' is not a Q-network; play it as alphazero:model=...")
        self._session = open_session(self.model.path, self.model.name, threads=1)
        self._seed = seed

    def check_board(self, board: Board) -> None:
        """Raises ModelError if the network does not play such boards."""
        self.model.check_board(board)

    def q_values(self, board: Board) -> dict[Move, float]:
        """Q of every legal cell, in scaled reward."""
        self.check_board(board)
        q = self._session.run(["q"], {"planes": stone_planes(board, board.turn)[None]})[0][0]
        return {move: float(q[move]) for move in board.legal_moves()}

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        q = self.q_values(board)
        if board.stones == 0:
            return Decision(random.Random(self._seed).choice(_central(board)), nodes=1)
        best = max(q, key=lambda move: q[move])
        return Decision(best, value=self._value(q[best]), pv=(best,), nodes=1, policy=_softmax(q))

    def analyse(self, board: Board, limit: Limit) -> Iterator[Analysis]:
        q = self.q_values(board)
        order = sorted(q, key=lambda move: -q[move])
        candidates = tuple(Candidate(m, self._value(q[m]), prior=q[m], pv=(m,)) for m in order)
        yield Analysis(candidates, candidates[0].value, nodes=1, seconds=0.0, policy=_softmax(q))

    def _value(self, q: float) -> float:
        """Q on the scale of results: what winning at once would bring is 1."""
        return float(np.clip(q / float(self.model.card.get("q_win", 1.0)), -1, 1))


def _central(board: Board) -> list[Move]:
    top, left = max(0, (board.height - CENTRE) // 2), max(0, (board.width - CENTRE) // 2)
    rows, cols = range(top, board.height - top), range(left, board.width - left)
    return [row * board.width + col for row in rows for col in cols]


def _softmax(q: dict[Move, float]) -> dict[Move, float]:
    values = np.array(list(q.values()))
    shares = np.exp(values - values.max())
    return dict(zip(q, (shares / shares.sum()).tolist(), strict=True))
