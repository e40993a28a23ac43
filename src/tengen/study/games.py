"""Games from files of any kind, for whoever studies them: records, SGF, psq, position text, engine data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from tengen.errors import TengenError
from tengen.formats import load_games
from tengen.records import read_records
from tengen.rules import Color
from tengen.study.mining import Source


def games_of(path: Path) -> Iterator[Source]:
    """The games of a file that start from the empty board, in order. The ending of its name says what it holds."""
    for ending, read in READERS.items():
        if path.name.endswith(ending):
            return read(path)
    raise TengenError(f"{path} is not a file of games; its name should end with {', '.join(READERS)}")


def _records(path: Path) -> Iterator[Source]:
    return (Source(record.variant, record.moves) for record in read_records(path))


def _trees(path: Path) -> Iterator[Source]:
    for tree in load_games(path):
        if not tree.black_stones and not tree.white_stones and tree.first == Color.BLACK:
            yield Source(tree.variant, tuple(tree.moves()))


def _engine_data(path: Path) -> Iterator[Source]:
    from tengen.lab.engine_data import read_games, read_header

    variant = read_header(path).variant
    for game in read_games(path):
        yield Source(variant, (*game.opening, *(int(move) for move in game.plies["move"])))


READERS: dict[str, Callable[[Path], Iterator[Source]]] = {
    ".jsonl": _records, ".jsonl.gz": _records, ".sgf": _trees, ".psq": _trees, ".pos": _trees, ".txt": _trees,
    ".bin": _engine_data,
}  # fmt: skip
