"""The vocabulary of the game: colours, rules, variants, cells, results. No logic of play lives here."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from tengen.errors import TengenError, clip

Move = int
"""A cell: row * width + col, row 0 at the top."""

MAX_SIZE = 22
MIN_K, MAX_K = 3, 6


class Color(enum.IntEnum):
    BLACK = 0
    WHITE = 1

    @property
    def other(self) -> Color:
        return Color(1 - self)


class Rule(enum.StrEnum):
    """A rule by its name, which files and SGF's RU use too. All that Python knows about a rule stands in its line;
    what it means is in the core (cpp/rules)."""

    gomocup: int
    """The code of INFO rule in the Gomocup protocol."""
    help: str
    only_k: int | None
    """The one length of a winning row the rule is defined for, None for any."""

    def __new__(cls, name: str, gomocup: int = 0, help: str = "", only_k: int | None = None) -> Rule:
        rule = str.__new__(cls, name)
        rule._value_, rule.gomocup, rule.help, rule.only_k = name, gomocup, help, only_k
        return rule

    FREESTYLE = "freestyle", 0, "k or more in a row wins"
    STANDARD = "standard", 1, "exactly k in a row wins"
    RENJU = "renju", 4, "black wins with exactly five and may not make double threes, double fours or overlines", 5
    CARO = "caro", 8, "k or more in a row wins, but not exactly k between two enemy stones; the edge does not block"


RULES = ", ".join(Rule)
"""For help texts and messages."""


class Forbidden(enum.StrEnum):
    """Why black may not play a cell under renju."""

    DOUBLE_THREE = "double three"
    DOUBLE_FOUR = "double four"
    OVERLINE = "overline"


@dataclass(frozen=True, slots=True)
class Variant:
    """What is played: the board, how many in a row win, and the rule. `str` and `parse` are inverse to each other.

    `height` is `width` unless it is given. Raises TengenError for a game that is not supported.
    """

    width: int = 15
    height: int = -1
    k: int = 5
    rule: Rule = Rule.FREESTYLE

    def __post_init__(self) -> None:
        object.__setattr__(self, "height", self.width if self.height == -1 else self.height)
        object.__setattr__(self, "rule", parse_rule(self.rule))
        if not MIN_K <= self.k <= MAX_K:
            raise TengenError(f"k = {self.k} is not supported; choose {MIN_K} to {MAX_K}")
        if not (self.k <= self.width <= MAX_SIZE and self.k <= self.height <= MAX_SIZE):
            size = f"{self.width}x{self.height}"
            raise TengenError(f"a {size} board is not supported; sides go from k = {self.k} to {MAX_SIZE}")
        if self.rule.only_k not in (None, self.k):
            raise TengenError(f"{self.rule} is played with k = {self.rule.only_k}, not {self.k}")

    @property
    def cells(self) -> int:
        return self.width * self.height

    @property
    def size(self) -> str:
        """`15x15`."""
        return f"{self.width}x{self.height}"

    def __str__(self) -> str:
        """`15x15 freestyle`; with `k=4` between when it is not five in a row."""
        return " ".join([self.size, *([f"k={self.k}"] if self.k != 5 else []), str(self.rule)])

    @classmethod
    def parse(cls, text: str) -> Variant:
        """Reads `15x15 renju`, `9x9 k=4`, `20`, `caro`: size, k and rule in any order, each with its default."""
        parts: dict[str, int | Rule] = {}
        for word in text.split():
            found = _variant_part(word)
            if not found:
                raise TengenError(f"'{clip(word)}' is not a board size (15x15), a length (k=5) or a rule ({RULES})")
            if parts.keys() & found.keys():
                raise TengenError(f"'{clip(text)}' says {next(iter(found))} twice; write it as in 15x15 k=5 renju")
            parts |= found
        return cls(**parts)  # type: ignore[arg-type]


def _variant_part(word: str) -> dict[str, int | Rule] | None:
    if size := re.fullmatch(r"(\d{1,2})(?:x(\d{1,2}))?", word):
        return {"width": int(size[1]), "height": int(size[2] or size[1])}
    if k := re.fullmatch(r"k=(\d{1,2})", word):
        return {"k": int(k[1])}
    return {"rule": Rule(word.lower())} if word.lower() in set(Rule) else None


def parse_rule(name: str) -> Rule:
    try:
        return Rule(name)
    except ValueError:
        raise TengenError(f"unknown rule '{clip(name)}'; choose one of {RULES}") from None


class Result(enum.StrEnum):
    """How a finished game counts. Nothing else encodes a result."""

    BLACK = "black"
    WHITE = "white"
    DRAW = "draw"

    @classmethod
    def of(cls, winner: Color | None) -> Result:
        return cls.DRAW if winner is None else (cls.BLACK, cls.WHITE)[winner]

    @property
    def winner(self) -> Color | None:
        return None if self is Result.DRAW else Color[self.name]

    def score(self, side: Color) -> float:
        """1 for a win of `side`, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self is Result.DRAW else float(self.winner == side)

    def sign(self, side: Color) -> int:
        """1 for a win of `side`, 0 for a draw, -1 for a loss."""
        return round(2 * self.score(side) - 1)


@dataclass(frozen=True, slots=True)
class Value:
    """How good a position is, from -1 (lost) to 1 (won), and for whom: `side`."""

    number: float
    side: Color

    def of(self, side: Color) -> float:
        return self.number if side == self.side else -self.number


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

    result: Result
    termination: Termination
    line: tuple[Move, ...] = ()

    @property
    def winner(self) -> Color | None:
        return self.result.winner


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a player may think about one move. None means no limit of that kind."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    most: float | None = None
    """On a game clock `seconds` is a fair share; a player in trouble may go on to `most`. None: no further."""


_CELL = re.compile(r"([a-z])(\d{1,2})", re.IGNORECASE)


def move_name(move: Move, width: int, height: int) -> str:
    """`h8` style: letter = column from the left, number = row counted from the bottom."""
    row, col = divmod(move, width)
    return f"{chr(ord('a') + col)}{height - row}"


def parse_move(text: str, width: int, height: int) -> Move:
    """The inverse of `move_name`. Raises TengenError with a message for people."""
    match = _CELL.fullmatch(text.strip())
    if not match:
        raise TengenError(f"'{clip(text)}' is not a cell; write a letter and a number, such as h8")
    col, row_from_bottom = ord(match[1].lower()) - ord("a"), int(match[2])
    if not (0 <= col < width and 1 <= row_from_bottom <= height):
        last = move_name(width - 1, width, height)
        raise TengenError(f"'{clip(text)}' is off the board; cells go from a1 to {last}")
    return (height - row_from_bottom) * width + col


def parse_moves(text: str, width: int, height: int) -> list[Move]:
    """A position string such as `h8i9j7`, rows counted from the bottom."""
    compact = re.sub(r"[\s,;]+", "", text)
    cells = [m.group(0) for m in _CELL.finditer(compact)]
    if "".join(cells) != compact:
        raise TengenError(f"'{clip(text)}' is not a list of cells such as h8i9")
    return [parse_move(cell, width, height) for cell in cells]


def star_points(width: int, height: int) -> list[Move]:
    """Where a board has its dots: the centre, and four around it from 9x9 on."""
    centre = [(height // 2, width // 2)] if width % 2 and height % 2 else []
    x, y = (2 if side < 13 else 3 for side in (width, height))
    corners = [(row, col) for row in (y, height - 1 - y) for col in (x, width - 1 - x)]
    return [row * width + col for row, col in (corners if min(width, height) >= 9 else []) + centre]
