"""When a puzzle comes back: one that was failed tomorrow, then after longer and longer pauses until it sits."""

from __future__ import annotations

from dataclasses import dataclass

from tengen import _core

DAY = 86_400.0
PAUSES = tuple(_core.repetition_pauses())
"""Days; a puzzle solved after the last pause is done with."""


@dataclass(frozen=True, slots=True)
class Review:
    step: int
    """Index into `PAUSES`."""
    due: float
    """Seconds since 1970."""


def after_attempt(review: Review | None, solved: bool, now: float) -> Review | None:
    """None: it need not come back. One that was solved at once never does; failing starts over; trying again before
    the day has come changes nothing.
    """
    before = None if review is None else (review.step, review.due)
    row = _core.after_attempt(before, solved, now)
    return None if row is None else Review(*row)
