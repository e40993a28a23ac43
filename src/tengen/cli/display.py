"""The progress display of a training run: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import math
import sys
import time
from typing import TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table

from tengen.cli.training_hints import hint
from tengen.training.run.loop import Budget, Log, Metrics
from tengen.training.samples.tactics import KINDS, TITLES

STAGES = {"play": "playing", "learn": "learning", "ladder": "measuring", "fill": "filling the replay window",
          "won games": "gathering won games", "plans": "planning wins", "teacher": "training the teacher"}  # fmt: skip
SLOW = {"won games", "plans"}
ROWS = (
    # label, metric, format, meaning
    ("games", "games", "{:.0f}", "played so far"),
    ("positions", "positions", "{:.0f}", "learned from so far"),
    ("replay window", "pool_positions", "{:.0f}", "positions that batches are drawn from"),
    ("simulations per move", "sims", "{:.0f}", "of self-play"),
    ("games/s", "games_per_second", "{:.2f}", "all workers"),
    ("evaluations/s", "evaluations_per_second", "{:.0f}", "positions evaluated by the network"),
    ("moves per game", "length", "{:.1f}", "openings included"),
    ("black wins", "black_wins", "{:.0%}", "near 100 %: openings favour black"),
    ("epsilon", "epsilon", "{:.3f}", "fraction of exploring moves"),
    ("reward per step", "reward", "{:.2f}", "while exploring"),
    ("wins in training", "train_win", "{:.0%}", "while exploring"),
    ("loss", "loss", "{:.3f}", "minimised by training; new games can raise it"),
    ("policy loss", "loss_policy", "{:.3f}", "how far its moves are from those of the search"),
    ("value loss", "loss_value", "{:.3f}", "how far its values are from the results; 1: knows nothing"),
    ("learning rate", "rate", "{:.2g}", "size of a step"),
    ("KL", "kl", "{:.3f}", "how much an update changed its moves; near 0: no change"),
)
WIDE = 100
"""Columns of a terminal that has room for the meanings."""


def make_display(name: str, budget: Budget, history: list[Metrics], plain: bool) -> Log:
    """The live display on a terminal, else lines."""
    return PlainDisplay(budget) if plain or not sys.stdout.isatty() else LiveDisplay(name, budget, history)


def time_left(iteration: int, metrics: Metrics, budget: Budget) -> str:
    """How long the rest of the budget takes at the pace so far."""
    spent = budget.spent(iteration, metrics)
    if spent <= 0:
        return "no end set" if budget == Budget() else "pace not known yet"
    seconds = int(metrics.get("seconds", 0.0) * max(0.0, 1 - spent) / spent)
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d} left"


def ladder_scores(metrics: Metrics) -> dict[str, str]:
    """Opponent -> score in percent with wins, draws and losses."""
    scores = {}
    for key, score in metrics.items():
        if key.startswith("ladder/"):
            opponent = key.removeprefix("ladder/")
            parts = [f"{metrics.get(f'ladder_{part}/{opponent}', 0):.0f}" for part in ("wins", "draws", "losses")]
            scores[opponent] = f"{score:.0f} % (+{parts[0]} ={parts[1]} -{parts[2]})"
    return scores


def control_scores(metrics: Metrics) -> dict[str, str]:
    """Opponent -> what the untrained network scored; measured once a run."""
    found = {key: value for key, value in metrics.items() if key.startswith("control/")}
    return {key.removeprefix("control/"): f"untrained {score:.0f} %" for key, score in found.items()}


def tactics(metrics: Metrics) -> str:
    """What the network sees in the tactics probe without the solver, percent by its first choice / by search."""
    kinds = [kind for kind in KINDS if f"policy/{kind}" in metrics]
    return ", ".join(
        f"{TITLES[kind]} {metrics[f'policy/{kind}']:.0f}/{metrics.get(f'search/{kind}', math.nan):.0f}"
        for kind in kinds
    )


def evaluation(metrics: Metrics) -> str:
    """How a DQN run fares without exploration; empty for an iteration that was not evaluated."""
    if "eval_win" not in metrics:
        return ""
    win, draw, loss = (metrics.get(f"eval_{part}", 0.0) for part in ("win", "draw", "loss"))
    return f"{win:.0%} won, {draw:.0%} drawn, {loss:.0%} lost"


class PlainDisplay:
    """One line per iteration, and one for what may take minutes before the first."""

    def __init__(self, budget: Budget, file: TextIO | None = None) -> None:
        """`file`: where the lines go, the standard output if not said."""
        self._budget, self._file = budget, file
        self._stage = self._hint = ""
        self._history: list[Metrics] = []
        self._control: dict[str, str] = {}

    def progress(self, stage: str, done: int, total: int) -> None:
        if stage in SLOW and stage != self._stage:
            self._print(f"{STAGES[stage]}, which may take minutes")
        self._stage = stage

    def write(self, iteration: int, metrics: Metrics) -> None:
        facts = [f"{label} {form.format(metrics[key])}" for label, key, form, _ in ROWS if key in metrics]
        self._control |= control_scores(metrics)
        facts += [" ".join(filter(None, row)) for row in _beside(ladder_scores(metrics), self._control)]
        facts += [f"sees {text} %"] if (text := tactics(metrics)) else []
        facts += [f"evaluation {text}"] if (text := evaluation(metrics)) else []
        self._print(f"iteration {iteration}: {', '.join(facts)}; {time_left(iteration, metrics, self._budget)}")
        self._history.append(metrics)
        was, self._hint = self._hint, hint(self._history)
        if self._hint and self._hint != was:
            self._print(f"note: {self._hint}")

    def close(self) -> None:
        pass

    def _print(self, line: str) -> None:
        print(line, file=self._file, flush=True)


def _beside(scores: dict[str, str], control: dict[str, str]) -> list[tuple[str, str, str]]:
    """Opponent, score, and the untrained network's."""
    return [(opponent, score, control.get(opponent, "")) for opponent, score in scores.items()]


