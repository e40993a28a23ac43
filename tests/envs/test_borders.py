"""What the Gymnasium and PettingZoo forms take and refuse: actions, starts, cycles, render modes, opponents."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tengen import IllegalMoveError
from tengen.envs.gym import GomokuEnv
from tengen.envs.zoo import RawEnv
from tengen.envs.zoo import env as zoo_env

NO_CELLS = [
    2.7, -0.5, 3.0, float("nan"), None, True, np.True_, "3", np.float64(3), np.array([3.0]), np.array([True]),
    np.array([3, 4]), np.array([]), np.zeros((9, 9), int), [3],
]  # fmt: skip
CELLS = [3, np.int64(3), np.uint8(3), np.array(3), np.array([3]), np.array([[3]], np.int8)]


@pytest.mark.parametrize("action", NO_CELLS, ids=repr)
def test_actions_that_are_no_cells_are_refused_in_one_line(action: Any) -> None:
    game, pair = GomokuEnv(size=7, seat="first", opponent="random"), RawEnv(size=7)
    game.reset(seed=1)
    pair.reset()
    for step in (game.step, pair.step):
        with pytest.raises(ValueError, match=r"^action .* is not a cell; give its whole number$"):
            step(action)
    assert game.board.moves == pair.board.moves == ()
    assert not game.step(3)[2], "what was refused ends nothing"


@pytest.mark.parametrize("action", CELLS, ids=repr)
def test_a_whole_number_is_a_cell_also_as_an_array_of_one(action: Any) -> None:
    game, pair = GomokuEnv(size=7, seat="first", opponent="random"), RawEnv(size=7)
    game.reset(seed=1)
    pair.reset()
    game.step(action)
    pair.step(action)
    assert game.board.moves[0] == pair.board.moves[0] == 3


def test_cells_off_the_board_lose() -> None:
    for action in (-1, 49, 2**70):
        game = GomokuEnv(size=7, seat="first", opponent="random")
        game.reset(seed=1)
        assert game.step(action)[4]["illegal"] and game.board.moves == ()


@pytest.mark.parametrize("cycles", [1, 3, 4])
def test_a_game_is_truncated_after_as_many_stones_of_each_agent(cycles: int) -> None:
    """Each agent acts so often and is then told once that it is over, as PettingZoo's own test of cycles counts."""
    game = zoo_env(size=6, max_cycles=cycles)
    for _ in range(2):
        game.reset(seed=0)
        seen = {"black_0": 0, "white_0": 0}
        for agent in game.agent_iter(max_iter=100):
            observation, reward, terminated, truncated, _ = game.last()
            seen[agent] += 1
            assert (reward, terminated, truncated) == (0, False, seen[agent] > cycles)
            game.step(None if truncated else int(np.flatnonzero(observation["action_mask"])[0]))
        assert seen == {"black_0": cycles + 1, "white_0": cycles + 1}
        assert len(game.unwrapped.board.moves) == 2 * cycles


def test_a_game_won_with_its_last_stone_is_won_not_truncated() -> None:
    game = RawEnv(size=6, k=3, max_cycles=3)
    game.reset()
    for move in (30, 0, 35, 1, 32, 2):
        game.step(move)
    assert game.terminations == {"black_0": True, "white_0": True}
    assert game.truncations == {"black_0": False, "white_0": False}
    assert game.rewards == {"black_0": -1, "white_0": 1}


def test_pettingzoo_checkers_with_cycles() -> None:
    api_test(zoo_env(size=6, max_cycles=5), num_cycles=100)
    seed_test(lambda: zoo_env(size=6, max_cycles=5), num_cycles=100)


@pytest.mark.parametrize("cycles", [0, -1, 2.5, True, "9"])
def test_cycles_that_cannot_be_are_refused(cycles: Any) -> None:
    with pytest.raises(ValueError, match=r"^max_cycles=.* is not a number of stones; choose 1 or more"):
        zoo_env(max_cycles=cycles)


def test_pettingzoo_starts_from_given_moves() -> None:
    game = zoo_env(size=6, max_cycles=1)
    game.reset(options={"moves": [7, 8, 9]})
    assert game.unwrapped.board.moves == (7, 8, 9)
    assert game.agent_selection == "white_0"
    assert game.observe("white_0")["action_mask"].sum() == 33
    game.step(10)
    assert not any(game.truncations.values()), "given moves are no cycles"
    game.step(11)
    assert all(game.truncations.values())
    game.reset()
    assert game.unwrapped.board.moves == () and game.agent_selection == "black_0"


@pytest.mark.parametrize("make", [GomokuEnv, RawEnv])
def test_starts_that_cannot_be_are_refused(make: Any) -> None:
    game = make(size=6, k=3)
    with pytest.raises(IllegalMoveError, match="occupied"):
        game.reset(options={"moves": [7, 7]})
    with pytest.raises(ValueError, match=r"1\.5 is not a cell"):
        game.reset(options={"moves": [1.5]})
    with pytest.raises(ValueError, match="the game is over after these moves"):
        game.reset(options={"moves": [0, 10, 1, 20, 2]})


@pytest.mark.parametrize("make", [GomokuEnv, zoo_env])
def test_an_unknown_render_mode_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match=r"^render_mode='video' is not one of ansi, rgb_array$"):
        make(render_mode="video")


@pytest.mark.parametrize("make", [GomokuEnv, zoo_env])
def test_rendering(make: Any) -> None:
    """Without a mode there is a warning and nothing else."""
    silent, text, picture = (make(size=5, render_mode=mode) for mode in (None, "ansi", "rgb_array"))
    for game in (silent, text, picture):
        game.reset(seed=1, options={"moves": [12]})
    with pytest.warns(UserWarning, match=r"without a render_mode; choose one of ansi, rgb_array"):
        assert silent.render() is None
    assert "X" in text.render()
    assert picture.render().shape == (120, 120, 3)


def test_nobody_is_asked_at_the_terminal() -> None:
    with pytest.raises(ValueError, match=r"^opponent='human': .* choose another player$"):
        gymnasium.make("tengen/Gomoku-v0", opponent="human")


def test_masks_of_a_made_environment() -> None:
    """As docs/environments.md shows it: gymnasium.make wraps, so the mask is asked of the environment inside."""
    game = gymnasium.make("tengen/Gomoku-v0", size=7, seat="first")
    _, info = game.reset(seed=1)
    assert (game.unwrapped.action_masks() == info["action_mask"]).all()
    assert (game.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
