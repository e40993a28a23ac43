"""Forced wins for the page, from the threat solver."""

from __future__ import annotations

from functools import cache
from typing import Any

from tengen.board import Board
from tengen.players.solver import Mode, Solver
from tengen.rules import Color, Limit

FOURS_SHARE = 0.3
"""Part of the time for fours alone; they are found fast or not at all."""


@cache
def _solver(mode: Mode) -> Solver:
    return Solver(mode)


def forced_win(board: Board, seconds: float, attacker: Color | None = None) -> dict[str, Any] | None:
    """A win that cannot be stopped if `attacker` (by default the side to move) moves now.

    {"kind": "five" | "vcf" | "vct", "moves": [...]}, or None when no win was found in time.
    """
    for mode, share in ((Mode.VCF, FOURS_SHARE), (Mode.VCT, 1 - FOURS_SHARE)):
        solution = _solver(mode).solve(board, Limit(seconds=max(0.001, seconds * share)), attacker)
        if solution.solved:
            kind = "five" if len(solution.moves) == 1 else str(mode)
            return {"kind": kind, "moves": list(solution.moves)}
    return None


def threatened_win(board: Board, seconds: float) -> dict[str, Any] | None:
    """What the opponent would win with if it were its turn."""
    return forced_win(board, seconds, board.turn.other)
