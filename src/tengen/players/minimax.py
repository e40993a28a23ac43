"""Minimax with alpha-beta and an evaluation by shapes: five 10000, open four 5000, open three 500, four 400,
closed three 30. The tree is searched natively (cpp/minimax.h)."""

from __future__ import annotations

import math
import random

from tengen import _core
from tengen.board import Board
from tengen.players.base import Decision, native_seconds, refuse_finished
from tengen.rules import Limit

FIVE = 10_000
"""Score of a win, less one for each move on the way to it."""
SUREST_SUM = 9_000
"""No sum of shapes goes beyond this; what does is a win or a loss."""


class MinimaxPlayer:
    def __init__(self, depth: int = 3, random_depth: bool = False, seed: int = 0) -> None:
        assert 1 <= depth <= 8, "the registry checks options"
        self._depth, self._random_depth, self._seed = depth, random_depth, seed

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        # The position is part of the seed: the same seed on the same board gives the same move, whatever came before.
        draw = random.Random(self._seed ^ board.key)
        depth = draw.choice((2, 3)) if self._random_depth else self._depth
        depth = min(depth, limit.depth or depth)
        search = _core.Minimax(board.core, draw.getrandbits(64))
        found = search.run(native_seconds(limit), limit.nodes or 0, depth)
        return Decision(found.move, value_of(found.score), tuple(found.pv), found.nodes, found.depth)


def value_of(score: int) -> float:
    """A score of shapes as a value in [-1, 1]; only a proven end reaches 1."""
    return math.copysign(1.0, score) if abs(score) > SUREST_SUM else math.tanh(score / 2000)
