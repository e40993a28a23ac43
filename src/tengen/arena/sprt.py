"""Wald's sequential test on openings: is a player better by elo1 rather than elo0? Stops when it knows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from scipy.optimize import brentq

from tengen.arena.game_processes import play_games
from tengen.arena.schedule import Conditions, limit_tags, record_key, same_limits, schedule_pairs, unplayed
from tengen.arena.score import Score, expected_score, match_score, opening_results
from tengen.arena.store import RecordStore
from tengen.board import Board
from tengen.errors import TengenError
from tengen.play.entrants import Entrant, check_entrants
from tengen.play.openings import opening_stream
from tengen.records import GameRecord

Pairs = tuple[int, int, int, int, int]
_POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Sprt:
    """`elo0` is accepted wrongly with probability beta at most, `elo1` with probability alpha."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise TengenError(f"elo0 = {self.elo0:g} must be below elo1 = {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise TengenError("alpha and beta must lie between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratio at which elo0 and elo1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """Log of how much likelier the counts are under elo1 than under elo0, each at its best distribution."""
        return self.llr_of(dict(zip(_POINTS, pairs, strict=True)))

    def llr_of(self, openings: Mapping[float, float]) -> float:
        """The same for openings by their mean score, which of an opening played again may be any number."""
        if not sum(openings.values()):
            return 0.0
        counts = {points: max(openings.get(points, 0), 1e-3) for points in {*_POINTS, *openings}}
        return _log_likelihood(counts, expected_score(self.elo1)) - _log_likelihood(counts, expected_score(self.elo0))

    def verdict(self, pairs: Pairs) -> str:
        """ "elo0", "elo1" or "" while neither is certain enough."""
        return self.decision(self.llr(pairs))

    def decision(self, llr: float) -> str:
        low, high = self.bounds
        return "elo1" if llr >= high else "elo0" if llr <= low else ""


def _log_likelihood(counts: Mapping[float, float], mean: float) -> float:
    """Of the likeliest distribution over results that has this mean.

    By Lagrange's method p = (n / N) / (1 + t * (points - mean)), with t such that the mean comes out.
    """
    points = sorted(counts)
    numbers = [counts[p] for p in points]
    shares = [number / sum(numbers) for number in numbers]
    gaps = [p - mean for p in points]
    low, high = -1 / max(gaps), -1 / min(gaps)
    margin = 1e-9 * (high - low)

    def excess(t: float) -> float:
        return sum(share * gap / (1 + t * gap) for share, gap in zip(shares, gaps, strict=True))

    t = brentq(excess, low + margin, high - margin)
    return sum(n * math.log(share / (1 + t * gap)) for n, share, gap in zip(numbers, shares, gaps, strict=True))


@dataclass(frozen=True, slots=True)
class SprtResult:
    verdict: str
    llr: float
    score: Score
    records: list[GameRecord]


def run_sprt(
    a: Entrant,
    b: Entrant,
    test: Sprt,
    conditions: Conditions,
    max_games: int,
    *,
    workers: int = 1,
    out: Path,
    on_game: Callable[[Score, float], None] | None = None,
) -> SprtResult:
    """Plays pairs until the test decides or `max_games` are played; continues from `out`."""
    check_entrants([a, b], Board(conditions.variant))
    starts = opening_stream(conditions.openings, conditions.variant, conditions.seed)
    with RecordStore(out, conditions.variant) as store:
        schedule = unplayed(schedule_pairs(a, b, conditions, starts), store.records[:])
        records = [r for r in store.records if {r.black, r.white} == {a.name, b.name} and record_key(r)[0]]
        _check_limits(records, a, b, conditions, out)
        todo = islice(schedule, max(0, max_games - len(records)))
        with closing(store.keep(play_games(todo, workers))) as games:
            while True:
                score = match_score(records, a.name)
                llr = test.llr_of(opening_results(records, a.name))
                verdict = test.decision(llr)
                if on_game:
                    on_game(score, llr)
                record = None if verdict else next(games, None)
                if record is None:
                    return SprtResult(verdict, llr, score, records)
                records.append(record)


def _check_limits(records: list[GameRecord], a: Entrant, b: Entrant, conditions: Conditions, out: Path) -> None:
    """One test is one pair of limits: games under others would be averaged into its answer."""
    for record in records:
        black, white = (a, b) if record.black == a.name else (b, a)
        if not same_limits(record, limit_tags(black, white, conditions)):
            raise TengenError(f"{out} holds games of {a.name} and {b.name} under other limits; choose another --out")
