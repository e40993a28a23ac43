"""Training runs from their beginning to their end: new ones, resumed ones, and those found by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.experiments import find_experiment
from tengen.plugins import LOGGERS, broken, discover, use_files
from tengen.training.methods import check_method_workers, checked, find_method, other_settings
from tengen.training.run.config import apply_setting, read_settings
from tengen.training.run.logs import GuardedLog, Logs, ProgressFile, tensorboard_log
from tengen.training.run.loop import Budget, Log, RunFolder, run, run_folders

RESUME_SETTINGS = ("budget.", "ladder.", "keep=", "keep_last=")
"""Settings that may change when a run is resumed. They do not change what is learned, except that the schedules of DQN
follow budget.games and budget.iterations."""


def new_config(
    experiment: str, name: str, settings: list[str], workers: str, tables: dict[str, Any] | None = None
) -> Any:
    """The config of a new run. Everything that can be wrong is found before its folder exists."""
    path = find_experiment(experiment, reproductions=False)
    config = checked(read_settings(path, settings + ([f"name={name}"] if name else []), tables), experiment)
    check_method_workers(config, workers)
    find_method(config.method).ready(config, True)
    return config


def resumed_config(folder: RunFolder, settings: list[str], workers: str) -> Any:
    """The config of a run to resume; what `settings` change in it is stored."""
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


def find_run(runs: Path, name: str) -> RunFolder:
    """A run by its folder or by its name in `runs`. Files of the user's own that it began with are imported again."""
    path = Path(name) if Path(name).is_dir() else runs / name
    if not name or not path.is_dir():
        known = ", ".join(run.path.name for run in run_folders(runs)) or "none"
        raise TengenError(f"no run '{name}'; runs in {runs}: {known}")
    run = RunFolder.open(path)
    use_files([file for file in run.about().get("imports", []) if Path(file).is_file()])
    return run


def open_run(path: Path, config: Any, free: Sequence[str] = (), advice: str = "choose another --out") -> RunFolder:
    """A run by its folder, which is made if need be. One that exists must have been begun with the same settings, but
    for the free ones."""
    if not (path / "run.json").is_file():
        return RunFolder.create(path, config.method, config.resolved())
    folder = RunFolder.open(path)
    if changed := [key for key in other_settings(folder, config) if key not in free]:
        raise TengenError(f"{path} was begun with another {', '.join(changed)}; {advice}")
    return folder


def budget_of(config: Any) -> Budget:
    b = config.budget
    return Budget(b.iterations, 60 * b.minutes, b.games, 60 * b.cpu_minutes)


def check_loggers(names: Sequence[str]) -> None:
    """Raises TengenError with the known names for a logger that does not exist."""
    known = discover(LOGGERS).plugins
    if unknown := [name for name in names if name not in known]:
        raise TengenError(f"unknown logger '{unknown[0]}'; loggers of plugins: {', '.join(sorted(known)) or 'none'}")


def plugin_log(name: str, folder: Path) -> Log:
    """A logger of a plugin, built with the run's folder and kept from taking the run down."""
    plugin = discover(LOGGERS).plugins[name]
    make: Any = plugin.load()
    try:
        return GuardedLog(name, plugin.source, make(folder))
    except Exception as error:
        raise broken(name, plugin.source, error) from error


def train(
    folder: RunFolder, config: Any, workers: str, address: str, display: Log, loggers: Sequence[str] = ()
) -> None:
    """Trains until the budget is spent. What is shown goes to `display`, TensorBoard files in the run where that
    is installed, and loggers."""
    check_loggers(loggers)
    done = max(folder.iterations(), default=0)
    others = [plugin_log(name, folder.path) for name in loggers]
    shown = ProgressFile(folder.progress_file)
    log = Logs([tensorboard_log(folder.path / "tensorboard", done + 1), shown, display, *others])
    try:
        with find_method(config.method).trainer(config, folder.path, log, workers, address) as trainer:
            run(trainer, budget_of(config), log, folder, config.keep, config.keep_last)
    finally:
        log.close()
