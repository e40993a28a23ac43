"""A Gomoku board for Python: a thin, checked face on the native core."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Self

from tengen import _core
from tengen.board_svg import board_svg
from tengen.errors import IllegalMoveError
from tengen.rules import (
    Color,
    Forbidden,
    Move,
    Outcome,
    Result,
    Rule,
    Termination,
    Variant,
    move_name,
    parse_moves,
)

DEFAULT = Variant()
"""15x15 freestyle."""


class Board:
    """The stones, whose turn it is and the state of the game.

    `core` is the native board that C++ searches copy; do not play on it directly.
    """

    __slots__ = ("core", "variant")

    def __init__(self, variant: Variant = DEFAULT, moves: Iterable[Move] = ()) -> None:
        self.variant = variant
        self.core = _core.Board(variant.width, variant.height, variant.k, str(variant.rule))
        for move in moves:
            self.play(move)

    @classmethod
    def from_text(cls, text: str, variant: Variant = DEFAULT) -> Self:
        """A board from a position string such as `h8i9`, rows counted from the bottom."""
        return cls(variant, parse_moves(text, variant.width, variant.height))

    @classmethod
    def from_stones(cls, black: Iterable[Move], white: Iterable[Move], turn: Color, variant: Variant = DEFAULT) -> Self:
        """A set-up position: any stones, either side to move, no history. It must not contain a five."""
        board = cls(variant)
        board.core.set_up(list(black), list(white), turn == Color.BLACK)
        return board

    @property
    def width(self) -> int:
        return self.variant.width

    @property
    def height(self) -> int:
        return self.variant.height

    @property
    def cells(self) -> int:
        return self.variant.cells

    @property
    def k(self) -> int:
        return self.variant.k

    @property
    def rule(self) -> Rule:
        return self.variant.rule

    @property
    def turn(self) -> Color:
        return Color(self.core.turn)

    @property
    def key(self) -> int:
        """Zobrist key of stones and side to move."""
        return self.core.key

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played, without stones set up beforehand."""
        return tuple(self.core.moves)

    @property
    def stones(self) -> int:
        """The number of stones on the board."""
        return self.core.stones

    def at(self, move: Move) -> Color | None:
        self._check_cell(move)
        color = self.core.at(move)
        return None if color is None else Color(color)

    def play(self, move: Move) -> None:
        self.core.play(self._checked_legal(move))

    def undo(self) -> Move:
        """Takes the last move back and returns it."""
        if not self.core.ply:
            raise IllegalMoveError("there is no move to take back")
        return self.core.undo()

    def is_legal(self, move: Move) -> bool:
        return 0 <= move < self.cells and self.outcome() is None and self.core.legal(move)

    def legal_moves(self) -> list[Move]:
        return [] if self.outcome() else self.core.legal_moves()

    def forbidden(self) -> dict[Move, Forbidden]:
        """Renju: the cells black may not play, with the reason. Empty for white and other rules."""
        return {move: Forbidden(reason) for move, reason in self.core.forbidden_cells().items()}

    def cells_near(self, radius: int) -> list[Move]:
        """Empty cells within `radius` of a stone in any direction, or the centre of an empty board."""
        return self.core.cells_near(radius)

    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        if self.core.won:
            return Outcome(Result.of(self.turn.other), Termination.FIVE, tuple(self.core.winning_line()))
        return Outcome(Result.DRAW, Termination.FULL) if self.core.over else None

    def copy(self) -> Board:
        return Board.of_core(self.core.copy(), self.variant)

    @staticmethod
    def of_core(core: _core.Board, variant: Variant) -> Board:
        """A face on a native board of this variant."""
        board = object.__new__(Board)
        board.variant, board.core = variant, core
        return board

    def name(self, move: Move) -> str:
        return move_name(move, self.width, self.height)

    def __repr__(self) -> str:
        text = "".join(self.name(m) for m in self.moves)
        return f"Board({self.variant}, '{text}')"

    def __str__(self) -> str:
        return self.diagram()

    def _repr_svg_(self) -> str:
        """The board as a notebook shows it."""
        stones = {move: int(color) for move in range(self.cells) if (color := self.at(move)) is not None}
        return board_svg(self.width, self.height, stones, self.moves, repr(self))

    def diagram(self, marked: Collection[Move] = (), signs: Mapping[Move, str] = MappingProxyType({})) -> str:
        """The board in plain letters: X is black, O is white. Parentheses stand around marked cells; `signs` gives
        empty cells another letter than a dot."""
        rows = [self._diagram_row(row, marked, signs) for row in range(self.height)]
        return "\n".join([*rows, "   " + " ".join(chr(ord("a") + c) for c in range(self.width))])

    def _diagram_row(self, row: int, marked: Collection[Move], signs: Mapping[Move, str]) -> str:
        text, inside = f"{self.height - row:2d}", False
        for move in range(row * self.width, (row + 1) * self.width):
            was, inside = inside, move in marked
            color = self.at(move)
            text += " " if was == inside else "(" if inside else ")"
            text += signs.get(move, ".") if color is None else "XO"[color]
        return text + ")" * inside

    def _check_cell(self, move: Move) -> None:
        if not 0 <= move < self.cells:
            raise IllegalMoveError(f"cell {move} is off the board; cells go from 0 to {self.cells - 1}")

    def _checked_legal(self, move: Move) -> Move:
        self._check_cell(move)
        if self.core.at(move) is not None:
            raise IllegalMoveError(f"{self.name(move)} is occupied")
        if self.outcome() is not None:
            raise IllegalMoveError("the game is over")
        if reason := self.core.forbidden_reason(move):
            raise IllegalMoveError(f"{self.name(move)} is forbidden for black: {reason}")
        return move


@cache
def symmetries(width: int, height: int) -> tuple[tuple[Move, ...], ...]:
    """Where each cell goes under every turn and reflection that keeps the board's shape; the identity first."""
    return tuple(tuple(image) for image in _core.symmetry_maps(width, height))
