"""The score table of the 9x9 research report: attack plus defence of every cell; the largest sum is played."""

from __future__ import annotations

import random

from tengen import _core
from tengen.board import Board
from tengen.players.base import Decision, refuse_finished
from tengen.rules import Limit


class WeightPlayer:
    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        return Decision(random.Random(self._seed ^ board.key).choice(_core.weight_moves(board.core)), nodes=1)
