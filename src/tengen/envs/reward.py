"""The shaped reward of the DQN course report, every number a setting, and the plain sparse reward."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tengen import _core

RENAMED = {"rival_low": "answer_low", "rival_mid": "answer_mid", "rival_high": "answer_high"}
"""Settings that stored runs and model cards know by another name."""


class Reward(BaseModel):
    """`shaped=False` leaves only win, loss and draw."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shaped: bool = Field(True, description="reward shapes made and broken on the way, not only the result")
    win: float = Field(800, description="reward of the step that wins")
    loss: float = Field(-200, description="reward of the step whose answer loses")
    draw: float = Field(-20, description="reward of the step that fills the board")
    five: float = Field(200, description="worth of a five")
    open_four: float = Field(100, description="worth of an open four")
    four: float = Field(60, description="worth of a four")
    open_three: float = Field(30, description="worth of an open three")
    closed_three: float = Field(20, description="worth of a closed three")
    open_two: float = Field(10, description="worth of an open two")
    closed_two: float = Field(5, description="worth of a closed two")
    answer_low: float = Field(0.3, description="share lost when the answer is worth no more than my own shape")
    answer_mid: float = Field(0.5, description="share lost when the answer is worth more, up to `second`")
    answer_high: float = Field(0.8, description="share lost when the answer is worth more than `second`")
    broken_low: float = Field(0.3, description="share gained for a spoilt shape worth up to `broken_first`")
    broken_mid: float = Field(0.5, description="share gained for a spoilt shape worth up to `second`")
    broken_high: float = Field(1.0, description="share gained for a spoilt shape worth more")
    broken_first: float = Field(20, description="first bound of the broken share")
    second: float = Field(60, description="second bound of both shares")

    @model_validator(mode="before")
    @classmethod
    def _old_names(cls, data: Any) -> Any:
        return {RENAMED.get(key, key): value for key, value in data.items()} if isinstance(data, dict) else data

    def numbers(self) -> dict[str, float]:
        """As the core takes them."""
        return {name: float(value) for name, value in self.model_dump().items()}

    def step(self, own: _core.Shape, answer: _core.Shape, broken: _core.Shape) -> float:
        """Reward of a step that went on: shapes my stone made, the answer made, my stone broke."""
        return float(_core.step_reward(self.numbers(), own, answer, broken))


SPARSE = Reward(shaped=False, win=1, loss=-1, draw=0)
