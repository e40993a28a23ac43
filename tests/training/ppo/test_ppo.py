"""PPO: advantages by hand, symmetries, learning, resuming, playing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import tengen
from tengen.errors import TengenError
from tengen.training.methods import checked
from tengen.training.ppo.config import RolloutConfig
from tengen.training.ppo.learner import advantages, turned

SMALL = {
    "env": {"width": 4, "height": 4, "k": 3, "opponent": "random"},
    "rollout": {"boards": 64, "steps": 16, "easy": 0.0},
    "learn": {"batch": 256, "threads": 1, "rate": 3e-3, "rate_last": 3e-3},
    "network": {"options": {"channels": 16, "convolutions": 2}},
}


def test_advantages_are_those_of_a_hand_calculation() -> None:
    config = RolloutConfig(gamma=0.5, trace=0.5)
    reward, value = torch.tensor([[0.0], [1.0], [0.0]]), torch.tensor([[0.2], [0.4], [0.6]])
    done, last = torch.tensor([[False], [True], [False]]), torch.tensor([0.8])
    third = 0.0 + 0.5 * 0.8 - 0.6
    second = 1.0 - 0.4
    first = 0.0 + 0.5 * 0.4 - 0.2 + 0.5 * 0.5 * second
    assert advantages(reward, value, done, last, config).flatten().tolist() == pytest.approx([first, second, third])


@pytest.mark.parametrize("symmetry", range(8))
def test_a_turned_action_is_on_the_turned_cell(symmetry: int) -> None:
    planes, legal = torch.zeros(1, 2, 5, 5), torch.zeros(1, 25, dtype=torch.bool)
    planes[0, 0, 1, 3] = 1
    legal[0, 8] = True
    moved, allowed, action = turned(planes, legal, torch.tensor([8]), symmetry)
    assert moved[0, 0].flatten()[action] == 1 and allowed[0, action]


def test_it_learns_three_in_a_row_resumes_and_plays(tmp_path: Path) -> None:
    settings = SMALL | {"evaluate": {"games": 200, "every": 12}}
    run = tengen.train("ppo-6", name="a", runs=tmp_path, show=False, budget={"iterations": 12}, **settings)
    assert run.metrics[-1]["eval_win"] > run.metrics[0]["train_win"] + 0.15
    other = tengen.train("ppo-6", name="b", runs=tmp_path, show=False, budget={"iterations": 12}, **settings)
    weights = [(tmp_path / name / "checkpoints/000012/network.safetensors").read_bytes() for name in "ab"]
    assert weights[0] == weights[1]
    other.resume(budget={"iterations": 13}, show=False)
    board = tengen.Board(tengen.Variant(4, k=3))
    decision = run.player(sims=1, solver=False).choose(board, tengen.Limit())
    assert board.is_legal(decision.move)
    assert np.isfinite(run.metrics[-1]["kl"])


@pytest.mark.parametrize(
    ("env", "words"),
    [({"opponent": "self"}, "against an opponent"), ({"reward": {"win": 800}}, "values lie in -1 to 1")],
)
def test_what_does_not_fit_is_refused(env: dict[str, object], words: str) -> None:
    with pytest.raises(TengenError, match=words):
        checked({"method": "ppo", "env": {"width": 6, "height": 6, "k": 4} | env}, "test")
