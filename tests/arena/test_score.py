"""Scores and intervals."""

from __future__ import annotations

import math
import random

import pytest

from tengen.arena.ratings import rate
from tengen.arena.score import (
    elo_of,
    expected_score,
    match_score,
    observations,
    opening_results,
    pentanomial,
    score_interval,
)
from tengen.arena.sprt import Sprt
from tengen.records import GameRecord
from tengen.rules import Result, Termination, Variant


def test_elo_and_score_are_inverse() -> None:
    assert elo_of(0.5) == 0 and elo_of(0.75) == pytest.approx(190.85, abs=0.01)
    assert expected_score(elo_of(0.62)) == pytest.approx(0.62)
    assert elo_of(1) == math.inf and elo_of(0) == -math.inf


def test_pentanomial_counts_complete_pairs() -> None:
    groups = [[0.0, 0.0], [1.0, 0.0], [0.5, 1.0], [1.0, 1.0], [1.0], [0.5, 0.0]]
    assert pentanomial(groups) == (1, 1, 1, 1, 1)


def test_all_wins_keep_an_honest_lower_end() -> None:
    interval = score_interval([[1.0, 1.0]] * 50)
    assert interval.value == interval.high == 1 and 0.9 < interval.low < 0.95


def test_equal_pairs_do_not_claim_certainty() -> None:
    interval = score_interval([[1.0, 0.0]] * 20)
    assert 0.4 < interval.low < 0.46 and 0.54 < interval.high < 0.6


def test_no_games() -> None:
    assert score_interval([]).low == 0


@pytest.mark.parametrize("rate", [0.5, 0.8])
def test_interval_covers_the_truth(rate: float) -> None:
    """Openings that favour one colour make the games of a pair dependent; coverage must not suffer."""
    rng, hits = random.Random(5), 0
    for _ in range(400):
        groups = []
        for _ in range(60):
            edge = rng.choice((-0.15, 0.15))
            groups.append([float(rng.random() < rate + edge), float(rng.random() < rate - edge)])
        interval = score_interval(groups)
        hits += interval.low <= rate <= interval.high
    assert 0.92 <= hits / 400 <= 0.995


def game(pair: int, black: str, moves: tuple[int, ...], opening: int, winner: Result = Result.BLACK) -> GameRecord:
    white = "b" if black == "a" else "a"
    return GameRecord(black, white, Variant(9), moves, winner, Termination.FIVE, opening, f"1.{pair}", (), (), pair)


def repeated_openings(times: int, openings: int = 5) -> list[GameRecord]:
    """Each opening is played `times` times over; who wins depends on the opening alone."""
    games = []
    for pair in range(times * openings):
        stone = pair % openings
        for black in "ab":
            winner = Result.BLACK if (black == "a") == (stone < 3) else Result.WHITE
            games.append(game(pair, black, (stone, 40 + ord(black), 3 + pair), 1, winner))
    return games


def test_an_opening_played_again_brings_no_certainty() -> None:
    once, often = (match_score(repeated_openings(times), "a") for times in (1, 20))
    assert often.games == 20 * once.games and often.openings == once.openings == 5
    assert (often.rate.low, often.rate.high) == pytest.approx((once.rate.low, once.rate.high))
    assert often.rate.high - often.rate.low > 0.5


def test_ratings_resample_openings() -> None:
    once, often = (rate(repeated_openings(times), bootstrap=200).ratings[0] for times in (1, 20))
    widths = [r.bootstrap.high - r.bootstrap.low for r in (once, often) if r.bootstrap]
    assert widths[1] > 0.8 * widths[0]


def test_a_sequential_test_counts_openings() -> None:
    test = Sprt(0, 50)
    once, often = (test.llr_of(opening_results(repeated_openings(times), "a")) for times in (1, 20))
    assert often == pytest.approx(once) and abs(often) < abs(test.llr((40, 0, 0, 0, 60)))


def test_games_from_an_empty_board_count_by_pair_and_repeated_ones_once() -> None:
    games = [game(pair, "a", (pair % 2, 5, 7), 0) for pair in range(10)]
    assert observations(games) == ["1.0", "1.1"] * 5
    score = match_score(games, "a")
    assert score.openings == 2 and score.repeated == 8
