"""Scores and Elo differences of two players, with honest error bars.

The unit of chance is the opening, not the game: games from one opening are not independent, least of all between
players that always answer alike. All games from one opening are one observation, however often it was played.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tengen.records import GameRecord
from tengen.rules import Color, Termination

Z95 = 1.959964
FAULTS = (Termination.CRASH, Termination.TIME, Termination.ILLEGAL, Termination.MEMORY)
"""Ways to lose that are not Gomoku."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Score:
    """The result of a match, seen from the first player. `pairs` counts complete pairs by points 0, 0.5 .. 2."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, int, int, int, int]
    rate: Interval
    faults: dict[str, tuple[int, int]]
    """For each way to lose by a fault: how often the first player did, and the second."""
    openings: int = 0
    """Observations behind the interval: different openings, or pairs of games that began from an empty board."""
    repeated: int = 0
    """Games that had been played before, move for move."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def elo(self) -> Interval:
        return Interval(*(elo_of(p) for p in (self.rate.value, self.rate.low, self.rate.high)))


def elo_of(rate: float) -> float:
    """The Elo difference at which the expected score is `rate`; infinite at 0 and 1."""
    if rate <= 0 or rate >= 1:
        return math.inf if rate >= 1 else -math.inf
    return 400 * math.log10(rate / (1 - rate))


def expected_score(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def match_score(records: Iterable[GameRecord], first: str) -> Score:
    """Adds up the games of `first` against whoever it met. A player's games with itself count by their leg."""
    records = list(records)
    points: dict[tuple[object, ...], list[float]] = defaultdict(list)
    pairs: dict[tuple[str, ...], list[float]] = defaultdict(list)
    counts = {1.0: 0, 0.5: 0, 0.0: 0}
    faults: dict[str, tuple[int, int]] = {}
    for record, unit in zip(records, observations(records), strict=True):
        side = first_side(record, first)
        score, opponent = record.score(side), record.white if side is Color.BLACK else record.black
        counts[score] += 1
        points[unit, opponent].append(score)
        pairs[record.pair, opponent].append(score)
        if record.termination in FAULTS:
            ours, theirs = faults.get(record.termination, (0, 0))
            faults[record.termination] = (ours + (score == 0), theirs + (score == 1))
    repeated = len(records) - len({(record.black, record.white, record.moves) for record in records})
    return Score(
        counts[1.0], counts[0.5], counts[0.0], pentanomial(pairs.values()), score_interval(list(points.values())),
        faults, len(points), repeated,
    )  # fmt: skip


def opening_results(records: Sequence[GameRecord], first: str) -> Counter[float]:
    """How many openings brought `first` which mean score; an opening counts once all its games have both colours."""
    points: dict[object, list[float]] = defaultdict(list)
    for record, unit in zip(records, observations(records), strict=True):
        points[unit].append(record.score(first_side(record, first)))
    return Counter(sum(own) / len(own) for own in points.values() if len(own) % 2 == 0)


def observations(records: Sequence[GameRecord]) -> list[object]:
    """For each game the unit of chance it belongs to: its opening.

    Games from an empty board have none: their unit is the pair, and a game played again belongs to the first pair that
    played it.
    """
    first: dict[tuple[object, ...], object] = {}
    units: list[object] = []
    for number, record in enumerate(records):
        opening = record.moves[: record.opening]
        unit: object = opening or record.pair or number
        units.append(first.setdefault((record.black, record.white, record.moves), unit))
    return units


def first_side(record: GameRecord, first: str) -> Color:
    if record.black == record.white:
        return Color.BLACK if record.tags.get("leg", "0") == "0" else Color.WHITE
    return Color.BLACK if record.black == first else Color.WHITE


def pentanomial(groups: Iterable[list[float]]) -> tuple[int, int, int, int, int]:
    """How many complete pairs brought 0, 0.5, 1, 1.5 and 2 points."""
    counts = [0] * 5
    for group in groups:
        if len(group) == 2:
            counts[int(2 * sum(group))] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def score_interval(groups: list[list[float]]) -> Interval:
    """Mean points a game with a 95 % interval from the spread between observations, each a list of games.

    The interval is Wilson's for as many independent games as would have the measured variance, so it stays within
    0 and 1. One imaginary observation at half a point's distance keeps the variance above zero when all ended alike.
    """
    games = sum(map(len, groups))
    if not games:
        return Interval(0.5, 0.0, 1.0)
    rate = sum(map(sum, groups)) / games
    squares = sum((sum(g) - rate * len(g)) ** 2 for g in groups) + 0.25 * (games / len(groups)) ** 2
    variance = squares / games**2
    independent = rate * (1 - rate) / variance if 0 < rate < 1 else float(len(groups))
    return wilson(rate, independent)


def wilson(rate: float, games: float) -> Interval:
    z2 = Z95 * Z95
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 / (1 + z2 / games) * math.sqrt(max(rate * (1 - rate), 0) / games + z2 / (4 * games * games))
    return Interval(rate, 0.0 if rate == 0 else middle - half, 1.0 if rate == 1 else middle + half)
