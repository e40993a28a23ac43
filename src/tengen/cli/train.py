"""`tengen train`: learn by self-play, stop and resume at will."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.errors import TengenError
from tengen.experiments import find_experiment

RESUME_SETTINGS = ("budget.", "ladder.", "keep=", "keep_last=")
"""Settings that may change when a run goes on. They do not change what is learned, but for the schedules of DQN, which
follow budget.games and budget.iterations."""


def command(
    experiment: Annotated[
        str | None, typer.Argument(help="a bundled experiment by name, such as quick, or a TOML file of settings")
    ] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="one setting, such as learn.batch=512")] = None,
    name: Annotated[str, typer.Option(help="name of the run; default: the file's name")] = "",
    resume: Annotated[str, typer.Option(help="go on with this run (its name or folder)")] = "",
    runs: Annotated[Path, typer.Option(help="folder that holds the runs")] = Path("runs"),
    workers: Annotated[str, typer.Option(help="local processes, or ray")] = "",
    address: Annotated[str, typer.Option(help="address of a Ray cluster; default: one on this machine")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="plain lines even on a terminal")] = False,
    keys: Annotated[bool, typer.Option("--keys", help="list every setting and end")] = False,
) -> None:
    """Learn to play from nothing by self-play."""
    if keys:
        return _print_keys()
    need_torch()
    if bool(experiment) == bool(resume):
        raise TengenError("name one experiment file, or a run with --resume")
    from tengen.training.run.workers import check_workers

    check_workers(workers := workers or str(os.cpu_count() or 1))
    config = _settings(experiment, name, set_ or [], workers) if experiment else None
    folder = find_run(runs, resume) if resume else _created(runs, config)
    with folder.locked():
        if config is None:
            return _train(folder, _changed(folder, set_ or [], workers), workers, address, plain)
        try:
            _train(folder, config, workers, address, plain)
        except ValueError:
            folder.remove_if_nothing_was_done()  # so that a second try is not told that the run exists
            raise


def _train(folder: Any, config: Any, workers: str, address: str, plain: bool) -> None:
    from tengen.cli.display import make_display
    from tengen.training.methods import find_method
    from tengen.training.run.logs import Logs, TensorBoardLog
    from tengen.training.run.loop import Budget, run

    b = config.budget
    budget = Budget(b.iterations, 60 * b.minutes, b.games, 60 * b.cpu_minutes)
    done = max(folder.iterations(), default=0)
    method = find_method(config.method)
    display = make_display(config.name, budget, folder.read_metrics(), plain)
    log = Logs([TensorBoardLog(folder.path / "tensorboard", done + 1), display])
    try:
        with method.trainer(config, folder.path, log, workers, address) as trainer:
            run(trainer, budget, log, folder, config.keep, config.keep_last)
    except KeyboardInterrupt:
        log.close()
        print(f"stopped; go on with: tengen train --resume {folder.path}")
        raise
    finally:
        log.close()
    print(
        f"done; see it with: tengen plot {folder.path}; play it after: tengen export {folder.path} --name {config.name}"
    )


def _settings(experiment: str, name: str, settings: list[str], workers: str) -> Any:
    """The config of a new run. All that can be wrong is found before its folder exists."""
    from tengen.training.methods import check_method_workers, checked, find_method
    from tengen.training.run.config import read_settings

    path = find_experiment(experiment, reproductions=False)
    config = checked(read_settings(path, settings + ([f"name={name}"] if name else [])), experiment)
    check_method_workers(config, workers)
    find_method(config.method).ready(config, True)
    return config


def _created(runs: Path, config: Any) -> Any:
    from tengen.training.run.loop import RunFolder

    return RunFolder.create(runs / config.name, config.method, config.resolved())


def _changed(folder: Any, settings: list[str], workers: str) -> Any:
    """The config of a run that goes on; what `settings` change in it is stored."""
    from tengen.training.methods import check_method_workers, checked, find_method
    from tengen.training.run.config import apply_setting

    data = folder.about()["config"]
    for setting in settings:
        if not setting.startswith(RESUME_SETTINGS):
            raise TengenError(f"--set {setting}: a resumed run may change only budget.*, ladder.*, keep and keep_last")
        apply_setting(data, setting)
    config = checked(data, str(folder.path / "run.json"))
    check_method_workers(config, workers)
    find_method(config.method).ready(config, False)
    folder.change(data)
    return config


def find_run(runs: Path, name: str) -> Any:
    """A run by its folder or by its name in `runs`."""
    from tengen.training.run.loop import RunFolder

    path = Path(name) if Path(name).is_dir() else runs / name
    if not path.is_dir():
        known = ", ".join(sorted(p.name for p in runs.glob("*") if (p / "run.json").is_file())) or "none"
        raise TengenError(f"no run '{name}'; runs in {runs}: {known}")
    return RunFolder.open(path)


def _print_keys() -> None:
    from tengen.training.methods import find_method, method_names
    from tengen.training.run.config import describe

    for name in method_names():
        print(f'# method = "{name}"')
        for key, default, meaning in describe(find_method(name).config):
            print(f"{key} = {default}\n    {meaning}")


def need_torch() -> None:
    # Waiting threads that spin would take the processor from the workers; torch reads this when it is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        import torch  # noqa: F401
    except ImportError:
        raise TengenError("training needs torch: pip install 'tengen[train]'") from None
