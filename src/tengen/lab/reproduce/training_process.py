"""Trainings of a reproduction: `tengen train` in a process of its own, so that a deadline can stop it."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.lab.reproduce.plan import toml_text
from tengen.training.run.loop import Metrics, RunFolder

STOP_SECONDS = 60.0
"""How long a training may take to stop after SIGINT before it is killed."""


class TrainingProcess:
    """One run, trained further and further. A deadline stops it and the next call resumes it."""

    def __init__(
        self, folder: Path, name: str, settings: dict[str, Any], workers: int, same_budget: bool = False
    ) -> None:
        """`same_budget`: an existing run must have been begun with the budget in the settings too."""
        self._folder, self._workers = folder, workers
        self._run = folder / name
        self._settings = folder / f"{name}.toml"
        settings = settings | {"name": name}
        _check_same_settings(self._run, settings, ("name",) if same_budget else ("name", "budget"))
        write_atomic(self._settings, toml_text(settings) + "\n")

    def train(self, games: int, deadline: float) -> int:
        if self._games() < games:
            self._train(["--set", f"budget.games={games}"], deadline)
        return self._games()

    def finish(self, deadline: float) -> bool:
        """To the end of the budget in the settings; a run that is at its end stays as it is."""
        return self._train([], deadline)

    def metrics(self) -> Metrics:
        """Of the last iteration; empty before the first one."""
        return RunFolder(self._run).last_metrics()

    def _train(self, more: list[str], deadline: float) -> bool:
        started = (self._run / "run.json").is_file()
        what = ["--resume", str(self._run)] if started else [str(self._settings), "--runs", str(self._folder)]
        return self._call("train", [*what, *more, "--workers", str(self._workers), "--plain"], deadline)

    def export(self, name: str) -> Path:
        path = self._folder / "models" / f"{name}.onnx"
        if not path.is_file():
            self._call("export", [str(self._run), "--name", name, "--out", str(path.parent)], math.inf)
        return path

    def _games(self) -> int:
        """Games of the newest whole checkpoint."""
        rows = RunFolder(self._run).saved_metrics()
        return int(rows[-1]["games"]) if rows else 0

    def _call(self, command: str, args: list[str], deadline: float) -> bool:
        """Whether it came to its end before the deadline."""
        process = subprocess.Popen([sys.executable, "-m", "tengen", command, *args], stdout=2)
        try:
            left = deadline - time.monotonic()
            code = process.wait(None if math.isinf(left) else max(left, 1.0))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return False
        except BaseException:
            process.kill()
            raise
        if code:
            raise TengenError(f"tengen {command} ended with exit code {code}; see its message above")
        return True


def _check_same_settings(run: Path, settings: dict[str, Any], free: tuple[str, ...]) -> None:
    """A run that exists goes on with the settings it was begun with, so these must be the same, but for the free ones.

    The networks and games beside it were made under them too: all of it has to go, not the run alone.
    """
    if not (run / "run.json").is_file():
        return
    from tengen.training.methods import checked, other_settings
    from tengen.training.runs import need_torch

    need_torch()
    changed = other_settings(RunFolder.open(run), checked(settings, str(run)))
    if changed := [key for key in changed if key not in free]:
        raise TengenError(f"{run} was begun with another {', '.join(changed)}; remove {run.parent} to begin anew")
