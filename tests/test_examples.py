"""The examples do what they say: a player in one file keeps the contract; a third-party learner learns, as printed."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.plugins import FILES
from tengen.records import read_records
from tengen.registry import create, players
from tengen.testing import check_player
from tests.helpers.paths import ROOT

EXAMPLES = ROOT / "examples"


def test_a_player_in_one_file_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FILES, str(EXAMPLES / "centre_player.py"))
    check_player(lambda seed: create("centre:noise=0.5", seed=seed))
    assert players()["centre"].help == "the legal cell nearest to the centre, drawn among equals"


def test_a_player_in_one_file_plays_matches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FILES, str(EXAMPLES / "centre_player.py"))
    words = ["match", "centre", "random", "--games", "4", "--size", "9", "--workers", "2"]
    command = [sys.executable, "-m", "tengen", *words, "--out", str(tmp_path / "games.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list(read_records(tmp_path / "games.jsonl"))) == 4


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


def test_the_printed_snippet_has_the_settings_of_the_example() -> None:
    """Else the figures beside it would be another learner's."""
    page = (EXAMPLES.parent / "docs" / "environments.md").read_text(encoding="utf-8")
    snippet = page.partition("## A third-party learner")[2].partition("```python\n")[2].partition("```")[0]
    example = (EXAMPLES / "maskable_ppo.py").read_text(encoding="utf-8")
    for call in ("MaskablePPO", "make"):
        printed, run = _settings(snippet, call), _settings(example, call)
        assert printed.keys() == run.keys()
        assert run.items() >= {key: value for key, value in printed.items() if run[key] is not None}.items()


def _settings(source: str, name: str) -> dict[str, object]:
    """Named arguments of a call; None where the value is no constant."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    (call,) = (c for c in calls if c.keywords and ast.unparse(c.func).split(".")[-1] == name)
    return {str(k.arg): k.value.value if isinstance(k.value, ast.Constant) else None for k in call.keywords}
