"""What a sweep says: interquartile means with bands, probabilities of improvement, learning curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np

from tengen.arena.score import Interval
from tengen.lab.sweep import Sweep, curve, measures
from tengen.lab.sweep_statistics import Scores, banded, improvement, interquartile_mean

Curves = dict[str, dict[float, list[list[float]]]]
"""Variant -> games -> scores of each seed, by measure."""


def gather(sweep: Sweep, wanted: Sequence[str] = ()) -> tuple[list[str], Curves]:
    """Measures and curves of the finished runs."""
    keys = measures([sweep.metrics(case) for case in sweep.cases], wanted)
    curves: Curves = {}
    for case in sweep.cases:
        for games, scores in curve(sweep.metrics(case), keys):
            curves.setdefault(case.variant, {}).setdefault(games, []).append(scores)
    return keys, curves


def last_scores(curves: Curves) -> dict[str, Scores]:
    """Each variant's scores [seeds, measures] at the last point that all its seeds reached."""
    found = {}
    for variant, points in curves.items():
        seeds = max(map(len, points.values()))
        found[variant] = np.array(points[max(games for games, rows in points.items() if len(rows) == seeds)])
    return found


def sweep_markdown(sweep: Sweep, wanted: Sequence[str] = ()) -> str:
    keys, curves = gather(sweep, wanted)
    scores = last_scores(curves)
    done = sum(map(sweep.finished, sweep.cases))
    told = ", ".join(f"`{key}`" for key in keys) or "nothing yet"
    lines = [f"# Sweep of {sweep.experiment}", "",
             f"{done} of {len(sweep.cases)} runs are finished. Measured by {told}, in percent. Interquartile means "
             "over seeds and measures; bands are 95 % from a stratified bootstrap over seeds.", "",
             "| variant | seeds | interquartile mean (95 %) | each seed |", "|---|---|---|---|"]  # fmt: skip
    for variant, own in scores.items():
        each = ", ".join(f"{row.mean():.0f}" for row in own)
        lines.append(f"| {variant} | {len(own)} | {_text(banded(interquartile_mean, own))} | {each} |")
    if len(scores) > 1:
        lines += ["", "How likely a run of the row scores more than a run of the column:", "",
                  "| | " + " | ".join(scores) + " |", "|---" * (len(scores) + 1) + "|"]  # fmt: skip
        chance = {(a, b): banded(improvement, scores[a], scores[b]) for a, b in permutations(scores, 2)}
        for a in scores:
            cells = [_text(chance[a, b], 100) if a != b else "" for b in scores]
            lines.append(f"| {a} | " + " | ".join(cells) + " |")
    if left := [case.name for case in sweep.cases if not sweep.finished(case)]:
        lines += ["", f"Not finished: {', '.join(left)}."]
    return "\n".join(lines) + "\n"


def _text(interval: Interval, scale: float = 1.0) -> str:
    if math.isinf(interval.low):
        return f"{scale * interval.value:.0f} (one seed)"
    return f"{scale * interval.value:.0f} ({scale * interval.low:.0f} to {scale * interval.high:.0f})"


WIDTH = 51
"""Columns of a curve in a terminal, from 0 to 100 percent."""


def sweep_curves(sweep: Sweep, wanted: Sequence[str] = ()) -> str:
    """The learning curves for a terminal: at each number of games the band of every variant, and `o` its middle."""
    lines = []
    for games, variant, band in curve_points(sweep, wanted):
        known = not math.isinf(band.low)
        low, middle, high = (round((WIDTH - 1) * min(max(v, 0), 100) / 100) for v in (band.low, band.value, band.high))
        row = [("-" if known and low <= column <= high else " ") for column in range(WIDTH)]
        row[middle] = "o"
        lines.append(f"{games:>8.0f} games  {variant:<16} |{''.join(row)}| {_text(band)}")
    return "\n".join(lines)


def curve_points(sweep: Sweep, wanted: Sequence[str] = ()) -> list[tuple[float, str, Interval]]:
    """Games, variant and band of every point of the curves, by games."""
    _, curves = gather(sweep, wanted)
    order = list(curves)
    return sorted(
        (
            (games, variant, banded(interquartile_mean, np.array(rows), samples=500))
            for variant, points in curves.items()
            for games, rows in points.items()
        ),
        key=lambda point: (point[0], order.index(point[1])),
    )


def draw_sweep(sweep: Sweep, path: Path, wanted: Sequence[str] = ()) -> None:
    """Learning curves: interquartile mean over seeds and measures with its band, a line for each variant."""
    from matplotlib.figure import Figure

    keys, curves = gather(sweep, wanted)
    points = curve_points(sweep, wanted)
    figure = Figure(figsize=(9, 5), layout="constrained")
    axis = figure.subplots()
    for variant in curves:
        own = [(count, band) for count, name, band in points if name == variant]
        games, bands = zip(*own, strict=True)
        (line,) = axis.plot(games, [band.value for band in bands], marker=".", label=variant)
        low, high = [max(band.low, -5) for band in bands], [min(band.high, 105) for band in bands]
        axis.fill_between(games, low, high, alpha=0.2, color=line.get_color())
    axis.set(xlabel="games", ylabel=", ".join(keys), ylim=(-5, 105), title=f"Sweep of {sweep.experiment}")
    axis.grid(alpha=0.3)
    axis.legend()
    figure.savefig(path, dpi=110)
