"""What a learning method is: a config, a trainer on the one run loop, and a way to export what was learned."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.training.run.config import Strict
from tengen.training.run.loop import Log, Trainer
from tengen.training.run.plots import Panel


@dataclass(frozen=True)
class Method:
    name: str
    """What `method` in a config file says."""
    config: type[Strict]
    """Its `method` has `name` as its only value; it has `name`, `seed`, `keep`, `keep_last`, `budget`, `resolved`."""
    check: Callable[[Any], None]
    """Raises TengenError for a config that could only fail later."""
    trainer: Callable[[Any, Path, Log, str, str], AbstractContextManager[Trainer]]
    """Config, run folder, log, workers, address of a cluster."""
    export: Callable[[str, Any, Path], tuple[bytes, dict[str, Any]]]
    """Model name, config, checkpoint -> the network's file and card."""
    player: str
    """The registered player that plays its models."""
    panels: tuple[Panel, ...]
    """The charts of `tengen plot`."""
    ready: Callable[[Any, bool], None] = lambda config, new: None
    """Config, whether the run is new: raises TengenError when something is missing that a run needs."""
    distributed: bool = False
    """Whether other processes can play for it."""
    suffix: str = ".onnx"
    """How the name of its network's file ends."""
