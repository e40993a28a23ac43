"""How fast the core is, and a signature of what its searches find."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable

from tengen import _core
from tengen.board import Board
from tengen.rules import Variant

MIDDLE_GAMES = (
    "l5n6m4l4m3k2o5j7n5m5k3k7k6n3",
    "f5e4g2f4h4e5e6g4g3e3d4e2e1i5g5i3d7i6i4h5f3j5",
    "j9i10h9j10i9k9h10j8g9f9h8h7i7f10i6f8f11i8f6g7g11h11g10g12e14e12",
    "f8g9f10h7g7h6f9f7h8g6f6e5f11f12",
    "h8g8h9h7i8g10g7j9i10",
    "d6b6d7d4c5b4b5e5c4c6e7f6g7f7f8g9e9d10f5e10f10c8d9d8d3e2",
)
"""15x15, freestyle, even to a short search, no move forced."""
SMALL_GAMES = ("e5d4e6e4f5d6", "e5f6e7d6f4", "e5e6d5f5d7c6d4")
"""9x9."""

Rate = Callable[[float], float]


def alphabeta_nps(seconds: float) -> float:
    """Nodes per second of the alphabeta engine, one thread, middle games in turn."""
    engine = _core.AlphaBeta(1, 16, 0)
    for text in MIDDLE_GAMES:  # the table's memory comes from the system at first use, which is not what we measure
        run(engine, text, 30_000)
    nodes, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds or not nodes:
        for text in MIDDLE_GAMES:
            nodes += run(engine, text, 50_000).nodes
    return nodes / spent


def run(engine: _core.AlphaBeta, text: str, nodes: int) -> _core.AlphaBetaReport:
    engine.arm()
    return engine.run(Board.from_text(text).core, 0.0, nodes, 0, 1)


def minimax_nps(seconds: float) -> float:
    nodes, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds or not nodes:
        for text in SMALL_GAMES:
            nodes += _core.Minimax(Board.from_text(text, Variant(9)).core, 0).run(0.0, 50_000, 8).nodes
    return nodes / spent


CASES: dict[str, tuple[str, Rate]] = {
    "moves_per_s": (
        "play and undo with all shapes kept, 15x15",
        lambda s: _core.moves_per_second(Board.from_text(MIDDLE_GAMES[2]).core, s),
    ),
    "playouts_per_s_9": ("pure MCTS, one rollout per leaf, 9x9", lambda s: _core.playouts_per_second(9, s)),
    "playouts_per_s_15": ("pure MCTS, one rollout per leaf, 15x15", lambda s: _core.playouts_per_second(15, s)),
    "alphabeta_nps_15": ("alphabeta nodes, 15x15 middle games", alphabeta_nps),
    "vcf_nps_15": ("nodes of the search for continuous fours, 15x15", _core.vcf_nps),
    "minimax_nps_9": ("minimax nodes, 9x9", minimax_nps),
}


def processor_rate(rate: Rate, seconds: float) -> float:
    """What `rate` measures by the clock on the wall, in work per second of processor time: on a busy machine
    a thread waits, and waiting is not slowness."""
    wall, processor = time.perf_counter(), time.thread_time()
    by_the_wall = rate(seconds)
    wall, processor = time.perf_counter() - wall, time.thread_time() - processor
    return by_the_wall * wall / processor


def signature() -> str:
    """Changes when any search finds another move, score or number of nodes on the fixed positions."""
    facts: list[tuple[int, ...]] = []
    for text in MIDDLE_GAMES:
        report = run(_core.AlphaBeta(1, 4, 0), text, 20_000)
        facts.append((report.nodes, report.depth, report.lines[0].move, report.lines[0].score))
    for text in SMALL_GAMES:
        found = _core.Minimax(Board.from_text(text, Variant(9)).core, 0).run(0.0, 0, 4)
        facts.append((found.nodes, found.move, found.score))
    return f"{zlib.crc32(repr(facts).encode()):08x}"


def measure(seconds: float) -> dict[str, float]:
    """Every case, and the reference before and after them."""
    before = processor_rate(_core.reference_rounds_per_second, seconds / 2)
    rates = {key: processor_rate(rate, seconds) for key, (_, rate) in CASES.items()}
    after = processor_rate(_core.reference_rounds_per_second, seconds / 2)
    return rates | {"reference_per_s": (before + after) / 2}
