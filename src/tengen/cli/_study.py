"""The laboratory of `tengen reproduce`: makes games and trains networks in this process, one after another."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tengen.arena.files import write_whole
from tengen.arena.openings import Ground
from tengen.arena.reproduce.plan import GamesPlan
from tengen.training.alphazero import AlphaZeroTrainer
from tengen.training.config import AlphaZeroConfig
from tengen.training.expert import Recipe, write_games
from tengen.training.files import read_json
from tengen.training.methods import checked, export_run
from tengen.training.run import Budget, Metrics, RunFolder, run
from tengen.training.workers import InlineWorkers, LocalWorkers, Workers

CHUNK = 50
"""Games a file."""


class DeadlineError(Exception):
    """The time is over in the middle of an iteration."""


class Bell:
    """A log that only watches the clock: it is called often, from inside an iteration."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def progress(self, stage: str, done: int, total: int) -> None:
        if time.monotonic() > self._deadline:
            raise DeadlineError

    def write(self, iteration: int, metrics: Metrics) -> None:
        pass

    def close(self) -> None:
        pass


class LocalLaboratory:
    """Games are made by this process alone, so that what they cost is known exactly; training uses the workers."""

    def __init__(self, ground: Ground, workers: int) -> None:
        self._ground, self._workers = ground, workers

    def collect(self, folder: Path, games: GamesPlan) -> float:
        """What it took is kept beside the games."""
        note = folder.with_name(f"{folder.name}-cost.json")
        if not note.is_file():
            start, g = time.process_time(), self._ground
            recipe = Recipe(tuple(games.players), g.width, g.height, g.k, str(g.rule), 0, "balanced",
                            games.random_moves, min(CHUNK, games.games), 1)  # fmt: skip
            write_games(folder, recipe, games.games, InlineWorkers())
            write_whole(note, json.dumps({"cpu_seconds": round(time.process_time() - start, 2)}) + "\n")
        return float(read_json(note)["cpu_seconds"])

    def train(self, path: Path, settings: dict[str, Any], cpu_seconds: float, deadline: float) -> Metrics:
        metrics = last_metrics(path)
        if metrics.get("cpu_seconds", 0.0) >= cpu_seconds:
            return metrics
        config = checked(settings, str(path))
        if not isinstance(config, AlphaZeroConfig):
            raise ValueError(f"a study compares trainings of method alphazero, not {config.method}")
        return self._train(_opened(path, config), config, cpu_seconds, Bell(deadline))

    def _train(self, folder: RunFolder, config: AlphaZeroConfig, cpu_seconds: float, log: Bell) -> Metrics:
        workers: Workers = InlineWorkers() if self._workers == 1 else LocalWorkers(self._workers)
        try:
            with folder.locked():
                trainer = AlphaZeroTrainer(config, folder.path, workers, log)
                return run(trainer, Budget(cpu_seconds=cpu_seconds), log, folder)
        except DeadlineError:
            return last_metrics(folder.path)
        finally:
            workers.close()

    def export(self, run: Path, model: Path) -> None:
        if not model.is_file():
            export_run(RunFolder.open(run), model.stem, model.parent)


def _opened(path: Path, config: AlphaZeroConfig) -> RunFolder:
    """The run's folder; one that exists must have the same settings."""
    if not (path / "run.json").is_file():
        return RunFolder.create(path, config.method, config.resolved())
    folder = RunFolder.open(path)
    if folder.about()["config"] != config.resolved():
        raise ValueError(f"{path} was begun with other settings; choose another --out, or go back to them")
    return folder


def last_metrics(run: Path) -> Metrics:
    """Metrics of the newest whole checkpoint; empty before there is one."""
    if not (run / "run.json").is_file() or not RunFolder(run).iterations():
        return {}
    metrics: Metrics = read_json(RunFolder(run).checkpoint() / "metrics.json")
    return metrics
