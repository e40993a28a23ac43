"""The settings of a PPO run."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from tengen.envs.reward import SPARSE
from tengen.envs.vector import EnvConfig
from tengen.errors import TengenError
from tengen.nets.network import check_encoding, network_options
from tengen.training.run.config import RunConfig, Strict
from tengen.training.run.device import Device


class PpoNetworkConfig(Strict):
    kind: str = Field("compact", description="a network with dense heads: compact, base, or one from a plugin")
    options: dict[str, Any] = Field(default_factory=dict, description="its options, such as {channels = 64}")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        network_options(self.kind, self.options)
        check_encoding(self.kind, ENCODING)
        return self


class RolloutConfig(Strict):
    boards: int = Field(128, ge=1, description="boards played in parallel")
    steps: int = Field(64, ge=2, description="steps per board and iteration")
    parts: int = Field(
        1,
        ge=1,
        description="parts the boards are split into, which workers can play in parallel; the games depend on it",
    )
    easy: float = Field(
        0.5,
        ge=0,
        le=1,
        description="initial fraction of random moves by the opponent (error rate), so that some games are won",
    )
    easy_wins: float = Field(
        0.5, gt=0, lt=1, description="the error rate falls to env.errors while more than this fraction of games is won"
    )
    easy_gain: float = Field(0.1, ge=0, description="how fast the error rate follows the wins; 0: constant")
    gamma: float = Field(0.99, gt=0, le=1, description="discount per step")
    trace: float = Field(0.95, ge=0, le=1, description="lambda of generalised advantage estimation")
    symmetries: bool = Field(True, description="rotate or mirror every position at random")


class PpoLearnConfig(Strict):
    batch: int = Field(1024, ge=2, description="transitions per gradient step")
    epochs: int = Field(4, ge=1, description="passes over each iteration's transitions")
    rate: float = Field(1e-3, gt=0, description="learning rate of Adam")
    rate_last: float = Field(1e-4, gt=0, description="rate at the end of budget.games or budget.iterations")
    clip: float = Field(
        0.2, gt=0, description="clipping range: how far an update may change the probability of an action"
    )
    entropy: float = Field(0.01, ge=0, description="weight of the policy's entropy bonus")
    value_weight: float = Field(0.5, ge=0, description="weight of the value's squared error")
    gradient_clip: float = Field(0.5, gt=0, description="maximum gradient norm")
    threads: int = Field(2, ge=1, description="torch threads")
    device: Device = Field("cpu", description="device of the network: cpu, cuda, mps, or auto (the best available)")


class PpoEvaluateConfig(Strict):
    games: int = Field(200, ge=2, description="games without exploration, half from each seat if the seat is random")
    every: int = Field(10, ge=1, description="iterations between evaluations")


class PpoConfig(RunConfig):
    """Masked proximal policy optimisation on the vectorised environment."""

    method: Literal["ppo"] = "ppo"
    env: EnvConfig = Field(default_factory=lambda: EnvConfig(opponent="greedy", seat="random", reward=SPARSE))
    network: PpoNetworkConfig = Field(default_factory=PpoNetworkConfig)
    rollout: RolloutConfig = Field(default_factory=RolloutConfig)
    learn: PpoLearnConfig = Field(default_factory=PpoLearnConfig)
    evaluate: PpoEvaluateConfig = Field(default_factory=PpoEvaluateConfig)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if self.env.opponent == "self":
            raise TengenError("PPO learns against an opponent; choose random, greedy or minimax as env.opponent")
        if self.env.rule == "renju":
            raise TengenError("PPO does not see forbidden points; choose freestyle, standard or caro")
        if self.env.reward.shaped or max(abs(self.env.reward.win), abs(self.env.reward.loss)) > 1:
            raise TengenError(
                "values lie in -1 to 1: set env.reward = { shaped = false, win = 1, loss = -1, draw = 0 }"
            )
        if self.rollout.parts > self.rollout.boards:
            raise TengenError(
                f"rollout.parts = {self.rollout.parts} is more than rollout.boards = {self.rollout.boards}"
            )
        if self.rollout.symmetries and self.env.width != self.env.height:
            raise TengenError("rollout.symmetries needs a square board")
        return self


ENCODING = "two-stones"
"""The environment's observation."""
