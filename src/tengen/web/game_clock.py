"""A game clock: two times that run down in turn. Wall time is passed in, so tests need not wait."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tengen.rules import Color
from tengen.web.events import ClockShown
from tengen.web.messages import Clock


@dataclass(slots=True)
class GameClock:
    """`left` is None for a game without a clock. `side` is the colour whose time runs, if any."""

    left: list[float] | None = None
    increment: float = 0.0
    side: Color | None = None
    since: float = 0.0

    @classmethod
    def start(cls, setting: Clock | None) -> GameClock:
        if setting is None:
            return cls()
        return cls([setting.seconds, setting.seconds], setting.increment)

    def run(self, side: Color, now: float | None = None) -> None:
        """Lets `side`'s time run; a no-op when it already does."""
        if self.left is None or self.side == side:
            return
        self.pause(now)
        self.side, self.since = side, time.monotonic() if now is None else now

    def pause(self, now: float | None = None) -> None:
        if self.left is not None and self.side is not None:
            self.left[self.side] = self.remaining(self.side, now)
        self.side = None

    def moved(self, side: Color, now: float | None = None) -> None:
        """`side` has moved: its time stops and the increment is added."""
        if self.left is not None and self.side == side:
            self.pause(now)
            self.left[side] += self.increment

    def remaining(self, side: Color, now: float | None = None) -> float:
        if self.left is None:
            return float("inf")
        used = ((time.monotonic() if now is None else now) - self.since) if self.side == side else 0.0
        return max(0.0, self.left[side] - used)

    def shown(self) -> ClockShown | None:
        if self.left is None:
            return None
        running = None if self.side is None else self.side.name.lower()
        return ClockShown(black=self.remaining(Color.BLACK), white=self.remaining(Color.WHITE),
                          increment=self.increment, running=running)  # fmt: skip
