"""How fast the core is."""

from __future__ import annotations

import time
from collections.abc import Callable

from tengen import _core
from tengen.board import Board
from tengen.lab.signature import MIDDLE_GAMES, SMALL_GAMES
from tengen.rules import Variant

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


def measure(seconds: float) -> dict[str, float]:
    """Every case, and the reference before and after them."""
    before = processor_rate(_core.reference_rounds_per_second, seconds / 2)
    rates = {key: processor_rate(rate, seconds) for key, (_, rate) in CASES.items()}
    after = processor_rate(_core.reference_rounds_per_second, seconds / 2)
    return rates | {"reference_per_s": (before + after) / 2}
