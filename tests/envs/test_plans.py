"""Plans: quiet moves that lead to a win by force against the opponent inside."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from tengen.envs import EnvConfig, VectorEnv

MINIMAX = EnvConfig(width=7, height=7, opponent="minimax", depth=2)


def results_by_plan(first_stones: NDArray[np.int32], quiet: int) -> NDArray[np.int8]:
    """How games end that follow a plan after the given first stones, and exploring moves where there is none."""
    env = VectorEnv(len(first_stones), MINIMAX, seed=1)
    results = env.step(first_stones).results
    while not results.all():
        planned = env.plan_actions(quiet, stones=6)
        actions = np.where(planned >= 0, planned, env.forced_actions())
        ended = results != 0  # such a board has begun anew, and what happens there does not count
        actions = np.where(ended & (env.observe().sum(axis=(1, 2, 3)) == 0), first_stones, actions)
        results = np.where(ended, results, env.step(actions.astype(np.int32)).results)
    return results


def test_a_plan_beats_an_opponent_that_forcing_moves_alone_do_not() -> None:
    first_stones = np.full(12, 9, np.int32)  # second row, third column
    assert (results_by_plan(first_stones, quiet=4) == 1).all()
    assert (results_by_plan(first_stones, quiet=0) == 1).mean() < 0.5


def test_a_plan_is_known_however_the_board_is_turned() -> None:
    eight_images = np.array([9, 11, 15, 19, 29, 33, 37, 39], np.int32)
    assert (results_by_plan(eight_images, quiet=4) == 1).all()


@pytest.mark.parametrize("opponent", ["minimax", "self"])
def test_without_a_stone_or_an_opponent_there_is_nothing_to_plan(opponent: str) -> None:
    env = VectorEnv(3, EnvConfig(width=7, height=7, opponent=opponent), seed=1)  # type: ignore[arg-type]
    assert (env.plan_actions(2, stones=4) == -1).all()
    env.step(np.full(3, 24, np.int32))
    if opponent == "self":
        assert (env.plan_actions(2, stones=4) == -1).all()


def test_only_boards_that_are_asked_have_a_plan() -> None:
    env = VectorEnv(4, MINIMAX, seed=1)
    env.step(np.full(4, 9, np.int32))
    asked = np.array([True, False, True, False])
    assert ((env.plan_actions(4, 6, asked) >= 0) == asked).all()
    for wrong in (asked[:3], asked.reshape(4, 1), [1, 0, 1, 0]):
        with pytest.raises(ValueError, match="asked must be truth values"):
            env.plan_actions(4, 6, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("quiet", "stones"), [(-1, 6), (2, 0)])
def test_a_plan_of_no_moves_is_refused(quiet: int, stones: int) -> None:
    with pytest.raises(ValueError, match="ask for 0 or more and 1 or more"):
        VectorEnv(1, MINIMAX, seed=1).plan_actions(quiet, stones)


@pytest.mark.parametrize(("seat", "opening"), [("first", 0), ("first", 1), ("second", 2), ("first", 4), ("second", 3)])
def test_quiet_moves_are_counted_from_the_agents_first_choice(seat: str, opening: int) -> None:
    """Where a plan needs quiet moves it is found with as many of them, however many stones lay there before."""
    config = EnvConfig(width=5, height=5, k=4, opponent="greedy", seat=seat, opening=opening)  # type: ignore[arg-type]
    env = VectorEnv(64, config, seed=2)
    if not (seat == "second" or opening):
        env.step(np.full(64, 12, np.int32))
    found = [int((env.plan_actions(quiet, stones=3) >= 0).sum()) for quiet in (0, 1, 2)]
    assert found[0] < found[1] <= found[2]


def test_a_plan_leaves_the_boards_as_they_are() -> None:
    env = VectorEnv(4, MINIMAX, seed=1)
    env.step(np.array([8, 16, 17, 24], np.int32))
    before = env.observe()
    env.plan_actions(2, stones=5)
    assert np.array_equal(before, env.observe())


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("size", "quiet", "stones"), [(7, 8, 6), (15, 2, 10)]
)  # quiet moves, or forcing ones, for long
def test_a_long_plan_can_be_interrupted_and_leaves_the_boards_as_they_are(size: int, quiet: int, stones: int) -> None:
    env = VectorEnv(2, EnvConfig(width=size, height=size, opponent="minimax"), seed=1)
    env.step(np.array([size + 1, 2 * size + 2], np.int32))
    before = env.observe()
    # Not SIGINT itself: where tests run in the background it is ignored from the start.
    before_handler = signal.signal(signal.SIGUSR1, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGUSR1])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        env.plan_actions(quiet, stones)
    timer.join()
    signal.signal(signal.SIGUSR1, before_handler)
    assert np.array_equal(before, env.observe())
    env.step(env.forced_actions())
