"""The settings of a DQN run. Each member of the DQN family is one switch; all of them together are `rainbow`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AliasChoices, BeforeValidator, Field, model_validator

from tengen.envs.vector import EnvConfig
from tengen.errors import TengenError
from tengen.nets.qnet import QNetSpec
from tengen.training.run.config import RunConfig, Strict
from tengen.training.run.device import Device

Width = Annotated[int, Field(ge=1)]


class QNetworkConfig(Strict):
    body: Literal["conv", "pooled", "dense", "free"] = Field(
        "conv",
        description="conv: convolutions, pooled: with pooling, dense: dense layers only, "
        "free: convolutions only, which play every board size",
    )
    rows: bool = Field(
        False,
        description="additional input: rows through each cell with stones of one side only, counted by stones",
    )
    channels: tuple[Width, Width, Width] = Field((64, 128, 128), description="width of each convolution")
    dueling: bool = Field(
        False, description="separate outputs for the value of the state and the advantage of each cell"
    )
    noisy: bool = Field(False, description="learned noise in the dense layers explores instead of epsilon")
    atoms: int = Field(1, ge=1, le=201, description="points of a distributional value; 1: a plain value")
    low: float = Field(-10.0, description="lowest return of a distributional value, in scaled reward")
    high: float = Field(10.0, description="highest return of a distributional value, in scaled reward")


# Settings that have got a better name keep their old one as an alias: stored runs, checkpoints and model cards have it.
def _exploring_rule(name: Any) -> Any:
    return "forced" if name == "calm" else name


class ExploreConfig(Strict):
    epsilon_max: float = Field(1.0, ge=0, le=1, description="fraction of exploring moves at the start")
    epsilon_min: float = Field(0.1, ge=0, le=1, description="fraction of exploring moves at the end")
    decay: float = Field(1500, gt=0, description="games over which epsilon falls by a factor of e towards its minimum")
    by: Annotated[Literal["greedy", "forced", "uniform"], BeforeValidator(_exploring_rule)] = Field(
        "greedy", description="rule for exploring moves: greedy, forced moves only, or uniformly random"
    )
    attack: float = Field(0.0, ge=0, le=1, description="fraction of moves that search for a forced win")
    attack_stones: int = Field(6, ge=1, le=10, description="maximum number of own stones in such a win")
    random_board_fraction: float = Field(
        0.0,
        ge=0,
        le=1,
        validation_alias=AliasChoices("random_board_fraction", "restless"),
        description="on this fraction of boards half of all moves explore, until the end of training",
    )
    near: int = Field(
        3,
        ge=-1,
        description="exploiting moves stay within this many cells of the stones' bounding box; -1: no restriction",
    )


class QLearnConfig(Strict):
    batch: int = Field(256, ge=2, description="transitions per gradient step")
    memory: int = Field(100_000, ge=1, description="capacity of the replay memory in transitions")
    fill: int = Field(2_000, ge=1, description="transitions collected before the first gradient step")
    rate: float = Field(1e-5, gt=0, description="learning rate at the start")
    rate_last: float = Field(
        0.0, ge=0, description="learning rate at the end of the budget, reached linearly; 0: no change"
    )
    decay: float = Field(0.01, ge=0, description="AdamW's weight decay")
    clip: float = Field(10.0, gt=0, description="maximum gradient norm")
    gamma: float = Field(0.70, gt=0, le=1, description="discount per step")
    reward_scale: float = Field(0.01, gt=0, description="rewards are multiplied by this before learning")
    target_every: int = Field(200, ge=1, description="gradient steps between copies into the target network")
    double: bool = Field(
        False, description="choose the next action with the online network, evaluate it with the target"
    )
    n_step: int = Field(1, ge=1, le=20, description="rewards summed before bootstrapping from the target network")
    priority: float = Field(0.0, ge=0, le=1, description="exponent of prioritised replay; 0: uniform")
    beta_first: float = Field(
        0.4, ge=0, le=1, description="initial importance correction; rises to 1 at the end of the budget"
    )
    symmetries: bool = Field(True, description="rotate and mirror every transition at random")
    average: float = Field(
        0.0, ge=0, lt=1, description="decay of the averaged weights, which are evaluated and exported"
    )
    precision: Literal["float32", "bfloat16"] = Field("float32", description="arithmetic of the learner's networks")
    threads: int = Field(2, ge=1, description="torch threads of the learner")
    device: Device = Field("cpu", description="device of the networks: cpu, cuda, mps, or auto (the best available)")


class WonConfig(Strict):
    """Won games are rare at first. They can be stored separately, sampled more often, imitated and replayed; all of
    this fades out until half of the budget is spent."""

    share: float = Field(
        0.0, ge=0, lt=1, description="fraction of a batch drawn from won games; 0: not stored separately"
    )
    memory: int = Field(50_000, ge=1, description="maximum number of transitions of won games kept")
    margin: float = Field(
        0.0, ge=0, description="margin by which their moves should lead all others, in scaled reward; 0: none"
    )
    first: int = Field(0, ge=0, description="games won by exploration alone to collect before learning begins")
    stones: int = Field(24, ge=2, description="stones after which such a game is abandoned")
    recall: float = Field(0.0, ge=0, le=1, description="fraction of boards that replay moves of won games")

    def left(self, spent: float) -> float:
        """The remaining fraction of these settings when a fraction of the budget is spent."""
        return max(0.0, 1 - 2 * spent)


class PlanConfig(Strict):
    """Wins planned against the actual opponent before learning begins; their moves are used for the whole run."""

    quiet: int = Field(
        0,
        ge=0,
        le=8,
        description="maximum number of non-forcing moves before the forced win of a plan; each additional one makes "
        "planning several times as expensive (6 on 7x7: minutes); 0: no planning",
    )
    share: float = Field(0.2, gt=0, lt=1, description="fraction of a batch drawn from planned games")
    margin: float = Field(0.5, gt=0, description="margin by which their moves should lead all others, in scaled reward")
    memory: int = Field(20_000, ge=1, description="maximum number of transitions of planned games kept")


class QPlayConfig(Strict):
    boards: int = Field(64, ge=1, description="games played in parallel")
    steps: int = Field(32, ge=1, description="steps per board and iteration")
    parts: int = Field(
        1,
        ge=1,
        description="parts the boards are split into, which workers can play in parallel; the games depend on it",
    )
    updates: float = Field(0.02, gt=0, description="gradient steps per new transition")
    first_random: int = Field(5, ge=0, description="side of the central square for a random first stone; 0: none")
    first_stone_bias: float = Field(
        0.0,
        ge=0,
        lt=1,
        validation_alias=AliasChoices("first_stone_bias", "hard"),
        description="how much rarer a first stone becomes once all games from it are won",
    )


class QEvaluateConfig(Strict):
    every: int = Field(25, ge=1, description="iterations between evaluations")
    games: int = Field(64, ge=1, description="games per evaluation, without exploration")


class DqnConfig(RunConfig):
    """Settings of a DQN run. Defaults: the DQN course report, except for the ratio of learning to playing."""

    method: Literal["dqn"] = "dqn"
    keep: int = Field(50, ge=0, description="keep the checkpoint of every n-th iteration; 0: the newest only")
    keep_last: int = Field(5, ge=0, description="maximum number of checkpoints kept by `keep`; 0: all")
    env: EnvConfig = Field(default_factory=lambda: EnvConfig(opponent="minimax"))
    network: QNetworkConfig = Field(default_factory=QNetworkConfig)
    explore: ExploreConfig = Field(default_factory=ExploreConfig)
    play: QPlayConfig = Field(default_factory=QPlayConfig)
    learn: QLearnConfig = Field(default_factory=QLearnConfig)
    won: WonConfig = Field(default_factory=WonConfig)
    plan: PlanConfig = Field(default_factory=PlanConfig)
    evaluate: QEvaluateConfig = Field(default_factory=QEvaluateConfig)

    @property
    def spec(self) -> QNetSpec:
        network = self.network.model_dump() | {"rows": self.env.k if self.network.rows else 0}
        return QNetSpec(self.env.width, self.env.height, **network)

    def opponent_env(self) -> EnvConfig:
        """The environment with the opponent against which wins are planned and measured: minimax in self-play."""
        return self.env.model_copy(update={"opponent": "minimax"}) if self.env.opponent == "self" else self.env

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if self.network.body == "free" and self.network.noisy:
            raise TengenError("network.noisy needs dense layers, which body = 'free' does not have")
        if self.play.parts > self.play.boards:
            raise TengenError(f"play.parts = {self.play.parts} is more than play.boards = {self.play.boards}")
        if self.learn.symmetries and self.env.width != self.env.height:
            raise TengenError("learn.symmetries needs a square board")
        if self.env.reward.win <= 0:
            raise TengenError("env.reward.win must be positive: values are reported as fractions of a win")
        if self.env.rule == "renju":
            raise TengenError("DQN does not see forbidden points; choose freestyle, standard or caro")
        if self.won.share and self.env.opponent == "self":
            raise TengenError("won.share needs an opponent: in self-play one side always wins")
        if not self.won.share and (self.won.first or self.won.recall):
            raise TengenError("won.first and won.recall need won.share: without it no won games are kept")
        if self.play.first_stone_bias and self.env.opening:
            raise TengenError("play.first_stone_bias needs games that begin on an empty board; set env.opening = 0")
        if self.plan.quiet and self.won.share + self.plan.share >= 1:
            raise TengenError("won.share and plan.share leave no room in a batch; their sum must be below 1")
        if self.learn.fill < self.learn.batch:
            raise TengenError(f"learn.fill = {self.learn.fill} must be at least learn.batch = {self.learn.batch}")
        if self.learn.memory < self.learn.fill:
            raise TengenError(f"learn.memory = {self.learn.memory} must be at least learn.fill = {self.learn.fill}")
        if self.network.atoms > 1 and self.network.low >= self.network.high:
            raise TengenError(f"network.low = {self.network.low} must be below network.high = {self.network.high}")
        return self

    @model_validator(mode="after")
    def _schedules_end(self) -> Self:
        """Schedules follow what is counted, not the clock, so that runs repeat."""
        b = self.budget
        if (b.minutes or b.cpu_minutes) and not (b.games or b.iterations):
            for name, value in (("learn.rate_last", self.learn.rate_last), ("won.share", self.won.share)):
                if value:
                    raise TengenError(f"{name} fades with the budget's games or iterations; set one of them as well")
        return self
