"""Makes puzzles out of games: the moments when a win, or the only defence, was there to be found.

What a position asks for, what solves it and how hard that is comes from the core (cpp/study/mining.h), for the page in
a browser too. Here is which positions of a game are looked at, and which of them are worth a puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tengen import _core
from tengen.board import Board
from tengen.players.solver import Mode
from tengen.rules import Color, Move, Variant
from tengen.study.difficulty import Panel
from tengen.study.forced import ForcedPlay
from tengen.study.puzzles import NODES, SETTLING_NODES, Kind, Puzzle, position_id, solutions_of

FEWEST_ATTACKS = {Kind.VCF: 2, Kind.VCT: 3, Kind.DEFENCE: 1, Kind.FORBIDDEN: 2}
"""A win that takes fewer attacking moves is no puzzle; a defence stops one of any length."""
FIRST_LOOK = 1_000
"""Solver nodes per question while a position is only looked over: most have too many solutions."""
MOST_SOLUTIONS = {Kind.VCF: 2, Kind.VCT: 3, Kind.DEFENCE: 1, Kind.FORBIDDEN: 2}
LAST_POSITIONS = 10
"""How far before the end of a game to look."""
_KINDS = tuple(map(Kind, _core.kind_names()))


@dataclass(frozen=True, slots=True)
class Source:
    """A game as a miner needs it."""

    variant: Variant
    moves: tuple[Move, ...]


class Miner:
    """Finds puzzles, each position up to symmetry once."""

    def __init__(self, nodes: int = NODES, seen: Iterable[str] = (), kinds: Iterable[Kind] = Kind) -> None:
        self._forced, self._glance = ForcedPlay(nodes), ForcedPlay(min(nodes, FIRST_LOOK))
        self._deep = ForcedPlay(max(nodes, SETTLING_NODES))
        self._panel = Panel()
        self._seen, self._kinds = set(seen), frozenset(kinds)

    def mine(self, game: Source) -> Iterator[Puzzle]:
        """The puzzles of a game, at most one of a kind."""
        found: set[Kind] = set()
        for ply in range(len(game.moves), max(7, len(game.moves) - LAST_POSITIONS) - 1, -1):
            board = Board(game.variant, game.moves[:ply])
            for puzzle in () if board.outcome() else self.puzzles_of(board):
                for one in (puzzle, *self._along(puzzle)):
                    if one.kind not in found:
                        found.add(one.kind)
                        yield one

    def _along(self, puzzle: Puzzle) -> Iterator[Puzzle]:
        """Where a win by threats has become a win by fours."""
        if puzzle.kind is not Kind.VCT:
            return
        board = puzzle.board()
        for move in puzzle.line:
            board.play(move)
            goal = None if board.outcome() or board.turn != puzzle.turn else self._goal(board, threats=False)
            if goal and goal[0] is not Kind.DEFENCE:
                yield from self._made(board, *goal)
                return

    def puzzles_of(self, board: Board) -> Iterator[Puzzle]:
        """The puzzle in a position, if it is one."""
        if goal := self._goal(board, Kind.VCT in self._kinds):
            yield from self._made(board, *goal)

    def puzzle_at(self, board: Board) -> Puzzle | None:
        """The puzzle in a position a person chose: short ones and ones with several solutions count too."""
        if not (goal := self._goal(board)):
            return None
        solutions = solutions_of(board, goal[0], self._forced)
        return self._puzzle(board, *goal, solutions, self._choices(board, goal[0])) if solutions else None

    def _goal(self, board: Board, threats: bool = True) -> tuple[Kind, tuple[Move, ...]] | None:
        """What there is to find, and how it goes on: a win first, else a defence."""
        found = self._forced.core.goal(board.core, threats)
        return (_KINDS[found[0]], tuple(found[1])) if found else None

    def _made(self, board: Board, kind: Kind, line: tuple[Move, ...]) -> Iterator[Puzzle]:
        id = position_id(board, kind)
        if id in self._seen or kind not in self._kinds or len(line) < 2 * FEWEST_ATTACKS[kind] - 1:
            return
        self._seen.add(id)
        choices, most = self._choices(board, kind), MOST_SOLUTIONS[kind]
        if choices < 2 or self._has_too_many(board, kind, most):
            return
        solutions = solutions_of(board, kind, self._forced)
        if not 0 < len(solutions) <= most or choices < 2 * len(solutions):
            return
        if kind is Kind.VCT and not self._nothing_else_wins(board, solutions):
            return
        yield self._puzzle(board, kind, line, solutions, choices)

    def _puzzle(
        self, board: Board, kind: Kind, line: tuple[Move, ...], solutions: Sequence[Move], choices: int
    ) -> Puzzle:
        rating = self._rating(board, solutions, choices, line)
        black, white = (tuple(m for m in range(board.cells) if board.at(m) == side) for side in Color)
        themes = tuple(_core.puzzle_themes(board.core, kind.number, list(solutions), (len(line) + 1) // 2))
        id = position_id(board, kind)
        return Puzzle(id, board.variant, black, white, board.turn, kind, tuple(solutions), line, rating, themes)

    def _has_too_many(self, board: Board, kind: Kind, most: int) -> bool:
        """At a first look more than `most` moves win already. Defences are rarely many, and not looked over."""
        if kind is Kind.DEFENCE:
            return False
        mode = Mode.VCT if kind is Kind.VCT else Mode.VCF
        wins = (move for move in self._glance.attacks(board, mode) if self._glance.is_winning(board, move, mode))
        return len(list(islice(wins, most + 1))) > most

    def _nothing_else_wins(self, board: Board, solutions: Sequence[Move]) -> bool:
        others = (move for move in board.legal_moves() if move not in solutions)
        return all(self._deep.settled(board, move, Mode.VCT) is False for move in others)

    def _choices(self, board: Board, kind: Kind) -> int:
        """How many moves look worth a try."""
        return self._forced.core.choices(board.core, kind.number)

    def rated(self, puzzle: Puzzle) -> Puzzle:
        """The same puzzle with its difficulty judged anew."""
        board = puzzle.board()
        choices = self._choices(board, puzzle.kind)
        return replace(puzzle, rating=self._rating(board, puzzle.solutions, choices, puzzle.line))

    def _rating(self, board: Board, solutions: Sequence[Move], choices: int, line: Sequence[Move]) -> int:
        return self._panel.rating(board, solutions, choices, (len(line) + 1) // 2)
