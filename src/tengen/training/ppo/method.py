"""PPO as a learning method."""

from __future__ import annotations

from tengen.envs.vector import VectorEnv
from tengen.nets.fit import check_fits
from tengen.training.ppo.config import PpoConfig
from tengen.training.ppo.trainer import export_ppo, make_trainer, network_spec
from tengen.training.run.device import chosen
from tengen.training.run.method import Method
from tengen.training.run.plots import Panel

PANELS: tuple[Panel, ...] = (
    ("results, evaluation", ("eval_win", "eval_draw", "eval_loss"), False),
    ("results, exploring", ("train_win", "train_draw", "train_loss"), False),
    ("loss of the value", ("loss_value",), False),
    ("entropy of the policy", ("entropy",), False),
    ("KL divergence per step", ("kl",), True),
    ("stones per game", ("length",), False),
)


def _check(config: PpoConfig) -> None:
    VectorEnv(1, config.env)  # refuses a board or an opening that cannot be


def _ready(config: PpoConfig, new: bool) -> None:
    chosen(config.learn.device)
    check_fits(network_spec(config))


METHOD = Method("ppo", PpoConfig, _check, make_trainer, export_ppo, "alphazero", PANELS, _ready, distributed=True)
