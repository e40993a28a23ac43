"""The learning methods by name. A method is a config, a trainer on the one run loop, and a way to export."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.envs.vector import VectorEnv
from tengen.errors import TengenError
from tengen.files import read_json, write_atomic, write_json
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.alphazero.export import export_alphazero
from tengen.training.alphazero.ladder import check_ladder, check_opponents
from tengen.training.alphazero.trainer import AlphaZeroTrainer, check_experts, network_spec
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.export import export_dqn
from tengen.training.dqn.trainer import DqnTrainer
from tengen.training.run.config import Strict, validate
from tengen.training.run.loop import Log, RunFolder, Trainer
from tengen.training.run.workers import check_workers, make_workers

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Method:
    config: type[Strict]
    check: Callable[[Any], None]
    """Raises ValueError for a config that could only fail later."""
    trainer: Callable[[Any, Path, Log, str, str], Any]
    """Config, run folder, log, workers, address -> context manager of a Trainer."""
    export: Callable[[str, Any, Path], tuple[bytes, dict[str, Any]]]
    """Model name, config, checkpoint -> ONNX and card."""
    player: str
    ready: Callable[[Any, bool], None] = lambda config, new: None
    """Config, whether the run is new: raises ValueError when something is missing that it needs, though no export."""
    distributed: bool = False
    """Whether other processes can play for it."""


@contextmanager
def _alphazero(config: AlphaZeroConfig, folder: Path, log: Log, workers: str, address: str) -> Iterator[Trainer]:
    pool = make_workers(workers, address)
    try:
        yield AlphaZeroTrainer(config, folder, pool, log)
    finally:
        pool.close()


@contextmanager
def _dqn(config: DqnConfig, folder: Path, log: Log, workers: str, address: str) -> Iterator[Trainer]:
    yield DqnTrainer(config, log)


def _check_alphazero(config: AlphaZeroConfig) -> None:
    network_spec(config)
    check_opponents(config)


def _ready_alphazero(config: AlphaZeroConfig, new: bool) -> None:
    check_ladder(config)
    if new:
        check_experts(config)


def _check_dqn(config: DqnConfig) -> None:
    VectorEnv(1, config.env)  # refuses a board or an opening that cannot be


METHODS: dict[str, Method] = {
    "alphazero": Method(
        AlphaZeroConfig, _check_alphazero, _alphazero, export_alphazero, "alphazero", _ready_alphazero, distributed=True
    ),
    "dqn": Method(DqnConfig, _check_dqn, _dqn, export_dqn, "dqn"),
}


def method_of(data: dict[str, Any], source: str) -> Method:
    name = data.get("method", "alphazero")
    if name not in METHODS:
        raise TengenError(f"{source}: unknown method '{name}'; choose one of {', '.join(METHODS)}")
    return METHODS[name]


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
    if check_workers(workers)[0] and not METHODS[config.method].distributed:
        raise TengenError(f"--workers {workers}: method {config.method} learns in one process; leave --workers out")


def export_run(run: RunFolder, name: str, folder: Path, iteration: int | None = None, replace: bool = False) -> Path:
    """Writes NAME.onnx and its card NAME.json; returns the path of the first."""
    if not NAME.fullmatch(name):
        raise TengenError(f"'{name}' is not a model name; use letters, digits, '.', '_' and '-'")
    path = folder / f"{name}.onnx"
    if path.exists() and not replace:
        raise TengenError(f"{path} exists already; choose another name, or --replace it")
    about, checkpoint = run.about(), run.checkpoint(iteration)
    config = checked(about["config"], str(run.path / "run.json"))
    model, card = method_of(about["config"], str(run.path)).export(name, config, checkpoint)
    metrics = read_json(checkpoint / "metrics.json")
    kept = ("iteration", "games", "positions", "transitions", "seconds", "loss", "loss_policy", "loss_value")
    card |= {
        "recipe": _public(about["config"]),
        "seed": config.seed,
        "versions": about.get("versions", {}),
        "training": {key: metrics[key] for key in kept if key in metrics},
        "onnx_sha256": hashlib.sha256(model).hexdigest(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(path, model)
    write_json(path.with_suffix(".json"), card)
    return path


def _public(settings: Any) -> Any:
    """Settings as a card may show them: of a folder on the trainer's own machine only its name."""
    if isinstance(settings, dict):
        return {key: _public(value) for key, value in settings.items()}
    if isinstance(settings, list):
        return [_public(value) for value in settings]
    return Path(settings).name if isinstance(settings, str) and Path(settings).is_absolute() else settings
