"""What needs no torch works where none is installed, and what needs it says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# What the extra `train` installs, hidden from a fresh Python as if it were not there.
WITHOUT = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "safetensors", "onnx", "tensorboard", "matplotlib", "gymnasium"):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Hidden())
from tengen.cli import main
main()
"""


def tengen(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT, *words], cwd=folder, capture_output=True, text=True)


def test_a_line_network_learns_and_plays(tmp_path: Path) -> None:
    small = ["budget.iterations=2", "selfplay.games=4", "selfplay.games_first=0", "selfplay.visits=8"]
    small += ["ladder.games=2", "ladder.every=2", "ladder.sims=8", 'ladder.opponents=["greedy"]', "probe.positions=2"]
    settings = [word for setting in small for word in ("--set", setting)]
    ran = tengen(tmp_path, "train", "lines-9", "--workers", "1", "--plain", *settings)
    assert ran.returncode == 0, ran.stderr
    ran = tengen(tmp_path, "export", "lines-9", "--name", "mine", "--out", ".")
    assert ran.returncode == 0, ran.stderr
    mine = "alphazero:model=mine.safetensors,sims=8"
    ran = tengen(tmp_path, "match", mine, "random", "--size", "9", "--games", "2", "--workers", "1")
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("method", ["quick", "dqn-7", "ppo-6"])
def test_the_others_say_what_they_need(tmp_path: Path, method: str) -> None:
    ran = tengen(tmp_path, "train", method)
    assert ran.returncode != 0 and "pip install 'tengen[train]'" in ran.stderr
    assert "Traceback" not in ran.stderr and not (tmp_path / "runs").exists()
