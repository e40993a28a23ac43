"""The WebAssembly engine finds what the native one finds: moves, nodes, lines and forced wins, on every rule."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tengen import _core
from tengen.board import Board
from tengen.rules import Rule, Variant
from tests.helpers.builds import built

ROOT = Path(__file__).resolve().parents[3]
POSITIONS = 320
NODES = 2000


def needed(what: str, there: bool) -> None:
    """Continuous integration must run these tests; elsewhere a missing tool is a reason to skip them, said aloud."""
    if not there and os.environ.get("CI"):
        pytest.fail(f"{what} is needed to test the WebAssembly engine")
    if not there:
        pytest.skip(f"{what} is not installed: the WebAssembly engine is not tested")


@pytest.fixture(scope="session")
def engine_folder() -> Path:
    """The engine, compiled once and again only where a source has changed."""
    needed("node", shutil.which("node") is not None)
    needed("ziglang (pip install ziglang)", importlib.util.find_spec("ziglang") is not None)
    return built(ROOT / "cpp" / "wasm" / "build.py", ROOT / "build" / "wasm")


def scattered(rng: random.Random, variant: Variant) -> Board:
    """A position of a game played at random near the stones that stand."""
    board = Board(variant)
    centre = variant.cells // 2
    for _ in range(rng.randint(1, 24)):
        last = board.moves[-1] if board.moves else centre
        near = [m for m in board.legal_moves() if max(map(abs, apart(m, last, variant))) <= 2] or board.legal_moves()
        board.play(rng.choice(near))
        if board.outcome():
            board.undo()
            break
    return board


def apart(a: int, b: int, variant: Variant) -> tuple[int, int]:
    (row_a, col_a), (row_b, col_b) = divmod(a, variant.width), divmod(b, variant.width)
    return row_a - row_b, col_a - col_b


def cases() -> list[tuple[Board, str]]:
    rng = random.Random(7)
    sizes = [(15, 15, 5), (20, 20, 5), (9, 9, 5), (12, 10, 5), (22, 22, 5), (7, 7, 4)]
    found = []
    for number in range(POSITIONS):
        rule = list(Rule)[number % len(Rule)]
        width, height, k = sizes[number // len(Rule) % len(sizes)]
        variant = Variant(width, height, 5 if rule == Rule.RENJU else k, rule)
        found.append((scattered(rng, variant), ("vcf", "vct")[number % 3 == 0]))
    return found


def native(board: Board, solve: str) -> dict[str, Any]:
    engine = _core.AlphaBeta(1, 1, 1)
    engine.arm()
    report = engine.run(board.core, 0.0, NODES, 0, 1)
    best = report.lines[0]
    solver = _core.Vct(1 << 18, 1 << 16) if solve == "vct" else _core.Vcf(1 << 16)
    result = solver.solve(board.core, int(board.turn), 5000)
    return {
        "move": best.move, "nodes": report.nodes, "depth": report.depth, "pv": list(best.pv), "found": result.win,
        "solver": result.nodes, "line": solver.line() if result.win else [], "forbidden": sorted(board.forbidden()),
    }  # fmt: skip


def request(board: Board, solve: str) -> str:
    v = board.variant
    variant = {"width": v.width, "height": v.height, "k": v.k, "rule": str(v.rule)}
    return json.dumps({"variant": variant, "moves": board.moves, "nodes": NODES, "solve": solve})


def test_moves_nodes_and_proofs_are_those_of_the_native_engine(engine_folder: Path) -> None:
    asked = cases()
    lines = "".join(request(*case) + "\n" for case in asked)
    command = ["node", str(Path(__file__).parent / "parity.mjs"), str(engine_folder)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=280)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == POSITIONS
    for (board, solve), answer in zip(asked, answers, strict=True):
        value = answer.pop("value")
        assert -1 <= value <= 1
        assert answer == native(board, solve), f"{board} differs"
    assert sum(answer["found"] for answer in answers) >= 20, "too few forced wins to compare"


def said_by(folder: Path, script: str) -> str:
    """What a script refuses to do with the engine `e`."""
    code = f"""
      import {{ Engine }} from "{(folder / "tengen.js").as_uri()}";
      import {{ readFileSync }} from "node:fs";
      const e = await Engine.load(readFileSync("{folder / "tengen.wasm"}"));
      try {{ {script} }} catch (error) {{ console.log(error.constructor.name + ": " + error.message) }}
    """
    command = ["node", "--input-type=module", "-e", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("e.newBoard({width: 99})", "not supported"),
        ("e.newBoard({rule: 'renju', k: 4})", "renju is played with k = 5, not 4"),
        ("e.newBoard({rule: 'chess'})", "unknown rule 'chess'"),
        ("e.newBoard(); e.play(225)", "off the board"),
        ("e.newBoard(); e.play(3, 3)", "occupied"),
        ("e.newBoard(); e.undo()", "no move to take back"),
        ("e.newBoard({black: [0, 1, 2, 3, 4]})", "already holds a five"),
        ("e.newBoard({black: [0, 1, 2, 3], white: [20, 21, 22, 23]}); e.play(4); e.search({nodes: 10})", "over"),
        ("e.newBoard({rule: 'renju', black: [111, 113, 97, 127], white: [0, 1]}); e.play(112)", "double three"),
    ],
)
def test_wrong_calls_are_refused_in_words(engine_folder: Path, script: str, message: str) -> None:
    said = said_by(engine_folder, script)
    assert said.startswith("EngineError: ") and message in said
