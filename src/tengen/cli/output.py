"""How commands show scores, tables and progress."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from tengen.arena.ratings import RatingTable
from tengen.arena.score import Interval, Score
from tengen.arena.tournament import cross_table, standings
from tengen.records import GameRecord

BAR_SECONDS = 0.5
"""How often the note beside a bar changes at most."""


def interval_text(interval: Interval, form: str = "+.0f") -> str:
    return f"{_number(interval.value, form)} ({_number(interval.low, form)} to {_number(interval.high, form)})"


def score_line(score: Score) -> str:
    """Short enough to stand beside a progress bar."""
    half = (score.rate.high - score.rate.low) / 2
    counts = f"+{score.wins} ={score.draws} -{score.losses}"
    return f"{counts}  {score.rate.value:.1%} ± {half:.1%}" if score.games else counts


def _number(value: float, form: str) -> str:
    return ("-" if value < 0 else "+") + "∞" if math.isinf(value) else format(value, form)


def _repeats(score: Score) -> str:
    return f", {score.repeated} of them repeated move for move" if score.repeated else ""


def match_summary(a: str, b: str, score: Score) -> str:
    rows = [
        f"{a} against {b}: {score.games} games from {score.openings} openings{_repeats(score)}",
        f"wins {score.wins}  draws {score.draws}  losses {score.losses}",
        f"score {interval_text(score.rate, '.1%')}",
        f"Elo difference {interval_text(score.elo)}, 95 % interval (the statistical unit is the opening)",
        "pairs by points 0, ½, 1, 1½, 2: " + " ".join(map(str, score.pairs)),
    ]
    for kind in ("crash", "time", "illegal", "memory"):
        ours, theirs = score.faults.get(kind, (0, 0))
        if kind != "memory" or ours + theirs:
            rows.append(f"lost by {kind}: {a} {ours}, {b} {theirs}")
    return "\n".join(rows)


def rating_text(table: RatingTable) -> str:
    """Ratings, then the likelihood that each player is stronger than the one below it."""
    width = max(len("player"), *(len(rating.player) for rating in table.ratings))
    rows = [f"{'player':{width}}     Elo  95 % interval  by bootstrap   games  score  draws  faults  s/move  LOS"]
    for i, r in enumerate(table.ratings):
        boot = f"{r.bootstrap.low:+6.0f} {r.bootstrap.high:+6.0f}" if r.bootstrap else 13 * " "
        los = f"{table.los[i][i + 1]:.1%}" if i + 1 < len(table.ratings) else ""
        rows.append(
            f"{r.player:{width}}  {r.elo.value:+6.0f}  {r.elo.low:+6.0f} {r.elo.high:+6.0f}  {boot}  {r.games:6d}"
            f"  {r.score:5.1%}  {r.draws:5.1%}  {r.faults:6d}  {r.seconds:6.3f}  {los}"
        )
    rows += [
        "",
        "LOS: likelihood of superiority over the next player",
        f"first-move advantage: {interval_text(table.first_move)} Elo",
        f"draw rate of equal players: {interval_text(table.draw_rate, '.1%')}",
        f"anchor: {table.anchor}" if table.anchor else "ratings are relative to the mean of all players",
    ]
    return "\n".join(rows)


def print_notes(notes: list[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


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

    def update(self, done: int, note: str | Callable[[], str]) -> None:
        """A note that takes a while to compute, such as the score of a long match, is asked for when it is shown."""
        self._first = done if self._first is None else self._first
        now = time.monotonic()
        due = now - self._last >= (BAR_SECONDS if self._bar else self._every)
        if self._bar:
            self._bar.update(self._bar.task_ids[0], completed=done)
        if not due:
            return
        self._last = now
        text = note if isinstance(note, str) else note()
        if self._bar:
            self._bar.update(self._bar.task_ids[0], note=text)
        else:
            print(f"{done}/{self._total}  {text}  {self._left(done)}", file=sys.stderr, flush=True)

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
    columns = (
        BarColumn(30), MofNCompleteColumn(), TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    return Progress(*columns, console=Console(stderr=True))


class LiveTable:
    """A cross table that grows on a terminal; a progress line now and then elsewhere."""

    def __init__(self, names: list[str], total: int) -> None:
        self._names, self._total, self._drawn = names, total, 0.0
        console = Console(stderr=True)
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None
        self._plain = None if self._live else GameProgress(total)

    def __enter__(self) -> LiveTable:
        if self._live:
            self._live.start()
        return self

    def update(self, records: list[GameRecord]) -> None:
        if self._plain:
            leader = standings(records[-2000:], self._names)[0][0] if records else ""
            self._plain.update(len(records), f"leading: {leader}")
        elif self._live and (time.monotonic() - self._drawn > 0.5 or len(records) == self._total):
            self._drawn = time.monotonic()
            self._live.update(_rich_table(records, self._names, self._total), refresh=True)

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()


def _rich_table(records: list[GameRecord], names: list[str], total: int) -> Table:
    header, *rows = _cells(records, names)
    table = Table(title=f"{len(records)} of {total} games")
    for i, title in enumerate(header):
        table.add_column(title, justify="left" if i == 1 else "right")
    for row in rows:
        table.add_row(*row)
    return table


def cross_text(records: list[GameRecord], names: list[str]) -> str:
    """The cross table as plain text: wins, draws and losses against each opponent, best player first."""
    table = _cells(records, names)
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return "\n".join("  ".join(map(_aligned, row, widths, range(len(row)))) for row in table)


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column == 1 else cell.rjust(width)


def _cells(records: list[GameRecord], names: list[str]) -> list[list[str]]:
    ranked = standings(records, names)
    scores = cross_table(records, names)
    order = [name for name, _, _ in ranked]
    rows = [["#", "player", "points", "games", "score", *(str(i + 1) for i in range(len(order)))]]
    for place, (name, points, games) in enumerate(ranked, 1):
        against = [_cell(scores.get((name, other))) if name != other else "·" for other in order]
        share = f"{points / games:.1%}" if games else ""
        rows.append([str(place), name, f"{points:g}", str(games), share, *against])
    return rows


def _cell(score: Score | None) -> str:
    return f"+{score.wins}={score.draws}-{score.losses}" if score else ""
