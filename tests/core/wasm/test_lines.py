"""Searches with line networks in WebAssembly are the native ones to the bit, under every rule."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import LineShape, load_network, to_bytes
from tengen.inference.models import load_model
from tengen.rules import Rule, Variant
from tests.core.wasm.test_parity import engine_folder, said_by, scattered

__all__ = ["engine_folder"]
BUNDLED = {Rule.FREESTYLE: "lines", Rule.STANDARD: "lines-standard", Rule.RENJU: "lines-renju"}
POSITIONS = 20
"""For each network."""
SIMS = 250


def random_network(folder: Path, k: int, rule: Rule) -> Path:
    """Small weights, as an untrained network has them."""
    shape, rng = LineShape(k, str(rule), 16, 16), np.random.default_rng(3)
    tensors = {name: rng.normal(0, 0.2, extents) for name, extents in shape.tensors().items()}
    tensors |= {"table": tensors["table"] / 2, "bias": -np.abs(tensors["bias"])}
    path = folder / f"{rule}-{k}.safetensors"
    path.write_bytes(to_bytes(shape, shape.flat(tensors)))
    return path


def cases(folder: Path) -> list[tuple[Path, Board]]:
    rng = random.Random(11)
    games = [(Path(str(load_model(name).source)), 5, rule) for rule, name in BUNDLED.items()]
    games += [(random_network(folder, k, Rule.CARO), k, Rule.CARO) for k in (5, 4)]
    sizes = [(15, 15), (20, 20), (9, 9), (12, 10)]
    return [
        (network, scattered(rng, Variant(*sizes[n % len(sizes)], k, rule)))
        for network, k, rule in games
        for n in range(POSITIONS)
    ]


def request(network: Path, board: Board) -> str:
    v = board.variant
    variant = {"width": v.width, "height": v.height, "k": v.k, "rule": str(v.rule)}
    return json.dumps({"variant": variant, "moves": board.moves, "network": str(network), "sims": SIMS})


def native(network: Path, board: Board) -> dict[str, Any]:
    search = _core.LineSearch(load_network(network), board.core, {"memory_mb": 8, "policy_temperature": 1.5})
    search.think(SIMS)
    best = search.best_move()
    rows = sorted(search.candidates(board.cells), key=lambda row: row["move"] != best)
    lines = [[row["move"], row["visits"], row["value"], row["prior"], row["pv"]] for row in rows]
    engine = _core.AlphaBeta(1, 1, 1)
    engine.use(load_network(network))
    engine.arm()
    report = engine.run(board.core, 0.0, SIMS, 0, 1)
    searched = [report.nodes, report.depth, list(report.lines[0].pv)]
    return {"depth": search.depth, "nodes": search.done, "value": search.value, "lines": lines, "searched": searched}


def test_moves_visits_and_values_are_those_of_the_native_search(engine_folder: Path, tmp_path: Path) -> None:
    asked = cases(tmp_path)
    command = ["node", str(Path(__file__).parent / "lines.mjs"), str(engine_folder)]
    lines = "".join(request(*case) + "\n" for case in asked)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=280)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(asked) == 5 * POSITIONS
    for (network, board), answer in zip(asked, answers, strict=True):
        assert answer == native(network, board), f"{network.name} differs on {board}"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("e.newBoard(); e.think()", "no network is loaded"),
        ("e.newBoard(); e.search({ nodes: 100, network: true })", "no network is loaded"),
        ("e.loadNetwork(new Uint8Array(20))", "no line network, or it is cut short"),
        ("e.loadNetwork(net.subarray(0, 3000))", "weights, not"),
        ("e.loadNetwork(net); e.newBoard({ rule: 'renju' }); e.think()", "that plays this game"),
        ("net.fill(255, net.length - 4); e.loadNetwork(net)", "not a number"),
    ],
)
def test_networks_that_do_not_fit_are_refused(engine_folder: Path, script: str, message: str) -> None:
    network = load_model("lines-15").source
    assert message in said_by(engine_folder, f'const net = readFileSync("{network}"); {script}')
