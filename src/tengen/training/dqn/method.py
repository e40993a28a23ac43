"""DQN and its family as a learning method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tengen.envs.vector import VectorEnv
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.export import export_dqn
from tengen.training.dqn.trainer import DqnTrainer
from tengen.training.run.device import chosen
from tengen.training.run.loop import Log, Trainer
from tengen.training.run.method import Method
from tengen.training.run.plots import Panel
from tengen.training.run.workers import part_workers

PANELS: tuple[Panel, ...] = (
    ("epsilon: fraction of exploring moves", ("epsilon",), False),
    ("reward per step, exploring", ("reward",), False),
    ("stones per game, exploring", ("length",), False),
    ("loss", ("loss",), True),
    ("reward per game, evaluation", ("eval_reward",), False),
    ("stones per game, evaluation", ("eval_length",), False),
    ("results, evaluation", ("eval_win", "eval_draw", "eval_loss"), False),
    ("results, exploring", ("train_win", "train_draw", "train_loss"), False),
)
"""The curves of figures 9 to 15 of the DQN course report, and the results while exploring."""


@contextmanager
def _trainer(config: DqnConfig, folder: Path, log: Log, workers: str, address: str) -> Iterator[Trainer]:
    hands = part_workers(config.play.parts, workers, address)
    try:
        yield DqnTrainer(config, log, hands)
    finally:
        hands.close()


def _check(config: DqnConfig) -> None:
    VectorEnv(1, config.env)  # refuses a board or an opening that cannot be


def _ready(config: DqnConfig, new: bool) -> None:
    chosen(config.learn.device)


METHOD = Method("dqn", DqnConfig, _check, _trainer, export_dqn, "dqn", PANELS, _ready, distributed=True)
