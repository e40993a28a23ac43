"""Random games for tests, and the same position as the oracle and as the core see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from tengen.board import Board
from tengen.rules import Move, Rule, Variant
from tests.helpers import oracle

Transform = Callable[[int, int, int, int], tuple[int, int]]

# (row, col, height, width) -> (row, col); the last four swap the sides of the board.
SYMMETRIES: list[Transform] = [
    lambda r, c, h, w: (r, c),
    lambda r, c, h, w: (r, w - 1 - c),
    lambda r, c, h, w: (h - 1 - r, c),
    lambda r, c, h, w: (h - 1 - r, w - 1 - c),
    lambda r, c, h, w: (c, r),
    lambda r, c, h, w: (c, h - 1 - r),
    lambda r, c, h, w: (w - 1 - c, r),
    lambda r, c, h, w: (w - 1 - c, h - 1 - r),
]


@dataclass(frozen=True)
class Game:
    """A game in play; every move is legal and none follows a five."""

    width: int
    height: int
    k: int
    rule: Rule
    moves: tuple[Move, ...]

    def board(self, ply: int | None = None) -> Board:
        return Board(Variant(self.width, self.height, self.k, self.rule), self.moves[:ply])

    def mapped(self, transform: Transform) -> Game:
        swaps = transform in SYMMETRIES[4:]
        width, height = (self.height, self.width) if swaps else (self.width, self.height)
        moves = tuple(map_move(m, self.width, self.height, transform) for m in self.moves)
        return Game(width, height, self.k, self.rule, moves)


def map_move(move: Move, width: int, height: int, transform: Transform) -> Move:
    row, col = transform(*divmod(move, width), height, width)
    return row * (height if transform in SYMMETRIES[4:] else width) + col


@st.composite
def games(draw: st.DrawFn, rules: tuple[Rule, ...] = tuple(Rule), max_moves: int = 120) -> Game:
    """Games crowded into a part of the board, so that long rows, blocked ends and edges come up often."""
    rule = draw(st.sampled_from(rules))
    k = 5 if rule == Rule.RENJU else draw(st.integers(3, 6))
    width, height = draw(st.integers(k, 22)), draw(st.integers(k, 22))
    rows, cols = (min(draw(st.sampled_from((9, 7, 6, 5, 4, 3))), side) for side in (height, width))
    top, left = draw(st.integers(0, height - rows)), draw(st.integers(0, width - cols))
    share, peaceful = draw(st.sampled_from((0.9, 0.6, 0.4, 0.2, 1.0))), draw(st.booleans())
    area = [r * width + c for r in range(top, top + rows) for c in range(left, left + cols)]
    Random(draw(st.integers(0, 2**32))).shuffle(area)
    board = Board(Variant(width, height, k, rule))
    for move in area[: min(max_moves, round(share * len(area)))]:
        if board.is_legal(move):
            board.play(move)
            if peaceful and board.core.won:
                board.undo()
    return Game(width, height, k, rule, board.moves)


def oracle_board(board: Board) -> oracle.OracleBoard:
    stones = {divmod(m, board.width): "xo"[color] for m in range(board.cells) if (color := board.at(m)) is not None}
    return oracle.OracleBoard(board.width, board.height, board.k, str(board.rule), stones, "xo"[board.turn])
