"""The run loop that every learning method shares, and the folder a run lives in.

    RUN/run.json            method, resolved config, revision, processor, versions
    RUN/metrics.jsonl       one line per iteration
    RUN/checkpoints/000012/ all a trainer needs to go on after iteration 12; appears whole or not at all
    RUN/progress.json       how far the current stage is, while it runs
    RUN/games/ samples.jsonl ladder.jsonl tensorboard/

The loop writes an iteration's metrics before its checkpoint. A resume drops lines newer than the checkpoint, so a
run killed at any instant continues as if nothing had happened.
"""

from __future__ import annotations

import fcntl
import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tengen.errors import TengenError
from tengen.files import (
    append_line,
    new_folder,
    read_json,
    read_object,
    remove_folder,
    remove_leftovers,
    write_atomic,
    write_json,
)
from tengen.plugins import plugin_files
from tengen.provenance import origin
from tengen.records import GameRecord, read_records

Metrics = dict[str, float]

LOGS = ("metrics.jsonl", "samples.jsonl", "ladder.jsonl")
"""Files of a run that grow by lines, each of which knows its iteration."""

FORMAT = 1
"""Version of the run folder's layout."""


class Trainer(Protocol):
    """A learning method. `iterate` does one unit of learning and must depend on saved state alone.

    If other processes work for it, it reports their processor time as `workers_cpu_seconds`.
    """

    def iterate(self) -> Metrics: ...

    def evaluate(self) -> Metrics:
        """Measures strength when it is due, else returns nothing. Must not change what is learned."""
        ...

    def save(self, folder: Path) -> None:
        """Writes the whole state into an empty folder."""
        ...

    def load(self, folder: Path) -> None: ...


class Log(Protocol):
    """Sees every iteration's metrics; `progress` is called often, from inside an iteration."""

    def progress(self, stage: str, done: int, total: int) -> None: ...

    def write(self, iteration: int, metrics: Metrics) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Budget:
    """When a run is over; 0 means no limit of that kind. Games are read from the metric `games`."""

    iterations: int = 0
    seconds: float = 0
    games: int = 0
    cpu_seconds: float = 0

    def spent(self, iteration: int, metrics: Metrics) -> float:
        """The part of the budget that is used up, 1 or more when the run is over."""
        parts = [
            iteration / self.iterations if self.iterations else 0.0,
            metrics.get("seconds", 0.0) / self.seconds if self.seconds else 0.0,
            metrics.get("games", 0.0) / self.games if self.games else 0.0,
            metrics.get("cpu_seconds", 0.0) / self.cpu_seconds if self.cpu_seconds else 0.0,
        ]
        return max(parts)


def run(trainer: Trainer, budget: Budget, log: Log, folder: RunFolder, keep: int = 0, keep_last: int = 0) -> Metrics:
    """Iterates until the budget is spent; returns the last metrics. Continues from the newest checkpoint."""
    iteration, metrics = folder.resume(trainer)
    while budget.spent(iteration, metrics) < 1:
        start, cpu_start = time.perf_counter(), time.process_time()
        before, cpu_before = metrics.get("seconds", 0.0), metrics.get("cpu_seconds", 0.0)
        iteration += 1
        metrics = trainer.iterate()
        cpu = time.process_time() - cpu_start + metrics.get("workers_cpu_seconds", 0.0)
        metrics |= trainer.evaluate()
        metrics |= {
            "iteration": float(iteration),
            "seconds": before + time.perf_counter() - start,
            "cpu_seconds": cpu_before + cpu,
        }
        folder.append_metrics(metrics)
        folder.save(trainer, iteration, metrics, keep, keep_last)
        log.write(iteration, metrics)
    return metrics


