"""Judging a move from what is known of the positions before and after it, and saying why.

Allowing or missing a forced win are classes of their own, whatever the values were. Where every move loses, a move is
a fault only if it gives in at once: a four or an open three that stays open although it could be stopped.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tengen.board import Board
from tengen.rules import Color, Move, Value
from tengen.study.proofs import Force, Proof

INACCURACY, MISTAKE, BLUNDER = 0.15, 0.3, 0.5
"""Drops of value that make a class, set above the noise of a fast search: at good moves it sees a drop below 0.14 in
95 % and below 0.22 in 99 % (benchmarks/judge.py).
"""


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


@dataclass(frozen=True, slots=True)
class Verdict:
    """The class of a move, the value it cost its player (from 0 to 2), and why."""

    mark: Mark
    drop: float = 0.0
    reason: Reason | None = None


def judge(board: Board, move: Move, before: Look, after: Look) -> Verdict:
    """The verdict on `move`, played on `board`."""
    mover, reply = board.turn, _played(board, move)
    drop = max(0.0, before.value.of(mover) - after.value.of(mover))
    if outcome := reply.outcome():
        won = outcome.winner is not None
        return (
            Verdict(Mark.BEST, 0.0, Reason(Why.MAKES_FIVE, shape=outcome.line)) if won else _quiet(move, before, drop)
        )
    winner_before, winner_after = _winner(before), _winner(after)
    if winner_after == mover:
        return _still_wins(move, before, after)
    if winner_after is not None:
        assert after.proof
        if winner_before == winner_after:
            return _in_a_lost_position(reply, before, after.proof)
        return Verdict(Mark.ALLOWED_WIN, drop, _why_lost(reply, after.proof))
    if winner_before == mover:
        assert before.proof
        return Verdict(Mark.MISSED_WIN, drop, _missed(before.proof))
    if winner_before is not None:
        return Verdict(Mark.LOST, 0.0, Reason(Why.NO_DEFENCE))
    return _quiet(move, before, drop)


def _played(board: Board, move: Move) -> Board:
    after = board.copy()
    after.play(move)
    return after


def _winner(look: Look) -> Color | None:
    return look.proof.winner if look.proof else None


def _still_wins(move: Move, before: Look, after: Look) -> Verdict:
    assert after.proof
    reason = Reason(Why.WINS, after.proof.line, moves=after.proof.moves + 1, force=after.proof.force)
    as_fast = before.proof is None or after.proof.moves < before.proof.moves
    return Verdict(Mark.BEST if move == before.best or as_fast else Mark.GOOD, 0.0, reason)


def _in_a_lost_position(reply: Board, before: Look, win: Proof) -> Verdict:
    """To lose at once where one could have resisted is a fault; to lose slowly is none."""
    assert before.proof
    reason = _why_lost(reply, win)
    gave_in = reason.why in (Why.LEAVES_FOUR, Why.LEAVES_THREE) and win.moves < before.proof.moves
    return Verdict(Mark.BLUNDER, 0.0, reason) if gave_in else Verdict(Mark.LOST, 0.0, Reason(Why.NO_DEFENCE, win.line))


def _why_lost(reply: Board, win: Proof) -> Reason:
    """The four or the open three that stayed open, or how the opponent wins."""
    facts = {"line": win.line, "moves": win.moves, "force": win.force}
    if shape := _shape_left(reply, win):
        return Reason(Why.LEAVES_FOUR if len(win.line) == 1 else Why.LEAVES_THREE, shape=shape, **facts)  # type: ignore[arg-type]
    return Reason(Why.ALLOWS, **facts)  # type: ignore[arg-type]


def _shape_left(reply: Board, win: Proof) -> tuple[Move, ...]:
    """The stones that stand already of the row that wins, when a single row does it in one move or in two."""
    if len(win.line) > 3 or win.winner != reply.turn:
        return ()
    board = reply.copy()
    for move in win.line:
        if board.outcome():
            return ()
        board.play(move)
    outcome = board.outcome()
    row = outcome.line if outcome else ()
    standing = tuple(cell for cell in row if cell not in win.line)
    placed = len(win.line[::2])
    return standing if len(standing) == len(row) - placed and standing else ()


def _missed(win: Proof) -> Reason:
    why = Why.MISSES_FIVE if win.force == Force.FIVE else Why.MISSES
    return Reason(why, win.line, instead=True, moves=win.moves, force=win.force)


def _quiet(move: Move, before: Look, drop: float) -> Verdict:
    if move == before.best:
        return Verdict(Mark.BEST)
    mark = _by_size(drop)
    if not mark.is_fault or before.best is None:
        return Verdict(mark, drop)
    return Verdict(mark, drop, Reason(Why.BETTER, before.line or (before.best,), instead=True))


def _by_size(drop: float) -> Mark:
    if drop >= BLUNDER:
        return Mark.BLUNDER
    if drop >= MISTAKE:
        return Mark.MISTAKE
    return Mark.INACCURACY if drop >= INACCURACY else Mark.GOOD


def accuracy(drops: Iterable[float]) -> float | None:
    """Per cent, from the value each move cost, by the curve that lichess uses for lost winning chances."""
    each = [103.1668 * math.exp(-0.04354 * 50 * drop) - 3.1669 for drop in drops]
    return max(0.0, min(100.0, sum(each) / len(each))) if each else None


def turning_point(verdicts: Sequence[Verdict | None]) -> int | None:
    """The ply (from 1) of the move that decided the game: the last win given away, else the most costly fault."""
    faults = [(ply, v) for ply, v in enumerate(verdicts, 1) if v and v.mark.is_fault]
    given = [ply for ply, v in faults if v.mark in (Mark.ALLOWED_WIN, Mark.MISSED_WIN)]
    if given:
        return given[-1]
    return max(faults, key=lambda item: item[1].drop)[0] if faults else None
