"""Glicko-2 (Glickman 2012), as far as one person who solves puzzles needs it: one result is one rating period."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq

SCALE = 173.7178
TAU = 0.5
"""How fast the volatility may change."""
PUZZLE_DEVIATION = 60.0
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
    mu, phi = (person.value - 1500) / SCALE, person.deviation / SCALE
    weights = [(_damping(one.deviation / SCALE), (one.value - 1500) / SCALE, score) for one, score in games]
    expected = [(g, 1 / (1 + math.exp(-g * (mu - other))), score) for g, other, score in weights]
    variance = 1 / sum(g * g * e * (1 - e) for g, e, _ in expected)
    gain = sum(g * (score - e) for g, e, score in expected)
    volatility = _volatility(person.volatility, phi, variance, variance * gain)
    wider = phi * phi + volatility * volatility
    narrower = 1 / math.sqrt(1 / wider + 1 / variance)
    return Rating(1500 + SCALE * (mu + narrower * narrower * gain), SCALE * narrower, volatility)


def _damping(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * (phi / math.pi) ** 2)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """The root of the paper's f; it lies between a value far below and one where f is negative."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + math.exp(x)
        return math.exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - a) / (TAU * TAU)

    low, high = a - 1.0, a + 1.0
    while f(low) < 0:
        low -= 1.0
    while f(high) > 0:
        high += 1.0
    return math.exp(float(brentq(f, low, high, xtol=1e-9)) / 2)
