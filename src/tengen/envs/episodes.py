"""One game on every board, played out: how well does a player do against the opponent inside?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.envs.vector import StepResult, VectorEnv


def play_each_once(env: VectorEnv, choose: Callable[[VectorEnv], NDArray[np.integer[Any]]]) -> dict[str, float]:
    """Win, draw and loss rates, reward and length. Every board counts one game, so short games do not count more."""
    result, length = np.zeros(env.size, np.int8), np.zeros(env.size, np.int32)
    reward = np.zeros(env.size, np.float32)
    while (result == StepResult.ONGOING).any():
        step = env.step(choose(env))
        fresh = result == StepResult.ONGOING
        reward += np.where(fresh, step.rewards, 0)
        result = np.where(fresh, step.results, result)
        length = np.where(fresh & (step.results != StepResult.ONGOING), step.lengths, length)
    return {
        "win": float((result == StepResult.WIN).mean()),
        "draw": float((result == StepResult.DRAW).mean()),
        "loss": float((result == StepResult.LOSS).mean()),
        "reward": float(reward.mean()),
        "length": float(length.mean()),
    }
