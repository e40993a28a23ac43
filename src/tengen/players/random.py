"""Any legal move."""

from __future__ import annotations

import random

from tengen.board import Board
from tengen.players.base import Decision, refuse_finished
from tengen.rules import Limit


class RandomPlayer:
    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        # Seeded by the position too: the same seed on the same board gives the same move, whatever came before.
        return Decision(random.Random(self._seed ^ board.key).choice(board.legal_moves()), nodes=1)
