"""Scores and intervals."""

from __future__ import annotations

import math
import random

import pytest

from tengen.arena.score import elo_of, expected_score, pentanomial, score_interval


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
