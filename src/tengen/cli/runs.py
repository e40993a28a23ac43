"""`tengen runs`: the runs of a folder at a glance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tengen.errors import TengenError

if TYPE_CHECKING:
    from tengen.training.run.loop import RunFolder


def command(runs: Annotated[Path, typer.Argument(help="folder that holds training runs")] = Path("runs")) -> None:
    """List runs with their size, progress and newest ladder or evaluation."""
    if not runs.is_dir():
        raise TengenError(f"there is no folder '{runs}'; start a run with: tengen train quick")
    headings = ("run", "method", "board", "iterations", "games", "hours", "loss", "strength")
    table = Table(*headings, box=None, pad_edge=False)
    from tengen.training.run.loop import run_folders

    for folder in run_folders(runs):
        table.add_row(*map(Text, _row(folder)))
    console = Console()
    if not table.row_count:
        console.print(f"no runs in {runs}", markup=False)
        return
    console.print(table)


def _row(folder: RunFolder) -> list[str]:
    """A run that cannot be read is shown as such and does not hide the others."""
    name = folder.path.name
    try:
        about, metrics = folder.open(folder.path).about(), folder.read_metrics()
    except (TengenError, OSError) as error:
        return [name, "unreadable", "", "", "", "", "", str(error)]
    last = metrics[-1] if metrics else {}
    return [
        name, str(about.get("method", "")), _board(about.get("config", {})), f"{last.get('iteration', 0):.0f}",
        f"{last.get('games', 0):.0f}", f"{last.get('seconds', 0) / 3600:.2f}", f"{last.get('loss', 0):.3f}",
        _strength(metrics),
    ]  # fmt: skip


def _board(config: dict[str, Any]) -> str:
    board = config.get("board") or config.get("env") or {}
    sizes = ",".join(board.get("sizes") or {}) or f"{board.get('width')}x{board.get('height')}"
    return f"{sizes} k={board.get('k')} {board.get('rule')}"


def _strength(metrics: list[dict[str, float]]) -> str:
    from tengen.cli.display import evaluation

    for row in reversed(metrics):
        if text := evaluation(row):
            return text
        scores = {key.removeprefix("ladder/"): value for key, value in row.items() if key.startswith("ladder/")}
        if scores:
            return ", ".join(f"{name} {score:.0f} %" for name, score in scores.items())
    return ""
