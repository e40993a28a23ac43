"""What the arena's commands share: options, progress, and how scores are written."""

from __future__ import annotations

import math
import re
import sys
import time
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from tengen.arena.score import Interval, Score
from tengen.board import Board
from tengen.errors import TengenError
from tengen.play.openings import BUILT_IN
from tengen.rules import Rule, Variant

OPENINGS_HELP = f"balanced (made by the seed), empty, one-stone, {', '.join(BUILT_IN)} or a file"


def parse_variant(size: str, k: int, rule: str) -> Variant:
    """`15` or `15x12`; bad sizes and rules are refused here, before anything is written."""
    match = re.fullmatch(r"(\d+)(?:x(\d+))?", size.strip().lower())
    if not match:
        raise TengenError(f"'{size}' is not a board size; write 15 or 15x12")
    width, height = int(match[1]), int(match[2] or match[1])
    if rule not in list(Rule):
        raise TengenError(f"unknown rule '{rule}'; choose one of {', '.join(Rule)}")
    variant = Variant(width, height, k, Rule(rule))
    Board(variant)
    return variant


def checked_workers(workers: int) -> int:
    if not 1 <= workers <= 256:
        raise TengenError(f"--workers {workers}: choose 1 to 256")
    return workers


def interval_text(interval: Interval, form: str = "+.0f") -> str:
    return f"{_number(interval.value, form)} ({_number(interval.low, form)} to {_number(interval.high, form)})"


def score_line(score: Score) -> str:
    """Short enough to stand beside a progress bar."""
    half = (score.rate.high - score.rate.low) / 2
    counts = f"+{score.wins} ={score.draws} -{score.losses}"
    return f"{counts}  {score.rate.value:.1%} ± {half:.1%}" if score.games else counts


def _number(value: float, form: str) -> str:
    return ("-" if value < 0 else "+") + "∞" if math.isinf(value) else format(value, form)


class GameProgress:
    """A bar on a terminal; elsewhere a plain line now and then, on stderr."""

    def __init__(self, total: int, every: float = 10.0, bar: bool = True) -> None:
        self._total, self._every = total, every
        self._started = self._last = time.monotonic()
        self._first: int | None = None
        self._bar = _bar() if bar and sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
            self._bar.add_task("games", total=self._total, note="")
        return self

    def update(self, done: int, note: str) -> None:
        self._first = done if self._first is None else self._first
        if self._bar:
            self._bar.update(self._bar.task_ids[0], completed=done, note=note)
        elif time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            print(f"{done}/{self._total}  {note}  {self._left(done)}", file=sys.stderr, flush=True)

    def _left(self, done: int) -> str:
        played = done - (self._first or 0)
        if played <= 0:
            return ""
        rate = played / (time.monotonic() - self._started)
        return f"{60 * rate:.1f} games/min, {(self._total - done) / rate:.0f} s left"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()


def _bar() -> Progress:
    from rich.console import Console

    columns = (
        BarColumn(30), MofNCompleteColumn(), TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    return Progress(*columns, console=Console(stderr=True))
