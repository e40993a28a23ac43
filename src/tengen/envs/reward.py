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

    shaped: bool = Field(True, description="reward shapes made and blocked during the game, not only its result")
    win: float = Field(800, description="reward for winning")
    loss: float = Field(-200, description="reward for losing")
    draw: float = Field(-20, description="reward for a draw")
    five: float = Field(200, description="value of a five")
    open_four: float = Field(100, description="value of an open four")
    four: float = Field(60, description="value of a four")
    open_three: float = Field(30, description="value of an open three")
    closed_three: float = Field(20, description="value of a closed three")
    open_two: float = Field(10, description="value of an open two")
    closed_two: float = Field(5, description="value of a closed two")
    answer_low: float = Field(0.3, description="share of the reply's shape deducted when worth no more than one's own")
    answer_mid: float = Field(0.5, description="share deducted when it is worth more, up to `second`")
    answer_high: float = Field(0.8, description="share deducted when it is worth more than `second`")
    broken_low: float = Field(0.3, description="share credited for a blocked shape worth up to `broken_first`")
    broken_mid: float = Field(0.5, description="share credited for a blocked shape worth up to `second`")
    broken_high: float = Field(1.0, description="share credited for a blocked shape worth more than `second`")
    broken_first: float = Field(20, description="lower threshold for blocked shapes")
    second: float = Field(60, description="upper threshold for replies and blocked shapes")

    @model_validator(mode="before")
    @classmethod
    def _old_names(cls, data: Any) -> Any:
        return {RENAMED.get(key, key): value for key, value in data.items()} if isinstance(data, dict) else data

    def numbers(self) -> dict[str, float]:
        """As the core takes them."""
        return {name: float(value) for name, value in self.model_dump().items()}

    def step(self, own: _core.Shape, answer: _core.Shape, broken: _core.Shape) -> float:
        """Reward of a move after which the game goes on: the shapes it made, the reply made, and it blocked."""
        return float(_core.step_reward(self.numbers(), own, answer, broken))


SPARSE = Reward(shaped=False, win=1, loss=-1, draw=0)
