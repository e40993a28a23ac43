"""How our games compare with a published figure."""

from __future__ import annotations

from tengen.arena.score import Interval


def direction(claimed: float, ours: Interval) -> str:
    """Whether the side ahead is the published one. `claimed` = 0.5 agrees when our interval contains it.

    Our players are trained and search differently, so `differs` does not refute the published experiment.
    """
    if claimed == 0.5:
        return "agrees" if ours.low <= 0.5 <= ours.high else "differs"
    if ours.low <= 0.5 <= ours.high:
        return "undecided"
    return "agrees" if (ours.value > 0.5) == (claimed > 0.5) else "differs"


def size(claimed: float, ours: Interval) -> str:
    """Whether the figure itself lies in our interval."""
    if ours.low <= claimed <= ours.high:
        return "within our interval"
    return "above our interval" if claimed > ours.high else "below our interval"


def reached(claimed: float, ours: Interval) -> str:
    """Whether a score is reached: yes if even the low end does, no if not even the high end."""
    if ours.low >= claimed:
        return "yes"
    return "no" if ours.high < claimed else "undecided"
