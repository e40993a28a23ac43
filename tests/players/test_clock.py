"""The clock policy: every move is paid for, however long the game lasts."""

from __future__ import annotations

import random

import pytest

from tengen import registry
from tengen.board import Board
from tengen.play.game import play_game
from tengen.players.clock import LEAST, OVERHEAD, budget, stretched
from tengen.rules import Limit, Termination, Variant


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


@pytest.mark.parametrize("seconds", [5.0, 60.0])
@pytest.mark.parametrize("cells", [225, 400])
def test_a_game_in_which_every_move_is_in_trouble_ends_within_the_clock(seconds: float, cells: int) -> None:
    left, delay = seconds, random.Random(4)
    for stones in range(0, cells, 2):
        most = stretched(None, left, stones, cells)
        assert most is not None and most >= share(None, left, stones, cells)
        left -= most + delay.uniform(0, OVERHEAD)
        assert left > 0, f"out of time at stone {stones}"


def test_only_a_game_clock_lets_a_move_take_longer() -> None:
    assert stretched(5.0, None, 10, 225) is None
    assert share(None, 60.0, 10) < (stretched(None, 60.0, 10, 225) or 0) < 60.0 * 0.25
    assert stretched(1.0, 1000.0, 10, 225) == share(1.0, None, 10)


def test_an_increment_is_spent_too() -> None:
    with_increment = budget(None, 60.0, 20, 225, increment=2.0)
    assert with_increment is not None and share(None, 60.0, 20) + 0.5 < with_increment < 60.0
    assert budget(None, 0.1, 20, 225, increment=2.0) == LEAST


def test_games_on_a_short_clock_are_not_lost_on_time() -> None:
    """The real engine, two moves at 5 s per game on a board that fills up."""
    for seed in range(2):
        players = [registry.create(f"alphabeta:seed={seed + i},hash_mb=4") for i in range(2)]
        record = play_game(*players, Board(Variant(9)), Limit(), game_seconds=1.5)
        assert record.termination not in (Termination.TIME, Termination.CRASH, Termination.ILLEGAL)
