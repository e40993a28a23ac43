"""A small training and small boards that tests of DQN share."""

from __future__ import annotations

import numpy as np

from tengen.envs import EnvConfig, Reward
from tengen.training.dqn.config import (
    DqnConfig,
    ExploreConfig,
    QEvaluateConfig,
    QLearnConfig,
    QNetworkConfig,
    QPlayConfig,
)


def planes(*cells: int) -> np.ndarray:
    out = np.zeros((2, 3, 3), np.uint8)
    out[0].flat[list(cells)] = 1
    return out


def small_config(**changes: object) -> DqnConfig:
    base = {
        "env": EnvConfig(width=4, height=4, k=3, opponent="random", reward=Reward(shaped=False, win=100, loss=-100)),
        "network": QNetworkConfig(body="dense"),
        "learn": QLearnConfig(batch=64, fill=64, memory=5000, rate=1e-3, gamma=0.9, target_every=50, threads=1),
        "explore": ExploreConfig(decay=300, epsilon_min=0.1, by="uniform"),
        "play": QPlayConfig(boards=16, steps=12, updates=0.1, first_random=0),
        "evaluate": QEvaluateConfig(every=30, games=100),
    }
    return DqnConfig(**(base | changes))  # type: ignore[arg-type]
