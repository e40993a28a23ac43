"""Which moves win by force and which hold: the truth that lessons, puzzles and warnings are built on.

Everything rests on the solvers, which never claim a false win. A move wins when it makes five, or when it threatens to
win by fours and every reply that could stop that threat still loses.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen import _core
from tengen.board import Board
from tengen.players.solver import Mode
from tengen.rules import Color, Move


class ForcedPlay:
    """Answers questions about forced wins. Its solvers keep their tables from one question to the next."""

    def __init__(self, nodes: int = 100_000) -> None:
        self.core = _core.ForcedPlay(nodes)

    def wins(self, board: Board, mode: Mode) -> bool:
        """The side to move has a forced win."""
        return bool(self.line(board, mode))

    def line(self, board: Board, mode: Mode) -> tuple[Move, ...]:
        """The forced win of the side to move along the longest defence; empty when none was found."""
        return tuple(self.core.line(board.core, mode is Mode.VCT))

    def none(self, board: Board, mode: Mode) -> bool:
        """The side to move certainly has no such win: the search was not cut off."""
        return self.core.none(board.core, mode is Mode.VCT)

    def winning_moves(self, board: Board, mode: Mode) -> list[Move]:
        """Every move of the side to move that starts, or keeps, a forced win."""
        return [move for move in self.attacks(board, mode) if self.is_winning(board, move, mode)]

    def attacks(self, board: Board, mode: Mode) -> list[Move]:
        """Moves that could start such a win: fours alone, or any move."""
        return self.core.attacks(board.core, mode is Mode.VCT)

    def is_winning(self, board: Board, move: Move, mode: Mode) -> bool:
        """Does a legal move start, or keep, a forced win?"""
        return self.core.is_winning(board.core, move, mode is Mode.VCT)

    def settled(self, board: Board, move: Move, mode: Mode) -> bool | None:
        """The same, where False is certain too: a reply leaves no win by such threats. None: a search was cut off."""
        return self.core.settled(board.core, move, mode is Mode.VCT)

    def replies(self, after: Board, mode: Mode) -> list[Move] | None:
        """Replies of the side to move that could stop what the other side threatens; None: nothing is threatened."""
        return self.core.replies(after.core, mode is Mode.VCT)

    def holds(self, board: Board, move: Move, fours: int) -> bool | None:
        """After a legal move the opponent has no win by fours. None: it would take more nodes, or more than `fours`
        fours of one's own, to know.
        """
        return self.core.holds(board.core, move, fours)


def forced_lines(forced: ForcedPlay) -> Callable[[Board], tuple[bool, tuple[Move, ...]]]:
    """Advice for who checks a puzzle: a line that wins, and whether it is one of fours alone."""

    def line(board: Board) -> tuple[bool, tuple[Move, ...]]:
        fours = forced.line(board, Mode.VCF)
        return bool(fours), fours or forced.line(board, Mode.VCT)

    return line


def played(board: Board, move: Move) -> Board:
    copy = board.copy()
    copy.play(move)
    return copy


def fives(board: Board, side: Color) -> list[Move]:
    """The cells where `side` would make five."""
    return board.core.cells_with(int(side), _core.Group.FIVE)
