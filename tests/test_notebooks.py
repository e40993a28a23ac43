"""The notebooks run from top to bottom, and show what they say."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.helpers.paths import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def outputs(path: Path, folder: Path) -> str:
    """Executes a notebook in a folder of its own; all that its cells showed."""
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(folder)}}).execute()
    return str([cell.get("outputs") for cell in notebook.cells])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path / "data"))
    shown = outputs(path, tmp_path)
    expected = {
        "first-steps": "image/svg+xml",
        "train-and-watch": "image/png",
        "add-a-network": "its policy has shape (2, 3), not (2, 36)",
    }
    assert expected[path.stem] in shown


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["add-a-network", "first-steps", "train-and-watch"]
