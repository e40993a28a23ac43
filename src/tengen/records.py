"""Game records: the arena's only truth. One JSON object per line, append-only; `.jsonl.gz` is read as it is."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import append_line, parse_json
from tengen.rules import Color, Move, Result, Termination, Variant


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game.

    `opening` counts the moves that were given, not chosen; `pair` names the opening pair a game belongs to, so that
    two games with the same pair are one opening with colours swapped.
    """

    black: str
    """Player spec that had the first stone."""
    white: str
    variant: Variant
    moves: tuple[Move, ...]
    result: Result
    termination: Termination
    opening: int = 0
    pair: str = ""
    seconds: tuple[float, ...] = ()
    """Thinking time of each chosen move, in order."""
    values: tuple[float | None, ...] = ()
    """What the player thought of its own position at each chosen move."""
    seed: int = 0
    detail: str = ""
    """What happened if the game did not end normally: the engine's last output, the illegal move."""
    tags: dict[str, str] = field(default_factory=dict)

    def board(self, ply: int | None = None) -> Board:
        """The position after `ply` moves, or at the end."""
        return Board(self.variant, self.moves[:ply])

    @property
    def winner(self) -> str | None:
        """`black`, `white` or None for a draw, as the line in a file says it."""
        return None if self.result is Result.DRAW else str(self.result)

    def score(self, player: Color) -> float:
        """1 for a win, 0.5 for a draw, 0 for a loss."""
        return self.result.score(player)

    def to_json(self) -> str:
        """One line. The variant is spelled out, and `winner` is null for a draw."""
        data = asdict(self)
        data = {key: data.pop(key) for key in ("black", "white")} | data.pop("variant") | data
        del data["result"]
        data["winner"] = self.winner
        return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> GameRecord:
        """Raises TengenError, ValueError, TypeError or KeyError for what cannot be a game."""
        data = parse_json(text)
        if not isinstance(data, dict):
            raise TengenError("it is not a JSON object")
        data["variant"] = _variant(data)
        data["result"] = _result(data.pop("winner"))
        data["termination"] = Termination(data["termination"])
        for key in ("moves", "seconds", "values"):
            data[key] = tuple(data.get(key, ()))
        record = cls(**data)
        _check(record)
        return record


def _variant(data: dict[str, Any]) -> Variant:
    sizes = tuple(data.pop(key) for key in ("width", "height", "k"))
    if not all(type(size) is int and size > 0 for size in sizes):
        raise TengenError(f"width, height and k = {sizes} must be whole numbers above zero")
    width, height, k = sizes
    return Variant(width, height, k, data.pop("rule"))


def _result(winner: Any) -> Result:
    if winner not in ("black", "white", None):
        raise TengenError(f'winner = {winner!r} must be "black", "white" or null')
    return Result.DRAW if winner is None else Result(winner)


def _check(record: GameRecord) -> None:
    """What every reader of records relies on."""
    cells, moves = record.variant.cells, record.moves
    if not all(type(move) is int and 0 <= move < cells for move in moves):
        raise TengenError(f"a move is off the {record.variant.size} board")
    if len(set(moves)) < len(moves):
        raise TengenError("a cell is played twice")
    if type(record.opening) is not int or not 0 <= record.opening <= len(moves):
        raise TengenError(f"opening = {record.opening!r} must be a number of moves of the game")
    if not all(isinstance(text, str) for text in (record.black, record.white, record.pair, record.detail)):
        raise TengenError("black, white, pair and detail must be text")
    if not isinstance(record.tags, dict) or not all(isinstance(tag, str) for tag in record.tags.values()):
        raise TengenError("tags must be an object of texts")
    if not all(isinstance(seconds, int | float) for seconds in record.seconds):
        raise TengenError("seconds must be numbers")
    if not all(value is None or isinstance(value, int | float) for value in record.values):
        raise TengenError("values must be numbers or null")


def append_record(path: Path, record: GameRecord) -> None:
    """Appends one line and returns once it is on disk."""
    append_line(path, record.to_json())


def record_bytes(path: Path) -> bytes:
    """What a record file holds, decompressed if its name ends in `.gz`."""
    data = path.read_bytes()
    if path.suffix != ".gz":
        return data
    try:
        return gzip.decompress(data)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise TengenError(f"{path} is not a complete gzip file: {error}") from None


def compressed(path: Path) -> Path:
    """Where the compressed copy of a record file would be: `games.jsonl.gz` beside `games.jsonl`."""
    return path.with_name(path.name + ".gz")


def read_records(path: Path) -> Iterator[GameRecord]:
    """The games of a file. A truncated last line, left by a kill, is skipped; any other bad line raises."""
    yield from parse_records(record_bytes(path), path)


def parse_records(data: bytes, path: Path, first: int = 1) -> Iterator[GameRecord]:
    """The games of the lines in `data`, which begin at line `first` of the file at `path`."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            yield GameRecord.from_json(line.decode("utf-8"))
        except (ValueError, TypeError, KeyError) as error:
            if number == first + len(lines) - 1:
                return
            raise TengenError(f"{path}, line {number} is not a game record: {error}") from None
