"""`tengen export`: a run's network as a model that players can load."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli.train import find_run


def command(
    run: Annotated[str, typer.Argument(help="name or folder of a run")],
    name: Annotated[str, typer.Option(help="name of the model")],
    out: Annotated[
        Path | None, typer.Option(help="folder for NAME.onnx and NAME.json; default: tengen's models")
    ] = None,
    iteration: Annotated[int | None, typer.Option(help="which checkpoint; default: the newest")] = None,
    runs: Annotated[Path, typer.Option(help="folder that holds the runs")] = Path("runs"),
    replace: Annotated[bool, typer.Option("--replace", help="write over a model of the same name")] = False,
) -> None:
    """Export the averaged network of a run with its card."""
    import tengen
    from tengen.training.methods import export_run, find_method

    folder = out or Path(tengen.__file__).parent / "models"
    found = find_run(runs, run)
    path = export_run(found, name, folder, iteration, replace)
    player = find_method(found.about()["method"]).player
    print(f"{path}  (play it as {player}:model={name if out is None else path})")
