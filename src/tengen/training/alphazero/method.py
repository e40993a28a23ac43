"""AlphaZero as a learning method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.inference.onnx import providers
from tengen.nets.fit import check_fits
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.alphazero.experts import check_experts
from tengen.training.alphazero.export import export_alphazero
from tengen.training.alphazero.trainer import AlphaZeroTrainer, network_spec
from tengen.training.ladder import check_ladder, check_opponents
from tengen.training.run.device import chosen
from tengen.training.run.loop import Log, Trainer
from tengen.training.run.method import Method
from tengen.training.run.plots import Panel
from tengen.training.run.workers import make_workers

PANELS: tuple[Panel, ...] = (
    ("loss", ("loss", "loss_policy", "loss_value"), False),
    ("learning rate", ("rate",), True),
    ("KL divergence per update", ("kl",), True),
    ("moves per game", ("length",), False),
    ("results of self-play", ("black_wins", "white_wins", "draws"), False),
)


@contextmanager
def _trainer(config: AlphaZeroConfig, folder: Path, log: Log, workers: str, address: str) -> Iterator[Trainer]:
    hands = make_workers(workers, address)
    try:
        yield AlphaZeroTrainer(config, folder, hands, log)
    finally:
        hands.close()


def _check(config: AlphaZeroConfig) -> None:
    network_spec(config)
    check_opponents(config)


def _ready(config: AlphaZeroConfig, new: bool) -> None:
    chosen(config.learn.device)
    providers(config.selfplay.provider)
    check_fits(network_spec(config))
    check_ladder(config)
    if new:
        check_experts(config)


METHOD = Method(
    "alphazero", AlphaZeroConfig, _check, _trainer, export_alphazero, "alphazero", PANELS, _ready, distributed=True
)
