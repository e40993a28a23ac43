"""Logs of a run beside metrics.jsonl: TensorBoard, a deadline, those of plugins, and several logs as one."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tengen.files import write_json
from tengen.plugins import broken
from tengen.training.run.loop import Log, Metrics

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter


class NoLog:
    """Says nothing."""

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def write(self, iteration: int, metrics: Metrics) -> None:
        pass

    def close(self) -> None:
        pass


class Logs:
    """Passes everything on to each of several logs."""

    def __init__(self, logs: Sequence[Log]) -> None:
        self._logs = logs

    def progress(self, stage: str, done: int, total: int) -> None:
        for log in self._logs:
            log.progress(stage, done, total)

    def write(self, iteration: int, metrics: Metrics) -> None:
        for log in self._logs:
            log.write(iteration, metrics)

    def close(self) -> None:
        for log in self._logs:
            log.close()


class GuardedLog:
    """A plugin's log. One that raises is named with its line and left out from then on; the run goes on."""

    def __init__(self, name: str, source: str, log: Any) -> None:
        self._name, self._source, self._log = name, source, log

    def progress(self, stage: str, done: int, total: int) -> None:
        self._call("progress", stage, done, total)

    def write(self, iteration: int, metrics: Metrics) -> None:
        self._call("write", iteration, metrics)

    def close(self) -> None:
        self._call("close")

    def _call(self, what: str, *values: Any) -> None:
        """A logger may have any of the three methods."""
        try:
            if method := getattr(self._log, what, None):
                method(*values)
        except Exception as error:
            self._log = None
            warnings.warn(f"{broken(self._name, self._source, error)}; it is left out", stacklevel=2)


class DeadlineError(Exception):
    """The time is over in the middle of an iteration."""


class DeadlineLog:
    """Ends a run at `deadline` (time.monotonic) by raising DeadlineError: `progress` is called often."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    def progress(self, stage: str, done: int, total: int) -> None:
        if time.monotonic() > self._deadline:
            raise DeadlineError

    def write(self, iteration: int, metrics: Metrics) -> None:
        pass

    def close(self) -> None:
        pass


class ProgressFile:
    """Keeps how far the stage of this iteration is in a small file, so that others see a run move from the start.

    `points` are [seconds since the stage began, parts done], thinned to what a curve needs.
    """

    EVERY = 0.5
    POINTS = 120

    def __init__(self, path: Path) -> None:
        self._path, self._stage, self._written = path, "", 0.0
        self._points: list[tuple[float, int]] = []

    def progress(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._began, self._points, self._written = stage, now, [], 0.0
        if now - self._written < self.EVERY and done < total:
            return
        self._written = now
        self._points.append((round(now - self._began, 2), done))
        if len(self._points) > self.POINTS:
            self._points = self._points[::2]
        write_json(self._path, {"stage": stage, "total": total, "points": self._points})

    def write(self, iteration: int, metrics: Metrics) -> None:
        pass

    def close(self) -> None:
        self._path.unlink(missing_ok=True)


def tensorboard_log(folder: Path, first: int) -> Log:
    """Event files for TensorBoard, where it is installed with torch, which writes them."""
    try:
        installed = all(find_spec(name) for name in ("torch", "tensorboard"))
    except ModuleNotFoundError:
        installed = False
    return TensorBoardLog(folder, first) if installed else NoLog()


class TensorBoardLog:
    """Event files for TensorBoard. `first` is the first iteration to come: later events of a killed run are purged.

    Its libraries are loaded with the first metrics, not before the first game.
    """

    def __init__(self, folder: Path, first: int) -> None:
        self._folder, self._first = folder, first

    @cached_property
    def _writer(self) -> SummaryWriter:
        from torch.utils.tensorboard import SummaryWriter

        return SummaryWriter(str(self._folder), purge_step=self._first)

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def write(self, iteration: int, metrics: Metrics) -> None:
        for name, value in metrics.items():
            self._writer.add_scalar(_tag(name), value, iteration)
        self._writer.flush()

    def close(self) -> None:
        if "_writer" in vars(self):
            self._writer.close()


def _tag(name: str) -> str:
    """TensorBoard groups by the part before the slash."""
    return name.replace(":", " ").replace(",", " ") if "/" in name else f"run/{name}"
