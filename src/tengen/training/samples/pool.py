"""The settings of a replay pool."""

from __future__ import annotations

from pydantic import Field

from tengen.training.run.config import Strict


class PoolConfig(Strict):
    window: int = Field(10_000, ge=1, description="initial size of the pool in positions; new ones replace the oldest")
    window_max: int = Field(150_000, ge=1, description="maximum size of the pool in positions")
    growth: float = Field(
        0.6, ge=0, le=1, description="the pool grows as (positions seen / window) to this power; 0: fixed size"
    )
    fill: int = Field(0, ge=0, description="positions to collect before the first update")
    lost_weight: float = Field(
        1.0, ge=0, le=1, description="weight of positions proven lost, whose search policy teaches nothing; 0: excluded"
    )
    spread_wins: bool = Field(
        False, description="in positions proven won, learn all moves that win at once by their shape instead of one"
    )
    leaves: int = Field(
        0, ge=0, le=100, description="also learn up to this many proven wins from variations beside each game; 0: none"
    )
    surprise: float = Field(
        0.0, ge=0, le=1, description="fraction of the samples' weight assigned by how much search and policy differ"
    )
    archive: bool = Field(
        False, description="keep game files that leave the pool, so that other runs can learn from them"
    )

    def size(self, seen: int) -> int:
        grown = self.window * max(1.0, seen / self.window) ** self.growth
        return int(min(round(grown), max(self.window, self.window_max)))
