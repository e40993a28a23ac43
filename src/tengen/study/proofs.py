"""Forced wins, proven: by the threat solver for who attacks, and by trying every move for who defends."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tengen.board import Board
from tengen.players.solver import Mode, Solver
from tengen.rules import Color, Limit, Move, Rule


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


QUICK = Effort(2_000, 2_000)
THOROUGH = Effort(50_000, 50_000)
DEEP = Effort(1_000_000, 1_000_000)


class Prover:
    """Proves wins and losses. Tables are kept between positions and never change an answer."""

    def __init__(self, hash_entries: int = 1 << 16) -> None:
        self._vcf, self._vct = Solver(Mode.VCF, hash_entries), Solver(Mode.VCT, hash_entries)

    def prove(self, board: Board, effort: Effort, stopped: Callable[[], bool] = lambda: False) -> Proof | None:
        """What is proven of an unfinished position, for whichever side wins it."""
        return self.win(board, effort) or self.loss(board, effort, stopped)

    def win(self, board: Board, effort: Effort, attacker: Color | None = None) -> Proof | None:
        """A win of `attacker`, by default the side to move, if it were its turn now."""
        for solver, nodes in ((self._vcf, effort.fours), (self._vct, effort.threats)):
            found = solver.solve(board, Limit(nodes=nodes), attacker)
            if found.solved:
                force = Force.FIVE if len(found.moves) == 1 else Force(str(solver.mode))
                return _proof(board, board.turn if attacker is None else attacker, found.moves, force)
        return None

    def loss(self, board: Board, effort: Effort, stopped: Callable[[], bool] = lambda: False) -> Proof | None:
        """A win of the opponent against every move of the side to move, which must have no forced win itself."""
        other = board.turn.other
        threat = self.win(board, effort, other)
        if threat is None:
            return None
        longest: Proof | None = None
        for move in _defences_first(board, threat.line):
            answer = None if stopped() else self._refutation(board, move, effort)
            if answer is None:
                return None
            if longest is None or answer.moves > longest.moves:
                longest = Proof(other, (move, *answer.line), answer.force, answer.moves)
        return longest

    def _refutation(self, board: Board, move: Move, effort: Effort) -> Proof | None:
        """How the opponent wins after `move`, if that is proven."""
        after = board.copy()
        after.play(move)
        return None if after.outcome() else self.win(after, effort)


def _defences_first(board: Board, threat: Iterable[Move]) -> list[Move]:
    """Every legal move, those that stand in the way of a threat first: they tell soonest that nothing is lost."""
    legal = board.legal_moves()
    near = {move: i for i, move in enumerate(threat)}
    return sorted(legal, key=lambda move: near.get(move, len(near)))


def _proof(board: Board, winner: Color, line: tuple[Move, ...], force: Force) -> Proof:
    """Under renju a line may end with a four that black is forbidden to stop: five comes one move later."""
    own = (len(line) + 1) // 2
    unstopped = board.rule == Rule.RENJU and winner == Color.WHITE and not _ends_in_five(board, winner, line)
    return Proof(winner, line, force, own + unstopped)


def _ends_in_five(board: Board, winner: Color, line: tuple[Move, ...]) -> bool:
    stones = {side: [m for m in range(board.cells) if board.at(m) == side] for side in Color}
    side = winner
    for move in line[:-1]:
        stones[side].append(move)
        side = side.other
    if side != winner:
        return False
    after = Board.from_stones(stones[Color.BLACK], stones[Color.WHITE], winner, board.variant)
    after.play(line[-1])
    outcome = after.outcome()
    return outcome is not None and outcome.winner == winner
