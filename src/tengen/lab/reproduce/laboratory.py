"""The laboratory of `tengen reproduce`: makes games and trains networks in this process, one after another."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import read_object, write_atomic
from tengen.lab.reproduce.plan import GamesPlan
from tengen.rules import Variant
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.alphazero.trainer import AlphaZeroTrainer
from tengen.training.knowledge.expert import Recipe, write_games
from tengen.training.methods import checked, export_run
from tengen.training.run.logs import DeadlineError, DeadlineLog
from tengen.training.run.loop import Budget, Metrics, RunFolder, run
from tengen.training.run.workers import Function, Work, make_workers
from tengen.training.runs import open_run

CHUNK = 50
"""Games per file."""


class Cost:
    """Processor seconds of every file of games, in a note beside their folder.

    A file's cost is noted before the file is kept, so no kill makes it free; a file made again replaces its own.
    """

    def __init__(self, folder: Path, games: int) -> None:
        self._folder, self._games = folder, games
        self._note = folder.with_name(f"{folder.name}-cost.json")
        about = read_object(self._note) if self._note.is_file() else {}
        held = about.get("games", games)
        if held != games:
            raise TengenError(f"{folder} is for {held} games, not {games}; choose another --out, or use {held} again")
        self._files: dict[str, float] = about.get("files", {})
        self._whole: float | None = None if "files" in about else about.get("cpu_seconds")
        """Notes were once written for the whole folder alone, when it was full."""

    def add(self, file: int, seconds: float) -> None:
        if self._whole is not None:
            raise TengenError(
                f"{self._folder} does not hold {self._games} games; remove it and {self._note} to generate them"
            )
        self._files[str(file)] = round(seconds, 3)
        about = {"games": self._games, "cpu_seconds": self._sum(), "files": self._files}
        write_atomic(self._note, json.dumps(about) + "\n")

    def total(self, files: int) -> float:
        """Of so many files, all of which must be known."""
        if self._whole is not None:
            return float(self._whole)
        if len(self._files) != files:
            raise TengenError(f"the cost of {self._folder} is unknown; remove it to generate its games again")
        return self._sum()

    def _sum(self) -> float:
        return round(sum(self._files.values()), 3)


class MeteredWorkers:
    """Works in this process, and reports what each task cost before passing its result on."""

    count = 1

    def __init__(self, cost: Cost) -> None:
        self._cost = cost

    def map(self, function: Function, shared: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        return self.stream(function, zip(repeat(shared), tasks, strict=False))

    def stream(self, function: Function, work: Iterable[Work]) -> Iterator[tuple[int, Any]]:
        for index, (shared, task) in enumerate(work):
            start = time.process_time()
            result = function(shared, task)
            self._cost.add(task, time.process_time() - start)
            yield index, result

    def close(self) -> None:
        pass


class LocalLaboratory:
    """Games are made by this process alone, so that what they cost is known exactly; training uses the workers."""

    def __init__(self, variant: Variant, workers: int) -> None:
        self._variant, self._workers = variant, workers

    def collect(self, folder: Path, games: GamesPlan) -> float:
        cost, chunk = Cost(folder, games.games), min(CHUNK, games.games)
        recipe = Recipe(tuple(games.players), self._variant, 0, "balanced", games.random_moves, chunk, 1)
        write_games(folder, recipe, games.games, MeteredWorkers(cost))
        if len(list(folder.glob("[0-9]*.npz"))) > (files := recipe.files(games.games)):
            raise TengenError(f"{folder} holds more than {games.games} games; choose another --out")
        return cost.total(files)

    def train(self, path: Path, settings: dict[str, Any], cpu_seconds: float, deadline: float) -> Metrics:
        config = checked(settings, str(path))
        if not isinstance(config, AlphaZeroConfig):
            raise TengenError(f"a study compares trainings of method alphazero, not {config.method}")
        folder = open_run(path, config, ("budget",), "choose another --out, or restore it")
        if metrics_at(folder, cpu_seconds).get("cpu_seconds", 0.0) < cpu_seconds:
            self._train(folder, config, cpu_seconds, DeadlineLog(deadline))
        return metrics_at(folder, cpu_seconds)

    def _train(self, folder: RunFolder, config: AlphaZeroConfig, cpu_seconds: float, log: DeadlineLog) -> None:
        workers = make_workers(str(self._workers))
        try:
            with folder.locked():
                trainer = AlphaZeroTrainer(config, folder.path, workers, log)
                run(trainer, Budget(cpu_seconds=cpu_seconds), log, folder)
        except DeadlineError:
            pass  # what is done counts
        finally:
            workers.close()

    def export(self, run: Path, model: Path, iteration: int) -> None:
        folder, card = RunFolder.open(run), model.with_suffix(".json")
        if model.is_file() and card.is_file():
            if (told := read_object(card).get("training", {}).get("iteration")) != iteration:
                raise TengenError(f"{model} is of iteration {told}, not {iteration}; choose another --out")
        elif iteration in folder.iterations():
            export_run(folder, model.stem, model.parent, iteration, replace=True)
        else:
            raise TengenError(f"{run} is past {model.stem}, which was iteration {iteration} and is not kept; "
                             "leave these minutes out, or choose another --out")  # fmt: skip


def metrics_at(run: RunFolder, cpu_seconds: float) -> Metrics:
    """Metrics of the first iteration with so much processor time, which is where a budget of it ended.

    Those of the newest checkpoint when there is none yet; empty before there is one.
    """
    rows = run.saved_metrics()
    return next((row for row in rows if row.get("cpu_seconds", 0.0) >= cpu_seconds), rows[-1] if rows else {})
