"""`tengen plot`: the curves of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli.train import find_run


def command(
    run: Annotated[str, typer.Argument(help="name or folder of a run")],
    out: Annotated[
        Path | None, typer.Option(help="picture to write (png, svg, pdf); default: curves.png in the run")
    ] = None,
    runs: Annotated[Path, typer.Option(help="folder that holds the runs")] = Path("runs"),
) -> None:
    """Draw the curves of a run: losses, game lengths, results and strength, as its method logs them."""
    from tengen.training.methods import plot_run

    folder = find_run(runs, run)
    path = out or folder.path / "curves.png"
    plot_run(folder, path)
    print(path)
