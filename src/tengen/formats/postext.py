"""Position text such as `h8i9j7`: cells in the order played, black first. Name the origin: both are in use."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from tengen.errors import TengenError
from tengen.rules import Move, move_name, parse_moves


class RowOrigin(enum.StrEnum):
    BOTTOM = "bottom"
    """Row 1 at the bottom, as players and this project write."""
    TOP = "top"
    """Row 1 at the top, as some programs write."""


def parse_position(text: str, width: int, height: int, origin: RowOrigin) -> list[Move]:
    """The moves of a position text. Raises TengenError for what is not a cell, off the board or given twice."""
    moves = parse_moves(text, width, height)
    twice = next((move for index, move in enumerate(moves) if move in moves[:index]), None)
    if twice is not None:
        raise TengenError(f"'{_name(twice, width, height, RowOrigin.BOTTOM)}' is given twice")
    return [_flipped(move, width, height, origin) for move in moves]


def format_position(moves: Iterable[Move], width: int, height: int, origin: RowOrigin) -> str:
    return "".join(_name(move, width, height, origin) for move in moves)


def _name(move: Move, width: int, height: int, origin: RowOrigin) -> str:
    return move_name(_flipped(move, width, height, origin), width, height)


def _flipped(move: Move, width: int, height: int, origin: RowOrigin) -> Move:
    """The move itself, or mirrored top to bottom: the same text then means the other origin."""
    row, col = divmod(move, width)
    return move if origin == RowOrigin.BOTTOM else (height - 1 - row) * width + col
