"""The public contracts pass what is right and name what is wrong, without a test runner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from tengen import testing
from tengen.board import Board
from tengen.envs.gym import GomokuEnv
from tengen.errors import TengenError
from tengen.players.base import Decision
from tengen.plugins import FILES
from tengen.registry import create
from tengen.rules import Limit


def test_it_needs_no_test_runner_and_nothing_heavy() -> None:
    names = ("pytest", "torch", "numpy", "gymnasium")
    code = f"import sys, tengen.testing; print([m for m in {names!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_a_player_of_ours_passes() -> None:
    testing.check_player(lambda seed: create("greedy", seed=seed))


class Refuses:
    def choose(self, board: object, limit: object) -> object:
        raise TengenError("I do not play")


def test_a_player_that_refuses_everything_fails() -> None:
    with pytest.raises(AssertionError, match="refuses every board"):
        testing.check_player(lambda seed: Refuses())  # type: ignore[arg-type, return-value]


class Remembers:
    """Plays another cell in every game, whatever seed it is given."""

    def __init__(self) -> None:
        self._games = 0

    def choose(self, board: Board, limit: Limit) -> Decision:
        legal = board.legal_moves()
        return Decision(legal[self._games % len(legal)], nodes=1)

    def new_game(self, seed: int) -> None:
        self._games += 1


def test_a_kept_player_that_remembers_fails() -> None:
    with pytest.raises(AssertionError, match="new_game left something"):
        testing.check_new_game(lambda seed: Remembers())


def test_our_environment_passes() -> None:
    testing.check_environment(lambda: GomokuEnv(size=6, opponent="random", seat="random"))


class Restless(gymnasium.Wrapper):  # type: ignore[type-arg]
    """Its rewards depend on more than the seed."""

    count = 0

    def step(self, action):  # type: ignore[no-untyped-def]
        Restless.count += 1
        observation, _, *rest = self.env.step(action)
        return observation, float(Restless.count), *rest


class Blind(gymnasium.Wrapper):  # type: ignore[type-arg]
    """Its mask allows everything."""

    def step(self, action):  # type: ignore[no-untyped-def]
        *rest, info = self.env.step(action)
        return *rest, info | {"action_mask": np.ones(36, np.int8)}


@pytest.mark.parametrize(("wrong", "words"), [(Restless, "two episodes of seed 0 differ"), (Blind, "was refused")])
def test_wrong_environments_are_named(wrong: type, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        testing.check_environment(lambda: wrong(GomokuEnv(size=6, opponent="random", seat="first")))


@pytest.mark.parametrize("name", ["base", "enhanced", "tengen"])
def test_our_networks_pass(name: str) -> None:
    testing.check_network(name)


WRONG = """
import torch
from tengen.nets.body import Options, Prediction

class Net(torch.nn.Module):
    size_free, encodings, options, features = False, ("stones",), Options, 1

    def __init__(self, planes, width, height, options=Options()):
        super().__init__()
        self.conv, self.spare = torch.nn.Conv2d(planes, 1, 1), torch.nn.Linear(1, 1)

    def forward(self, planes):
        x = self.conv(planes)
        return Prediction(x.flatten(1), self.value(x.mean(dim=(1, 2, 3))), x)

class Large(Net):
    def value(self, x): return 2 + torch.tanh(x)

class Mixing(Net):
    def value(self, x): return torch.tanh(x - x.mean())

class Idle(Net):
    def value(self, x): return torch.tanh(x)

NETWORKS = {"large": Large, "mixing": Mixing, "idle": Idle}
"""


@pytest.mark.parametrize(
    ("name", "words"),
    [("large", "wrong.py:16.* outside of"), ("mixing", "depends on the others"), ("idle", "take no part .*spare")],
)
def test_wrong_networks_are_named(name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    monkeypatch.setenv(FILES, str(tmp_path / "wrong.py"))
    with pytest.raises(AssertionError, match=words):
        testing.check_network(name)
