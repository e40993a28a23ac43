"""Self-play: what a worker does with a network and a task."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from tengen import _core
from tengen.inference.onnx import OnnxEvaluator
from tengen.rules import Variant
from tengen.training.samples.games import TrainingGame, game_from_native


@dataclass(frozen=True, slots=True)
class SelfPlayTask:
    """Games that share one batch. The seed decides them all."""

    variant: Variant
    encoding: str
    games: int
    slots: int
    seed: int
    options: dict[str, Any]
    provider: str = "cpu"


@dataclass(frozen=True, slots=True)
class SelfPlayResult:
    games: list[TrainingGame]
    stats: dict[str, float]
    """Counters of the native self-play, `seconds` and `cpu_seconds` of this worker, and its `process`."""


def play_games(model: bytes, task: SelfPlayTask) -> SelfPlayResult:
    """Plays the task's games to their ends with a network given as an ONNX file."""
    start, cpu = time.perf_counter(), time.process_time()
    v = task.variant
    play = _core.SelfPlay(
        v.width, v.height, v.k, str(v.rule), task.encoding, min(task.slots, task.games), task.seed, task.options,
        games=task.games,
    )  # fmt: skip
    evaluator = _evaluator(model, task.provider)
    shape = (min(task.slots, task.games), _core.encoding_planes(task.encoding), v.height, v.width)
    planes = np.zeros(shape, np.float32)
    while count := play.select(planes):
        policy, value = evaluator.run(planes[:count])
        play.expand(policy, value)
    games = [game_from_native(data, v) for data in play.take_games()]
    stats = {key: float(number) for key, number in play.stats().items()}
    stats |= {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu}
    return SelfPlayResult(games, stats | {"process": float(os.getpid())})


@lru_cache(maxsize=1)
def _evaluator(model: bytes, provider: str) -> OnnxEvaluator:
    """The newest network stays loaded between tasks."""
    return OnnxEvaluator(model, threads=1, provider=provider)
