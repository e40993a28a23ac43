"""Bounds of time that hold on a machine with other work to do."""

from __future__ import annotations

import statistics
from collections.abc import Callable

TRIES = 5


def within(bound: float, measure: Callable[[], float]) -> None:
    """The median of several tries: neither one that another program held up counts, nor a lucky one."""
    seen = [measure() for _ in range(TRIES)]
    assert statistics.median(seen) < bound, f"the median of {seen} is not within {bound:g} s"
