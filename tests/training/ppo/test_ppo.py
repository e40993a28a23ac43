"""PPO: advantages by hand, symmetries, learning, resuming, playing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tengen
from tengen.envs.vector import VectorEnv
from tengen.errors import TengenError
from tengen.nets.network import build_network
from tengen.training.methods import checked
from tengen.training.ppo.config import RolloutConfig
from tengen.training.ppo.learner import advantages, judged, roll_out, turned
from tengen.training.ppo.trainer import network_spec

SMALL: dict[str, Any] = {
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


def test_every_position_is_turned_by_itself_and_its_cells_are_found_again() -> None:
    planes, legal = torch.zeros(8, 2, 5, 5), torch.zeros(8, 25, dtype=torch.bool)
    planes[:, 0, 0, 1] = 1
    legal[:, 1] = True
    moved, allowed, origin = turned(planes, legal, torch.arange(8))
    cells = moved[:, 0].flatten(1).argmax(dim=1)
    assert torch.equal(allowed.float(), moved[:, 0].flatten(1)) and len(set(cells.tolist())) == 8
    assert origin.gather(1, cells[:, None]).squeeze(1).tolist() == [1] * 8


def test_an_action_keeps_its_chance_until_the_network_has_learned() -> None:
    """Turned after it was drawn, it would be compared with its chance in another position."""
    sparse = {"shaped": False, "win": 1, "loss": -1, "draw": 0}
    config = checked({"method": "ppo"} | SMALL | {"env": SMALL["env"] | {"reward": sparse}}, "test")
    network = build_network(network_spec(config))
    played = roll_out(network, VectorEnv(64, config.env, seed=1), config.rollout, torch.Generator().manual_seed(1))
    log_policy, _ = judged(network, torch.from_numpy(played.planes), torch.from_numpy(played.legal))
    chances = log_policy.detach().numpy()[np.arange(len(played.actions)), played.actions]
    assert played.legal[np.arange(len(played.actions)), played.actions].all()
    assert chances == pytest.approx(played.log_chance, abs=1e-5)


def test_the_opponent_errs_less_while_games_are_won(tmp_path: Path) -> None:
    settings = SMALL | {"rollout": {"boards": 64, "steps": 16, "easy": 0.8, "easy_gain": 0.4}}
    run = tengen.train("ppo-6", name="a", runs=tmp_path, show=False, budget={"iterations": 3}, **settings)
    for before, after in pairwise(run.metrics):
        expected = before["opponent_errors"] + 0.4 * (0.5 - before["train_win"])
        assert after["opponent_errors"] == pytest.approx(min(0.8, expected))
    run.resume(budget={"iterations": 4}, show=False)
    whole = tengen.train("ppo-6", name="b", runs=tmp_path, show=False, budget={"iterations": 4}, **settings)
    assert run.metrics[-1]["opponent_errors"] == whole.metrics[-1]["opponent_errors"]


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
