"""What a person has solved: attempts, rating, puzzles to repeat, own puzzles and finished lessons."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from tengen.errors import TengenError
from tengen.rules import Rule
from tengen.study.puzzles import Kind, Puzzle, bundled_puzzles
from tengen.study.rating import Rating, after_puzzle
from tengen.study.repetition import Review, after_attempt
from tengen.study.store import Store

NEAR = 40
"""The next puzzle is drawn from this many whose rating is nearest to the person's."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which puzzles to choose from."""

    kinds: frozenset[Kind] = frozenset(Kind)
    rule: Rule | None = None
    source: str = ""
    """"" for all, "own" for imported ones and one's own mistakes."""


@dataclass(frozen=True, slots=True)
class Standing:
    rating: Rating
    streak: int
    tried: int
    solved: int
    due: int
    curve: tuple[tuple[float, float], ...]
    """Times and ratings, oldest first."""


@cache
def bundled_by_id() -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in bundled_puzzles()}


class Progress:
    def __init__(self, store: Store) -> None:
        self._store = store
        with store.read() as db:
            self._own = {row["id"]: Puzzle.from_json(row["data"]) for row in db.execute("select * from puzzles")}

    def puzzle(self, id: str) -> Puzzle:
        """Raises LookupError when there is no such puzzle."""
        if (found := self._own.get(id) or bundled_by_id().get(id)) is None:
            raise LookupError("there is no such puzzle")
        return found

    def add(self, puzzles: Iterable[Puzzle], source: str, now: float) -> int:
        """Keeps puzzles that are new. Returns how many were."""
        fresh = {p.id: p for p in puzzles if p.id not in self._own and p.id not in bundled_by_id()}
        with self._store.change() as db:
            rows = ((p.id, p.to_json(), source, now) for p in fresh.values())
            db.executemany("insert or ignore into puzzles values (?, ?, ?, ?)", rows)
        self._own |= fresh
        return len(fresh)

    # What comes next

    def next(self, wish: Wish, now: float, avoid: str = "", choose: Callable[[int], int] = random.randrange) -> Puzzle:
        """One that is due, else a new one about as hard as the person is strong, else the one tried longest ago."""
        pool = {id: p for id, p in self._pool(wish).items() if id != avoid}
        if not pool:
            raise LookupError("no puzzle is left that fits")
        tried = self._last_tried()
        due = [id for id in self._due(now) if id in pool]
        if due:
            return pool[due[0]]
        level = self.rating().value
        new = sorted((p for p in pool.values() if p.id not in tried), key=lambda p: abs(p.rating - level))
        if new:
            return new[choose(min(NEAR, len(new)))]
        return min(pool.values(), key=lambda p: tried.get(p.id, 0.0))

    def _pool(self, wish: Wish) -> dict[str, Puzzle]:
        puzzles = self._own if wish.source == "own" else bundled_by_id() | self._own
        fits = (p for p in puzzles.values() if p.kind in wish.kinds and wish.rule in (None, p.variant.rule))
        return {p.id: p for p in fits}

    def _last_tried(self) -> dict[str, float]:
        with self._store.read() as db:
            return dict(map(tuple, db.execute("select puzzle, max(at) from attempts group by puzzle")))

    def _due(self, now: float) -> list[str]:
        """Puzzles to repeat; one that no longer ships cannot be."""
        with self._store.read() as db:
            rows = db.execute("select puzzle from reviews where due <= ? order by due", (now,)).fetchall()
        return [row[0] for row in rows if row[0] in self._own or row[0] in bundled_by_id()]

    # What was done

    def attempted(self, id: str, solved: bool, hints: int, now: float) -> Standing:
        """Counts the first try of a showing. One with a hint counts as failed for the rating."""
        puzzle, clean = self.puzzle(id), solved and not hints
        rating = after_puzzle(self.rating(), puzzle.rating, clean)
        review = after_attempt(self._review(id), clean, now)
        with self._store.change() as db:
            values = (id, now, int(solved), hints, rating.value, rating.deviation, rating.volatility)
            db.execute("insert into attempts values (null, ?, ?, ?, ?, ?, ?, ?)", values)
            db.execute("delete from reviews where puzzle = ?", (id,))
            if review:
                db.execute("insert into reviews values (?, ?, ?)", (id, review.step, review.due))
        return self.standing(now)

    def _review(self, id: str) -> Review | None:
        with self._store.read() as db:
            row = db.execute("select step, due from reviews where puzzle = ?", (id,)).fetchone()
        return Review(row["step"], row["due"]) if row else None

    def rating(self) -> Rating:
        with self._store.read() as db:
            row = db.execute("select * from attempts order by number desc limit 1").fetchone()
        return Rating(row["rating"], row["deviation"], row["volatility"]) if row else Rating()

    def standing(self, now: float) -> Standing:
        with self._store.read() as db:
            rows = db.execute("select at, solved, hints, rating from attempts order by number").fetchall()
        clean = [bool(row["solved"]) and not row["hints"] for row in rows]
        streak = next((i for i, good in enumerate(reversed(clean)) if not good), len(clean))
        curve = tuple((row["at"], round(row["rating"], 1)) for row in rows[-500:])
        return Standing(self.rating(), streak, len(rows), sum(clean), len(self._due(now)), curve)

    # Lessons

    def finished_lesson(self, id: str, now: float) -> None:
        with self._store.change() as db:
            db.execute("insert or replace into lessons values (?, ?)", (id, now))

    def finished_lessons(self) -> list[str]:
        with self._store.read() as db:
            return [row[0] for row in db.execute("select id from lessons order by at")]


def checked_lines(text: str, check: Callable[[Puzzle], None]) -> tuple[list[Puzzle], list[str]]:
    """The puzzles of a text that hold, and what is wrong with the other lines, each with its number."""
    good, bad = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            puzzle = Puzzle.from_json(line)
            check(puzzle)
            good.append(puzzle)
        except TengenError as error:
            bad.append(f"line {number}: {error}")
    return good, bad
