"""`tengen review`: every move of a game judged, with the reason."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.board import Board
from tengen.errors import TengenError
from tengen.formats import GameTree, load_games, parse_games
from tengen.registry import create
from tengen.rules import Color
from tengen.study.review import Review
from tengen.study.sentences import line_text, proof_text, reason_text
from tengen.study.verdicts import Look, Swing, Verdict, accuracy, turning_point


def command(
    game: Annotated[str, typer.Argument(metavar="GAME", help="an .sgf, .psq, .pos or .txt file; - for standard input")],
    player: Annotated[str, typer.Option(help="player that evaluates quiet positions")] = "alphabeta",
    as_json: Annotated[bool, typer.Option("--json", help="print JSON lines: one per move, then a summary")] = False,
) -> None:
    """Review every move of a game: class, value, proof, reason and variation.

    The main line of the first game is reviewed. Effort is counted in nodes, so a review is reproducible.
    """
    review = _reviewed(_read(game), player)
    printer = _print_json if as_json else _print_text
    printer(review)


def _read(game: str) -> GameTree:
    games = parse_games(sys.stdin.read()) if game == "-" else load_games(Path(game))
    if not games[0].moves():
        raise TengenError(f"{'standard input' if game == '-' else game} holds no moves to review")
    return games[0]


def _reviewed(tree: GameTree, player: str) -> Review:
    review = Review(tree.start(), tree.moves(), create(player, seed=1))
    total = len(review.boards)
    for finding in review.run():
        if sys.stderr.isatty():
            print(f"\rsweep {finding.sweep + 1}: position {finding.ply + 1} of {total}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    return review


@dataclass(frozen=True, slots=True)
class Judged:
    """One move of a review with all that is known about it."""

    ply: int
    board: Board
    move: int
    before: Look
    after: Look
    verdict: Verdict

    @property
    def mover(self) -> Color:
        return self.board.turn

    @property
    def reason(self) -> str | None:
        reason = self.verdict.reason
        return None if reason is None else reason_text(reason, self.mover, self.board.variant, self.before.proof)

    @property
    def swing(self) -> Swing:
        return Swing(self.ply, self.verdict, self.before.value.of(self.mover), self.after.value.of(self.mover))

    def to_json(self) -> dict[str, Any]:
        variant, proof, reason = self.board.variant, self.after.proof, self.verdict.reason
        return {
            "ply": self.ply, "color": self.mover.name.lower(), "move": self.board.name(self.move),
            "class": str(self.verdict.mark), "value_before": round(self.before.value.of(self.mover), 3),
            "value_after": round(self.after.value.of(self.mover), 3), "drop": round(self.verdict.drop, 3),
            "proof": None if proof is None else {
                "winner": proof.winner.name.lower(), "moves": proof.moves, "by": str(proof.force),
                "line": line_text(proof.line, variant),
            },
            "reason": self.reason,
            "line": None if reason is None else line_text(reason.line, variant),
            "line_from": None if reason is None else ("before" if reason.instead else "after"),
        }  # fmt: skip


def _judged(review: Review) -> list[Judged]:
    rows = []
    for ply, move in enumerate(review.moves, 1):
        before, after, verdict = review.looks[ply - 1], review.looks[ply], review.verdicts[ply]
        assert before and after and verdict
        rows.append(Judged(ply, review.boards[ply - 1], move, before, after, verdict))
    return rows


def _summary(rows: list[Judged]) -> dict[str, Any]:
    by_side = {side: accuracy(row.verdict for row in rows if row.mover == side) for side in Color}
    return {
        "accuracy": {side.name.lower(): None if x is None else round(x, 1) for side, x in by_side.items()},
        "turning_point": turning_point(row.swing for row in rows),
    }


def _print_json(review: Review) -> None:
    rows = _judged(review)
    for row in rows:
        print(json.dumps(row.to_json()))
    print(json.dumps(_summary(rows)))


def _print_text(review: Review) -> None:
    rows = _judged(review)
    for row in rows:
        print(_text(row))
    summary = _summary(rows)
    for side, share in summary["accuracy"].items():
        print(f"{side.capitalize()}: accuracy {'-' if share is None else f'{share:.0f} %'}")
    if turning := summary["turning_point"]:
        print(f"Turning point: move {turning}, {rows[turning - 1].board.name(rows[turning - 1].move)}")


def _text(row: Judged) -> str:
    values = f"{_percent(row.before, row.mover):>4} -> {_percent(row.after, row.mover):>4}"
    head = f"{row.ply:3d}. {row.mover.name.lower():5s} {row.board.name(row.move):4s} {row.verdict.mark:11s} {values}"
    notes = [row.reason] if row.reason else []
    notes += [proof_text(row.after.proof)] if row.after.proof and row.after.proof.moves else []
    if row.verdict.reason and row.verdict.reason.line:
        notes.append("line " + line_text(row.verdict.reason.line[:12], row.board.variant))
    return f"{head}  {'; '.join(notes)}".rstrip()


def _percent(look: Look, side: Color) -> str:
    """Only a proof, or the end of the game, is shown as certain."""
    share = round(50 + 50 * look.value.of(side))
    return f"{share if look.proof else max(1, min(99, share))}%"
