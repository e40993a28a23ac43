"""Players that look one stone ahead: a rule names the cells it likes best, and one of them is drawn.

`any_legal` likes every legal cell. `greedy` is the opponent of the DQN course report: win, stop a five, make a four,
stop a four, make a three, make a two, anything. `weight` is the score table of the 9x9 research report: attack and
defence of every cell added up, the largest sum.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tengen import _core
from tengen.board import Board
from tengen.players.base import Decision, refuse_finished
from tengen.rules import Limit, Move

CellRule = Callable[[Board], list[Move]]


class OneStonePlayer:
    """The position is part of the seed: the same seed on the same board gives the same move, whatever came before."""

    def __init__(self, rule: CellRule, seed: int = 0) -> None:
        self._rule, self._seed = rule, seed

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        return Decision(random.Random(self._seed ^ board.key).choice(self._rule(board)), nodes=1)


def any_legal(board: Board) -> list[Move]:
    return board.legal_moves()


def greedy(board: Board) -> list[Move]:
    return _core.greedy_moves(board.core)


def weight(board: Board) -> list[Move]:
    return _core.weight_moves(board.core)
