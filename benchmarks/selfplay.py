"""How close self-play comes to its network's own speed, and how fast the tree is alone.

    python benchmarks/selfplay.py [--seconds 4] [--json benchmarks/selfplay.json]

Each network is timed bare (onnxruntime on one batch of planes from real games, over and over) and in the loop (select,
run, expand), in turns within one run, one thread, so that the ratio holds whatever else the machine does. Processor
time is what counts: seconds spent waiting for other processes are no cost of ours.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tengen import Board, _core
from tengen.inference.onnx import OnnxEvaluator
from tengen.inference.search_options import SearchOptions
from tengen.rules import Variant

SLOTS = 64
TURNS = 4
CASES = [
    ("base", "stones", 8), ("base", "stones", 9), ("base", "stones", 15),
    ("enhanced", "stones", 9), ("enhanced", "stones", 15), ("tengen", "shapes", 9), ("tengen", "shapes", 15),
]  # fmt: skip
SETTINGS = {
    "faithful": SearchOptions(sims=400, gumbel=False, solver=False, reuse_tree=True),
    "solver": SearchOptions(sims=64, opening_moves_min=2, opening_moves_max=6),
    "solver and fours": SearchOptions(sims=64, opening_moves_min=2, opening_moves_max=6, vcf_nodes=200),
}


def network_file(folder: Path, network: str, encoding: str, size: int) -> Path:
    """An untrained network: its speed is that of a trained one."""
    from tengen.nets.network import NetworkSpec, build_network
    from tengen.nets.onnx import export_onnx

    path = folder / f"{network}-{size}.onnx"
    path.write_bytes(export_onnx(build_network(NetworkSpec(network, encoding, size, size))))
    return path


class Loop:
    """Self-play with a network, resumable, counting evaluations and processor time."""

    def __init__(self, evaluator: OnnxEvaluator, encoding: str, size: int, options: SearchOptions) -> None:
        self._evaluator = evaluator
        self._games = _core.SelfPlay(size, size, 5, "freestyle", encoding, SLOTS, 1, options.to_dict())
        self.planes = np.zeros((SLOTS, _core.encoding_planes(encoding), size, size), np.float32)

    def step(self) -> int:
        n = self._games.select(self.planes)
        if n:
            self._games.expand(*self._evaluator.run(self.planes[:n]))
        self._games.take_games()
        return n


def rate(step: Callable[[], int], seconds: float) -> float:
    """Evaluations for each second of processor time."""
    done, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        done += step()
    return done / (time.process_time() - start)


def loop_case(network: str, encoding: str, size: int, setting: str, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        evaluator = OnnxEvaluator(network_file(Path(folder), network, encoding, size))
    loop = Loop(evaluator, encoding, size, SETTINGS[setting])
    rate(loop.step, seconds / 4)
    batch = loop.planes.copy()

    def bare() -> int:
        evaluator.run(batch)
        return SLOTS

    rates = [(rate(bare, seconds / TURNS), rate(loop.step, seconds / TURNS)) for _ in range(TURNS)]
    alone, looped = (float(np.median([pair[i] for pair in rates])) for i in range(2))
    ratio = float(np.median([b / a for a, b in rates]))
    return {"network": network, "board": size, "search": setting, "bare": alone, "loop": looped, "ratio": ratio}


def tree_case(size: int, sims: int, config: dict[str, Any]) -> dict[str, Any]:
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        result = _core.tree_speed(Board(Variant(size)).core, sims, config)
        best = max(best, sims / (time.process_time() - start))
    return {"board": size, "sims": sims, **config, "sims_per_second": best, "megabytes": result["bytes"] / 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=4.0, help="processor seconds for each case and side")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    trees = [tree_case(15, sims, {"solver": solver}) for sims in (10_000, 100_000) for solver in (False, True)]
    for t in trees:
        print(f"tree alone {t['board']}x{t['board']} {t['sims']:>7} sims, solver {t['solver']!s:5}: "
              f"{t['sims_per_second']:>9,.0f} sims/s, {t['megabytes']:.0f} MB")  # fmt: skip
    loops = []
    for network, encoding, size in CASES:
        for setting in SETTINGS:
            case = loop_case(network, encoding, size, setting, options.seconds)
            loops.append(case)
            print(f"{network:9} {size:2}x{size:<2} {setting:16}: bare {case['bare']:7,.0f}/s, "
                  f"loop {case['loop']:7,.0f}/s, ratio {case['ratio']:.3f}", flush=True)  # fmt: skip
    if options.json:
        options.json.write_text(json.dumps({"tree": trees, "loop": loops}, indent=1) + "\n")


if __name__ == "__main__":
    main()
