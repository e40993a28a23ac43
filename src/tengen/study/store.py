"""The database of the study room: one SQLite file in the state folder, safe against being killed at any instant."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NAME = "study.sqlite"
TABLES = """
create table games (
  id text primary key, variant text not null, setup text not null default '', moves text not null,
  black text not null, white text not null, winner text, ending text not null default '',
  played real not null, source text not null, helped integer not null default 0,
  opening text not null default '', print text not null, tags text not null default '', note text not null default '',
  sgf text not null default '');
create unique index games_print on games (print, black, white, source);
create index games_played on games (played);
create table positions (key integer, move integer, game text, primary key (key, move, game)) without rowid;
create index positions_game on positions (game);
create table puzzles (id text primary key, data text not null, source text not null, added real not null);
create table attempts (
  number integer primary key, puzzle text not null, at real not null, solved integer not null, hints integer not null,
  rating real not null, deviation real not null, volatility real not null);
create index attempts_puzzle on attempts (puzzle);
create table reviews (puzzle text primary key, step integer not null, due real not null);
create table lessons (id text primary key, at real not null);
"""
DUPLICATES_BY_HAND = """
drop index games_print;
create index games_print on games (print)
"""
MIGRATIONS = (TABLES, DUPLICATES_BY_HAND)
"""What brings a file from one version to the next; a new one starts at the first."""


class Store:
    """One connection, used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.set_aside: Path | None = None
        """Where a damaged file was moved to when this one was opened."""
        self._lock = threading.RLock()
        try:
            self._connection = _opened(path)
        except sqlite3.DatabaseError:
            self.set_aside = _moved_aside(path)
            self._connection = _opened(path)

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it or nothing, on the disk when the block ends."""
        with self._lock:
            self._connection.execute("begin immediate")
            try:
                yield self._connection
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.commit()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._connection

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=20)
    try:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.row_factory = sqlite3.Row
        if connection.execute("pragma quick_check(1)").fetchone()[0] != "ok":
            raise sqlite3.DatabaseError("damaged")
        _bring_up_to_date(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    connection.execute("begin immediate")
    version = connection.execute("pragma user_version").fetchone()[0]
    for statement in ";".join(MIGRATIONS[version:]).split(";"):
        connection.execute(statement)
    connection.execute(f"pragma user_version = {max(version, len(MIGRATIONS))}")
    connection.execute("commit")


def _moved_aside(path: Path) -> Path:
    """Nothing is deleted: the damaged file and its companions get a name of their own."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    for ending in ("", "-wal", "-shm"):
        companion = path.with_name(path.name + ending)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + ending))
    return aside
