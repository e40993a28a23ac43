"""Judges what a person plays in a puzzle: a thin layer over the solver.

The opponent defends as long as possible, every move that keeps a forced win counts, and a wrong move is answered by
what refutes it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.solver import Mode
from tengen.rules import Move
from tengen.study.forced import ForcedPlay, fives, played
from tengen.study.puzzles import Kind, Puzzle, holds

NODES = 8_000
"""Per question: an answer takes a few of them and should come at once."""


class State(enum.StrEnum):
    RIGHT = "right"
    """Go on: the opponent has answered."""
    SOLVED = "solved"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Answer:
    state: State
    reply: Move | None = None
    """The opponent's best defence to a right move."""
    refutation: tuple[Move, ...] = ()
    """What a wrong move runs into, opponent's move first; empty when it simply threatens nothing."""
    loses: bool = False
    """The refutation wins for the opponent; otherwise it only stops the attack."""


class Hint(enum.StrEnum):
    AREA = "area"
    IDEA = "idea"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class Clue:
    """What a hint gives away: cells to look at, the name of an idea, or the move."""

    step: Hint
    cells: tuple[Move, ...] = ()
    idea: str = ""


class Trainer:
    def __init__(self, nodes: int = NODES) -> None:
        self._forced = ForcedPlay(nodes)

    def answer(self, puzzle: Puzzle, moves: Sequence[Move]) -> Answer:
        """Judges the last of `moves`, which were played from the puzzle's position, own moves and replies in turn."""
        if len(moves) % 2 == 0:
            raise TengenError("the last move must be the solver's own")
        board = _after(puzzle, moves[:-1])
        move = moves[-1]
        if not board.is_legal(move):
            raise TengenError(f"{board.name(move)} cannot be played there")
        if puzzle.kind is Kind.DEFENCE:
            return self._defended(puzzle, board, move)
        first = move in puzzle.solutions if len(moves) == 1 else False
        return self._attacked(board, move, first)

    def _attacked(self, board: Board, move: Move, known: bool) -> Answer:
        after = played(board, move)
        if (outcome := after.outcome()) is not None:
            return Answer(State.SOLVED if outcome.winner == board.turn else State.WRONG)
        if not (known or self._starts_a_win(board, move)):
            return self._refuted(board, move)
        replies = self._forced.replies(after, Mode.VCT) or []
        if not replies:
            return Answer(State.SOLVED)
        return Answer(State.RIGHT, max(replies, key=lambda reply: self._length(played(after, reply))))

    def _starts_a_win(self, board: Board, move: Move) -> bool:
        """The solver's own first move is proven against every reply; any other is asked about reply by reply."""
        lines = (self._forced.line(board, mode) for mode in Mode)
        return any(line[:1] == (move,) for line in lines) or self._forced.is_winning(board, move, Mode.VCT)

    def _length(self, board: Board) -> int:
        """Of the win that is left; fours first, as a person would look for them."""
        return len(self._forced.line(board, Mode.VCF) or self._forced.line(board, Mode.VCT))

    def _refuted(self, board: Board, move: Move) -> Answer:
        after = played(board, move)
        if line := self._forced.line(after, Mode.VCF) or self._forced.line(after, Mode.VCT):
            return Answer(State.WRONG, refutation=line, loses=True)
        replies = self._forced.replies(after, Mode.VCT) or []
        stops = next((reply for reply in replies if not self._forced.wins(played(after, reply), Mode.VCT)), None)
        return Answer(State.WRONG, refutation=() if stops is None else (stops,))

    def _defended(self, puzzle: Puzzle, board: Board, move: Move) -> Answer:
        if move in puzzle.solutions or holds(board, move, self._forced):
            return Answer(State.SOLVED)
        line = self._forced.losing_line(board, move, Mode.VCF)
        return Answer(State.WRONG, refutation=line or self._forced.losing_line(board, move, Mode.VCT), loses=True)

    def clue(self, puzzle: Puzzle, moves: Sequence[Move], step: Hint) -> Clue:
        """A hint for the position after `moves`, with the solver to move."""
        board = _after(puzzle, moves)
        move = self._best(puzzle, board, len(moves))
        if step is Hint.AREA:
            return Clue(step, tuple(_around(board, move)))
        if step is Hint.IDEA:
            return Clue(step, idea=idea_of(board, move, puzzle.kind is Kind.DEFENCE))
        return Clue(step, (move,))

    def _best(self, puzzle: Puzzle, board: Board, played_moves: int) -> Move:
        if played_moves == 0 or puzzle.kind is Kind.DEFENCE:
            return puzzle.solutions[0]
        line = self._forced.line(board, Mode.VCF) or self._forced.line(board, Mode.VCT)
        if not line:
            raise TengenError("the win is gone; start the puzzle again")
        return line[0]


def idea_of(board: Board, move: Move, defence: bool = False) -> str:
    """What a move does, in one of a few words that the page has sentences for."""
    after = played(board, move)
    if after.outcome() is not None:
        return "five"
    own, other = len(fives(after, board.turn)), fives(board, board.turn.other)
    if other and move in other:
        return "block-five"
    if own >= 2:
        return "double-four"
    if own == 1:
        return "counter-four" if defence else "four"
    if defence:
        return "block"
    shapes = board.core.shapes(int(board.turn), move)
    threes = sum(shape in (_core.Shape.OPEN_THREE,) for shape in shapes)
    return "double-three" if threes >= 2 else "three" if threes else "quiet"


def _after(puzzle: Puzzle, moves: Sequence[Move]) -> Board:
    board = puzzle.board()
    for move in moves:
        if board.outcome() is not None or not board.is_legal(move):
            raise TengenError("these moves cannot be played from the puzzle's position")
        board.play(move)
    return board


def _around(board: Board, move: Move) -> list[Move]:
    """A block of 5x5 that holds the move somewhere, so that its middle does not give it away."""
    size = min(5, board.width, board.height)
    row, col = divmod(move, board.width)
    shift = (row * 7 + col * 3) % size, (row * 3 + col * 5) % size
    top = min(max(0, row - shift[0]), board.height - size)
    left = min(max(0, col - shift[1]), board.width - size)
    return [r * board.width + c for r in range(top, top + size) for c in range(left, left + size)]
