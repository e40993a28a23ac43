"""The native environment as Gymnasium's own kind of vector environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import tengen.envs
from tengen.errors import TengenError


def make(**options: object) -> VectorEnv:
    return gymnasium.make_vec(
        "tengen/Gomoku-v0", num_envs=16, vectorization_mode="vector_entry_point", size=6, k=4, **options
    )


def first_legal(info: dict[str, np.ndarray]) -> np.ndarray:
    return info["action_mask"].argmax(axis=1)


def test_gymnasium_makes_it_and_its_spaces_hold_what_it_gives() -> None:
    env = make(reward=tengen.envs.SPARSE.model_dump())
    assert isinstance(env.unwrapped, VectorEnv) and env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observation, info = env.reset(seed=1)
    finished = 0
    for _ in range(30):
        assert env.observation_space.contains(observation) and info["action_mask"].shape == (16, 36)
        action = first_legal(info)
        assert env.action_space.contains(action)
        observation, reward, terminated, truncated, info = env.step(action)
        assert reward.shape == terminated.shape == truncated.shape == (16,) and not truncated.any()
        finished += int(terminated.sum())
        if terminated.any():
            assert (info["_final_obs"] == terminated).all()
            assert (info["final_info"]["result"][terminated] == np.sign(reward[terminated])).all()
            assert (observation[terminated].sum(axis=(1, 2, 3)) <= 1).all(), "a new game has begun"
            assert (info["final_obs"][terminated].sum(axis=(1, 2, 3)) > 3).all()
    assert finished > 16


def test_one_seed_gives_the_same_games() -> None:
    def games(seed: int) -> list[bytes]:
        env = make(seat="random")
        _, info = env.reset(seed=seed)
        seen = []
        for _ in range(12):
            observation, *_, info = env.step(first_legal(info))
            seen.append(observation.tobytes())
        return seen

    assert games(3) == games(3) != games(4)


def test_wrappers_of_gymnasium_work() -> None:
    env = RecordEpisodeStatistics(make())
    _, info = env.reset(seed=1)
    lengths = []
    for _ in range(20):
        *_, info = env.step(first_legal(info))
        lengths += info["episode"]["l"][info["_episode"]].tolist() if "episode" in info else []
    assert lengths and min(lengths) >= 3


@pytest.mark.parametrize(
    ("options", "words"), [({"opponent": "self"}, "either side in turn"), ({"render_mode": "ansi"}, "not rendered")]
)
def test_what_it_cannot_do_is_said(options: dict[str, str], words: str) -> None:
    with pytest.raises(TengenError, match=words):
        make(**options)
    with pytest.raises(TengenError, match="is not legal"):
        env = make(opening=4)
        observation, _ = env.reset(seed=1)
        env.step(observation.sum(axis=1).reshape(16, -1).argmax(axis=1))
