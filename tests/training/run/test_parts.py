"""An iteration in parts: who plays them does not matter."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tengen.training.methods import checked, find_method
from tengen.training.run.logs import NoLog
from tengen.training.run.workers import InlineWorkers, map_in_order, part_workers

BOARD = {"width": 4, "height": 4, "k": 3, "opponent": "random"}
RUNS: dict[str, dict[str, Any]] = {
    "ppo": {"env": BOARD | {"seat": "random", "reward": {"shaped": False, "win": 1, "loss": -1, "draw": 0}},
            "rollout": {"boards": 16, "steps": 8, "parts": 3}, "learn": {"batch": 32, "threads": 1}},
    "dqn": {"env": BOARD, "network": {"channels": [8, 8, 8]}, "play": {"boards": 12, "steps": 8, "parts": 3},
            "learn": {"batch": 32, "fill": 64, "threads": 1}, "won": {"share": 0.2, "recall": 0.5},
            "budget": {"games": 500}},
}  # fmt: skip


WEIGHTS = {"ppo": "network.safetensors", "dqn": "online.safetensors"}


def learned(method: str, folder: Path, workers: str) -> tuple[list[dict[str, float]], bytes]:
    """Metrics of three iterations and the weights after them."""
    config = checked({"method": method} | RUNS[method], "test")
    folder.mkdir()
    with find_method(method).trainer(config, folder, NoLog(), workers, "") as trainer:
        rows = [trainer.iterate() for _ in range(3)]
        trainer.save(folder)
    return rows, (folder / WEIGHTS[method]).read_bytes()


@pytest.mark.parametrize("method", RUNS)
def test_processes_learn_what_one_does(method: str, tmp_path: Path) -> None:
    here, weights = learned(method, tmp_path / "here", "1")
    there, same = learned(method, tmp_path / "there", "2")
    assert weights == same
    assert here[0]["workers_cpu_seconds"] == 0 < there[0]["workers_cpu_seconds"]


def _place(shared: int, task: int) -> tuple[int, int]:
    return shared * task, os.getpid()


def test_results_come_in_the_order_of_their_tasks() -> None:
    found, spent = map_in_order(InlineWorkers(), _place, 10, [3, 1, 2])
    assert found == [(30, os.getpid()), (10, os.getpid()), (20, os.getpid())] and spent == 0


def test_one_part_needs_no_other_process() -> None:
    assert isinstance(part_workers(1, "4"), InlineWorkers)
    workers = part_workers(2, "4")
    assert workers.count == 4
    workers.close()
