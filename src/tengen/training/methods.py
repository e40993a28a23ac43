"""The learning methods by name, and what is done with a run whatever its method.

A package offers a method by an entry point of the group `tengen.methods`, a file outside of this tree by its table
`METHODS = {"mine": Method(...)}` (`tengen.plugins`). The object is a `tengen.training.run.method.Method`.
"""

from __future__ import annotations

import hashlib
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import read_json, write_atomic, write_json
from tengen.plugins import METHODS, PluginError, discover
from tengen.training.run.config import validate
from tengen.training.run.loop import RunFolder
from tengen.training.run.method import Method
from tengen.training.run.plots import draw_run
from tengen.training.run.workers import check_workers

BUILT_IN = {
    "alphazero": "tengen.training.alphazero.method:METHOD",
    "dqn": "tengen.training.dqn.method:METHOD",
    "ppo": "tengen.training.ppo.method:METHOD",
    "lines": "tengen.training.lines.method:METHOD",
}
"""Name -> module:object, as in an entry point."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def method_names() -> list[str]:
    return [*BUILT_IN, *sorted(discover(METHODS).plugins.keys() - BUILT_IN.keys())]


def find_method(name: str) -> Method:
    """A method by name. Raises TengenError with the known names for another one."""
    if name in BUILT_IN:
        return _built_in(name)
    if plugin := discover(METHODS).plugins.get(name):
        method = plugin.load()
        if callable(method) and not isinstance(method, Method):
            method = method()  # what `@tengen.method` names is a function that makes it
        if not isinstance(method, Method):
            raise PluginError(f"method '{name}' of {plugin.source} is not a tengen.training.run.method.Method")
        return method
    raise TengenError(f"unknown method '{name}'; choose one of {', '.join(method_names())}")


def _built_in(name: str) -> Method:
    """Raises TengenError when a package is missing that the method learns with."""
    # Waiting threads that spin would take the processor from the workers; torch reads this when it is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    module, _, attribute = BUILT_IN[name].partition(":")
    try:
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    except ModuleNotFoundError as error:
        raise TengenError(f"method {name} needs {error.name}: pip install 'tengen[train]'") from None


def method_of(data: dict[str, Any], source: str) -> Method:
    """The method that settings ask for."""
    try:
        return find_method(data.get("method", "alphazero"))
    except TengenError as error:
        raise TengenError(f"{source}: {error}") from None


def checked(data: dict[str, Any], source: str) -> Any:
    """Plain settings as the config of their method, fit to run."""
    method = method_of(data, source)
    config = validate(method.config, data, source)
    method.check(config)
    return config


def other_settings(run: RunFolder, config: Any) -> list[str]:
    """Settings of which the run was begun with other values; those that did not exist then had their default."""
    begun, ours = checked(run.about()["config"], str(run.path / "run.json")).resolved(), config.resolved()
    return sorted(key for key in begun.keys() | ours.keys() if begun.get(key) != ours.get(key))


def check_method_workers(config: Any, workers: str) -> None:
    """Raises for a cluster that the method of a config has no use for."""
    if check_workers(workers)[0] and not find_method(config.method).distributed:
        raise TengenError(f"--workers {workers}: method {config.method} learns in one process; leave --workers out")


def export_run(run: RunFolder, name: str, folder: Path, iteration: int | None = None, replace: bool = False) -> Path:
    """Writes the network's file and its card NAME.json; returns the path of the first."""
    if not NAME.fullmatch(name):
        raise TengenError(f"'{name}' is not a model name; use letters, digits, '.', '_' and '-'")
    about, checkpoint = run.about(), run.checkpoint(iteration)
    config = checked(about["config"], str(run.path / "run.json"))
    method = method_of(about["config"], str(run.path))
    path = folder / f"{name}{method.suffix}"
    if path.exists() and not replace:
        raise TengenError(f"{path} exists already; choose another name, or --replace it")
    model, card = method.export(name, config, checkpoint)
    metrics = read_json(checkpoint / "metrics.json")
    kept = ("iteration", "games", "positions", "transitions", "seconds", "loss", "loss_policy", "loss_value")
    card |= {
        "recipe": _public(about["config"]),
        "seed": config.seed,
        "revision": about.get("revision", ""),
        "processor": about.get("processor", ""),
        "versions": about.get("versions", {}),
        "training": {key: metrics[key] for key in kept if key in metrics},
        "onnx_sha256" if method.suffix == ".onnx" else "sha256": hashlib.sha256(model).hexdigest(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(path, model)
    write_json(path.with_suffix(".json"), card)
    return path


def plot_run(run: RunFolder, path: Path) -> None:
    """Draws the curves of a run; the format is the path's suffix."""
    draw_run(run.read_metrics(), run.path.name, path, method_of(run.about()["config"], str(run.path)).panels)


def _public(settings: Any) -> Any:
    """Settings as a card may show them: of a folder on the trainer's own machine only its name."""
    if isinstance(settings, dict):
        return {key: _public(value) for key, value in settings.items()}
    if isinstance(settings, list):
        return [_public(value) for value in settings]
    return Path(settings).name if isinstance(settings, str) and Path(settings).is_absolute() else settings
