"""The library: games kept, found again, and counted. One row per game; its first moves are indexed by position."""

from __future__ import annotations

import hashlib
import math
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tengen import _core
from tengen.errors import TengenError
from tengen.formats.tree import GameTree, add_line
from tengen.rules import Color, Move, Variant, move_name, parse_moves
from tengen.study.openings import opening_of
from tengen.study.positions import path_of
from tengen.study.store import Store

INDEXED_MOVES = 30
"""How deep a game is found by its positions."""
HUMAN = "human"
LEVEL = "level:"


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the library. Players are `human`, `level:NAME`, a player spec, or a name from a record."""

    variant: Variant
    moves: tuple[Move, ...]
    black: str
    white: str
    winner: str
    """black, white, draw, or empty for a game that is not over."""
    played: float
    """Seconds since 1970."""
    source: str
    id: str = ""
    setup: str = ""
    """Stones placed before the first move: `BLACK/WHITE/turn`, cells as h8i9."""
    ending: str = ""
    helped: bool = False
    """With take-backs, hints or teaching: it does not count for a rating."""
    tags: tuple[str, ...] = ()
    note: str = ""
    sgf: str = ""
    """The record it came from, where that holds more than the moves."""
    opening: str = ""
    """Code of a classical opening."""

    @property
    def print(self) -> str:
        """The same for games with the same moves on the same board."""
        text = f"{self.variant} {self.setup} {self.moves}"
        return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()

    def tree(self) -> GameTree:
        tree = GameTree(self.variant, self.black, self.white)
        if self.setup:
            black, white, turn = self.setup.split("/")
            tree.black_stones, tree.white_stones = (_cells(text, self.variant) for text in (black, white))
            tree.first = Color[turn.upper()]
        tree.result = {"black": "B+", "white": "W+", "draw": "0"}.get(self.winner, "")
        tree.root.extra["DT"] = [time.strftime("%Y-%m-%d", time.localtime(self.played))]
        add_line(tree, self.moves)
        return tree


def _cells(text: str, variant: Variant) -> tuple[Move, ...]:
    return tuple(parse_moves(text, variant.width, variant.height)) if text else ()


def cell_text(moves: Iterable[Move], variant: Variant) -> str:
    return "".join(move_name(move, variant.width, variant.height) for move in moves)


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for; empty fields fit everything."""

    player: str = ""
    result: str = ""
    """won, lost (by the person), draw, open, black or white."""
    opening: str = ""
    tag: str = ""
    source: str = ""
    since: float = 0.0
    until: float = math.inf


@dataclass(frozen=True, slots=True)
class Added:
    new: int = 0
    doubles: int = 0


