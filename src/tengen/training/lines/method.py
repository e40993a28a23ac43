"""Line networks as a learning method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.inference.models import NATIVE
from tengen.training.ladder import check_ladder, check_opponents
from tengen.training.lines.config import LinesConfig
from tengen.training.lines.export import export_lines
from tengen.training.lines.trainer import LinesTrainer, cores, start_network, warm_pool
from tengen.training.run.loop import Log, Trainer
from tengen.training.run.method import Method
from tengen.training.run.plots import Panel
from tengen.training.run.workers import make_workers

PANELS: tuple[Panel, ...] = (
    ("loss", ("loss", "loss_policy", "loss_value"), False),
    ("error of the value", ("value_error",), False),
    ("tactics probe, percent", ("probe/five", "probe/block", "probe/open_four"), False),
    ("moves per game", ("length",), False),
    ("results of self-play", ("black_wins", "white_wins", "draws"), False),
)


@contextmanager
def _trainer(config: LinesConfig, folder: Path, log: Log, workers: str, address: str) -> Iterator[Trainer]:
    hands = make_workers(workers, address)
    try:
        yield LinesTrainer(config, folder, hands, log, cores(workers))
    finally:
        hands.close()


def _check(config: LinesConfig) -> None:
    check_opponents(config)


def _ready(config: LinesConfig, new: bool) -> None:
    check_ladder(config)
    if new and config.warm.iterations:
        warm_pool(config)
    if new and config.warm.start:
        start_network(config)


METHOD = Method("lines", LinesConfig, _check, _trainer, export_lines, "alphazero", PANELS, _ready, suffix=NATIVE)
