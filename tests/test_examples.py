"""The example that trains a third-party learner on our environment runs and learns."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_maskable_ppo_learns_three_in_a_row() -> None:
    pytest.importorskip("sb3_contrib", reason="the extra `examples` is not installed")
    example = runpy.run_path(str(EXAMPLES / "maskable_ppo.py"))
    env = example["make_env"](4, 3, "random")
    model = example["learner"](env, seed=1)
    before = example["results"](model, env, 60, seed=1_000)
    model.learn(3_072)
    after = example["results"](model, env, 60, seed=1_000)
    assert sum(before.values()) == sum(after.values()) == 60
    assert after["wins"] > before["wins"] + 10
