"""The tactics probe for a line network in training: a five at hand, a five to block, an open four at hand.

The search has no solver.
"""

from __future__ import annotations

from tengen import _core
from tengen.board import Board
from tengen.rules import Move, Variant
from tengen.training.samples import tactics
from tengen.training.samples.tactics import Probe, solved

__all__ = ["KINDS", "probe_metrics", "probe_positions", "solved"]

KINDS = ("five", "block", "open_four")


def probe_positions(variant: Variant, count: int) -> tuple[Probe, ...]:
    return tactics.probe_positions(variant, count, KINDS)


def probe_metrics(
    network: _core.LineNetwork, probes: tuple[Probe, ...], variant: Variant, sims: int
) -> dict[str, float]:
    def choose(board: Board) -> Move:
        search = _core.LineSearch(network, board.core, {"solver": False, "memory_mb": 4})
        search.think(sims)
        return search.best_move()

    return solved(probes, variant, choose)
