"""How hard a puzzle is: which levels find its first move, how long it is, how many moves look worth a try."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tengen import _core
from tengen.board import Board
from tengen.lab.levels import Level, read_scale
from tengen.players.base import Player
from tengen.registry import create
from tengen.rules import Limit, Move

TRIES = 8
"""Each level that errs as people do is asked this often; the others always play the same."""
BOARD = 15
"""The side of the board whose levels are asked."""


class Panel:
    """All levels but the strongest, which would take too long."""

    def __init__(self, levels: Sequence[Level] = ()) -> None:
        chosen = levels or read_scale().boards[BOARD][:-1]
        self._levels = [(level.elo or 0.0, _players(level)) for level in chosen]

    def shares(self, board: Board, solutions: Collection[Move]) -> list[tuple[float, float]]:
        """The rating of each level, and how often it finds one of the solutions."""
        found = []
        for elo, players in self._levels:
            hits = sum(player.choose(board, Limit(seconds=1)).move in solutions for player in players)
            found.append((elo, hits / len(players)))
        return found

    def rating(self, board: Board, solutions: Collection[Move], choices: int, attacks: int) -> int:
        """Where a level would find the first move every other time, and more for what comes after it."""
        return _core.puzzle_rating(self.shares(board, solutions), attacks, choices, len(solutions))


def _players(level: Level) -> list[Player]:
    return [create(level.spec, seed=seed) for seed in range(TRIES if level.spec.startswith("person") else 1)]
