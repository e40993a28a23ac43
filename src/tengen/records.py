"""Game records: the arena's only truth. One JSON object a line, append-only."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tengen.board import Board
from tengen.rules import Color, Move, Rule, Termination


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game. `winner` is "black", "white" or None for a draw.

    `opening` counts the moves that were given, not chosen; `pair` names the opening pair a game belongs to, so that
    two games with the same pair are one opening with colours swapped.
    """

    black: str
    """Player spec that had the first stone."""
    white: str
    width: int
    height: int
    k: int
    rule: Rule
    moves: tuple[Move, ...]
    winner: str | None
    termination: Termination
    opening: int = 0
    pair: str = ""
    seconds: tuple[float, ...] = ()
    """Thinking time of each chosen move, in order."""
    values: tuple[float | None, ...] = ()
    """What the player thought of its own position at each chosen move."""
    seed: int = 0
    detail: str = ""
    """What happened, when it was not an ordinary end: the engine's last words, the illegal move."""
    tags: dict[str, str] = field(default_factory=dict)

    def board(self, ply: int | None = None) -> Board:
        """The position after `ply` moves, or at the end."""
        return Board(self.width, self.height, self.k, self.rule, self.moves[:ply])

    def score(self, player: Color) -> float:
        """1 for a win, 0.5 for a draw, 0 for a loss."""
        return 0.5 if self.winner is None else float(self.winner == player.name.lower())

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> GameRecord:
        """Raises ValueError, TypeError or KeyError for what cannot be a game."""
        data = json.loads(text)
        if not isinstance(data, dict):
            raise ValueError("it is no JSON object")
        data["rule"], data["termination"] = Rule(data["rule"]), Termination(data["termination"])
        for key in ("moves", "seconds", "values"):
            data[key] = tuple(data.get(key, ()))
        record = cls(**data)
        _check(record)
        return record


def _check(record: GameRecord) -> None:
    """What everyone who counts or draws a record relies on."""
    sizes = (record.width, record.height, record.k)
    if not all(type(size) is int and size > 0 for size in sizes):
        raise ValueError(f"width, height and k = {sizes} must be whole numbers above zero")
    if record.winner not in ("black", "white", None):
        raise ValueError(f'winner = {record.winner!r} must be "black", "white" or null')
    cells, moves = record.width * record.height, record.moves
    if not all(type(move) is int and 0 <= move < cells for move in moves):
        raise ValueError(f"a move is off the {record.width}x{record.height} board")
    if len(set(moves)) < len(moves):
        raise ValueError("a cell is played twice")
    if type(record.opening) is not int or not 0 <= record.opening <= len(moves):
        raise ValueError(f"opening = {record.opening!r} must count moves of the game")
    if not all(isinstance(text, str) for text in (record.black, record.white, record.pair)):
        raise ValueError("black, white and pair must be text")
    if not isinstance(record.tags, dict):
        raise ValueError("tags must be an object")
    if not all(isinstance(seconds, int | float) for seconds in record.seconds):
        raise ValueError("seconds must be numbers")


def append_record(path: Path, record: GameRecord) -> None:
    """Adds one line and makes sure it is on the disk before returning."""
    with path.open("a", encoding="utf-8") as file:
        file.write(record.to_json() + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_records(path: Path) -> Iterator[GameRecord]:
    """The games of a file. A truncated last line, left by a kill, is passed over; any other bad line raises."""
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield GameRecord.from_json(line.decode("utf-8"))
        except (ValueError, TypeError, KeyError) as error:
            if number == len(lines):
                return
            raise ValueError(f"{path}, line {number} is not a game record: {error}") from None
