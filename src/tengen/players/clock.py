"""How long to think about one move, given the clocks of a game: the core's policy (cpp/search/clock.h).

The engine, the arena, the server and the page without one share it.
"""

from __future__ import annotations

from tengen import _core

SAFETY = _core.CLOCK_SAFETY
"""Seconds kept back from every deadline: the answer has to travel, and the operating system may be busy."""
LEAST = _core.CLOCK_LEAST
"""Even with no time left a player needs a moment to find a move."""
OVERHEAD = _core.CLOCK_OVERHEAD
"""What a move costs beyond its thinking time."""


def budget(
    turn_seconds: float | None, match_seconds_left: float | None, stones: int, cells: int, increment: float = 0.0
) -> float | None:
    """Seconds to spend on the next move; None when neither clock limits it.

    `turn_seconds` is the most one move may take, `match_seconds_left` what remains for the whole game (None: no such
    clock; it may be negative) and `increment` what each move adds to it. `stones` of both sides stand on the `cells`
    of the board.
    """
    return _core.clock_budget(turn_seconds, match_seconds_left, stones, cells, increment)


def stretched(turn_seconds: float | None, match_seconds_left: float | None, stones: int, cells: int) -> float | None:
    """The most a move may take on a game clock when its search is in trouble; None where there is no such clock."""
    return _core.clock_stretched(turn_seconds, match_seconds_left, stones, cells)
