"""Training runs for the page: what is in the runs folder, and experiments started from a form."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import re
import time
from pathlib import Path
from typing import Any

from pydantic import Field

from tengen.errors import TengenError
from tengen.experiments import experiment_names
from tengen.records import GameRecord, read_records
from tengen.web.messages import Message
from tengen.web.tasks import Tasks, tail

MAX_POINTS = 400
SHOWN_GAMES = 60
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_SETTING = re.compile(r"[a-z_.]{1,60}=[A-Za-z0-9_.+:=, -]{1,80}")


class NewRun(Message):
    """An experiment by name, with a time budget and changed settings (`key=value`)."""

    experiment: str = Field(max_length=80)
    minutes: float = Field(10, ge=0.1, le=100_000)
    settings: tuple[str, ...] = Field((), strict=False, max_length=40)


class Training:
    def __init__(self, runs: Path, tasks: Tasks) -> None:
        self.runs, self.tasks = runs, tasks

    def available(self) -> bool:
        return all(importlib.util.find_spec(name) is not None for name in ("torch", "safetensors"))

    def overview(self) -> dict[str, Any]:
        names = sorted(p.parent.name for p in self.runs.glob("*/run.json")) if self.runs.is_dir() else []
        return {"runs": [self._summary(name) for name in names], "experiments": experiment_names(reproductions=False),
                "available": self.available()}  # fmt: skip

    def show(self, name: str, after: int = -1) -> dict[str, Any]:
        """Settings, and the metrics of iterations after `after`, thinned to what a chart can show."""
        about = json.loads((self._folder(name) / "run.json").read_text(encoding="utf-8"))
        rows = [row for row in self._metrics(name) if row.get("iteration", 0) > after]
        step = max(1, len(rows) // MAX_POINTS)
        thinned = [row for i, row in enumerate(rows) if (len(rows) - 1 - i) % step == 0 or _has_ladder(row)]
        return self._summary(name) | {"config": about["config"], "metrics": thinned,
                                      "log": tail(self._log(name))}  # fmt: skip

    def games(self, name: str) -> list[dict[str, Any]]:
        """The newest sample games, newest first."""
        records = list(enumerate(self._samples(name)))[-SHOWN_GAMES:]
        return [{"index": i, "iteration": r.tags.get("iteration", ""), "moves": len(r.moves), "winner": r.winner,
                 "width": r.variant.width, "height": r.variant.height} for i, r in reversed(records)]  # fmt: skip

    def record(self, name: str, index: int) -> GameRecord:
        records = self._samples(name)
        if not 0 <= index < len(records):
            raise LookupError(f"the run has no game {index}")
        return records[index]

    async def start(self, request: NewRun) -> str:
        if request.experiment not in experiment_names(reproductions=False):
            raise TengenError(f"unknown experiment '{request.experiment}'")
        for setting in request.settings:
            if not _SETTING.fullmatch(setting) or ".." in setting:
                raise TengenError(f"'{setting[:80]}' is not a setting; write key=value, such as learn.batch=256")
        name = f"{request.experiment}-{time.strftime('%Y%m%d-%H%M%S')}"
        self.runs.mkdir(parents=True, exist_ok=True)
        args = ["train", request.experiment, "--name", name, "--runs", str(self.runs), "--plain"]
        for setting in (*request.settings, f"budget.minutes={request.minutes:g}"):
            args += ["--set", setting]
        await self.tasks.start(f"run:{name}", args, self._log(name))
        return name

    def stop(self, name: str) -> None:
        self.tasks.stop(f"run:{name}")

    def log_of(self, name: str) -> dict[str, Any]:
        """A run that was just started may have no folder yet, or may have failed before it had one."""
        if not _NAME.fullmatch(name):
            raise LookupError("there is no such run")
        running = self.tasks.running(f"run:{name}")
        return {"name": name, "running": running, "failed": self.tasks.failed(f"run:{name}"),
                "log": tail(self._log(name))}  # fmt: skip

    def _summary(self, name: str) -> dict[str, Any]:
        folder = self._folder(name)
        metrics = folder / "metrics.jsonl"
        last = self._metrics(name)[-1:] or [{}]
        updated = (metrics if metrics.is_file() else folder).stat().st_mtime
        ours = self.tasks.running(f"run:{name}")
        return {"name": name, "running": ours or _at_work(folder), "ours": ours, "updated": updated,
                "last": last[0]}  # fmt: skip

    def _folder(self, name: str) -> Path:
        folder = self.runs / name
        if not _NAME.fullmatch(name) or not (folder / "run.json").is_file():
            raise LookupError("there is no such run")
        return folder

    def _metrics(self, name: str) -> list[dict[str, float]]:
        """A line that is still being written is passed over."""
        path, rows = self._folder(name) / "metrics.jsonl", []
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            rows.append({k: v for k, v in row.items() if isinstance(v, int | float)})
        return rows

    def _samples(self, name: str) -> list[GameRecord]:
        path = self._folder(name) / "samples.jsonl"
        return list(read_records(path)) if path.is_file() else []

    def _log(self, name: str) -> Path:
        return self.runs / f"{name}.log"


def _at_work(run: Path) -> bool:
    """Does any process hold the run's lock? A look shares it for an instant, so that looks do not see each other."""
    try:
        with (run / "lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a run that nobody ever locked
        return False
    return False


def _has_ladder(row: dict[str, float]) -> bool:
    return any(key.startswith("ladder") for key in row)
