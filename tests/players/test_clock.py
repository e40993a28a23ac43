"""The clock policy: every move is paid for, however long the game lasts."""

from __future__ import annotations

import random

import pytest

from tengen.players.clock import LEAST, OVERHEAD, budget


def share(turn: float | None, left: float | None, stones: int, cells: int = 225) -> float:
    seconds = budget(turn, left, stones, cells)
    assert seconds is not None
    return seconds


def test_no_clock_is_no_limit() -> None:
    assert budget(None, None, 10, 225) is None


def test_a_turn_limit_is_nearly_used_up() -> None:
    assert 4.5 < share(5.0, None, 10) < 5.0
    assert 0 < share(0.0, None, 0) <= 0.01
    assert share(1.0, 1000.0, 0) < 1.0


def test_a_spent_clock_leaves_the_least() -> None:
    assert share(5.0, -3.0, 10) == LEAST
    assert share(None, 0.01, 10) == LEAST


def test_early_moves_get_more_than_an_even_share() -> None:
    assert 180 / 30 < share(None, 180.0, 0) < 180 * 0.1
    assert share(None, 180.0, 0) < share(None, 180.0, 60)


@pytest.mark.parametrize("seconds", [5.0, 20.0, 60.0, 300.0])
@pytest.mark.parametrize("cells", [225, 400])
@pytest.mark.parametrize("first", [0, 1])
def test_a_full_board_is_played_within_the_clock(seconds: float, cells: int, first: int) -> None:
    """Each move takes its time and some delay on top; only a clock too short for the board's moves runs out."""
    left, delay = seconds, random.Random(3)
    needed = (LEAST + OVERHEAD) * cells / 2
    for stones in range(first, cells, 2):
        spent = share(None, left, stones, cells)
        left -= spent + delay.uniform(0, OVERHEAD)
        assert left > 0 or seconds < needed, f"out of time at stone {stones}"
    assert left < seconds / 2


def test_most_of_the_time_is_spent_where_games_are_decided() -> None:
    left = 60.0
    for stones in range(0, 80, 2):
        left -= share(None, left, stones)
    assert left < 60.0 * 0.25
