"""How long to think about one move, given the clocks of a game."""

from __future__ import annotations

SAFETY = 0.05
"""Seconds kept back from every deadline: the answer has to travel, and the operating system may be busy."""
LEAST = 0.005
"""Even with no time left a player needs a moment to find a move."""
HORIZON, SOONEST_END = 26, 10
"""A game is expected to end after about 2 * HORIZON moves; at any time at least SOONEST_END more own moves."""


def budget(turn_seconds: float | None, match_seconds_left: float | None, moves_played: int) -> float | None:
    """Seconds to spend on the next move; None when neither clock limits it.

    `turn_seconds` is the most one move may take, `match_seconds_left` what remains for the whole game (None: no such
    clock; it may be negative). `moves_played` counts the stones of both sides.
    """
    limits = []
    if turn_seconds is not None:
        limits.append(turn_seconds - min(SAFETY, turn_seconds * 0.3))
    if match_seconds_left is not None:
        limits.append(_share(match_seconds_left, moves_played))
    return max(LEAST, min(limits)) if limits else None


def _share(left: float, moves_played: int) -> float:
    """This move's part of the match time. Early moves get more than an even share: they decide the game."""
    moves_to_go = max(SOONEST_END, HORIZON - moves_played // 2)
    usable = left - max(SAFETY, 0.02 * left)
    return min(1.6 * usable / moves_to_go, 0.5 * usable)
