"""The settings of an AlphaZero run: one TOML file, every key validated, every field documented."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from tengen.errors import TengenError
from tengen.inference.search_options import SearchOptions
from tengen.nets.body import Body
from tengen.nets.encodings import core_encoding
from tengen.nets.network import check_encoding, network_options
from tengen.nets.registry import network_class, network_names
from tengen.training.knowledge.config import TeacherConfig, WarmConfig
from tengen.training.ladder import LadderConfig
from tengen.training.run.board import BoardConfig
from tengen.training.run.config import KeyRow, RunConfig, Strict, validate
from tengen.training.run.device import Device
from tengen.training.samples.pool import PoolConfig


class NetworkConfig(Strict):
    """`kind` names the network. Its own options are set beside these keys; the network's class declares them."""

    model_config = ConfigDict(extra="allow", frozen=True)

    kind: str = Field("tengen", description="which network: base, compact, enhanced, tengen, or one from a plugin")
    encoding: str = Field(
        "", description="input planes: stones, shapes or those of a plugin; empty: the network's default"
    )
    heads: dict[str, float] = Field(
        default_factory=dict,
        description="auxiliary heads and the weight of each in the loss, such as {counts = 0.1}",
    )

    @model_validator(mode="before")
    @classmethod
    def _unset(cls, data: Any) -> Any:
        """Runs once stored every option of every network, those that were not set as null."""
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data

    @model_validator(mode="after")
    def _fits(self) -> Self:
        network_options(self.kind, self.options)
        check_encoding(self.kind, self.chosen_encoding)
        return self

    @property
    def body(self) -> type[Body]:
        return network_class(self.kind)

    @property
    def options(self) -> dict[str, Any]:
        return self.model_extra or {}

    @property
    def chosen_encoding(self) -> str:
        """The encoding that the network gets."""
        return self.encoding or self.body.encodings[0]

    @classmethod
    def further_keys(cls) -> list[KeyRow]:
        return [
            (key, str(info.default), f"{info.description} (network.kind = {name})")
            for name in network_names()
            for key, info in network_class(name).options.model_fields.items()
        ]


class SelfPlayConfig(Strict):
    provider: str = Field("cpu", description="onnxruntime provider of self-play: cpu, cuda, coreml or another, or auto")
    games: int = Field(64, ge=1, description="games per iteration")
    slots: int = Field(32, ge=1, description="games that share a batch; also the games per worker task")
    sims_first: int = Field(16, ge=1, description="simulations per move in the first iteration")
    sims_last: int = Field(64, ge=1, description="simulations per move after `sims_iterations`")
    sims_iterations: int = Field(100, ge=1, description="iterations over which the simulations grow geometrically")
    lag: int = Field(
        0,
        ge=0,
        le=20,
        description="let workers keep playing while the network learns, with games at most this many iterations "
        "behind; such a run is not exactly reproducible; 0: playing and learning alternate",
    )
    samples: int = Field(2, ge=0, description="games per iteration saved in samples.jsonl")

    def sims(self, iteration: int) -> int:
        share = min(1.0, iteration / self.sims_iterations)
        sims: float = self.sims_first * (self.sims_last / self.sims_first) ** share
        return round(sims)


