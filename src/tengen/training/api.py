"""Training from Python: `run = tengen.train("quick", workers=2)`, then `run.metrics`, `run.plot()`, `run.player()`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.inference.models import Model, load_model, user_folder
from tengen.players.base import Player
from tengen.registry import create
from tengen.training.methods import export_run, find_method, plot_run
from tengen.training.run.logs import NoLog
from tengen.training.run.loop import Metrics, RunFolder
from tengen.training.runs import find_run, new_config, resumed_config
from tengen.training.runs import train as train_run

RUNS = Path("runs")


class Run:
    """A training run, finished or not: `Run("quick")` finds it in the folder `runs`."""

    def __init__(self, name: str | Path, runs: str | Path = RUNS) -> None:
        self._folder = find_run(Path(runs), str(name))

    @property
    def path(self) -> Path:
        return self._folder.path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def config(self) -> dict[str, Any]:
        """Every setting."""
        config: dict[str, Any] = self._folder.about()["config"]
        return config

    @property
    def metrics(self) -> list[Metrics]:
        """One row per iteration; docs/training.md explains the names."""
        return self._folder.read_metrics()

    def curve(self, metric: str) -> tuple[list[float], list[float]]:
        """Games and values of one metric, for a plot."""
        rows = [row for row in self.metrics if metric in row]
        if not rows:
            known = sorted({key for row in self.metrics for key in row})
            raise TengenError(f"{self.name} has no metric '{metric}'; it has {', '.join(known) or 'none yet'}")
        return [row.get("games", row["iteration"]) for row in rows], [row[metric] for row in rows]

    def plot(self, path: str | Path | None = None) -> Path:
        """Draws the curves; returns the picture's path."""
        file = Path(path) if path else self.path / "curves.png"
        plot_run(self._folder, file)
        return file

    def export(self, name: str | None = None, folder: str | Path | None = None, replace: bool = False) -> Model:
        """Writes the network as a model, by default among your own, and returns it."""
        target = Path(folder) if folder else user_folder()
        return load_model(export_run(self._folder, name or self.name, target, replace=replace))

    def player(self, **options: Any) -> Player:
        """The player of the newest checkpoint: `run.player(sims=100, solver=False)`."""
        model = self.export(folder=self.path / "model", replace=True)
        return create(find_method(self._folder.about()["method"]).player, model=model, **options)

    def resume(self, *, workers: int | str = 1, show: bool = True, **settings: Any) -> Run:
        """Goes on until its budget is spent; `settings` may change that: `run.resume(budget={"games": 500})`."""
        folder = self._folder
        with folder.locked():
            config = resumed_config(folder, _flat(settings), str(workers))
            train_run(folder, config, str(workers), "", _Lines() if show else NoLog())
        return self

    def __repr__(self) -> str:
        last = self._folder.last_metrics()
        return f"Run({str(self.path)!r}, iterations={last.get('iteration', 0):.0f}, games={last.get('games', 0):.0f})"


def train(
    experiment: str | Path,
    *,
    name: str = "",
    workers: int | str = 1,
    runs: str | Path = RUNS,
    log: Sequence[str] = (),
    show: bool = True,
    **settings: Any,
) -> Run:
    """Trains a new run to the end of its budget and returns it. It can be stopped and resumed at any time.

    `experiment` is a bundled one by name or a TOML file; `settings` are tables or values on top of it:
    `tengen.train("quick", seed=2, learn={"batch": 128}, budget={"games": 500})`; None takes a setting out. `log` names
    loggers of plugins.
    """
    config = new_config(str(experiment), name, [], str(workers), settings)
    folder = RunFolder.create(Path(runs) / config.name, config.method, config.resolved())
    with folder.locked():
        try:
            train_run(folder, config, str(workers), "", _Lines() if show else NoLog(), log)
        except TengenError:
            folder.remove_if_nothing_was_done()
            raise
    return Run(folder.path)


def _flat(settings: Mapping[str, Any]) -> list[str]:
    """`{"budget": {"games": 8}}` as `budget.games=8`."""
    return [
        f"{table}.{key}={value!r}" if isinstance(values, Mapping) else f"{table}={values!r}"
        for table, values in settings.items()
        for key, value in (values.items() if isinstance(values, Mapping) else ((None, None),))
    ]


class _Lines(NoLog):
    """One line every few seconds, which a notebook shows under the cell."""

    EVERY = 5.0

    def __init__(self) -> None:
        self._last = -self.EVERY

    def write(self, iteration: int, metrics: Metrics) -> None:
        if (now := time.monotonic()) - self._last < self.EVERY:
            return
        self._last = now
        words = [f"{key} {metrics[key]:.4g}" for key in ("games", "loss", "length") if key in metrics]
        words += [f"{key.removeprefix('ladder/')} {value:.0f} %" for key, value in metrics.items() if _score(key)]
        with suppress(OSError):
            sys.stdout.write(f"iteration {iteration}: {', '.join(words)}\n")


def _score(key: str) -> bool:
    return key.startswith("ladder/")
