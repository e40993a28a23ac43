"""Settings for learning from others: expert games and a teacher network."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from tengen.errors import TengenError
from tengen.training.run.config import Strict


class WarmConfig(Strict):
    """Iterations that learn from other players' games before self-play begins."""

    games: list[str] = Field(
        default_factory=list, description="folders of games to learn from, made by `tengen games` or by other runs"
    )
    iterations: int = Field(0, ge=0, description="iterations that learn from these games, without self-play")
    steps: int = Field(200, ge=1, description="gradient steps per such iteration")
    value_mix: float = Field(0.5, ge=0, le=1, description="fraction of the player's own value in the value target")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.iterations and not self.games:
            raise TengenError("warm.iterations needs warm.games, the folders of games to learn from")
        return self


class TeacherConfig(Strict):
    """The teacher that the heads `teacher` and `teacher_printed` learn from; trained when the run starts."""

    games: list[str] = Field(
        default_factory=list, description="folders of games whose shapes the teacher learns to count"
    )
    steps: int = Field(400, ge=1, description="gradient steps of the teacher")
    batch: int = Field(256, ge=2, description="positions per gradient step of the teacher")
    rate: float = Field(2e-3, gt=0, description="initial learning rate of the teacher; falls to zero")
