"""How long to think: from the manager's clocks to seconds for one move."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_TURN = 5.0
"""Seconds a move when the manager names no limit at all."""
UNLIMITED_MS = 2_147_483_647
"""The protocol's way to say that the match clock does not run."""
INSTANT = 0.01
"""Seconds for an answer at once: turn time 0, or a match clock that has run out."""
LONGEST = 1e6
"""Seconds that no clock goes past, so that native arithmetic on them is safe."""
OVERHEAD = 0.03
"""Seconds of every turn left for pipes and scheduling."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The manager's limits in milliseconds, None where it set none."""

    turn_ms: int | None = None
    match_ms: int | None = None
    left_ms: int | None = None

    def seconds(self, stones: int, cells: int) -> float | None:
        """Thinking time for the next move, None when no clock runs at all."""
        turn = None if self.turn_ms is None else self.turn_ms / 1000
        if turn is not None and turn <= 0:
            return INSTANT
        left = self.match_left()
        if left is None:
            return None if turn is None else clamp(turn - margin(turn))
        share = (left - margin(left)) / moves_to_plan(stones, cells)
        usable = share if turn is None else min(share, turn - margin(turn))
        return clamp(usable)

    def match_left(self) -> float | None:
        """Seconds on the match clock; None when it does not run."""
        if not self.match_ms and self.left_ms is None:
            return None
        left = self.left_ms if self.left_ms is not None else self.match_ms
        return None if left is None or left >= UNLIMITED_MS else left / 1000


def clamp(seconds: float) -> float:
    return min(max(INSTANT, seconds), LONGEST)


def margin(seconds: float) -> float:
    """What to leave unused: a little always, more of a long turn, never most of a short one."""
    return min(OVERHEAD + 0.02 * seconds, 0.5 * seconds, 0.5)


def moves_to_plan(stones: int, cells: int) -> float:
    """Own moves the match time should still serve.

    Most games end within 60 stones, and the moves that decide come early: plan for the rest of such a game, and for
    at least eight more moves when it runs long, so that the clock shrinks in steps and never to nothing.
    """
    expected = min(56.0, 0.6 * cells)
    return min(max(8.0, (expected - stones) / 2), max(1.0, (cells - stones) / 2))
