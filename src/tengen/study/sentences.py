"""Verdicts in English, for commands; the page has its own texts in each language."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.rules import Color, Move, Variant, move_name
from tengen.study.proofs import Force, Proof
from tengen.study.verdicts import Reason, Why

_BY = {Force.FOURS: " by continuous fours", Force.THREATS: " by fours and threes"}


def reason_text(reason: Reason, mover: Color, variant: Variant, before: Proof | None = None) -> str:
    """Why a move was judged as it was, as a sentence without its full stop. `before` was proven before the move."""
    opponent = mover.other.name.capitalize()
    first = _name(reason.line[0], variant) if reason.line else ""
    shape = ends(reason.shape, variant)
    by = _BY.get(reason.force, "") if reason.force else ""
    texts = {
        Why.MAKES_FIVE: "makes five in a row",
        Why.WINS: f"wins by force in {reason.moves}",
        Why.LEAVES_FOUR: f"leaves the four {shape} open: {opponent} wins at {first}",
        Why.LEAVES_THREE: f"leaves the open three {shape}: {opponent} makes an open four at {first}",
        Why.ALLOWS: f"allows {opponent} to win in {reason.moves}{by}",
        Why.MISSES_FIVE: f"misses five at {first}",
        Why.MISSES: f"misses a win in {reason.moves}{by}, starting with {first}",
        Why.NO_DEFENCE: "every move loses here",
        Why.BETTER: f"{first} was better",
    }
    late = reason.why == Why.WINS and before is not None and before.force == Force.FIVE
    return texts[reason.why] + (", but five in a row was there at once" if late else "")


def proof_text(proof: Proof) -> str:
    """`Black wins in 7`."""
    return f"{proof.winner.name.capitalize()} {f'wins in {proof.moves}' if proof.moves else 'has won'}"


def ends(cells: Sequence[Move], variant: Variant) -> str:
    """A row of stones by its two ends, as people name it: `h8-k8`."""
    along = sorted(cells, key=lambda cell: (cell % variant.width, -cell))
    return "-".join(_name(cell, variant) for cell in (along[0], along[-1])) if along else ""


def line_text(moves: Sequence[Move], variant: Variant) -> str:
    return " ".join(_name(move, variant) for move in moves)


def _name(move: Move, variant: Variant) -> str:
    return move_name(move, variant.width, variant.height)
