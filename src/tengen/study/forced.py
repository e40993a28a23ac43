"""Which moves win by force and which hold: the truth that lessons, puzzles and warnings are built on.

Everything rests on the solvers, which never claim a false win. A move wins when it makes five, or when it threatens to
win by fours and every reply that could stop that threat still loses. Not for caro, where a four has several answers.
"""

from __future__ import annotations

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.solver import Mode, Solver
from tengen.rules import Color, Limit, Move, Rule

THREAT = Limit(nodes=5_000)
"""For the question whether a move threatens to win by fours."""


class ForcedPlay:
    """Answers questions about forced wins. Its solvers keep their tables from one question to the next."""

    def __init__(self, nodes: int = 100_000) -> None:
        self._limit = Limit(nodes=nodes)
        self._solvers = {mode: Solver(mode) for mode in Mode}

    def wins(self, board: Board, mode: Mode) -> bool:
        """The side to move has a forced win."""
        return self._solvers[mode].solve(board, self._limit).solved

    def line(self, board: Board, mode: Mode) -> tuple[Move, ...]:
        """The forced win of the side to move along the longest defence; empty when none was found."""
        solution = self._solvers[mode].solve(board, self._limit)
        return solution.moves if solution.solved else ()

    def none(self, board: Board, mode: Mode) -> bool:
        """The side to move certainly has no such win: the search was not cut off."""
        solution = self._solvers[mode].solve(board, self._limit)
        return not solution.solved and solution.exhausted

    def winning_moves(self, board: Board, mode: Mode) -> list[Move]:
        """Every move of the side to move that starts, or keeps, a forced win."""
        return [move for move in self.attacks(board, mode) if self.is_winning(board, move, mode)]

    def attacks(self, board: Board, mode: Mode) -> list[Move]:
        """Moves that could start such a win: fours alone, or any move."""
        _check(board)
        side = int(board.turn)
        if mode is Mode.VCT or (board.rule == Rule.RENJU and board.turn == Color.BLACK):
            return board.legal_moves()  # renju: cells that may be forbidden belong to no group
        fours = board.core.cells_with(side, _core.Group.FIVE) + board.core.cells_with(side, _core.Group.FOUR)
        return sorted(move for move in fours if board.is_legal(move))

    def is_winning(self, board: Board, move: Move, mode: Mode) -> bool:
        after = played(board, move)
        if after.outcome() is not None:
            return after.outcome().result.winner == board.turn  # type: ignore[union-attr]
        replies = self.replies(after, mode)
        return replies is not None and all(self.wins(played(after, reply), mode) for reply in replies)

    def replies(self, after: Board, mode: Mode) -> list[Move] | None:
        """Replies of the side to move that could stop what the other side threatens; None: nothing is threatened."""
        attacker = after.turn.other
        if fives(after, after.turn):
            return None
        if cells := fives(after, attacker):
            return [cell for cell in cells if after.is_legal(cell)] if len(cells) == 1 else []
        if mode is Mode.VCF:
            return None
        threat = self._solvers[Mode.VCF].solve(after, THREAT, attacker)
        if not threat.solved:
            return None
        return [m for m in _core.stopping_cells(after.core, int(attacker), list(threat.moves)) if after.is_legal(m)]

    def losing_line(self, board: Board, move: Move, mode: Mode) -> tuple[Move, ...]:
        """How the opponent wins by force after `move`; empty when no such win was found."""
        after = played(board, move)
        return () if after.outcome() is not None else self.line(after, mode)


def played(board: Board, move: Move) -> Board:
    copy = board.copy()
    copy.play(move)
    return copy


def fives(board: Board, side: Color) -> list[Move]:
    """The cells where `side` would make five."""
    return board.core.cells_with(int(side), _core.Group.FIVE)


def _check(board: Board) -> None:
    if board.rule == Rule.CARO:
        raise TengenError("forced play is not studied under caro, where a four can be answered in several ways")
