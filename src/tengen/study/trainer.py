"""Judges what a person plays in a puzzle: a thin layer over the solver.

The opponent defends as long as possible, every move that keeps a forced win counts, and a wrong move is answered by
what refutes it (cpp/study/trainer.h).
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.rules import Move
from tengen.study.puzzles import Kind, Puzzle


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


_STATES = tuple(State)


class Trainer:
    def __init__(self, nodes: int = _core.TRAINER_NODES) -> None:
        self._core = _core.PuzzleTrainer(nodes)

    def answer(self, puzzle: Puzzle, moves: Sequence[Move]) -> Answer:
        """Judges the last of `moves`, which were played from the puzzle's position, own moves and replies in turn."""
        if len(moves) % 2 == 0:
            raise TengenError("the last move must be the solver's own")
        board = _after(puzzle, moves[:-1])
        move = moves[-1]
        if not board.is_legal(move):
            raise TengenError(f"{board.name(move)} cannot be played there")
        defence = puzzle.kind is Kind.DEFENCE
        known = move in puzzle.solutions and (defence or len(moves) == 1)
        state, reply, refutation, loses = self._core.answer(board.core, move, known, defence)
        return Answer(_STATES[state], reply, tuple(refutation), loses)

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
        line = self._core.line(board.core)
        if not line:
            raise TengenError("the win is gone; start the puzzle again")
        return line[0]


def idea_of(board: Board, move: Move, defence: bool = False) -> str:
    """What a move does, in one of a few words that the page has sentences for."""
    return _core.idea_of(board.core, move, defence)


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
