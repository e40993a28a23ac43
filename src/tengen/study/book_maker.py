"""Makes an opening book: the position that is nearest to best play from the openings is looked at next.

Each look is one line of a log, so that a killed run goes on where it stopped. A line holds the position's moves, its
value, and the moves worth a try with their values; the log is packed into a book at any time.
"""

from __future__ import annotations

import heapq
import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import append_line
from tengen.players.base import Analysis
from tengen.rules import Color, Limit, Move, Variant, move_name, parse_moves
from tengen.study.book import NO_MOVE, SCALE, write_book
from tengen.study.positions import key_of, path_of
from tengen.study.proofs import Effort, Prover

WIDTH = 6
"""Moves of a position that enter the book, at most."""
MARGIN = 0.3
"""A move that is worse than the best by more does not."""
STEP = 0.04
"""What a ply costs: short lines come before long ones."""
DECIDED = 0.9
"""A position beyond this value is not looked at further."""
PROOF = Effort(3_000, 3_000)


class Searcher(Protocol):
    def analyse(self, board: Board, limit: Limit, moves: int = ...) -> Iterator[Analysis]: ...


@dataclass(slots=True)
class Looked:
    """What was found of a position; values are for the side to move."""

    moves: tuple[Move, ...]
    value: float
    winner: Color | None
    tries: list[tuple[Move, float]]
    cost: float = 0.0
    """How far from best play it lies."""

    def to_json(self, variant: Variant) -> str:
        def name(moves: Iterable[Move]) -> str:
            return "".join(move_name(m, variant.width, variant.height) for m in moves)

        tries = [[name([move]), round(value, 4)] for move, value in self.tries]
        winner = None if self.winner is None else self.winner.name.lower()
        data = {"moves": name(self.moves), "value": round(self.value, 4), "winner": winner, "tries": tries}
        return json.dumps(data | {"cost": round(self.cost, 4)}, separators=(",", ":"))


def read_looked(line: str, variant: Variant) -> Looked:
    try:
        data: dict[str, Any] = json.loads(line)
        moves = tuple(parse_moves(data["moves"], variant.width, variant.height)) if data["moves"] else ()
        tries = [(parse_moves(m, variant.width, variant.height)[0], float(value)) for m, value in data["tries"]]
        winner = None if data["winner"] is None else Color[data["winner"].upper()]
        return Looked(moves, float(data["value"]), winner, tries, float(data["cost"]))
    except (KeyError, TypeError, ValueError) as error:
        raise TengenError(f"not a line of a book's log: {error}") from None


def is_looked(line: str, variant: Variant) -> bool:
    """The line can be read, and its moves be played."""
    try:
        return bool(Board(variant, read_looked(line, variant).moves))
    except TengenError:
        return False


@dataclass(slots=True)
class BookMaker:
    variant: Variant
    searcher: Searcher
    nodes: int
    looked: dict[int, Looked] = field(default_factory=dict)
    _open: list[tuple[float, int, tuple[Move, ...]]] = field(default_factory=list)
    _known: set[int] = field(default_factory=set)
    _prover: Prover = field(default_factory=Prover)

    def start(self, openings: Iterable[tuple[Move, ...]]) -> None:
        for opening in openings:
            self._offer(0.0, opening)

    def __len__(self) -> int:
        """Positions with a value."""
        return len(self._known)

    def expand(self) -> Looked | None:
        """Looks at the next position; None when nothing is left."""
        while self._open:
            cost, key, moves = heapq.heappop(self._open)
            if key not in self.looked:
                found = self._look(moves)
                found.cost = cost
                self.add(found)
                return found
        return None

    def add(self, found: Looked) -> None:
        self.looked[key_of(self.variant, found.moves)] = found
        if found.winner is not None or not found.tries or abs(found.value) > DECIDED:
            return
        best = max(value for _, value in found.tries)
        for move, value in found.tries:
            self._offer(found.cost + STEP + (best - value), (*found.moves, move))

    def resume(self, lines: Iterable[str]) -> None:
        """Takes up a log."""
        for line in lines:
            found = read_looked(line, self.variant)
            self._known.add(key_of(self.variant, found.moves))
            self.add(found)

    def _offer(self, cost: float, moves: tuple[Move, ...]) -> None:
        key = key_of(self.variant, moves)
        self._known.add(key)
        if key not in self.looked:
            heapq.heappush(self._open, (cost, key, moves))

    def _look(self, moves: tuple[Move, ...]) -> Looked:
        board = Board(self.variant, moves)
        proof = self._prover.win(board, PROOF)
        if proof:
            return Looked(moves, 1.0, proof.winner, [(proof.line[0], 1.0)])
        last = deque(self.searcher.analyse(board, Limit(nodes=self.nodes), WIDTH), maxlen=1)[0]
        tries = _distinct(self.variant, moves, [(c.move, c.value) for c in last.candidates])
        best = tries[0][1]
        return Looked(moves, best, None, [(move, value) for move, value in tries if value >= best - MARGIN])


def _distinct(variant: Variant, moves: tuple[Move, ...], tries: list[tuple[Move, float]]) -> list[tuple[Move, float]]:
    """Moves that lead to the same position up to symmetry count once."""
    first: dict[int, tuple[Move, float]] = {}
    for move, value in tries:
        first.setdefault(key_of(variant, (*moves, move)), (move, value))
    return list(first.values())


def make_book(maker: BookMaker, log: Path, positions: int) -> Iterator[int]:
    """Looks and logs until the book knows so many positions; yields how many it knows."""
    while len(maker) < positions and (found := maker.expand()):
        append_line(log, found.to_json(maker.variant))
        yield len(maker)


def pack(maker: BookMaker, path: Path) -> int:
    """Writes the book with values backed up from the last positions to the first. Returns the number of positions."""
    values, winners, best = _backed_up(maker)
    keys = np.array(sorted(values), dtype=np.int64)
    columns = {
        "keys": keys,
        "values": np.array([round(SCALE * values[int(k)]) for k in keys]),
        "best": np.array([best.get(int(k), NO_MOVE) for k in keys]),
        "winners": np.array([-1 if winners[int(k)] is None else int(winners[int(k)] or 0) for k in keys]),
    }
    write_book(path, maker.variant, columns)
    return len(keys)


def _backed_up(maker: BookMaker) -> tuple[dict[int, float], dict[int, Color | None], dict[int, Move]]:
    """Values for black, proven winners, and the best move in the position's standard orientation."""
    values: dict[int, float] = {}
    winners: dict[int, Color | None] = {}
    best: dict[int, Move] = {}
    for found in sorted(maker.looked.values(), key=lambda found: -len(found.moves)):
        key, side = key_of(maker.variant, found.moves), Color(len(found.moves) % 2)
        sign = 1 if side == Color.BLACK else -1
        after = [(move, value, key_of(maker.variant, (*found.moves, move))) for move, value in found.tries]
        for _, value, child in after:
            values.setdefault(child, sign * value)
            winners.setdefault(child, found.winner)
        choice = max(after, key=lambda row: sign * values[row[2]], default=None)
        won = next((c for c in after if winners[c[2]] == side), None)
        winners[key] = found.winner if found.winner is not None else side if won else None
        values[key] = _value(winners[key], sign * found.value if choice is None else values[choice[2]])
        if choice is not None:
            move = (won or choice)[0]
            best[key] = int(path_of(maker.variant, (*found.moves, move)).moves[-1])
    return values, winners, best


def _value(winner: Color | None, value: float) -> float:
    return value if winner is None else 1.0 if winner == Color.BLACK else -1.0
