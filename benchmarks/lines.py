"""How fast a line network is evaluated, searched, played and taught, beside onnxruntime, in one run on one core.

    python benchmarks/lines.py [--json benchmarks/lines.json]

Seconds are processor time, so that a busy machine costs less of the truth; ratios within a run are what to trust.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tengen import Board, _core
from tengen.inference.lines import LineShape, load_network
from tengen.inference.models import load_model
from tengen.inference.onnx import OnnxEvaluator
from tengen.lab.ab_openings import load_openings
from tengen.rules import Variant, parse_moves

BOARD = Board(Variant(15), parse_moves("h8i9h9h10g8i8i7f9j6k5", 15, 15))
BATCH = 16
"""Planes judged at once by onnxruntime: its best case in a tree search."""


def per_second(count: int, work: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    start = clock()
    work()
    return count / (clock() - start)


def onnx_speed(name: str, batches: int = 40) -> float:
    model = load_model(name)
    network = OnnxEvaluator(model.path)
    planes = np.repeat(_core.encode(BOARD.core, model.encoding)[None], BATCH, 0)
    network.run(planes)
    return per_second(batches * BATCH, lambda: [network.run(planes) for _ in range(batches)])


def search_speed(network: _core.LineNetwork, sims: int = 8_000, **config: Any) -> float:
    """Simulations done, not asked for: a search ends when its position is solved."""
    done, start = 0, time.process_time()
    for opening in load_openings(Variant(15))[:6]:
        search = _core.LineSearch(network, Board(Variant(15), opening).core, {"memory_mb": 64} | config)
        done += search.think(sims)
    return done / (time.process_time() - start)


def two_threads(network: _core.LineNetwork, seconds: float = 2.0) -> float:
    """Simulations of two threads over those of one, by the wall clock. Needs two free cores to mean anything."""
    done = []
    for threads in (1, 2):
        search = _core.LineSearch(network, BOARD.core, {"solver": False})
        done.append(search.think(0, seconds, threads))
    return done[1] / done[0]


def busy_cores(seconds: float = 0.5) -> float:
    """The share of two cores that this process gets now: below 1, the figure of two threads says little."""

    def spin() -> None:
        search = _core.LineSearch(LineShape(channels=16, hidden=16).network(_zeros(16)), BOARD.core, {"solver": False})
        search.think(0, seconds)

    start, cpu = time.perf_counter(), time.process_time()
    threads = [threading.Thread(target=spin) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.process_time() - cpu) / (2 * (time.perf_counter() - start))


def _zeros(channels: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    shape = LineShape(channels=channels, hidden=16)
    return shape.flat({name: np.zeros(extents) for name, extents in shape.tensors().items()})


def learner_speed(network: _core.LineNetwork, channels: int, steps: int = 60) -> tuple[float, float]:
    """Self-play games and learned samples per second."""
    count = 60
    games: dict[str, Any] = {}
    config = {"visits": 128, "solver": False, "memory_mb": 8}
    rate = per_second(count, lambda: games.update(_core.line_games(network, 15, 15, count, 1, config)))
    pool = _core.LinePool(5, "freestyle")
    pool.add(games)
    learner = _core.LineLearner(5, "freestyle", channels, 32, 1)
    learned = per_second(steps * 1024, lambda: learner.learn(pool, steps, 1024, 1e-3, 0, 0.99, 1, 0.3, 1))
    return rate, learned


def measure() -> dict[str, float]:
    result = {f"onnxruntime {name}, evaluations/s": onnx_speed(name) for name in ("base-15", "tengen")}
    for channels in (16, 32, 64):
        learner = _core.LineLearner(5, "freestyle", channels, 32, 1)
        for kernels in _core.line_kernels():
            network = _core.LineNetwork(5, "freestyle", channels, 32, learner.weights, kernels)
            name = f"lines, {channels} channels, {kernels}"
            result[f"{name}, evaluations/s"] = _core.line_speed(network, BOARD.core, 60_000, False)
            result[f"{name}, with threats, evaluations/s"] = _core.line_speed(network, BOARD.core, 60_000, True)
    for name in ("lines-15", "lines"):
        network = load_network(load_model(name).path)
        result[f"{name}, simulations/s, no solver"] = search_speed(network, solver=False)
        result[f"{name}, simulations/s, shapes"] = search_speed(network, solver=True, vcf_nodes=0, vct_nodes=0)
        result[f"{name}, simulations/s, shapes, fours, threats"] = search_speed(network, solver=True)
    result["share of two cores at hand"] = busy_cores()
    result["two threads over one"] = two_threads(network)
    games, samples = learner_speed(network, 32)
    result["self-play games/s, 128 visits"] = games
    result["samples/s learned, 32 channels"] = samples
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    result = measure()
    for name, value in result.items():
        print(f"{name:52} {value:12,.2f}" if value < 100 else f"{name:52} {value:12,.0f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
