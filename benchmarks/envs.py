"""Steps a second of the vectorised environment, one thread: python benchmarks/envs.py [--seconds 2] [--json FILE]

A step is the agent's stone and the opponent's answer, with reward, results and the next game where one ended. Actions
come from the greedy rule beforehand and are not counted: only `VectorEnv.step` is. The last column also makes the
planes and the mask, as a learner needs them. Processor time is what counts; `ratio` is the speed in thousandths of a
fixed loop of integer work measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from tengen import _core
from tengen.envs import EnvConfig, VectorEnv

BOARDS = 512
CASES = [(7, "greedy"), (7, "random"), (7, "minimax"), (9, "greedy"), (15, "greedy")]
AIM = {(7, "greedy"): 200_000}


def speed(size: int, opponent: str, seconds: float, observing: bool) -> float:
    env = VectorEnv(BOARDS, EnvConfig(width=size, height=size, opponent=opponent), seed=1)  # type: ignore[arg-type]
    steps, spent = 0, 0.0
    while spent < seconds:
        actions = env.greedy_actions()
        start = time.thread_time()
        env.step(actions)
        if observing:
            env.observe()
            env.mask()
        spent += time.thread_time() - start
        steps += BOARDS
    return steps / spent


def reference(seconds: float) -> float:
    wall, processor = time.perf_counter(), time.thread_time()
    rounds = _core.reference_rounds_per_second(seconds)
    return rounds * (time.perf_counter() - wall) / (time.thread_time() - processor)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each measurement")
    parser.add_argument("--json", type=Path, help="file for the figures")
    args = parser.parse_args()
    unit = reference(args.seconds)
    print("| board | opponent | steps per second | ratio | with planes and mask | goal |\n|---|---|---|---|---|---|")
    rows = []
    for size, opponent in CASES:
        bare, whole = (speed(size, opponent, args.seconds, observing) for observing in (False, True))
        aim = f"{AIM[size, opponent]:,}" if (size, opponent) in AIM else "-"
        print(f"| {size}x{size} | {opponent} | {bare:,.0f} | {1000 * bare / unit:.3g} | {whole:,.0f} | {aim} |")
        rows.append({"size": size, "opponent": opponent, "steps": bare, "observed": whole, "reference": unit})
    if args.json:
        args.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
