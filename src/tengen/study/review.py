"""A whole game looked at move by move: a first pass at once, then deeper where it matters until the verdicts stand.

Efforts are counted in nodes, so that two reviews of a game agree whatever the machine does besides. What is looked at
when, and what follows from it, is in the core (cpp/study/review.h), for the page in a browser too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tengen import _core
from tengen.board import Board
from tengen.players.base import Player
from tengen.rules import Limit, Move, Variant
from tengen.study.proofs import Effort, Proof, Prover, proof_row
from tengen.study.verdicts import Look, Verdict, look_of, look_row, verdict_of

PassRow = tuple[int, int, int, bool]


@dataclass(frozen=True, slots=True)
class Pass:
    """One sweep: nodes of the player's search for a position, and the effort for proofs."""

    nodes: int
    effort: Effort
    everywhere: bool
    """Search for proofs in all positions, not only in those that are not settled: proofs cost less than opinions."""

    @property
    def row(self) -> PassRow:
        return self.nodes, self.effort.fours, self.effort.threats, self.everywhere


PASSES = tuple(Pass(nodes, Effort(fours, threats), all_) for nodes, fours, threats, all_ in _core.review_passes())


@dataclass(frozen=True, slots=True)
class Finding:
    """News of a review: what is known of the position after `ply` moves, and the verdict on the move that led there."""

    ply: int
    look: Look
    verdict: Verdict | None
    sweep: int


class Review:
    """The looks at all positions of a line, and the verdicts they lead to."""

    def __init__(
        self, start: Board, moves: Sequence[Move], player: Player, known: Mapping[int, Proof] = MappingProxyType({})
    ) -> None:
        """`known` is what was proven before, by the number of moves played."""
        self.boards = _boards(start, moves)
        self.moves = tuple(moves)
        self.looks: list[Look | None] = [None] * len(self.boards)
        self.verdicts: list[Verdict | None] = [None] * len(self.boards)
        self._player = player
        self._known = {ply: row for ply, proof in known.items() if (row := proof_row(proof))}

    def run(self, stopped: Callable[[], bool] = lambda: False, passes: Sequence[Pass] = PASSES) -> Iterator[Finding]:
        """Every position once, then again whatever is not settled; each finding replaces the one before it."""
        ask = _asking(self._player, self.boards[0].variant)
        review = _core.Review(self.boards[0].core, list(self.moves), ask, [one.row for one in passes], self._known)
        while not (review.done or stopped()):
            for ply, look, verdict, sweep in review.step(stopped):
                finding = Finding(ply, look_of(look), verdict_of(verdict), sweep)
                self.looks[ply], self.verdicts[ply] = finding.look, finding.verdict
                yield finding


def look_at(
    board: Board, player: Player, prover: Prover, effort: Pass, stopped: Callable[[], bool] = lambda: False
) -> Look:
    """A position: its result, else a proof, else the opinion of the player."""
    return look_of(_core.look_at(board.core, prover.core, effort.row, _asking(player, board.variant), stopped))


def second_try(
    board: Board, move: Move, before: Look, player: Player, stopped: Callable[[], bool] = lambda: False
) -> Verdict:
    """The verdict on a move tried at a position of which a review had the look `before`: the two agree."""
    ask = _asking(player, board.variant)
    verdict = verdict_of(_core.second_try(board.core, move, look_row(before), ask, stopped))
    assert verdict is not None
    return verdict


def _asking(player: Player, variant: Variant) -> Callable[[_core.Board, int], tuple[Move, float, list[Move]]]:
    """The opinion of a player, as the core asks for it."""

    def ask(core: _core.Board, nodes: int) -> tuple[Move, float, list[Move]]:
        decision = player.choose(Board.of_core(core, variant), Limit(nodes=nodes))
        return decision.move, decision.value or 0.0, list(decision.pv)

    return ask


def _boards(start: Board, moves: Sequence[Move]) -> list[Board]:
    boards = [start.copy()]
    for move in moves:
        after = boards[-1].copy()
        after.play(move)
        boards.append(after)
    return boards
