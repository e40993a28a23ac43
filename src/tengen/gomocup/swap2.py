"""The swap2 opening: three stones that tempt nobody, and which colour to take.

Taking the better colour is worth at least as much as laying two more stones: a player who lays them hands the choice,
and so the better side, to the opponent. We therefore never lay two.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.board import Board
from tengen.errors import IllegalMoveError
from tengen.players.base import Decision
from tengen.rules import Move

Think = Callable[[Board, float], Decision]
"""Thinks on a board with a share of the turn's time."""

OPENINGS: tuple[tuple[tuple[int, int], ...], ...] = (
    # Black, white, black as (row, column) from the top left corner. Found by trying many: alphabeta with 250,000 nodes
    # calls none of them better than 0.07 for either side, on 15x15 and 20x20 freestyle and 15x15 standard.
    ((2, 5), (1, 8), (4, 0)),
    ((3, 5), (4, 4), (4, 1)),
    ((4, 1), (2, 0), (0, 3)),
    ((4, 6), (5, 1), (0, 1)),
)


def first_three(board: Board, think: Think) -> list[Move]:
    """The three stones whose balance the player doubts least, among a few that are known to be quiet."""
    options = [moves for steps in OPENINGS if (moves := _on_board(board, steps))]
    if not options:
        options = [board.legal_moves()[:3]]
    share = 1 / len(options)
    doubts = [abs(think(_after(board, moves), share).value or 0.0) for moves in options]
    return options[doubts.index(min(doubts))]


def takes_swap(decision: Decision) -> bool:
    """White is to move with three or five stones down: swap exactly when white stands worse."""
    return decision.value is not None and decision.value < 0


def _on_board(board: Board, steps: tuple[tuple[int, int], ...]) -> list[Move] | None:
    if any(row >= board.height or col >= board.width for row, col in steps):
        return None
    moves = [row * board.width + col for row, col in steps]
    try:
        _after(board, moves)
    except IllegalMoveError:
        return None
    return moves


def _after(board: Board, moves: list[Move]) -> Board:
    position = board.copy()
    for move in moves:
        position.play(move)
    return position
