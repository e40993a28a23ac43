"""Curves of a run: a pure function of its metrics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.training.run.loop import Metrics

Panel = tuple[str, tuple[str, ...], bool]
"""Title, metrics, logarithmic."""

FEW = 20
"""Points up to which each is drawn as one: a single one has no line to be seen by."""


def draw_run(metrics: Sequence[Metrics], title: str, path: Path, panels: Sequence[Panel]) -> None:
    """Writes the picture; its format is the path's suffix. A ladder gets a panel of its own."""
    from matplotlib.figure import Figure

    if not metrics:
        raise TengenError(f"{title} has no finished iteration to draw yet")
    if path.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise TengenError(f"{path.name}: choose a name that ends in .png, .svg or .pdf")
    panels = [*panels, *_ladder(metrics)]
    figure = Figure(figsize=(14 if len(panels) < 8 else 18, 7), layout="constrained")
    axes = figure.subplots(2, -(-len(panels) // 2)).ravel()
    for axis in axes[len(panels) :]:
        axis.set_visible(False)
    for axis, (name, keys, logarithmic) in zip(axes, panels, strict=False):
        _panel(axis, metrics, name, keys, logarithmic)
    figure.suptitle(title)
    figure.savefig(path, dpi=110)


def _ladder(metrics: Sequence[Metrics]) -> list[Panel]:
    keys = sorted({key for row in metrics for key in row if key.startswith("ladder/")})
    return [("ladder: score in percent", tuple(keys), False)] if keys else []


def _panel(axis: Any, metrics: Sequence[Metrics], name: str, keys: tuple[str, ...], logarithmic: bool) -> None:
    """One chart over games played; a metric that is not in every iteration is drawn where it is."""
    for key in keys:
        points = [(row.get("games", row["iteration"]), row[key]) for row in metrics if key in row]
        if points:
            marker = "." if "/" in key or len(points) <= FEW else ""
            axis.plot(*zip(*points, strict=True), label=key.removeprefix("ladder/"), marker=marker)
    axis.set_title(name)
    axis.set_xlabel("games")
    axis.grid(alpha=0.3)
    axis.locator_params(axis="x", nbins=5)
    if logarithmic and any(row.get(key, 0) > 0 for row in metrics for key in keys):
        axis.set_yscale("log")
    if any(key.startswith("ladder/") for key in keys):
        axis.set_ylim(-3, 103)
    if len(keys) > 1 or any("/" in key for key in keys):
        axis.legend(fontsize=8)
