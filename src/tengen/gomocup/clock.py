"""The manager's clocks: from what INFO says to seconds for one move."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.players.clock import budget, stretched

DEFAULT_TURN = 5.0
"""Seconds a move when the manager names no limit at all."""
UNLIMITED_MS = 2_147_483_647
"""The protocol's way to say that the match clock does not run."""
LONGEST = 1e6
"""Seconds that no clock goes past, so that native arithmetic on them is safe."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The manager's limits in milliseconds, None where it set none."""

    turn_ms: int | None = None
    match_ms: int | None = None
    left_ms: int | None = None

    def seconds(self, stones: int, cells: int) -> float | None:
        """Thinking time for the next move, None when no clock runs at all. A turn time of 0 means at once."""
        seconds = budget(self._turn(), self.match_left(), stones, cells)
        return None if seconds is None else min(seconds, LONGEST)

    def most_seconds(self, stones: int, cells: int) -> float | None:
        """What a move in trouble may take, None without a match clock."""
        seconds = stretched(self._turn(), self.match_left(), stones, cells)
        return None if seconds is None else min(seconds, LONGEST)

    def _turn(self) -> float | None:
        return None if self.turn_ms is None else max(0, self.turn_ms) / 1000

    def match_left(self) -> float | None:
        """Seconds on the match clock; None when it does not run."""
        if not self.match_ms and self.left_ms is None:
            return None
        left = self.left_ms if self.left_ms is not None else self.match_ms
        return None if left is None or left >= UNLIMITED_MS else left / 1000