@dataclass(slots=True)
class Score:
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    def __add__(self, other: Score) -> Score:
        return Score(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A person's rating on the scale of the levels, with its 95 % interval."""

    elo: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class MoveStats:
    """How games went on after one move of a position."""

    move: Move
    """In the standard orientation of the position."""
    black: int
    draws: int
    white: int


class Library:
    def __init__(self, store: Store) -> None:
        self._store = store

    # Keeping games

    def put(self, entry: Entry) -> None:
        """Keeps a game under its id, or what has changed of it. Tags and notes stay."""
        if not entry.id:
            raise TengenError("a game needs an id")
        with self._store.change() as db:
            old = db.execute("select print, helped from games where id = ?", (entry.id,)).fetchone()
            if old is None:
                _insert(db, [entry])
                return
            _update(db, replace(entry, helped=entry.helped or bool(old["helped"])))
            if old["print"] != entry.print:
                db.execute("delete from positions where game = ?", (entry.id,))
                _index(db, [entry])

    def add(self, entries: Iterable[Entry]) -> Added:
        """Keeps games from elsewhere in one transaction; what is there already, players and moves, is left out."""
        with self._store.change() as db:
            seen = {tuple(row) for row in db.execute("select print, black, white from games")}
            fresh, total = [], 0
            for entry in entries:
                total += 1
                mark = (entry.print, entry.black, entry.white)
                if mark not in seen:
                    seen.add(mark)
                    id = hashlib.blake2b(repr(mark).encode(), digest_size=12).hexdigest()
                    fresh.append(replace(entry, id=id))
            _insert(db, fresh)
        return Added(len(fresh), total - len(fresh))

    def annotate(self, id: str, tags: Iterable[str], note: str) -> None:
        words = " ".join(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
        with self._store.change() as db:
            if not db.execute("update games set tags = ?, note = ? where id = ?", (words, note, id)).rowcount:
                raise LookupError("there is no such game in the library")

    def remove(self, id: str) -> None:
        with self._store.change() as db:
            db.execute("delete from positions where game = ?", (id,))
            db.execute("delete from games where id = ?", (id,))

    # Finding games

    def get(self, id: str) -> Entry:
        with self._store.read() as db:
            row = db.execute("select * from games where id = ?", (id,)).fetchone()
        if row is None:
            raise LookupError("there is no such game in the library")
        return _entry(row)

    def has(self, entry: Entry) -> bool:
        """A game with the same moves and players is there."""
        with self._store.read() as db:
            query = "select 1 from games where print = ? and black = ? and white = ?"
            return db.execute(query, (entry.print, entry.black, entry.white)).fetchone() is not None

    def ids(self) -> set[str]:
        with self._store.read() as db:
            return {row[0] for row in db.execute("select id from games")}

    def count(self, search: Search = Search()) -> int:  # noqa: B008
        where, values = _where(search)
        with self._store.read() as db:
            return int(db.execute(f"select count(*) from games {where}", values).fetchone()[0])

    def find(self, search: Search = Search(), limit: int = 100, offset: int = 0) -> list[Entry]:  # noqa: B008
        """Newest first."""
        where, values = _where(search)
        query = f"select * from games {where} order by played desc, id limit ? offset ?"
        with self._store.read() as db:
            return [_entry(row) for row in db.execute(query, (*values, limit, offset))]

    def all(self) -> Iterator[Entry]:
        for offset in range(0, self.count(), 500):
            yield from self.find(limit=500, offset=offset)

    def moves_after(self, key: int) -> list[MoveStats]:
        query = """select move, sum(winner = 'black'), sum(winner = 'draw'), sum(winner = 'white')
                   from positions join games on games.id = game where key = ? and winner != '' group by move"""
        with self._store.read() as db:
            return [MoveStats(*map(int, row)) for row in db.execute(query, (key,))]

    # How a person fares

    def scores(self) -> dict[tuple[str, str], Score]:
        """The person's results by board and level, games with help left out."""
        query = """select variant, black, white, winner from games where not helped and setup = '' and winner != ''
                   and ((black = 'human' and white like 'level:%') or (white = 'human' and black like 'level:%'))"""
        found: dict[tuple[str, str], Score] = {}
        with self._store.read() as db:
            for variant, black, white, winner in db.execute(query):
                level, mine = (white, "black") if black == HUMAN else (black, "white")
                score = found.setdefault((variant, level.removeprefix(LEVEL)), Score())
                score.won += winner == mine
                score.drawn += winner == "draw"
                score.lost += winner not in (mine, "draw")
        return found


def estimate(scores: Mapping[float, Score]) -> Estimate | None:
    """The rating that explains results against opponents of known rating best; None for too few games."""
    rows = [(elo, score.won + score.drawn / 2, float(score.games)) for elo, score in scores.items()]
    found = _core.estimate_rating(rows)
    return Estimate(*found, sum(score.games for score in scores.values())) if found else None


# Rows.

_COLUMNS = (
    "id", "variant", "setup", "moves", "black", "white", "winner", "ending", "played", "source", "helped", "opening",
    "print", "tags", "note", "sgf",
)  # fmt: skip


def _insert(db: sqlite3.Connection, entries: list[Entry]) -> None:
    marks = ", ".join("?" * len(_COLUMNS))
    db.executemany(f"insert into games ({', '.join(_COLUMNS)}) values ({marks})", map(_row, entries))
    _index(db, entries)


def _update(db: sqlite3.Connection, entry: Entry) -> None:
    """Everything but what the person wrote about it."""
    row = dict(zip(_COLUMNS, _row(entry), strict=True))
    kept = [name for name in _COLUMNS if name not in ("id", "tags", "note")]
    values = [row[name] for name in kept]
    db.execute(f"update games set {', '.join(f'{name} = ?' for name in kept)} where id = ?", (*values, entry.id))


def _index(db: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    db.executemany("insert or ignore into positions values (?, ?, ?)", (row for e in entries for row in _positions(e)))


def _positions(entry: Entry) -> Iterator[tuple[int, int, str]]:
    if entry.setup or not entry.moves:
        return
    path = path_of(entry.variant, entry.moves[:INDEXED_MOVES])
    for key, move in zip(path.keys.tolist(), path.moves.tolist(), strict=False):
        yield key, move, entry.id


def _row(entry: Entry) -> tuple[str | float, ...]:
    opening = None if entry.setup else opening_of(entry.variant, entry.moves)
    return (entry.id, str(entry.variant), entry.setup, cell_text(entry.moves, entry.variant), entry.black, entry.white,
            entry.winner, entry.ending, entry.played, entry.source, int(entry.helped), opening.code if opening else "",
            entry.print, " ".join(entry.tags), entry.note, entry.sgf)  # fmt: skip


def _entry(row: sqlite3.Row) -> Entry:
    variant = Variant.parse(row["variant"])
    return Entry(variant, _cells(row["moves"], variant), row["black"], row["white"], row["winner"] or "", row["played"],
                 row["source"], row["id"], row["setup"], row["ending"], bool(row["helped"]),
                 tuple(row["tags"].split()), row["note"], row["sgf"], row["opening"])  # fmt: skip


_RESULTS = {
    "won": "((black = 'human' and winner = 'black') or (white = 'human' and winner = 'white'))",
    "lost": "((black = 'human' and winner = 'white') or (white = 'human' and winner = 'black'))",
    "draw": "winner = 'draw'",
    "open": "winner = ''",
    "black": "winner = 'black'",
    "white": "winner = 'white'",
}


def _where(search: Search) -> tuple[str, list[str | float]]:
    parts, values = ["played >= ?"], [search.since]
    found: list[str | float] = list(values)
    if search.until < math.inf:
        parts.append("played < ?")
        found.append(search.until)
    if search.player:
        parts.append("(instr(lower(black), ?) or instr(lower(white), ?))")
        found += [search.player.lower()] * 2
    if search.result:
        if search.result not in _RESULTS:
            raise TengenError(f"unknown result '{search.result}'; choose one of {', '.join(_RESULTS)}")
        parts.append(_RESULTS[search.result])
    for column, wanted in (("opening", search.opening), ("source", search.source)):
        if wanted:
            parts.append(f"{column} = ?")
            found.append(wanted)
    if search.tag:
        parts.append("instr(' ' || tags || ' ', ?)")
        found.append(f" {search.tag} ")
    return "where " + " and ".join(parts), found
