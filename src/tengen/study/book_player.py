"""A player that opens from the book and thinks for itself after that."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest

from tengen.board import Board
from tengen.players.base import Analyser, Analysis, Candidate, Decision, Player, Prepares, Stoppable
from tengen.rules import Color, Limit, Move
from tengen.study.book import Book


class BookPlayer:
    """The book's best move where it has one, else what `player` chooses."""

    def __init__(self, player: Player, book: Book) -> None:
        self._player, self._book = player, book

    def prepare(self, board: Board) -> None:
        if isinstance(self._player, Prepares):
            self._player.prepare(board)

    def choose(self, board: Board, limit: Limit) -> Decision:
        known = self._known(board)
        return known if known else self._player.choose(board, limit)

    def analyse(self, board: Board, limit: Limit) -> Iterator[Analysis]:
        if known := self._known(board):
            candidate = Candidate(known.move, known.value or 0.0, pv=(known.move,))
            yield Analysis((candidate,), candidate.value, 0, 0.0)
        elif isinstance(self._player, Analyser):
            yield from self._player.analyse(board, limit)
        else:
            decision = self._player.choose(board, limit)
            candidate = Candidate(decision.move, decision.value or 0.0, pv=decision.pv)
            yield Analysis((candidate,), candidate.value, decision.nodes, 0.0, decision.depth)

    def stop(self) -> None:
        if isinstance(self._player, Stoppable):
            self._player.stop()

    def _known(self, board: Board) -> Decision | None:
        if board.variant != self._book.variant:
            return None
        found = self._book.look(_in_turn(board))
        if found is None or found.best is None or not board.is_legal(found.best):
            return None
        return Decision(found.best, found.value if board.turn == Color.BLACK else -found.value, (found.best,))


def _in_turn(board: Board) -> list[Move]:
    """The stones as moves in turn; the order within a colour does not matter to the book."""
    black, white = ([m for m in range(board.cells) if board.at(m) == side] for side in Color)
    if len(black) - len(white) not in (0, 1):
        return black + white  # no game in turn leads here; the book does not know it
    return [move for move in chain.from_iterable(zip_longest(black, white)) if move is not None]
