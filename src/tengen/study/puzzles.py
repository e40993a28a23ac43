"""Puzzles: positions with one thing to find, and everything that counts as found.

A file holds one JSON object per line (see `Puzzle.to_json`), compressed when its name ends with .gz. The solutions of a
puzzle are all first moves that reach its goal; `check_puzzle` proves them again with fresh solvers.
"""

from __future__ import annotations

import enum
import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from tengen import _core
from tengen.board import Board, symmetries
from tengen.errors import TengenError
from tengen.players.solver import Mode
from tengen.rules import Color, Move, Variant, move_name, parse_moves
from tengen.study.forced import ForcedPlay

NODES: int = _core.PUZZLE_NODES
"""Solver nodes per question within which a solution is proved."""
SETTLING_NODES = 200_000
"""The same for the proof that no other move wins by threats."""


class Kind(enum.StrEnum):
    VCF = "vcf"
    """Win by fours."""
    VCT = "vct"
    """Win by threes and fours; fours alone do not win."""
    DEFENCE = "defence"
    """Find the only move that does not lose to fours."""
    FORBIDDEN = "forbidden"
    """Renju: White wins by fours because Black may not answer."""

    @property
    def number(self) -> int:
        """As the core counts them."""
        return _NUMBERS[self]


_NUMBERS = {Kind(name): number for number, name in enumerate(_core.kind_names())}


@dataclass(frozen=True, slots=True)
class Puzzle:
    id: str
    variant: Variant
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    turn: Color
    kind: Kind
    solutions: tuple[Move, ...]
    """Every first move that reaches the goal."""
    line: tuple[Move, ...]
    """How it goes on: the winning line, or what the opponent had threatened."""
    rating: int
    themes: tuple[str, ...] = ()

    def board(self) -> Board:
        return Board.from_stones(self.black, self.white, self.turn, self.variant)

    @property
    def mode(self) -> Mode:
        return Mode.VCT if self.kind is Kind.VCT else Mode.VCF

    def to_json(self) -> str:
        def text(moves: Iterable[Move]) -> str:
            return "".join(move_name(m, self.variant.width, self.variant.height) for m in moves)

        data = {
            "id": self.id, "variant": str(self.variant), "black": text(self.black), "white": text(self.white),
            "turn": self.turn.name.lower(), "kind": self.kind, "solutions": text(self.solutions),
            "line": text(self.line), "rating": self.rating, "themes": " ".join(self.themes),
        }  # fmt: skip
        return json.dumps(data, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Puzzle:
        """Raises TengenError for what is no puzzle. The claims are not proved here: see `check_puzzle`."""
        try:
            return _puzzle(json.loads(line))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise TengenError(f"not a puzzle: {error}") from None


def _puzzle(data: dict[str, Any]) -> Puzzle:
    variant = _variant(data["variant"])
    black, white, solutions, line = (_cells(data[key], variant) for key in ("black", "white", "solutions", "line"))
    puzzle = Puzzle(
        str(data["id"]), variant, black, white, Color[str(data["turn"]).upper()], Kind(data["kind"]), solutions, line,
        int(data["rating"]), tuple(str(data.get("themes", "")).split()),
    )  # fmt: skip
    board = puzzle.board()
    if not solutions or not all(board.is_legal(move) for move in solutions):
        raise TengenError("its solutions are not legal moves")
    return puzzle


_variant = cache(Variant.parse)
_CELL = re.compile(r"[a-z]\d+")


@cache
def _cell_names(variant: Variant) -> dict[str, Move]:
    return {move_name(move, variant.width, variant.height): move for move in range(variant.cells)}


def _cells(text: str, variant: Variant) -> tuple[Move, ...]:
    """As `parse_moves`, which names what is wrong, but fast: all puzzles are read before the first one is shown."""
    names, parts = _cell_names(variant), _CELL.findall(text)
    if "".join(parts) == text and all(part in names for part in parts):
        return tuple(names[part] for part in parts)
    return tuple(parse_moves(text, variant.width, variant.height))


def position_id(board: Board, kind: Kind) -> str:
    """The same for positions that are the same up to symmetry."""
    cells = [0 if stone is None else 1 + stone for stone in map(board.at, range(board.cells))]
    images = (bytes(cells[m] for m in image) for image in symmetries(board.width, board.height))
    return hashlib.sha256(f"{board.variant} {board.turn} {kind} ".encode() + min(images)).hexdigest()[:10]


# Files.


def read_puzzles(path: Path) -> Iterator[Puzzle]:
    """The puzzles of a file; a line that is none raises TengenError with its number."""
    for number, line in enumerate(_text_of(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield Puzzle.from_json(line)
        except TengenError as error:
            raise TengenError(f"{path}, line {number}: {error}") from None


def bundled_puzzles() -> list[Puzzle]:
    with resources.as_file(resources.files("tengen.study") / "data" / "puzzles.jsonl.gz") as path:
        return list(read_puzzles(path))


def puzzle_text(puzzles: Iterable[Puzzle]) -> str:
    return "".join(puzzle.to_json() + "\n" for puzzle in puzzles)


def packed(puzzles: Iterable[Puzzle]) -> bytes:
    """The bytes of a compressed file, the same for the same puzzles."""
    return gzip.compress(puzzle_text(puzzles).encode(), mtime=0)


def _text_of(path: Path) -> str:
    data = path.read_bytes()
    try:
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise TengenError(f"{path} is not a puzzle file: {error}") from None


# Proof.


def check_puzzle(puzzle: Puzzle, forced: ForcedPlay) -> None:
    """Raises TengenError when a claim of the puzzle is wrong."""
    found = solutions_of(puzzle.board(), puzzle.kind, forced)
    if set(found) != set(puzzle.solutions):
        names = " ".join(puzzle.board().name(m) for m in found) or "none"
        raise TengenError(f"puzzle {puzzle.id}: the moves that solve it are {names}")


def solutions_of(board: Board, kind: Kind, forced: ForcedPlay) -> list[Move]:
    """Every move that reaches the goal of this kind of puzzle; empty when the position is no such puzzle."""
    return forced.core.solutions(board.core, kind.number)


def open_moves(board: Board, forced: ForcedPlay) -> Iterator[Move]:
    """First moves of which it is not settled whether they win by threats. What ships has none."""
    return (move for move in board.legal_moves() if forced.settled(board, move, Mode.VCT) is None)