class LiveDisplay:
    """A table of the newest figures beside those before, the last ladder or evaluation, and a bar for the stage.

    Figures that the run's method does not have are not shown.
    """

    def __init__(self, name: str, budget: Budget, history: list[Metrics]) -> None:
        self._name, self._budget, self._history = name, budget, list(history)
        self._last: Metrics = history[-1] if history else {}
        self._before: Metrics = history[-2] if len(history) > 1 else {}
        self._ladder: dict[str, str] = {}
        self._control: dict[str, str] = {}
        self._evaluation = self._tactics = ""
        for row in history:
            self._measured(row)
        self._stage, self._done, self._total = "starting", 0, 0
        self._began = time.monotonic()
        console = Console()
        self._wide = console.width >= WIDE
        self._live = Live(self._draw(), console=console, refresh_per_second=4, transient=False)
        self._live.start()

    def progress(self, stage: str, done: int, total: int) -> None:
        if stage != self._stage:
            self._stage, self._began = stage, time.monotonic()
        self._done, self._total = done, total
        self._live.update(self._draw())

    def write(self, iteration: int, metrics: Metrics) -> None:
        self._before, self._last = self._last, metrics
        self._history.append(metrics)
        self._measured(metrics)
        self._live.update(self._draw())

    def close(self) -> None:
        self._live.stop()

    def _measured(self, metrics: Metrics) -> None:
        """What was measured last stays shown."""
        self._ladder |= ladder_scores(metrics)
        self._control |= control_scores(metrics)
        self._tactics = tactics(metrics) or self._tactics
        self._evaluation = evaluation(metrics) or self._evaluation

    def _draw(self) -> RenderableType:
        note = hint(self._history)
        return Group(self._figures(), *self._sees(), self._bar(), *([f"note: {note}"] if note else []))

    def _figures(self) -> Table:
        iteration = int(self._last.get("iteration", 0))
        title = f"{self._name}: iteration {iteration}, {time_left(iteration, self._last, self._budget)}"
        table = Table(title=title, title_justify="left", box=None, pad_edge=False)
        for heading in ("", "now", "before"):
            table.add_column(heading, justify="left" if not heading else "right", no_wrap=True)
        table.add_column(style="dim")
        for label, key, form, meaning in ROWS:
            now, before = (form.format(row[key]) if key in row else "" for row in (self._last, self._before))
            if now or before:
                table.add_row(label, now, before, meaning if self._wide else "")
        if self._evaluation:
            table.add_row("evaluation", self._evaluation, "", "without exploring" if self._wide else "")
        for opponent, score, untrained in _beside(self._ladder, self._control):
            table.add_row(f"against {opponent}", score, untrained)
        return table

    def _sees(self) -> list[RenderableType]:
        return [f"sees, by its first choice / by search, in percent: {self._tactics}"] if self._tactics else []

    def _bar(self) -> RenderableType:
        seconds = time.monotonic() - self._began
        rate = f"{self._done / seconds:.1f}/s" if seconds > 0 and self._done else ""
        row = Table.grid(padding=(0, 1))
        row.add_row(
            STAGES.get(self._stage, self._stage),
            ProgressBar(total=max(1, self._total), completed=self._done, width=40),
            f"{self._done}/{self._total}", rate,
        )  # fmt: skip
        return row
