"""How even a position is: a quick judge for opening positions."""

from __future__ import annotations

import math
from functools import cache

from tengen._core import Group, Threat
from tengen.board import Board
from tengen.players.base import Player
from tengen.registry import create
from tengen.rules import Limit

_TEMPO, _SCALE = 135, 400  # worth of the move, and of a clear lead, in the core's shape scores
_NODES = 4000


def balance_of(board: Board) -> float:
    """Value for the side to move, in [-1, 1]: by shapes where they decide, else by a short search."""
    quick = shapes_balance(board)
    if abs(quick) == 1:
        return quick
    value = _searcher().choose(board, Limit(nodes=_NODES)).value
    return quick if value is None else value


def shapes_balance(board: Board) -> float:
    """Wins that a look at the shapes proves count as 1 and -1; otherwise the lead in shapes."""
    core, side = board.core, int(board.turn)
    own, theirs = (core.cells_with(color, Group.FIVE) for color in (side, 1 - side))
    if own or len(theirs) > 1:
        return 1.0 if own else -1.0
    if not theirs and any(
        Threat.FOUR_THREE <= core.threat(side, m) <= Threat.FIVE for m in core.cells_with(side, Group.FOUR)
    ):
        return 1.0
    return 0.99 * math.tanh((core.score(side) - core.score(1 - side) + _TEMPO) / _SCALE)


@cache
def _searcher() -> Player:
    return create("alphabeta:network=none")  # openings stay the same when a network learns
