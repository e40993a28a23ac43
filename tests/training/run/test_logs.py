"""Logs beside metrics.jsonl."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("tensorboard")

from tengen.training.run.logs import TensorBoardLog


def test_tensorboard_begins_with_the_first_metrics(tmp_path: Path) -> None:
    """Loading it takes time in which a run could play already."""
    log = TensorBoardLog(tmp_path / "events", 1)
    log.progress("play", 0, 10)
    log.close()
    assert not (tmp_path / "events").exists()
    log.write(1, {"loss": 0.5})
    log.close()
    assert list((tmp_path / "events").glob("events*"))
