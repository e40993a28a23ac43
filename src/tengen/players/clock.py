"""How long to think about one move, given the clocks of a game: one policy for the engine, the arena and the page.

A game may last until the board is full. So the least that every move still to come will cost is put aside first, and
only the rest is shared out: however long the game, there is time for its last move.
"""

from __future__ import annotations

SAFETY = 0.05
"""Seconds kept back from every deadline: the answer has to travel, and the operating system may be busy."""
LEAST = 0.005
"""Even with no time left a player needs a moment to find a move."""
OVERHEAD = 0.010
"""What a move costs beyond its thinking time."""
HORIZON, SOONEST_END = 30, 16
"""A game is expected to end after about HORIZON own moves; at any time SOONEST_END more are reckoned with."""
EAGERNESS = 1.5
"""Early moves get more than an even share: they decide the game."""


def budget(turn_seconds: float | None, match_seconds_left: float | None, stones: int, cells: int) -> float | None:
    """Seconds to spend on the next move; None when neither clock limits it.

    `turn_seconds` is the most one move may take, `match_seconds_left` what remains for the whole game (None: no such
    clock; it may be negative). `stones` of both sides stand on the `cells` of the board.
    """
    limits = []
    if turn_seconds is not None:
        limits.append(turn_seconds - min(SAFETY, turn_seconds * 0.3))
    if match_seconds_left is not None:
        limits.append(_share(match_seconds_left, stones, cells))
    return max(LEAST, min(limits)) if limits else None


def _share(left: float, stones: int, cells: int) -> float:
    """This move's part of the match time."""
    most_moves = max(1, (cells - stones + 1) // 2)
    free = left - max(SAFETY, 0.02 * left) - (LEAST + OVERHEAD) * most_moves
    moves_to_go = min(most_moves, max(SOONEST_END, HORIZON - stones // 2))
    return LEAST + max(0.0, min(EAGERNESS * free / moves_to_go, 0.5 * free))
