"""The vocabulary of the game: colours, rules, coordinates, outcomes. No logic of play lives here."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

Move = int
"""A cell: row * width + col, row 0 at the top."""

MAX_SIZE = 22
MIN_K, MAX_K = 3, 6


class IllegalMoveError(ValueError):
    """A move that the rules do not allow on this board."""


class Color(enum.IntEnum):
    BLACK = 0
    WHITE = 1

    @property
    def other(self) -> Color:
        return Color(1 - self)


class Rule(enum.StrEnum):
    FREESTYLE = "freestyle"
    """k or more in a row win."""
    STANDARD = "standard"
    """Exactly k in a row win."""
    RENJU = "renju"
    """Black wins with exactly five and must not make double threes, double fours or overlines."""
    CARO = "caro"
    """k or more win, but not exactly k between two enemy stones; a board edge does not block."""


class Termination(enum.StrEnum):
    FIVE = "five"
    FULL = "full"
    RESIGN = "resign"
    TIME = "time"
    ILLEGAL = "illegal"
    CRASH = "crash"
    MEMORY = "memory"
    MOVE_LIMIT = "move-limit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. `line` holds the winning cells when there are any."""

    winner: Color | None
    termination: Termination
    line: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """How long an agent may think about one move. None means no limit of that kind."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


_CELL = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)


def move_name(move: Move, width: int, height: int) -> str:
    """`h8` style: letter = column from the left, number = row counted from the bottom."""
    row, col = divmod(move, width)
    return f"{chr(ord('a') + col)}{height - row}"


def parse_move(text: str, width: int, height: int) -> Move:
    """The inverse of `move_name`. Raises ValueError with a message for people."""
    match = _CELL.fullmatch(text.strip())
    if not match:
        raise ValueError(f"'{text}' is not a cell; write a letter and a number, such as h8")
    col, row_from_bottom = ord(match[1].lower()) - ord("a"), int(match[2])
    if not (0 <= col < width and 1 <= row_from_bottom <= height):
        last = move_name(width - 1, width, height)
        raise ValueError(f"'{text}' is off the board; cells go from a1 to {last}")
    return (height - row_from_bottom) * width + col


def parse_moves(text: str, width: int, height: int) -> list[Move]:
    """A position string such as `h8i9j7`, rows counted from the bottom."""
    compact = re.sub(r"[\s,;]+", "", text)
    cells = [m.group(0) for m in _CELL.finditer(compact)]
    if "".join(cells) != compact:
        raise ValueError(f"'{text}' is not a list of cells such as h8i9")
    return [parse_move(cell, width, height) for cell in cells]
