"""Environments for reinforcement learning: Gymnasium, PettingZoo and a native vectorised one.

Importing this package registers `tengen/Gomoku-v0` with Gymnasium when it is installed (extra `train`).
"""

from __future__ import annotations

import importlib.util

from tengen.envs.reward import SPARSE, Reward
from tengen.envs.vector import EnvConfig, Step, StepResult, VectorEnv

__all__ = ["SPARSE", "EnvConfig", "Reward", "Step", "StepResult", "VectorEnv"]

if importlib.util.find_spec("gymnasium"):
    import gymnasium

    gymnasium.register(
        "tengen/Gomoku-v0", "tengen.envs.gym:GomokuEnv", vector_entry_point="tengen.envs.gym_vector:GomokuVectorEnv"
    )
