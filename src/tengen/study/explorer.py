"""The opening explorer: how games went on from a position, up to symmetry, and what the book thinks of it."""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.errors import TengenError
from tengen.records import GameRecord
from tengen.rules import Move, Result, Variant
from tengen.study.book import Book, BookPosition
from tengen.study.library import Library, MoveStats
from tengen.study.openings import Opening, opening_of
from tengen.study.positions import from_standard, key_of, path_of

MATCH_MOVES = 16
"""How deep games of matches are counted."""
FEWEST = 2
"""A move that was played less often is not worth its place."""
TYPES = {"keys": np.int64, "moves": np.uint16, "black": np.uint16, "draws": np.uint16, "white": np.uint16}
COLUMNS = tuple(TYPES)


class Matches:
    """Moves of many games, counted: rows sorted by position."""

    def __init__(self, columns: dict[str, npt.NDArray[np.int64]], games: int) -> None:
        self.games = games
        self._keys, self._moves, self._black, self._draws, self._white = (columns[name] for name in COLUMNS)

    @property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """As the file holds them."""
        values = (self._keys, self._moves, self._black, self._draws, self._white)
        return {name: column.astype(TYPES[name]) for name, column in zip(COLUMNS, values, strict=True)}

    def moves_after(self, key: int) -> list[MoveStats]:
        low, high = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        columns = (self._moves, self._black, self._draws, self._white)
        return [MoveStats(*row) for row in zip(*(column[low:high].tolist() for column in columns), strict=True)]


def count_matches(records: Iterable[GameRecord], path: Path) -> int:
    """Writes the moves of all records. Returns the number of games."""
    counts: Counter[tuple[int, int, Result]] = Counter()
    games = 0
    for record in records:
        games += 1
        way = path_of(record.variant, record.moves[:MATCH_MOVES])
        steps = zip(way.keys.tolist(), way.moves.tolist(), strict=False)
        counts.update((key, move, record.result) for key, move in steps)
    games_of = Counter[tuple[int, int]]()
    for (key, move, _), number in counts.items():
        games_of[key, move] += number
    rows = sorted(row for row, number in games_of.items() if number >= FEWEST)
    sums = {result: [counts[key, move, result] for key, move in rows] for result in Result}
    results = (sums[Result.BLACK], sums[Result.DRAW], sums[Result.WHITE])
    values = ([key for key, _ in rows], [move for _, move in rows], *results)
    arrays = {name: np.array(column, TYPES[name]) for name, column in zip(COLUMNS, values, strict=True)}
    with path.open("wb") as file:
        np.savez_compressed(file, games=np.array(games), **arrays)  # type: ignore[arg-type]
    return games


def read_matches(path: Path) -> Matches:
    try:
        with np.load(path, allow_pickle=False) as data:
            return Matches({name: data[name].astype(np.int64) for name in COLUMNS}, int(data["games"]))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise TengenError(f"{path} holds no counts of matches: {error}") from None


@cache
def bundled_matches() -> Matches:
    with resources.as_file(resources.files("tengen.study") / "data" / "matches.npz") as path:
        return read_matches(path)


@dataclass(slots=True)
class ExploredMove:
    move: Move
    library: MoveStats | None = None
    matches: MoveStats | None = None
    book: BookPosition | None = None
    opening: Opening | None = None
    """The name of the position after it, where it has one."""


@dataclass(frozen=True, slots=True)
class Explored:
    opening: Opening | None
    book: BookPosition | None
    moves: list[ExploredMove]


class Explorer:
    def __init__(self, library: Library, matches: Matches, book: Book) -> None:
        self._library, self._matches, self._book = library, matches, book

    def look(self, variant: Variant, moves: Sequence[Move]) -> Explored:
        """`moves` lead to the position from the empty board. The most played moves come first, then the best."""
        key, here = key_of(variant, moves), tuple(moves)
        found: dict[Move, ExploredMove] = {}
        for name, source in (("library", self._library), ("matches", self._matches)):
            for stats in source.moves_after(key):
                setattr(found.setdefault(stats.move, ExploredMove(stats.move)), name, stats)
        for standard, position in self._book_moves(variant, here).items():
            found.setdefault(standard, ExploredMove(standard)).book = position
        for standard, row in found.items():
            row.move = from_standard(variant, here, [standard])[0]
            row.opening = opening_of(variant, (*here, row.move)) if len(here) == 2 else None
        sign = 1 if len(here) % 2 == 0 else -1
        known = self._book.look(here) if self._knows(variant) else None
        return Explored(opening_of(variant, here), known, sorted(found.values(), key=lambda row: _order(row, sign)))

    def _knows(self, variant: Variant) -> bool:
        return variant == self._book.variant

    def _book_moves(self, variant: Variant, moves: tuple[Move, ...]) -> dict[Move, BookPosition]:
        """By the move in standard orientation, so that moves that are the same up to symmetry count once."""
        if not self._knows(variant):
            return {}
        after = self._book.next(moves)
        return {int(path_of(variant, (*moves, cell)).moves[-1]): position for cell, position in after.items()}


def _order(row: ExploredMove, sign: int) -> tuple[float, float]:
    played = sum(s.black + s.draws + s.white for s in (row.library, row.matches) if s)
    return -played, -sign * row.book.value if row.book else 2.0
