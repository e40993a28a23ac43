"""An opening book: positions up to symmetry with a value, the best move and, where it is known, the proven winner.

`Book` reads the compact file that ships; study/book_maker.py makes it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.errors import TengenError
from tengen.rules import Color, Move, Variant
from tengen.study.positions import from_standard, key_of, next_keys

NO_MOVE = 65_535
SCALE = 10_000
TYPES = {"keys": np.int64, "values": np.int16, "best": np.uint16, "winners": np.int8}
COLUMNS = tuple(TYPES)


@dataclass(frozen=True, slots=True)
class BookPosition:
    value: float
    """For black, from -1 to 1, backed up from the positions that follow."""
    best: Move | None
    winner: Color | None
    """Proven."""


class Book:
    """Arrays sorted by key: found by bisection, a few bytes per position."""

    def __init__(self, variant: Variant, columns: dict[str, npt.NDArray[np.int64]]) -> None:
        self.variant = variant
        self._keys, self._values, self._best, self._winners = (columns[name] for name in COLUMNS)
        if not len(self._keys) == len(self._values) == len(self._best) == len(self._winners):
            raise TengenError("the columns of the book differ in length")
        if np.any(self._keys[1:] <= self._keys[:-1]):
            raise TengenError("the positions of the book are not in order")

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """As the file holds them."""
        values = (self._keys, self._values, self._best, self._winners)
        return {name: column.astype(TYPES[name]) for name, column in zip(COLUMNS, values, strict=True)}

    def look(self, moves: Sequence[Move]) -> BookPosition | None:
        """The position that `moves` lead to from the empty board; None when the book does not know it."""
        row = self._row(key_of(self.variant, moves))
        return None if row is None else self._position(row, moves)

    def next(self, moves: Sequence[Move]) -> dict[Move, BookPosition]:
        """Every cell that leads to a position of the book, with that position."""
        keys = next_keys(self.variant, moves)
        rows = np.searchsorted(self._keys, keys).clip(max=len(self._keys) - 1)
        taken = set(moves)
        cells = (int(cell) for cell in np.flatnonzero(self._keys[rows] == keys))
        return {cell: self._position(int(rows[cell]), (*moves, cell)) for cell in cells if cell not in taken}

    def _row(self, key: int) -> int | None:
        row = int(np.searchsorted(self._keys, key))
        return row if row < len(self._keys) and self._keys[row] == key else None

    def _position(self, row: int, moves: Sequence[Move]) -> BookPosition:
        best, winner = int(self._best[row]), int(self._winners[row])
        move = None if best == NO_MOVE else from_standard(self.variant, moves, [best])[0]
        return BookPosition(int(self._values[row]) / SCALE, move, None if winner < 0 else Color(winner))


def read_book(path: Path) -> Book:
    """Raises TengenError for what is no book."""
    try:
        with np.load(path, allow_pickle=False) as data:
            columns = {name: data[name].astype(np.int64) for name in COLUMNS}
            return Book(Variant.parse(str(data["variant"])), columns)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise TengenError(f"{path} is not an opening book: {error}") from None


def write_book(path: Path, variant: Variant, columns: dict[str, npt.NDArray[np.int64]]) -> None:
    order = np.argsort(columns["keys"])
    arrays = {name: columns[name][order].astype(TYPES[name]) for name in COLUMNS}
    with path.open("wb") as file:
        np.savez_compressed(file, variant=np.array(str(variant)), **arrays)  # type: ignore[arg-type]


@cache
def bundled_book() -> Book:
    """For 15x15 freestyle."""
    with resources.as_file(resources.files("tengen.study") / "data" / "book.npz") as path:
        return read_book(path)
