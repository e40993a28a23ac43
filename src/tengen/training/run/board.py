"""Which game a run learns."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from tengen.errors import TengenError
from tengen.rules import MAX_SIZE, Rule, Variant
from tengen.training.run.config import Strict


class BoardConfig(Strict):
    """The variant to learn, and the board sizes of self-play."""

    width: int = Field(9, description="columns of the board")
    height: int = Field(9, description="rows of the board")
    k: int = Field(5, description="stones in a row needed to win")
    rule: Rule = Field(Rule.FREESTYLE, description=f"one of {', '.join(Rule)}")
    sizes: dict[str, Annotated[float, Field(gt=0)]] = Field(
        default_factory=dict,
        description='square boards of self-play, each side with its weight, such as {"9" = 3, "15" = 1}; '
        "needs a size-free network; empty: only width x height",
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for side in self.sizes:
            if not (side.isdecimal() and self.k <= int(side) <= MAX_SIZE):
                raise TengenError(f"sizes: '{side}' is not a side from k = {self.k} to {MAX_SIZE}")
        Variant(self.width, self.height, self.k, self.rule)  # raises for an impossible board
        return self

    @property
    def variant(self) -> Variant:
        return Variant(self.width, self.height, self.k, self.rule)

    def square(self, side: int) -> Variant:
        """The same game on a square board."""
        return Variant(side, side, self.k, self.rule)
