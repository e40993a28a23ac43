"""`tengen plot`: the learning curves of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o


def command(
    run: o.Run,
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="picture to write (png, svg or pdf; default: curves.png in the run)"),
    ] = None,
    runs: o.Runs = Path("runs"),
    import_: o.Import = None,
) -> None:
    """Plot the learning curves of a run: losses, game lengths, results and strength."""
    from tengen.training.methods import plot_run
    from tengen.training.runs import find_run

    folder = find_run(runs, run)
    path = out or folder.path / "curves.png"
    plot_run(folder, path)
    print(path)
