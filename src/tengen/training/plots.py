"""Curves of a run: a pure function of its metrics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tengen.training.run import Metrics

PANELS: tuple[tuple[str, tuple[str, ...], bool], ...] = (
    # title, metrics, logarithmic
    ("loss", ("loss", "loss_policy", "loss_value"), False),
    ("learning rate", ("rate",), True),
    ("KL of an update", ("kl",), True),
    ("moves a game", ("length",), False),
    ("results of self-play", ("black_wins", "white_wins", "draws"), False),
)


def draw_run(metrics: Sequence[Metrics], title: str, path: Path) -> None:
    """Writes the picture; its format is the path's suffix."""
    from matplotlib.figure import Figure

    if not metrics:
        raise ValueError(f"{title} has no finished iteration to draw yet")
    if path.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise ValueError(f"{path.name}: choose a name that ends in .png, .svg or .pdf")
    figure = Figure(figsize=(14, 7), layout="constrained")
    axes = figure.subplots(2, 3).ravel()
    for axis, (name, keys, logarithmic) in zip(axes, PANELS, strict=False):
        _panel(axis, metrics, name, keys, logarithmic)
    ladder = sorted({key for row in metrics for key in row if key.startswith("ladder/")})
    _panel(axes[-1], metrics, "ladder: score in percent", tuple(ladder), False)
    axes[-1].set_ylim(-3, 103)
    figure.suptitle(title)
    figure.savefig(path, dpi=110)


def _panel(axis: Any, metrics: Sequence[Metrics], name: str, keys: tuple[str, ...], logarithmic: bool) -> None:
    """One chart over games played; a metric that is not in every iteration is drawn where it is."""
    for key in keys:
        points = [(row.get("games", row["iteration"]), row[key]) for row in metrics if key in row]
        if points:
            axis.plot(*zip(*points, strict=True), label=key.removeprefix("ladder/"), marker="." if "/" in key else "")
    axis.set_title(name)
    axis.set_xlabel("games")
    axis.grid(alpha=0.3)
    if logarithmic and any(row.get(key, 0) > 0 for row in metrics for key in keys):
        axis.set_yscale("log")
    if len(keys) > 1 or any("/" in key for key in keys):
        axis.legend(fontsize=8)
