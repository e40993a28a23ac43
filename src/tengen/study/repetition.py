"""When a puzzle comes back: one that was failed tomorrow, then after longer and longer pauses until it sits."""

from __future__ import annotations

from dataclasses import dataclass

DAY = 86_400.0
PAUSES = (1, 3, 7, 21)
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
    if not solved:
        return Review(0, now + PAUSES[0] * DAY)
    if review is None or now < review.due:
        return review
    step = review.step + 1
    return Review(step, now + PAUSES[step] * DAY) if step < len(PAUSES) else None