class LearnConfig(Strict):
    batch: int = Field(256, ge=2, description="positions per gradient step")
    passes: float = Field(4.0, gt=0, description="average number of times each new position is learned from")
    max_steps: int = Field(0, ge=0, description="maximum gradient steps per iteration; 0: no limit")
    optimizer: Literal["adam", "adamw", "sgd"] = Field(
        "adam", description="optimiser; adam and sgd apply L2 through the gradient of the loss"
    )
    rate: float = Field(2e-3, gt=0, description="learning rate before the adaptive factor")
    rate_last: float = Field(0.0, ge=0, description="rate after `rate_iterations`; 0: same as rate")
    rate_iterations: int = Field(100, ge=1, description="iterations over which the rate falls geometrically")
    l2: float = Field(1e-4, ge=0, description="weight of |theta|^2 in the loss")
    clip: float = Field(10.0, gt=0, description="maximum gradient norm")
    kl_target: float = Field(
        0.1,
        ge=0,
        description="target KL divergence of an update, falling with the scheduled rate; 0: rate does not adapt; "
        "Liu & Qiu (2025): 0.02 with kl_steps = 5",
    )
    kl_stop: float = Field(4.0, gt=1, description="an update ends early when KL exceeds this multiple of the target")
    kl_steps: int = Field(20, ge=1, description="gradient steps per update; KL is measured after each update")
    factor_min: float = Field(0.1, gt=0, le=1, description="smallest adaptive factor on the rate")
    factor_max: float = Field(2.0, ge=1, description="largest adaptive factor on the rate; Liu & Qiu (2025): 10")
    policy_weight: float = Field(1.0, ge=0, description="weight of the policy's cross-entropy")
    value_weight: float = Field(1.0, ge=0, description="weight of the value's squared error")
    value_mix: float = Field(
        0.3, ge=0, le=1, description="weight of the root value in the value target; the rest is the result"
    )
    symmetries: bool = Field(True, description="rotate and mirror every sample at random")
    average: float = Field(0.995, ge=0, lt=1, description="decay per step of the averaged weights; 0: no average")
    precision: Literal["float32", "bfloat16"] = Field(
        "float32",
        description="number format of forward and backward pass; bfloat16 is faster on processors that support it",
    )
    threads: int = Field(2, ge=1, description="torch threads of the learner")
    device: Device = Field("cpu", description="device of the learner: cpu, cuda, mps, or auto (the best available)")

    def base_rate(self, iteration: int) -> float:
        if not self.rate_last:
            return self.rate
        return float(self.rate * (self.rate_last / self.rate) ** min(1.0, iteration / self.rate_iterations))


def _known_options(value: Any) -> Any:
    if isinstance(value, dict):
        known = [f.name for f in fields(SearchOptions)]
        for key in value:
            if key not in known:
                raise TengenError(f"unknown key '{key}'; known: {', '.join(known)}")
        if "sims" in value:
            raise TengenError("set selfplay.sims_first and sims_last instead of sims")
    return value


class AlphaZeroConfig(RunConfig):
    """Everything that decides a run: the same file and seed give the same network."""

    method: Literal["alphazero"] = Field("alphazero", description="the learning method")
    board: BoardConfig = BoardConfig()
    network: NetworkConfig = NetworkConfig()
    selfplay: SelfPlayConfig = SelfPlayConfig()
    search: Annotated[SearchOptions, BeforeValidator(_known_options)] = Field(default_factory=SearchOptions)
    pool: PoolConfig = PoolConfig()
    learn: LearnConfig = LearnConfig()
    warm: WarmConfig = WarmConfig()
    teacher: TeacherConfig = TeacherConfig()
    ladder: LadderConfig = LadderConfig()

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        for key, sizes in (("board.sizes", self.board.sizes), ("ladder.size", self.ladder.size)):
            if sizes and not self.network.body.size_free:
                raise TengenError(f"{key} needs a size-free network such as 'tengen', not '{self.network.kind}'")
        if self.taught and not self.teacher.games:
            raise TengenError("a head that learns from a teacher needs teacher.games, folders of games to train it on")
        if self.taught and self.board.sizes:
            raise TengenError("a teacher judges one board size; leave board.sizes empty")
        return self

    def resolved(self) -> dict[str, Any]:
        """Every setting as plain data; `check_config` reads it back."""
        data = super().resolved()
        del data["search"]["sims"]  # set by the schedule of selfplay
        return data

    @property
    def taught(self) -> bool:
        """Whether a teacher is needed."""
        return any(name.startswith("teacher") for name in self.network.heads)

    @property
    def encoding(self) -> str:
        """The planes that the core computes for the network."""
        return core_encoding(self.network.chosen_encoding)


def check_config(data: dict[str, Any], source: str) -> AlphaZeroConfig:
    return validate(AlphaZeroConfig, data, source)
