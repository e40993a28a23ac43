"""Forced wins, proven: by the threat solver for who attacks, and by trying every move for who defends (cpp/study)."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from tengen import _core
from tengen.board import Board
from tengen.rules import Color, Move


class Force(enum.StrEnum):
    """By what a win is forced."""

    FIVE = "five"
    """The next move wins."""
    FOURS = "vcf"
    """Every move of the winner is a four."""
    THREATS = "vct"
    """Fours, threes and quiet moves that threaten to win."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A win that cannot be stopped. `line` leads from the position to its end along the longest defence."""

    winner: Color
    line: tuple[Move, ...]
    force: Force
    moves: int
    """How many moves the winner still needs, the last one included."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to search for proofs, in nodes: the same effort finds the same proofs."""

    fours: int
    threats: int


QUICK, THOROUGH, DEEP = (Effort(fours, threats) for _, fours, threats, _ in _core.review_passes())
"""The efforts of the three sweeps of a review."""


class Prover:
    """Proves wins and losses. Tables are kept between positions and never change an answer."""

    def __init__(self, hash_entries: int = 1 << 16) -> None:
        self.core = _core.Prover(hash_entries)

    def prove(self, board: Board, effort: Effort, stopped: Callable[[], bool] = lambda: False) -> Proof | None:
        """What is proven of an unfinished position, for whichever side wins it."""
        return proof_of(self.core.prove(board.core, effort.fours, effort.threats, stopped))

    def win(self, board: Board, effort: Effort, attacker: Color | None = None) -> Proof | None:
        """A win of `attacker`, by default the side to move, if it were its turn now."""
        side = board.turn if attacker is None else attacker
        return proof_of(self.core.win(board.core, effort.fours, effort.threats, int(side)))


def carried_on(proof: Proof, move: Move, mover: Color) -> Proof | None:
    """What the proof of a position says after `move`, played by `mover`, if that is the move it goes on with."""
    return proof_of(_core.carried_on(_row(proof), move, int(mover)))


def carried_back(proof: Proof, move: Move, mover: Color) -> Proof | None:
    """What the proof of the position after `move` says of the one before: a move into a win is a win."""
    return proof_of(_core.carried_back(_row(proof), move, int(mover)))


# Proofs as the core hands them over.

Row = tuple[int, list[int], int, int]
_FORCES = tuple(Force)


def proof_of(row: Row | None) -> Proof | None:
    if row is None:
        return None
    winner, line, force, moves = row
    return Proof(Color(winner), tuple(line), _FORCES[force], moves)


def proof_row(proof: Proof | None) -> Row | None:
    return None if proof is None else _row(proof)


def _row(proof: Proof) -> Row:
    return int(proof.winner), list(proof.line), _FORCES.index(proof.force), proof.moves


def force_of(number: int | None) -> Force | None:
    return None if number is None else _FORCES[number]
