"""A player that errs as people do, for levels that a beginner can beat (cpp/search/person.h)."""

from __future__ import annotations

from tengen import _core
from tengen.board import Board
from tengen.players.base import Decision, native_seconds, refuse_finished
from tengen.rules import Limit


class PersonPlayer:
    """The same seed on the same board gives the same move, whatever came before."""

    def __init__(self, sees: float = 0.5, reads: float = 0.0, nodes: int = 200, seed: int = 0) -> None:
        assert 0 <= sees <= 1 and 0 <= reads <= 1 and nodes >= 1, "the registry checks options"
        self._person = _core.Person(sees, reads, nodes, seed & (2**64 - 1))

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        choice = self._person.choose(board.core, native_seconds(limit), limit.nodes or 0)
        return Decision(choice.move, nodes=choice.nodes)
