"""Files of the engine's games: positions with values, best moves and results. docs/data.md describes the file."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tengen.errors import TengenError
from tengen.rules import Move, Rule, Variant

MAGIC, BLOCK = b"TGDATA1\n", b"BLK1"
RULES = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU, Rule.CARO)
VALUE_UNIT, VALUE_LIMIT, PROVEN = 1000, 30_000, 32_767
_HEADER, _BLOCK, _GAME = struct.Struct("<8s4BI16s"), struct.Struct("<4s4I"), struct.Struct("<HBB")
_PLY = np.dtype([("move", "<u2"), ("best", "<u2"), ("value", "<i2")])


@dataclass(frozen=True, slots=True)
class DataHeader:
    variant: Variant
    nodes: int
    engine: str


@dataclass(frozen=True, slots=True)
class DataGame:
    """`plies` has one row for each move after the opening: the move played, the best one found, the search's value
    for the side to move (see docs/data.md). `winner` is 0 for black, 1 for white, None for a draw."""

    opening: tuple[Move, ...]
    plies: np.ndarray
    winner: int | None

    @property
    def moves(self) -> list[Move]:
        return [*self.opening, *map(int, self.plies["move"])]

    def values(self) -> np.ndarray:
        """[plies] the search's values as expected results in [-1, 1]; only a proven end reaches 1."""
        value = self.plies["value"].astype(np.float64)
        return np.where(np.abs(value) > VALUE_LIMIT, np.sign(value), np.tanh(value / (2 * VALUE_UNIT)))


def read_header(path: Path) -> DataHeader:
    with path.open("rb") as file:
        return _parse_header(file.read(_HEADER.size), path)


def _parse_header(data: bytes, path: Path) -> DataHeader:
    if len(data) < _HEADER.size or not data.startswith(MAGIC):
        raise TengenError(f"{path} is not a data file: it does not begin with {MAGIC.decode().strip()}")
    _, width, height, k, rule, nodes, engine = _HEADER.unpack(data)
    if rule >= len(RULES):
        raise TengenError(f"{path} is damaged: its header names an unknown rule")
    return DataHeader(Variant(width, height, k, RULES[rule]), nodes, engine.rstrip(b"\0").decode())


def read_games(path: Path) -> Iterator[DataGame]:
    """All games of a file, block by block. A damaged block ends it with an error that says how many were whole."""
    with path.open("rb") as file:
        _parse_header(file.read(_HEADER.size), path)
        blocks = 0
        while head := file.read(_BLOCK.size):
            payload = _checked_block(head, file.read, path, blocks)
            yield from _games(payload)
            blocks += 1


def _checked_block(head: bytes, read: Callable[[int], bytes], path: Path, blocks: int) -> bytes:
    fault = TengenError(f"{path} is damaged after {blocks} whole blocks; `tengen data` mends it when it goes on")
    if len(head) < _BLOCK.size or not head.startswith(BLOCK):
        raise fault
    _, _, _, size, check = _BLOCK.unpack(head)
    payload = read(size)
    if len(payload) < size or zlib.crc32(payload) != check:
        raise fault
    return payload


def _games(payload: bytes) -> Iterator[DataGame]:
    at = 0
    while at < len(payload):
        moves, opening, winner = _GAME.unpack_from(payload, at)
        at += _GAME.size
        stones = np.frombuffer(payload, "<u2", opening, at)
        at += stones.nbytes
        plies = np.frombuffer(payload, _PLY, moves - opening, at)
        at += plies.nbytes
        yield DataGame(tuple(map(int, stones)), plies, winner - 1 if winner else None)
