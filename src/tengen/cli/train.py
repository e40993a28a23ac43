"""`tengen train`: learn by self-play, stop and resume at will."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.cli import options as o
from tengen.errors import TengenError

if TYPE_CHECKING:
    from tengen.training.run.loop import RunFolder


def command(
    experiment: Annotated[
        str | None, typer.Argument(help="a bundled experiment by name, such as quick, or a TOML file of settings")
    ] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="one setting, such as learn.batch=512")] = None,
    name: Annotated[str, typer.Option(help="name of the run (default: the name of the experiment)")] = "",
    resume: Annotated[str, typer.Option(help="resume this run (its name or folder)")] = "",
    runs: o.Runs = Path("runs"),
    workers: Annotated[str, typer.Option(help="number of local processes, or ray")] = str(o.CORES),
    address: Annotated[str, typer.Option(help="address of a Ray cluster (default: one on this machine)")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="print plain lines even on a terminal")] = False,
    keys: Annotated[bool, typer.Option("--keys", help="list every setting and exit")] = False,
    log: Annotated[list[str] | None, typer.Option(help="also log to this plugin logger")] = None,
    import_: o.Import = None,
) -> None:
    """Train a network from scratch by self-play."""
    from tengen.training.run.loop import RunFolder
    from tengen.training.run.workers import check_workers
    from tengen.training.runs import check_loggers, find_run, new_config, resumed_config

    if keys:
        return _print_keys()
    if bool(experiment) == bool(resume):
        raise TengenError("give an experiment, or a run with --resume")
    check_workers(workers)
    check_loggers(log or [])
    if resume:
        folder = find_run(runs, resume)
        with folder.locked():
            return _train(folder, resumed_config(folder, set_ or [], workers), workers, address, plain, log)
    config = new_config(experiment or "", name, set_ or [], workers)
    folder = RunFolder.create(runs / config.name, config.method, config.resolved())
    with folder.locked():
        try:
            _train(folder, config, workers, address, plain, log)
        except TengenError:
            folder.remove_if_nothing_was_done()  # so that a second try does not find that the run exists
            raise


def _train(folder: RunFolder, config: Any, workers: str, address: str, plain: bool, log: list[str] | None) -> None:
    from tengen.cli.display import make_display
    from tengen.training.runs import budget_of, train

    display = make_display(config.name, budget_of(config), folder.read_metrics(), plain)
    try:
        train(folder, config, workers, address, display, log or [])
    except KeyboardInterrupt:
        print(f"stopped; resume with: tengen train --resume {folder.path}")
        raise
    print(f"done; plot it with: tengen plot {folder.path}; "
          f"export it with: tengen export {folder.path} --name {config.name}")  # fmt: skip


def _print_keys() -> None:
    from tengen.training.methods import find_method, method_names
    from tengen.training.run.config import describe

    for name in method_names():
        print(f'# method = "{name}"')
        for key, default, meaning in describe(find_method(name).config):
            print(f"{key} = {default}\n    {meaning}")
