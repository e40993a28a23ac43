"""Judging a move from what is known of the positions before and after it, and saying why (cpp/study/verdicts.h).

Allowing or missing a forced win are classes of their own, whatever the values were. Where every move loses, a move is
a fault only if it gives in at once: a four or an open three that stays open although it could be stopped.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable
from dataclasses import dataclass

from tengen import _core
from tengen.board import Board
from tengen.rules import Color, Move, Value
from tengen.study.proofs import Force, Proof, force_of, proof_of, proof_row
from tengen.study.proofs import Row as ProofRow

INACCURACY, MISTAKE, BLUNDER = _core.review_drops()
"""Drops of value that make a class."""
IN_THE_GAME = -0.5
"""A player with a value above this, a chance of one in four, has not lost yet."""


class Mark(enum.StrEnum):
    """The class of a move."""

    BEST = "best"
    GOOD = "good"
    LOST = "lost"
    """Every move loses."""
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    MISSED_WIN = "missed-win"
    ALLOWED_WIN = "allowed-win"

    @property
    def is_fault(self) -> bool:
        return self not in (Mark.BEST, Mark.GOOD, Mark.LOST)


class Why(enum.StrEnum):
    """What the reason for a class is, for a sentence in any language."""

    MAKES_FIVE = "makes-five"
    WINS = "wins"
    """The move wins by force."""
    LEAVES_FOUR = "leaves-four"
    LEAVES_THREE = "leaves-three"
    ALLOWS = "allows"
    """The opponent now wins by force."""
    MISSES_FIVE = "misses-five"
    MISSES = "misses"
    """The move gives up a forced win."""
    NO_DEFENCE = "no-defence"
    BETTER = "better"
    """Another move was worth more."""


@dataclass(frozen=True, slots=True)
class Reason:
    """`line` can be played on the board: from before the move when `instead`, else from after it."""

    why: Why
    line: tuple[Move, ...] = ()
    instead: bool = False
    shape: tuple[Move, ...] = ()
    """The stones of the four or three that was left open."""
    moves: int = 0
    """In how many moves the win would be."""
    force: Force | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of one position: its value, the move to play and how the game would go on, a proof if there is."""

    value: Value
    best: Move | None = None
    line: tuple[Move, ...] = ()
    proof: Proof | None = None

    @classmethod
    def proven(cls, proof: Proof) -> Look:
        return cls(Value(1.0, proof.winner), proof.line[0] if proof.line else None, proof.line, proof)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The class of a move, the value it cost its player (from 0 to 2), and why."""

    mark: Mark
    drop: float = 0.0
    reason: Reason | None = None


def judge(board: Board, move: Move, before: Look, after: Look) -> Verdict:
    """The verdict on `move`, played on `board`."""
    board.copy().play(move)  # refuses a move that cannot be played
    verdict = verdict_of(_core.judge(board.core, move, look_row(before), look_row(after)))
    assert verdict
    return verdict


def accuracy(verdicts: Iterable[Verdict]) -> float | None:
    """Per cent, from what each move cost, by the curve that lichess uses for lost winning chances.

    Where every move loses nobody can err, so such moves say nothing; a blunder and a win given away cost at least what
    makes a blunder, however little there was to lose.
    """
    each = [103.1668 * math.exp(-0.04354 * 50 * _cost(v)) - 3.1669 for v in verdicts if v.mark is not Mark.LOST]
    return max(0.0, min(100.0, sum(each) / len(each))) if each else None


def _cost(verdict: Verdict) -> float:
    grave = verdict.mark in (Mark.BLUNDER, Mark.MISSED_WIN, Mark.ALLOWED_WIN)
    return max(verdict.drop, BLUNDER) if grave else verdict.drop


@dataclass(frozen=True, slots=True)
class Swing:
    """A move with its verdict, and the values before and after it for the side that moved."""

    ply: int
    verdict: Verdict
    before: float
    after: float

    @property
    def turns(self) -> bool:
        """Whoever moved stood no worse than the opponent, and then did; or was in the game, and then was lost."""
        return self.before >= 0 > self.after or (self.before > IN_THE_GAME and self.after <= -1)


def turning_point(moves: Iterable[Swing]) -> int | None:
    """The ply of the fault that decided the game: the last that turned it, else the last that gave a forced win away,
    else the most costly one."""
    faults = [move for move in moves if move.verdict.mark.is_fault]
    given = [move for move in faults if move.verdict.mark in (Mark.ALLOWED_WIN, Mark.MISSED_WIN)]
    if decided := [move for move in faults if move.turns] or given:
        return decided[-1].ply
    return max(faults, key=lambda move: move.verdict.drop).ply if faults else None


# Looks and verdicts as the core hands them over.

LookRow = tuple[float, int, int | None, list[int], ProofRow | None]
VerdictRow = tuple[int, float, tuple[int, list[int], bool, list[int], int, int | None] | None]
_MARKS, _WHYS = tuple(Mark), tuple(Why)


def look_row(look: Look) -> LookRow:
    return look.value.number, int(look.value.side), look.best, list(look.line), proof_row(look.proof)


def look_of(row: LookRow) -> Look:
    value, side, best, line, proof = row
    return Look(Value(value, Color(side)), best, tuple(line), proof_of(proof))


def verdict_of(row: VerdictRow | None) -> Verdict | None:
    if row is None:
        return None
    mark, drop, reason = row
    return Verdict(_MARKS[mark], drop, None if reason is None else _reason_of(*reason))


def _reason_of(why: int, line: list[int], instead: bool, shape: list[int], moves: int, force: int | None) -> Reason:
    return Reason(_WHYS[why], tuple(line), instead, tuple(shape), moves, force_of(force))
