"""Forced wins by threats: fours alone (VCF), or threes and fours with every sound defence considered (VCT)."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.rules import Color, Limit, Move

MANY_NODES = 2**62


class Mode(enum.StrEnum):
    VCF = "vcf"
    """Only fours: each answer is forced."""
    VCT = "vct"
    """Threes, fours and quiet moves that threaten to win."""


@dataclass(frozen=True, slots=True)
class WinNode:
    """One position of a proof, the attacker to move. Answers name other nodes of the same list."""

    fours: tuple[Move, ...]
    """Not empty: this line of fours wins from here, and the rest is unused."""
    attack: Move
    threat: tuple[Move, ...]
    """The line of fours that wins when the attack is not answered; empty when the attack is a four."""
    answers: dict[Move, int]
    """Every other legal move of the defender loses to the threat, or to five."""


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search for a forced win found.

    `moves` is attack, answer, attack ... until five, along the longest defence. Under renju it may end with a four that
    black is forbidden to stop.
    """

    solved: bool
    moves: tuple[Move, ...]
    nodes: int
    seconds: float
    exhausted: bool
    """No win exists by the threats considered: nothing was cut off by a limit."""
    tree: tuple[WinNode, ...] = ()
    """VCT: the proof, root first."""


class Solver:
    """Searches one position after another; its tables are kept in between, and never change an answer."""

    def __init__(self, mode: Mode | str = Mode.VCF, hash_entries: int = 1 << 18) -> None:
        self.mode = _checked_mode(mode)
        self._vcf = _core.Vcf(hash_entries) if self.mode is Mode.VCF else None
        self._vct = _core.Vct(vcf_entries=hash_entries) if self.mode is Mode.VCT else None

    def solve(self, board: Board, limit: Limit, attacker: Color | None = None) -> Solution:
        """Does `attacker` (by default the side to move) win by force if it were its turn now?"""
        side = int(board.turn if attacker is None else attacker)
        nodes, seconds = limit.nodes or MANY_NODES, limit.seconds or 0.0
        start = time.perf_counter()
        if self._vcf:
            result: _core.VcfResult | _core.VctResult = self._vcf.solve(board.core, side, nodes, seconds)
            moves = self._vcf.line()
            tree: tuple[WinNode, ...] = ()
        else:
            assert self._vct
            result = self._vct.solve(board.core, side, nodes, seconds)
            moves = self._vct.line()
            tree = tuple(WinNode(tuple(f), a, tuple(t), dict(r)) for f, a, t, r in self._vct.tree())
        spent = time.perf_counter() - start
        return Solution(result.win, tuple(moves), result.nodes, spent, result.exhausted, tree)

    def stop(self) -> None:
        """Ends a solve that runs in another thread."""
        search = self._vcf or self._vct
        assert search
        search.stop()


def _checked_mode(mode: Mode | str) -> Mode:
    try:
        return Mode(mode)
    except ValueError:
        raise TengenError(f"unknown mode '{mode}'; choose one of {', '.join(Mode)}") from None
