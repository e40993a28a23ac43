"""`tengen export`: a run's network as a model that players can load."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o


def command(
    run: o.Run,
    name: Annotated[str, typer.Option(help="name of the model")],
    out: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="folder for NAME.onnx and NAME.json (default: models in your data folder)"),
    ] = None,
    hub: Annotated[
        Path | None, typer.Option(file_okay=False, help="also write a folder for a model hub, inside this one")
    ] = None,
    iteration: Annotated[int | None, typer.Option(help="which checkpoint (default: the newest)")] = None,
    runs: o.Runs = Path("runs"),
    replace: Annotated[bool, typer.Option("--replace", help="overwrite a model of the same name")] = False,
    import_: o.Import = None,
) -> None:
    """Export the averaged network of a run, with its model card."""
    from tengen.inference.models import user_folder
    from tengen.training.hub import write_hub
    from tengen.training.methods import export_run, find_method
    from tengen.training.runs import find_run

    found = find_run(runs, run)
    path = export_run(found, name, out or user_folder(), iteration, replace)
    player = find_method(found.about()["method"]).player
    print(f"{path}  (play it as {player}:model={name if out is None else path})")
    if hub is not None:
        print(write_hub(found, path, hub, iteration))
