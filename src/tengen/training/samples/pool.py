"""The settings of a replay pool."""

from __future__ import annotations

from pydantic import Field

from tengen.training.run.config import Strict


class PoolConfig(Strict):
    window: int = Field(10_000, ge=1, description="positions the pool holds at first, newest replace oldest")
    window_max: int = Field(150_000, ge=1, description="positions the pool holds at most")
    growth: float = Field(
        0.6, ge=0, le=1, description="window grows as (positions seen / window) to this power; 0: fixed"
    )
    fill: int = Field(0, ge=0, description="positions to gather before the first update")
    lost_weight: float = Field(
        1.0, ge=0, le=1, description="weight of positions proven lost, whose search policy teaches nothing; 0: left out"
    )
    spread_wins: bool = Field(
        False, description="a position proven won teaches all moves that win at once by their shape, not one of them"
    )
    leaves: int = Field(
        0, ge=0, le=100, description="positions beside each game that are proven won, learned from as well; 0: none"
    )
    surprise: float = Field(
        0.0, ge=0, le=1, description="part of the samples' weight given out by how far search and policy differ"
    )
    archive: bool = Field(False, description="keep the game files that left the pool, for other runs to learn from")

    def size(self, seen: int) -> int:
        grown = self.window * max(1.0, seen / self.window) ** self.growth
        return int(min(round(grown), max(self.window, self.window_max)))
