"""The native environment: openings and actions that it refuses, an opponent that errs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tengen import Board
from tengen.envs import EnvConfig, VectorEnv
from tengen.envs.episodes import play_each_once
from tengen.rules import Color, Variant


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    ("width", "height", "k", "opening", "most"),
    [(5, 5, 5, 10, 5), (4, 4, 4, 10, 5), (3, 3, 3, 2, 1), (5, 9, 5, 9, 7), (7, 7, 6, 20, 9)],
)
def test_an_opening_without_room_is_refused(width: int, height: int, k: int, opening: int, most: int) -> None:
    """Such openings used to be drawn for ever."""
    config = EnvConfig(width=width, height=height, k=k, opening=opening, opponent="self")
    with pytest.raises(ValueError, match=rf"opening = {opening} .* {width}x{height} .*choose 0 to {most}$"):
        VectorEnv(1, config)
    fitting = VectorEnv(64, config.model_copy(update={"opening": most}), seed=1)
    assert (fitting.observe().sum(axis=(1, 2, 3)) == most).all()


@pytest.mark.parametrize("seat", ["first", "second"])
@pytest.mark.parametrize("opening", [0, 1, 2, 3])
def test_the_first_stone_is_the_seats_also_when_it_was_drawn(seat: str, opening: int) -> None:
    config = EnvConfig(opponent="greedy", seat=seat, opening=opening)  # type: ignore[arg-type]
    mine, theirs = VectorEnv(64, config, seed=1).observe().sum(axis=(2, 3)).T
    after = opening + (opening % 2 == (seat == "first"))  # the opponent goes on where it is its turn
    assert (mine == (after + (seat == "first")) // 2).all() and (mine + theirs == after).all()


@pytest.mark.parametrize("seat", ["first", "second", "random"])
@pytest.mark.parametrize("k", [3, 4, 5])
def test_an_opponent_that_begins_finds_no_win_in_the_opening(seat: str, k: int) -> None:
    """Else the game would be over before the agent's first stone."""
    config = EnvConfig(width=7, height=7, k=k, opponent="greedy", seat=seat, opening=2 * k - 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"choose 0 to {2 * k - 3}$"):
        VectorEnv(1, config)
    for own, theirs in VectorEnv(256, config.model_copy(update={"opening": 2 * k - 3}), seed=1).observe():
        stones = [np.flatnonzero(plane).tolist() for plane in (own, theirs)]
        assert Board.from_stones(*stones, turn=Color.BLACK, variant=Variant(7, k=k)).outcome() is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.array([0, 1, 2, 2**33]), "action 8589934592 is not legal on board 3; cells go from 0 to 48"),
        (np.array([0, 2**32, 2, 3], np.uint64), "action 4294967296 is not legal on board 1"),
        (np.array([0, 1, -1, 3]), "action -1 is not legal on board 2"),
        (np.array([0, 1, 2, 49]), "action 49 is not legal on board 3"),
        (np.array([0.0, 1.5, 2.0, 3.0]), r"whole numbers of shape \(4,\), not float64 of shape \(4,\)"),
        (np.array([True, False, True, True]), "not bool of shape"),
        (np.array([[0], [1], [2], [3]]), r"not int64 of shape \(4, 1\)"),
        (np.array([[0, 1], [2, 3]]), r"not int64 of shape \(2, 2\)"),
        (np.array([0, 1, 2]), r"not int64 of shape \(3,\)"),
        (np.array(3), r"not int64 of shape \(\)"),
        ([0, 1, 2, 2**70], "not object of shape"),
        (None, r"not object of shape \(\)"),
    ],
)
def test_actions_that_are_no_cells_are_refused_whole(actions: Any, message: str) -> None:
    vector = VectorEnv(4, seed=1)
    before = vector.observe()
    with pytest.raises(ValueError, match=message) as refusal:
        vector.step(actions)
    assert "\n" not in str(refusal.value)
    assert (vector.observe() == before).all()


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.uint64, list])
def test_whole_numbers_of_any_width_are_played(kind: Any) -> None:
    vector, same = VectorEnv(4, seed=1), VectorEnv(4, seed=1)
    cells = np.array([3, 10, 24, 48], np.int32)
    vector.step(kind(cells) if kind is list else cells.astype(kind))
    same.step(cells)
    assert (vector.observe() == same.observe()).all()


@pytest.mark.parametrize(("errors", "low", "high"), [(0.0, 30, 50), (0.5, 75, 95), (1.0, 96, 100)])
def test_an_opponent_that_errs_loses_more(errors: float, low: float, high: float) -> None:
    env = VectorEnv(128, EnvConfig(width=6, height=6, k=4, opponent="greedy", seat="second", errors=errors), seed=1)
    assert low <= 100 * play_each_once(env, VectorEnv.forced_actions)["win"] <= high
