"""Trainings of a reproduction, in this process. A deadline stops one, and the next call resumes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tengen.training.methods import checked, export_run, find_method
from tengen.training.run.logs import DeadlineError, DeadlineLog, Logs
from tengen.training.run.loop import Budget, Log, Metrics
from tengen.training.runs import budget_of, open_run, train

Display = Callable[[Budget], Log]


class TrainingRun:
    """One run, trained further and further."""

    def __init__(self, folder: Path, name: str, settings: dict[str, Any], workers: int, display: Display,
                 same_budget: bool = False) -> None:  # fmt: skip
        """`same_budget`: an existing run must have been begun with the budget in the settings too."""
        self._config, self._workers, self._display = checked(settings | {"name": name}, name), workers, display
        free = ("name",) if same_budget else ("name", "budget")
        self._run = open_run(folder / name, self._config, free, f"remove {folder} to start over")
        find_method(self._config.method).ready(self._config, not self._run.iterations())

    def train(self, games: int, deadline: float) -> int:
        """Trains until so many games are played; returns those of the newest whole checkpoint."""
        if self._games() < games:
            budget = self._config.budget.model_copy(update={"games": games})
            self._train(self._config.model_copy(update={"budget": budget}), deadline)
        return self._games()

    def finish(self, deadline: float) -> bool:
        """To the end of the budget in the settings; a run that is at its end stays as it is."""
        return self._train(self._config, deadline)

    def metrics(self) -> Metrics:
        """Of the last iteration; empty before the first one."""
        return self._run.last_metrics()

    def export(self, name: str) -> Path:
        path = self._run.path.parent / "models" / f"{name}.onnx"
        return path if path.is_file() else export_run(self._run, name, path.parent)

    def _train(self, config: Any, deadline: float) -> bool:
        """Whether it came to its end before the deadline."""
        self._run.change(config.resolved())
        try:
            with self._run.locked():
                log = Logs([DeadlineLog(deadline), self._display(budget_of(config))])
                train(self._run, config, str(self._workers), "", log)
        except DeadlineError:
            return False
        return True

    def _games(self) -> int:
        rows = self._run.saved_metrics()
        return int(rows[-1]["games"]) if rows else 0
