"""Positions up to symmetry, as one number: what the library, the matches and the book are looked up by."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from tengen.board import symmetries
from tengen.rules import Move, Variant

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Path:
    """The positions on the way of some moves from the empty board, and each move as seen in its position's standard
    orientation.
    """

    keys: Keys
    """[moves + 1]"""
    moves: Keys
    """[moves]"""


@cache
def _images(width: int, height: int) -> npt.NDArray[np.int64]:
    return np.array(symmetries(width, height), dtype=np.int64)  # [symmetries, cells]


def cell_numbers(variant: Variant) -> npt.NDArray[np.int64]:
    """One number per colour and cell, the same on every machine: [2, cells]."""
    return np.array([[_number(f"{variant} {color} {cell}") for cell in range(variant.cells)] for color in range(2)])


@cache
def _numbers(variant: Variant) -> npt.NDArray[np.int64]:
    """One number per symmetry, colour and cell."""
    one = cell_numbers(variant)
    return np.stack([one[:, image] for image in _images(variant.width, variant.height)])  # [symmetries, 2, cells]


def _number(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def _orientations(variant: Variant, moves: Sequence[Move]) -> Keys:
    """The key of every position on the way in every orientation: [moves + 1, symmetries]."""
    numbers = _numbers(variant)
    plies = np.arange(len(moves))
    steps = numbers[:, plies % 2, np.asarray(moves, dtype=np.int64)].T
    start = np.full((1, len(numbers)), _number(str(variant)), dtype=np.int64)
    return np.bitwise_xor.accumulate(np.concatenate([start, steps]), axis=0)


def path_of(variant: Variant, moves: Sequence[Move]) -> Path:
    """Black and white in turn from the empty board."""
    seen = _orientations(variant, moves)
    keys = seen.min(axis=1)
    images = _images(variant.width, variant.height)[:, np.asarray(moves, dtype=np.int64)].T  # [moves, symmetries]
    standard = seen[:-1] == keys[:-1, None]
    return Path(keys, np.where(standard, images, variant.cells).min(axis=1))


def key_of(variant: Variant, moves: Sequence[Move]) -> int:
    return int(_orientations(variant, moves)[-1].min())


def next_keys(variant: Variant, moves: Sequence[Move]) -> Keys:
    """The key after every cell would have been played: [cells]."""
    here = _orientations(variant, moves)[-1]
    after: Keys = (here[:, None] ^ _numbers(variant)[:, len(moves) % 2, :]).min(axis=0)
    return after


def from_standard(variant: Variant, moves: Sequence[Move], standard: Sequence[Move]) -> list[Move]:
    """Cells of the standard orientation as cells of the position that `moves` lead to."""
    here = _orientations(variant, moves)[-1]
    back = np.argsort(_images(variant.width, variant.height)[int(here.argmin())])
    return [int(back[cell]) for cell in standard]
