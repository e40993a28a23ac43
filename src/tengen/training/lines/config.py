"""The settings of a run that trains a line network."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from tengen.errors import TengenError
from tengen.inference.lines import LineShape
from tengen.training.ladder import LadderConfig
from tengen.training.run.board import BoardConfig
from tengen.training.run.config import RunConfig, Strict
from tengen.training.samples.pool import PoolConfig


class LineNetworkConfig(Strict):
    channels: Literal[16, 32, 64] = Field(32, description="features per cell and colour: 16, 32 or 64")
    hidden: int = Field(32, ge=16, le=128, multiple_of=16, description="units of each hidden layer of the heads")


class LinePlayConfig(Strict):
    """Self-play. Names are those of the core's options."""

    games: int = Field(500, ge=1, description="games per iteration")
    games_first: int = Field(0, ge=0, description="games of the first iteration, growing to `games`; 0: same as games")
    games_iterations: int = Field(20, ge=1, description="iterations over which the games grow, geometrically")
    samples: int = Field(2, ge=0, description="games per iteration saved in samples.jsonl")
    visits: int = Field(
        128, ge=1, description="visits of the root per move, including those kept from the previous move"
    )
    fast_fraction: float = Field(0.0, ge=0, lt=1, description="fraction of moves searched quickly and not learned from")
    fast_visits: int = Field(24, ge=1, description="visits of the root for such a move")
    noise_alpha: float = Field(0.1, gt=0, description="Dirichlet parameter of the root's noise")
    noise_fraction: float = Field(0.25, ge=0, le=1, description="fraction of noise in the root's priors")
    temperature: float = Field(1.0, gt=0, description="moves are drawn by visits ** (1 / temperature) ...")
    temperature_moves: int = Field(
        8, ge=0, description="... for this many moves after the opening; then the best move is played"
    )
    opening_min: int = Field(0, ge=0, description="games start with at least this many random stones")
    opening_max: int = Field(6, ge=0, description="and at most this many")
    opening_tries: int = Field(
        8, ge=1, description="candidates for the last of these stones, drawn by how even they are"
    )
    opening_bound: float = Field(0.05, ge=0, description="a search must find the opening this close to even ...")
    opening_checks: int = Field(8, ge=0, description="... or the closest of this many is played; 0: no search")
    opening_gain: float = Field(
        0.2, ge=0, le=1, description="how fast `level` follows the colours' results; 0: stays 0"
    )
    surprise: bool = Field(True, description="give more weight to positions where search and network differ")
    c_puct: float = Field(1.6, gt=0, description="weight of the prior against the value")
    c_growth: float = Field(0.4, ge=0, description="c_puct grows by 1 + c_growth * log(1 + visits / 500)")
    fpu: float = Field(0.1, description="an untried move counts as its node minus this")
    policy_temperature: float = Field(1.0, gt=0, description="of the network's policy; above 1 makes it flatter")
    children: int = Field(40, ge=1, description="most moves kept per node")
    solver: bool = Field(False, description="resolve wins, blocks and open fours at the leaves without the network")
    vcf_nodes: int = Field(16, ge=0, description="search for continuous fours at the leaves (solver = true)")
    vct_nodes: int = Field(0, ge=0, description="search for continuous threats at positions visited 400 times or more")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.opening_max < self.opening_min:
            raise TengenError("selfplay.opening_max is smaller than opening_min")
        return self

    def count(self, iteration: int) -> int:
        """Games of an iteration, counted from 0."""
        if not self.games_first:
            return self.games
        share = min(1.0, iteration / self.games_iterations)
        games: float = self.games_first * (self.games / self.games_first) ** share
        return round(games)

    def options(self) -> dict[str, Any]:
        """What `_core.line_games` takes."""
        return self.model_dump(exclude={"games", "games_first", "games_iterations", "samples", "opening_gain"}) | {
            "memory_mb": 8
        }


class LineLearnConfig(Strict):
    batch: int = Field(1024, ge=1, description="positions per gradient step")
    passes: float = Field(3.0, gt=0, description="times each new position is learned from, on average")
    rate: float = Field(2e-3, gt=0, description="learning rate of Adam")
    rate_last: float = Field(0.0, ge=0, description="rate after `rate_iterations`; 0: same as rate")
    rate_iterations: int = Field(100, ge=1, description="iterations over which the rate falls, geometrically")
    decay: float = Field(0.0, ge=0, description="weights shrink by rate * decay per step")
    average: float = Field(0.998, ge=0, lt=1, description="decay per step of the averaged weights, which play")
    value_weight: float = Field(1.0, ge=0, description="weight of the value's loss against the policy's")
    value_mix: float = Field(
        0.3, ge=0, le=1, description="weight of the root value in the value target; the rest is the result"
    )

    def rate_at(self, iteration: int) -> float:
        if not self.rate_last:
            return self.rate
        return float(self.rate * (self.rate_last / self.rate) ** min(1.0, iteration / self.rate_iterations))


class LineWarmConfig(Strict):
    """What a run starts from: another network, and iterations that learn from other players' games before self-play."""

    start: str = Field("", description="a line network to start from, as large or smaller: file or bundled name")
    data: list[str] = Field(default_factory=list, description="files of `tengen data` with the run's rule and k")
    games: list[str] = Field(default_factory=list, description="folders of `tengen games` or other runs")
    iterations: int = Field(0, ge=0, description="iterations that learn from these games without self-play")
    steps: int = Field(500, ge=1, description="gradient steps per such iteration")
    rate: float = Field(
        2e-3, gt=0, description="their learning rate; after 40 % of them it falls, to a thirtieth at the end"
    )
    value_mix: float = Field(0.7, ge=0, le=1, description="fraction of the player's own value in the value target")

    def rate_at(self, iteration: int) -> float:
        """Counted from 0."""
        return self.rate * min(1.0, max(1 / 30, (1 - iteration / max(1, self.iterations)) / 0.6))

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.iterations and not (self.games or self.data):
            raise TengenError("warm.iterations needs warm.data or warm.games, the games to learn from")
        return self


class ProbeConfig(Strict):
    every: int = Field(10, ge=1, description="iterations between tactics probes")
    positions: int = Field(0, ge=0, description="positions of each kind; 0: no probe")
    sims: int = Field(32, ge=1, description="simulations per move")


class PlayerConfig(Strict):
    policy_temperature: float = Field(
        1.0,
        gt=0,
        description="flattens the policy in play; 1.5 suits a policy learned from single moves",
    )


class LinesConfig(RunConfig):
    """Everything that decides a run: the same file and seed give the same network."""

    method: Literal["lines"] = Field("lines", description="the learning method")
    board: BoardConfig = BoardConfig()
    network: LineNetworkConfig = LineNetworkConfig()
    selfplay: LinePlayConfig = LinePlayConfig()
    pool: PoolConfig = PoolConfig()
    learn: LineLearnConfig = LineLearnConfig()
    warm: LineWarmConfig = LineWarmConfig()
    ladder: LadderConfig = LadderConfig()
    probe: ProbeConfig = ProbeConfig()
    player: PlayerConfig = PlayerConfig()

    @property
    def shape(self) -> LineShape:
        return LineShape(self.board.k, str(self.board.rule), self.network.channels, self.network.hidden)
