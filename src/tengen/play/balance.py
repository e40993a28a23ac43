"""How even a position is: a quick judge for opening positions."""

from __future__ import annotations

import math
from functools import cache

from tengen.board import Board
from tengen.players.base import Player
from tengen.registry import PLAYERS, create
from tengen.rules import Limit

_FIVE, _FOUR_THREE = 12, 9  # threat numbers of the core: five; four with three, double four, open four
_TEMPO, _SCALE = 135, 400  # worth of the move, and of a clear lead, in the core's shape scores
_NODES = 4000


def balance_of(board: Board) -> float:
    """Value for the side to move, in [-1, 1]: by a short search where our engine is there, else by shapes."""
    quick = shapes_balance(board)
    judge = _searcher()
    if abs(quick) == 1 or judge is None:
        return quick
    value = judge.choose(board, Limit(nodes=_NODES)).value
    return quick if value is None else value


def shapes_balance(board: Board) -> float:
    """Wins that a look at the shapes proves count as 1 and -1; otherwise the lead in shapes."""
    core, side = board.core, int(board.turn)
    own, theirs = (core.cells_with(color, 0) for color in (side, 1 - side))
    if own or len(theirs) > 1:
        return 1.0 if own else -1.0
    if not theirs and any(_FOUR_THREE <= core.threat(side, m) <= _FIVE for m in core.cells_with(side, 1)):
        return 1.0
    return 0.99 * math.tanh((core.score(side) - core.score(1 - side) + _TEMPO) / _SCALE)


@cache
def _searcher() -> Player | None:
    return create("alphabeta") if "alphabeta" in PLAYERS else None
