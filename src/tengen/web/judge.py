"""Judging the moves of a game from what a search thinks of the positions before and after each of them.

Values are for black in [-1, 1]. A forced win that was there and is gone is a missed win; one handed to the
opponent is an
allowed win: these are classes of their own, whatever the size of the drop.
"""

from __future__ import annotations

from typing import Any, Literal

from tengen.rules import Color

Mark = Literal["best", "good", "inaccuracy", "mistake", "blunder", "missed-win", "allowed-win"]

PROVED = 0.999
"""A value this far out is a forced win, not an estimate."""
INACCURACY, MISTAKE, BLUNDER = 0.15, 0.3, 0.5
"""Drops of value that make a class, set above the noise of a fast search: at good moves it sees a drop below 0.14 in
95 % and below 0.22 in 99 % (benchmarks/judge.py).
"""


def judge(before: dict[str, Any], after: dict[str, Any], mover: Color, move: int) -> tuple[Mark, float]:
    """The class of `move` and how much value it cost its player."""
    sign = 1 if mover == Color.BLACK else -1
    drop = max(0.0, sign * (before["value"] - after["value"]))
    if move == before["best"]:
        return "best", 0.0 if before["forced"] != sign else drop
    if before["forced"] == sign and after["forced"] != sign:
        return "missed-win", drop
    if after["forced"] == -sign and before["forced"] != -sign and sign * before["value"] > -BLUNDER:
        return "allowed-win", drop
    if before["forced"] == after["forced"] == sign:
        return "good", 0.0
    return _by_size(drop), drop


def _by_size(drop: float) -> Mark:
    if drop >= BLUNDER:
        return "blunder"
    if drop >= MISTAKE:
        return "mistake"
    return "inaccuracy" if drop >= INACCURACY else "good"


def is_fault(mark: str) -> bool:
    return mark not in ("best", "good")
