"""The swap2 opening as a player handles it, in the engine and on the page.

One side lays three stones. The other takes a colour, or lays two more and leaves the choice to the first. White is to
move whenever a colour is chosen.
"""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Iterator

from tengen.board import Board, symmetries
from tengen.errors import IllegalMoveError
from tengen.players.base import Decision
from tengen.rules import Move

Think = Callable[[Board, float], Decision]
"""Thinks on a board with a share of the turn's time."""

LEVEL = 0.1
"""A value nearer to 0 than this names no better colour: a fast search cannot tell it from an even position."""
TRIES = 6

OPENINGS: tuple[tuple[tuple[int, int], ...], ...] = (
    # Black, white, black as (row, column) from the top left corner. Found by trying many: alphabeta with 250,000 nodes
    # calls none of them better than 0.07 for either side, on 15x15 and 20x20 freestyle and 15x15 standard.
    ((2, 5), (1, 8), (4, 0)),
    ((3, 5), (4, 4), (4, 1)),
    ((4, 1), (2, 0), (0, 3)),
    ((4, 6), (5, 1), (0, 1)),
)


class Choice(enum.StrEnum):
    BLACK = "black"
    WHITE = "white"
    MORE = "more"
    """Two more stones, and the other side chooses."""


def first_three(board: Board, think: Think) -> list[Move]:
    """The three stones whose balance the player doubts least, among a few that are known to be quiet."""
    options = [moves for steps in OPENINGS if (moves := _on_board(board, steps))]
    if not options:
        options = [board.legal_moves()[:3]]
    share = 1 / len(options)
    doubts = [_doubt(board, moves, think, share) for moves in options]
    return options[doubts.index(min(doubts))]


def next_stone(board: Board, think: Think, draw: random.Random) -> Move:
    """The next of the three stones, by an opening known to be quiet, turned at random; or of the two more."""
    played = list(board.moves)
    known = [moves for moves in _turned(board) if moves[: len(played)] == played]
    if len(played) < 3 and known:
        return draw.choice(known)[len(played)]
    return level_stone(board, think, draw)


def choose(stones: int, value: float | None) -> Choice:
    """What to take with three or five stones down, by the value for white. A position good for nobody is handed back
    with two more stones, so that the other side has to judge it. A player without an opinion takes black."""
    if value is None:
        return Choice.BLACK
    if stones == 3 and abs(value) < LEVEL:
        return Choice.MORE
    return Choice.WHITE if value > 0 else Choice.BLACK


def two_more(board: Board, think: Think, draw: random.Random) -> list[Move]:
    """A white and a black stone that leave the position as level as can be."""
    first = level_stone(board, think, draw)
    return [first, level_stone(_after(board, [first]), think, draw)]


def level_stone(board: Board, think: Think, draw: random.Random) -> Move:
    """A stone near the others; the last one before a choice is the one of a few that leaves the position most level."""
    near = [move for move in board.cells_near(2) if board.is_legal(move)] or board.legal_moves()
    tries = draw.sample(near, min(TRIES, len(near)))
    if board.stones not in (2, 4):
        return tries[0]
    return min(tries, key=lambda move: _doubt(board, [move], think, 1 / len(tries)))


def _doubt(board: Board, moves: list[Move], think: Think, share: float) -> float:
    """How far from level the position is after these moves; 2 for a game that is over."""
    after = _after(board, moves)
    return 2.0 if after.outcome() else abs(think(after, share).value or 0.0)


def _turned(board: Board) -> Iterator[list[Move]]:
    for steps in OPENINGS:
        if moves := _on_board(Board(board.variant), steps):
            yield from ([image[move] for move in moves] for image in symmetries(board.width, board.height))


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
