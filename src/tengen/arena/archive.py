"""Record files of running tournaments, for readers that look again and again: nothing is read or computed twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from tengen.arena.collection import checked
from tengen.arena.ratings import RatingTable, rate
from tengen.arena.score import Score
from tengen.arena.tournament import cross_table, standings
from tengen.errors import TengenError
from tengen.records import GameRecord, parse_records

TAIL = 64
"""Bytes before the point read up to: if they differ, the file was replaced and is read from the start."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Tells whether a file changed: size and time of the last change."""

    size: int
    modified_ns: int

    @classmethod
    def of(cls, path: Path) -> Stamp:
        """Size 0 for a file that does not exist."""
        try:
            about = path.stat()
        except FileNotFoundError:
            return cls(0, 0)
        return cls(about.st_size, about.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class TournamentState:
    """What the games so far amount to."""

    records: tuple[GameRecord, ...]
    standings: list[tuple[str, float, int]]
    """Player, points and games, best score first."""
    cross: dict[tuple[str, str], Score]
    ratings: RatingTable | None
    """None until a chain of games connects all players."""


@dataclass(slots=True)
class _Entry:
    stamp: Stamp = field(default_factory=lambda: Stamp(0, 0))
    records: list[GameRecord] = field(default_factory=list)
    end: int = 0
    """Byte after the last whole line read."""
    tail: bytes = b""
    state: TournamentState | None = None


class RecordCache:
    """Plain record files (`games.jsonl`) by path. Lines added since the last look are parsed, the rest is remembered.

    Keeps the `files` used last. Safe to call from several threads.
    """

    def __init__(self, files: int = 16) -> None:
        self._files, self._entries = files, OrderedDict[Path, _Entry]()
        self._counts: dict[Path, tuple[Stamp, int]] = {}
        self._lock = threading.Lock()

    def count(self, path: Path) -> int:
        """How many games a file holds, without parsing them."""
        stamp = Stamp.of(path)
        with self._lock:
            known, count = self._counts.get(path, (None, 0))
            if known != stamp:
                count = path.read_bytes().count(b"\n") if stamp.size else 0
                self._counts[path] = stamp, count
            return count

    def records(self, path: Path) -> tuple[GameRecord, ...]:
        """The games of a file; none if it does not exist yet. A last line still being written is left out."""
        with self._lock:
            return tuple(self._entry(path).records)

    def state(self, path: Path) -> TournamentState:
        with self._lock:
            entry = self._entry(path)
            if entry.state is None:
                entry.state = tournament_state(entry.records)
            return entry.state

    def _entry(self, path: Path) -> _Entry:
        entry = self._entries.pop(path, None) or _Entry()
        stamp = Stamp.of(path)
        if stamp != entry.stamp:
            entry = _grown(path, entry)
            entry.stamp = stamp
        self._entries[path] = entry
        while len(self._entries) > self._files:
            self._entries.popitem(last=False)
        return entry


def _grown(path: Path, entry: _Entry) -> _Entry:
    """The entry with what the file holds now; read from the start if it is not the old file with more lines."""
    if not path.is_file():
        return _Entry()
    with path.open("rb") as file:
        file.seek(max(0, entry.end - TAIL))
        if file.read(len(entry.tail)) != entry.tail:
            entry = _Entry()
        file.seek(entry.end)
        added = file.read()
    whole = added[: added.rfind(b"\n") + 1]
    records = entry.records + list(parse_records(whole, path, len(entry.records) + 1))
    tail = (entry.tail + whole)[-TAIL:]
    return _Entry(records=records, end=entry.end + len(whole), tail=tail)


def tournament_state(records: list[GameRecord]) -> TournamentState:
    players = sorted({name for record in records for name in (record.black, record.white)})
    return TournamentState(
        tuple(records), standings(records, players), cross_table(records, players), _ratings(records)
    )


def _ratings(records: list[GameRecord]) -> RatingTable | None:
    if not records:
        return None
    try:
        return rate(checked(records).records)
    except TengenError:
        return None
