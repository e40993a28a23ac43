"""Glicko-2 (Glickman 2012), as far as one person who solves puzzles needs it: one result is one rating period.

The arithmetic is in the core (cpp/study/rating.h).
"""

from __future__ import annotations

from dataclasses import dataclass

from tengen import _core

PUZZLE_DEVIATION = _core.PUZZLE_DEVIATION
"""A puzzle's rating is an estimate that does not move."""


@dataclass(frozen=True, slots=True)
class Rating:
    value: float = 1200.0
    deviation: float = 350.0
    volatility: float = 0.06

    def interval(self) -> tuple[float, float]:
        """95 %."""
        return self.value - 1.96 * self.deviation, self.value + 1.96 * self.deviation


def after_puzzle(person: Rating, puzzle: float, solved: bool) -> Rating:
    return after_games(person, [(Rating(puzzle, PUZZLE_DEVIATION), 1.0 if solved else 0.0)])


def after_games(person: Rating, games: list[tuple[Rating, float]]) -> Rating:
    """The rating after one period of games, each an opponent and a score from 0 to 1."""
    rows = [(_row(opponent), score) for opponent, score in games]
    return Rating(*_core.after_games(_row(person), rows))


def _row(rating: Rating) -> tuple[float, float, float]:
    return rating.value, rating.deviation, rating.volatility
