"""Bundled experiments are part of the package and found by name from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen.errors import TengenError
from tengen.experiments import FOLDER, experiment_names, find_experiment


def test_they_are_inside_the_package() -> None:
    assert FOLDER.parent == Path(tengen.__file__).parent
    assert {"quick", "base-9", "tengen"} <= set(experiment_names(reproductions=False))
    assert {"a-table-4-1", "b-dqn-7", "c-evaluation"} <= set(experiment_names(reproductions=True))


def test_every_one_is_found_by_name_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for reproductions in (False, True):
        for name in experiment_names(reproductions=reproductions):
            assert find_experiment(name, reproductions=reproductions) == FOLDER / f"{name}.toml"


def test_a_file_is_found_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("seed = 1")
    assert find_experiment(str(file), reproductions=False) == file


def test_an_unknown_name_lists_what_exists() -> None:
    with pytest.raises(TengenError, match=r"no experiment 'nothing'; .* base-15, base-8"):
        find_experiment("nothing", reproductions=False)


@pytest.mark.parametrize(
    ("name", "reproductions", "command"), [("strength", False, "reproduce"), ("quick", True, "train")]
)
def test_the_other_command_is_named(name: str, reproductions: bool, command: str) -> None:
    with pytest.raises(TengenError, match=f"run it with: tengen {command} {name}"):
        find_experiment(name, reproductions=reproductions)


def test_the_commands_find_them_from_any_folder(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(Path(tengen.__file__).parents[1])}
    for command, word in (("train", "base-9"), ("reproduce", "a-table-4-1")):
        args = [sys.executable, "-m", "tengen", command, "nothing"]
        done = subprocess.run(args, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and word in done.stderr and done.stderr.count("\n") == 1
