"""A whole game looked at move by move: a first pass at once, then deeper where it matters until the verdicts stand.

Efforts are counted in nodes, so that two reviews of a game agree whatever the machine does besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tengen.board import Board
from tengen.players.base import Player
from tengen.rules import Color, Limit, Move, Value
from tengen.study.proofs import DEEP, QUICK, THOROUGH, Effort, Force, Proof, Prover
from tengen.study.verdicts import INACCURACY, Look, Mark, Verdict, judge


@dataclass(frozen=True, slots=True)
class Pass:
    """One sweep: nodes of the player's search for a position, and the effort for proofs."""

    nodes: int
    effort: Effort
    everywhere: bool
    """Search for proofs in all positions, not only in those that are not settled: proofs cost less than opinions."""


PASSES = (Pass(4_000, QUICK, True), Pass(40_000, THOROUGH, True), Pass(200_000, DEEP, False))
NEAR = 0.08
"""A drop of value is looked at again when it is this near to a class, or over it."""


SHARP = 0.6
"""A value this far from even may hide a forced win."""


@dataclass(frozen=True, slots=True)
class Finding:
    """News of a review: what is known of the position after `ply` moves, and the verdict on the move that led there."""

    ply: int
    look: Look
    verdict: Verdict | None
    sweep: int


class Review:
    """The looks at all positions of a line, and the verdicts they lead to."""

    def __init__(self, start: Board, moves: Sequence[Move], player: Player, prover: Prover | None = None) -> None:
        self.boards = _boards(start, moves)
        self.moves = tuple(moves)
        self.looks: list[Look | None] = [None] * len(self.boards)
        self.verdicts: list[Verdict | None] = [None] * len(self.boards)
        self._player, self._prover = player, prover or Prover()

    def run(self, stopped: Callable[[], bool] = lambda: False, passes: Sequence[Pass] = PASSES) -> Iterator[Finding]:
        """Every position once, then again whatever is not settled; each finding replaces the one before it."""
        for sweep, effort in enumerate(passes):
            for ply in range(len(self.boards)):
                if stopped():
                    return
                if (look := self._look(ply, effort, stopped)) != self.looks[ply]:
                    self.looks[ply] = look
                    yield from self._news(sweep, ply)

    def _look(self, ply: int, effort: Pass, stopped: Callable[[], bool]) -> Look:
        """A better look at a position; the one we have where there is nothing to gain."""
        known = self.looks[ply]
        if known and (known.proof or self.boards[ply].outcome()):
            return known  # a proof is for ever
        if proof := self._carried_on(ply):
            return _proven(proof)
        if known is None or self._unsettled(ply):
            return look_at(self.boards[ply], self._player, self._prover, effort, stopped)
        proof = self._prover.prove(self.boards[ply], effort.effort, stopped) if effort.everywhere else None
        return _proven(proof) if proof else known

    def _carried_on(self, ply: int) -> Proof | None:
        """The proof of the position before, when the move played is the one it goes on with."""
        before = self.looks[ply - 1] if ply else None
        if not before or not before.proof or len(before.proof.line) < 2 or before.proof.line[0] != self.moves[ply - 1]:
            return None
        win = before.proof
        own = win.winner == self.boards[ply - 1].turn
        force = Force.FIVE if not own and win.moves == 1 else win.force
        return Proof(win.winner, win.line[1:], force, win.moves - own)

    def _news(self, sweep: int, ply: int) -> Iterator[Finding]:
        """What a look at `ply` changes: proofs wander back along the line, and verdicts follow."""
        changed = [ply, *self._carry_back(ply)]
        for at in sorted({x for p in changed for x in (p, p + 1) if x < len(self.boards)}):
            look, verdict = self.looks[at], self._verdict(at)
            if look and (at in changed or verdict != self.verdicts[at]):
                self.verdicts[at] = verdict
                yield Finding(at, look, verdict, sweep)

    def _carry_back(self, ply: int) -> Iterator[int]:
        """A move into a position that is won for its player proves the position before it."""
        while ply > 0:
            here, before = self.looks[ply], self.looks[ply - 1]
            mover = self.boards[ply - 1].turn
            if not (here and before and here.proof) or here.proof.winner != mover or before.proof:
                return
            win = here.proof
            move = self.moves[ply - 1]
            force = Force.THREATS if win.line else Force.FIVE
            proof = Proof(mover, (move, *win.line), force, win.moves + 1)
            ply -= 1
            self.looks[ply] = Look(Value(1.0, mover), move, proof.line, proof)
            yield ply

    def _verdict(self, ply: int) -> Verdict | None:
        if ply == 0 or not (before := self.looks[ply - 1]) or not (after := self.looks[ply]):
            return None
        return judge(self.boards[ply - 1], self.moves[ply - 1], before, after)

    def _unsettled(self, ply: int) -> bool:
        """May this position be won or lost without a proof yet, or is it next to a move that looks bad?"""
        look = self.looks[ply]
        around = self.verdicts[ply : ply + 2]
        sharp = look is not None and abs(look.value.number) >= SHARP
        return sharp or any(verdict is not None and _is_doubtful(verdict) for verdict in around)


def _is_doubtful(verdict: Verdict) -> bool:
    return verdict.mark in (Mark.MISSED_WIN, Mark.ALLOWED_WIN, Mark.LOST) or verdict.drop >= INACCURACY - NEAR


def look_at(
    board: Board, player: Player, prover: Prover, effort: Pass, stopped: Callable[[], bool] = lambda: False
) -> Look:
    """A position: its result, else a proof, else the opinion of the player."""
    if outcome := board.outcome():
        value = 0.0 if outcome.winner is None else outcome.result.sign(Color.BLACK)
        proof = Proof(outcome.winner, (), Force.FIVE, 0) if outcome.winner is not None else None
        return Look(Value(value, Color.BLACK), proof=proof)
    if proof := prover.prove(board, effort.effort, stopped):
        return _proven(proof)
    decision = player.choose(board, Limit(nodes=effort.nodes))
    value = max(-0.99, min(0.99, decision.value or 0.0))  # only a proof is certain
    return Look(Value(value, board.turn), decision.move, decision.pv or (decision.move,))


def _proven(proof: Proof) -> Look:
    return Look(Value(1.0, proof.winner), proof.line[0], proof.line, proof)


def _boards(start: Board, moves: Sequence[Move]) -> list[Board]:
    boards = [start.copy()]
    for move in moves:
        after = boards[-1].copy()
        after.play(move)
        boards.append(after)
    return boards