class RunFolder:
    """The files of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.metrics_file = path / "metrics.jsonl"
        self.checkpoints = path / "checkpoints"
        self.progress_file = path / "progress.json"

    @classmethod
    def create(cls, path: Path, method: str, config: dict[str, Any]) -> RunFolder:
        """A new run. Refuses a folder that already holds something."""
        taken = TengenError(f"{path} exists already; resume it with --resume {path}, or choose another --name")
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise taken
        folder = cls(path)
        try:
            folder.checkpoints.mkdir(parents=True)
        except FileExistsError:  # a run that was started in the same instant
            raise taken from None
        (path / "games").mkdir()
        about = {"format": FORMAT, "method": method, "config": config, "imports": plugin_files()} | origin()
        write_json(path / "run.json", about)
        return folder

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """A run that exists. Raises if the folder is not a run."""
        about = cls(path).about()
        if not isinstance(about, dict) or about.get("format") != FORMAT:
            raise TengenError(f"{path} is not a run of this version of tengen")
        if not isinstance(about.get("config"), dict):
            raise TengenError(f"{path / 'run.json'} has no settings of the run (its key 'config')")
        return cls(path)

    def about(self) -> Any:
        if not (self.path / "run.json").is_file():
            raise TengenError(f"{self.path} is not a run: it has no run.json")
        return read_json(self.path / "run.json")

    def change(self, config: dict[str, Any]) -> None:
        """Stores settings that a resumed run was given, so that they are reported as they are."""
        about = self.about()
        if about["config"] != config:
            write_json(self.path / "run.json", about | {"config": config})

    def remove_if_nothing_was_done(self) -> None:
        """Removes a run that failed before it had a checkpoint, a game or a teacher."""
        done = [*self.iterations(), *(self.path / "games").iterdir(), *self.path.glob("*.safetensors")]
        if not done:
            remove_folder(self.path)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps a second process from writing into the same run."""
        with (self.path / "lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise TengenError(f"another process is working on {self.path}") from None
            yield

    def iterations(self) -> list[int]:
        """Iterations with a whole checkpoint, oldest first."""
        names = (p.name for p in self.checkpoints.glob("[0-9]*")) if self.checkpoints.is_dir() else iter(())
        return sorted(int(name) for name in names if name.isdecimal())

    def checkpoint(self, iteration: int | None = None) -> Path:
        """A checkpoint's folder, the newest if no iteration is named."""
        known = self.iterations()
        if not known:
            raise TengenError(f"{self.path} has no checkpoint yet")
        if iteration is not None and iteration not in known:
            raise TengenError(f"{self.path} has no checkpoint {iteration}; it has {', '.join(map(str, known))}")
        return self.checkpoints / f"{known[-1] if iteration is None else iteration:06d}"

    def resume(self, trainer: Trainer) -> tuple[int, Metrics]:
        """Loads the newest checkpoint, if any, and cuts the logs back to it."""
        remove_leftovers(self.path)
        remove_leftovers(self.checkpoints)
        remove_leftovers(self.path / "games")
        known = self.iterations()
        iteration, metrics = 0, {}
        if known:
            checkpoint = self.checkpoint()
            metrics = read_object(checkpoint / "metrics.json")
            _load(trainer, checkpoint)
            iteration = known[-1]
        for log in LOGS:
            cut_lines(self.path / log, iteration)
        return iteration, metrics

    def save(self, trainer: Trainer, iteration: int, metrics: Metrics, keep: int = 0, keep_last: int = 0) -> None:
        """Adds a checkpoint, then drops old ones but the one before and the last of every `keep`-th."""
        with new_folder(self.checkpoints / f"{iteration:06d}") as folder:
            trainer.save(folder)
            write_json(folder / "metrics.json", metrics)
        old = self.iterations()[:-2]
        kept = [number for number in old if keep and number % keep == 0]
        for number in set(old) - set(kept[-keep_last:]):
            remove_folder(self.checkpoints / f"{number:06d}")

    def append_metrics(self, metrics: Metrics) -> None:
        append_line(self.metrics_file, json.dumps(metrics))

    # -- what a reader wants to know: the commands, the page and studies ask here --------------------------------

    def read_metrics(self) -> list[Metrics]:
        """The numbers of metrics.jsonl; a line cut short by a kill is passed over."""
        if not self.metrics_file.is_file():
            return []
        lines = self.metrics_file.read_text(encoding="utf-8").splitlines()
        rows = [{k: v for k, v in _parsed(line).items() if isinstance(v, int | float)} for line in lines]
        return [row for row in rows if row]

    def last_metrics(self) -> Metrics:
        """Of the last iteration; empty before the first."""
        rows = self.read_metrics()
        return rows[-1] if rows else {}

    def saved_metrics(self) -> list[Metrics]:
        """The metrics up to the newest whole checkpoint: what a resume would keep."""
        saved = max(self.iterations(), default=0)
        return [row for row in self.read_metrics() if row.get("iteration", math.inf) <= saved]

    def samples(self) -> list[GameRecord]:
        """The games kept for people, oldest first."""
        file = self.path / "samples.jsonl"
        return list(read_records(file)) if file.is_file() else []

    def read_progress(self) -> dict[str, Any]:
        """What ProgressFile wrote last; empty between stages and after the run."""
        try:
            return _parsed(self.progress_file.read_text(encoding="utf-8"))
        except OSError:
            return {}

    def updated(self) -> float:
        """When the run last went on, in seconds since the epoch."""
        return (self.metrics_file if self.metrics_file.is_file() else self.path).stat().st_mtime

    def is_running(self) -> bool:
        """Whether a process holds the run's lock. A look shares it for an instant, so looks do not see each other."""
        try:
            with (self.path / "lock").open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a run that nobody ever locked
            return False
        return False


def run_folders(runs: Path) -> list[RunFolder]:
    """Every run in a folder of runs, by name."""
    return [RunFolder(file.parent) for file in sorted(runs.glob("*/run.json"))]


def _load(trainer: Trainer, checkpoint: Path) -> None:
    if (checkpoint / "state.json").is_file():
        read_object(checkpoint / "state.json")  # every method that has one reads its keys
    try:
        trainer.load(checkpoint)
    except KeyError as error:
        raise TengenError(f"{checkpoint} is not a checkpoint of this version of tengen: it lacks {error}") from None
    except TypeError as error:
        raise TengenError(f"{checkpoint} is damaged: {error}") from None


def cut_lines(path: Path, iteration: int) -> None:
    """Drops the lines of a JSONL log that are newer than an iteration, and a last line that a kill cut short."""
    if not path.is_file():
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if (row := _parsed(line)) and _iteration_of(row) <= iteration]
    if len(kept) < len(lines) or (lines and not path.read_bytes().endswith(b"\n")):
        write_atomic(path, "".join(line + "\n" for line in kept).encode())


def _iteration_of(row: dict[str, Any]) -> float:
    """Metrics have the iteration as a number, game records as a tag."""
    return float(row["iteration"] if "iteration" in row else row.get("tags", {}).get("iteration", 0))


def _parsed(line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        return {}
    return row if isinstance(row, dict) else {}
