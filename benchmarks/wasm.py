"""How fast the engine in WebAssembly (Node) is against the native one: the same searches in turn, by processor time.

    python benchmarks/wasm.py [--nodes 1000000] [--sims 100000] [--rounds 3]

Prints the median ratio of nodes or simulations per second and its extremes: of alphabeta by its tables alone and with
its network, and of the tree search. The engine is in build/wasm (python cpp/wasm/build.py build/wasm).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import load_network
from tengen.inference.models import load_model
from tengen.rules import Rule, Variant, parse_moves

HERE = Path(__file__).resolve().parent
ENGINE = HERE.parent / "build" / "wasm"
POSITIONS = ("h8i9", "e5k11h3l6", "h8f9k10g6")
NETWORKS = {Rule.FREESTYLE: "lines", Rule.STANDARD: "lines-standard", Rule.RENJU: "lines-renju"}


def native_nodes(board: Board, nodes: int, network: Any) -> int:
    engine = _core.AlphaBeta(1, 16, 1)
    engine.use(network)
    engine.arm()
    return int(engine.run(board.core, 0.0, nodes, 0, 1).nodes)


def native_sims(board: Board, sims: int, network: Any) -> int:
    search = _core.LineSearch(network, board.core, {"memory_mb": 64, "policy_temperature": 1.5})
    search.think(sims)
    return int(search.done)


def timed(search: Callable[[], int]) -> tuple[int, float]:
    before = time.process_time()
    done = search()
    return done, time.process_time() - before


class Node:
    """The engine in a Node process of its own."""

    def __init__(self, network: Path) -> None:
        command = ["node", str(HERE / "wasm.mjs"), str(ENGINE), str(network)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, board: Board, **limits: int) -> tuple[int, float]:
        assert self.process.stdin and self.process.stdout
        v = board.variant
        variant = {"width": v.width, "height": v.height, "k": v.k, "rule": str(v.rule)}
        self.process.stdin.write(json.dumps({"variant": variant, "moves": board.moves} | limits) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return int(answer["done"]), float(answer["seconds"])

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def ratios(node: Node, native: Callable[[Board], int], rule: Rule, rounds: int, **limits: int) -> list[float]:
    found = []
    for text in POSITIONS:
        board = Board(Variant(rule=rule))
        for move in parse_moves(text, 15, 15):
            board.play(move)
        node.run(board, **limits)  # until the compiler of the browser has done its best
        for _ in range(rounds):
            done, seconds = timed(lambda board=board: native(board))
            same, wasm = node.run(board, **limits)
            assert same == done, f"{same} instead of {done} nodes"
            found.append(seconds / wasm)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--sims", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    for rule, name in NETWORKS.items():
        path = Path(str(load_model(name).source))
        network, node = load_network(path), Node(path)

        def alphabeta(net: Any, rule: Rule = rule, node: Node = node) -> list[float]:
            search = {"nodes": args.nodes, "network": net is not None}
            return ratios(node, lambda b: native_nodes(b, args.nodes, net), rule, args.rounds, **search)

        pairs = {
            "alphabeta, tables": alphabeta(None),
            "alphabeta": alphabeta(network),
            name: ratios(node, lambda b, n=network: native_sims(b, args.sims, n), rule, args.rounds, sims=args.sims),
        }
        node.close()
        for what, found in pairs.items():
            print(f"{rule!s:10} {what:17} {np.median(found):.2f} of native ({min(found):.2f} to {max(found):.2f})")


if __name__ == "__main__":
    main()
