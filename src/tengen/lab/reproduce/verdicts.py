"""What our games say about a claim of the sources."""

from __future__ import annotations

from tengen.arena.score import Interval


def direction(claimed: float, ours: Interval) -> str:
    """Whether the better side is the one the source names. A claim of equality asks for our interval to hold it."""
    if claimed == 0.5:
        return "confirmed" if ours.low <= 0.5 <= ours.high else "refuted"
    if ours.low <= 0.5 <= ours.high:
        return "undecided"
    return "confirmed" if (ours.value > 0.5) == (claimed > 0.5) else "refuted"


def size(claimed: float, ours: Interval) -> str:
    """Whether the figure itself lies in our interval."""
    if ours.low <= claimed <= ours.high:
        return "within our interval"
    return "above our interval" if claimed > ours.high else "below our interval"


def reached(claimed: float, ours: Interval) -> str:
    """Whether a strength is reached: confirmed when even the low end does, refuted when not even the high end."""
    if ours.low >= claimed:
        return "confirmed"
    return "refuted" if ours.high < claimed else "undecided"
