"""What an experiment file asks for: a tournament, trainings (at milestones, in a study, in variants), or claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from tengen.errors import TengenError, explain
from tengen.experiments import read_toml
from tengen.rules import Rule, Variant
from tengen.training.run.config import merged


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SourceScore(_Strict):
    """A published match: wins, draws and losses of `a` against `b`."""

    label: str = ""
    a: str
    b: str
    wins: int
    draws: int = 0
    losses: int

    @property
    def rate(self) -> float:
        return (self.wins + self.draws / 2) / (self.wins + self.draws + self.losses)


class SourceMilestone(_Strict):
    """What was published for so many games of training."""

    games: int
    rate: float = Field(ge=0, le=1)
    text: str
    """The figure as it is printed."""


class _Common(_Strict):
    title: str
    source: str = Field(description="where the figures come from")
    size: int = 9
    k: int = 5
    rule: Rule = Rule.FREESTYLE
    openings: str = "balanced"
    seed: int = 1
    games: int = Field(ge=1, description="games per pairing, or at every milestone")

    @property
    def variant(self) -> Variant:
        return Variant(self.size, self.size, self.k, self.rule)


class TournamentPlan(_Common):
    kind: Literal["tournament"]
    players: dict[str, str] = Field(description="published method -> our player spec")
    scores: list[SourceScore] = []
    never: list[str] = Field([], description="methods that were proposed but never evaluated")


class MilestonePlan(_Common):
    kind: Literal["milestones"]
    train: dict[str, Any] = Field(description="settings of `tengen train`")
    milestones: list[int] = Field(description="training games after which strength is measured")
    player: str = Field(description="our player spec; {model} stands for the trained network")
    opponent: str
    colors: Literal["both", "first"] = Field("both", description="first: only games with our player moving first count")
    measure: Literal["wins", "score"] = Field("wins", description="what was counted: wins, or draws as half")
    reported: list[SourceMilestone] = []


class GamesPlan(_Strict):
    """Games of other players that variants learn from."""

    players: list[str]
    games: int = Field(ge=1)
    random_moves: float = Field(0.05, ge=0, le=1)


class StudyArm(_Strict):
    title: str = Field(description="what is done differently, in a few words")
    uses: list[str] = Field([], description="games it learns from; their cost is part of its compute")
    train: dict[str, Any] = Field({}, description="settings on top of the shared ones; {games} is the folder of games")


class StudyPlan(_Common):
    """Variants of one training at equal compute. The first variant is what the others are compared with."""

    kind: Literal["study"]
    train: dict[str, Any] = Field(description="settings of `tengen train` that all variants share")
    games_of: dict[str, GamesPlan] = {}
    variants: dict[str, StudyArm] = Field(min_length=2)
    seeds: list[int] = Field(min_length=1)
    minutes: list[float] = Field(min_length=1, description="processor minutes of a run at which it is measured")
    player: str = Field(description="how a network plays; {model} stands for it, {solver} for off or on")
    opponents: list[str] = Field(description="the fixed opponents of the ladder, which is played without the solver")
    ladder_games: int = Field(8, ge=2, multiple_of=2)

    def spec(self, model: Path, solver: str) -> str:
        return self.player.format(model=model, solver=solver)

    @model_validator(mode="after")
    def _known_games(self) -> Self:
        for name, variant in self.variants.items():
            if unknown := set(variant.uses) - set(self.games_of):
                raise TengenError(f"variants.{name}.uses: there is no [games_of.{unknown.pop()}]")
        if self.minutes != sorted(self.minutes):
            raise TengenError("minutes must be in increasing order")
        return self


class VariantPlan(_Strict):
    """One training and what is changed in it, one variant after the other."""

    kind: Literal["variants"]
    title: str
    source: str = Field(description="what is compared and with which budget")
    sizes: list[int] = Field(min_length=1, description="sides of the boards")
    rule: Rule = Rule.FREESTYLE
    openings: str = "balanced"
    seed: int = Field(1, description="of openings and players")
    seeds: list[int] = Field([1], min_length=1, description="each variant is trained once with each seed")
    games: int = Field(ge=2, description="games of each variant against each opponent")
    opponents: list[str] = Field(min_length=1)
    player: str = Field(description="our player spec; {model} stands for the trained network")
    train: dict[str, Any] = Field(description="settings of `tengen train` that all share, the budget included")
    variants: dict[str, dict[str, Any]] = Field(min_length=1, description="name -> what it changes")
    only: list[str] = Field([], description="variants to compare; empty: all")

    @model_validator(mode="after")
    def _known(self) -> Self:
        if unknown := [name for name in self.only if name not in self.variants]:
            raise TengenError(f"no variant '{unknown[0]}'; there are {', '.join(self.variants)}")
        return self

    def variant(self, size: int) -> Variant:
        return Variant(size, size, 5, self.rule)


class Claim(_Strict):
    """A match that shows how strong a player is. `{solver}` in the players stands for on and off: two matches."""

    text: str
    a: str = Field(description="the player whose score counts")
    b: str
    size: int = 15
    openings: str = "balanced"
    games: int = Field(0, ge=0, description="0: the number set in the plan")
    published: str = ""
    bar: float | None = Field(None, ge=0, le=1, description="the required score")
    above: bool = Field(False, description="the whole interval must lie above the bar")


class ClaimsPlan(_Strict):
    kind: Literal["claims"]
    title: str
    seed: int = 1
    games: int = Field(ge=2)
    claims: dict[str, Claim] = Field(description="name of the record file -> claim")


Plan = TournamentPlan | MilestonePlan | StudyPlan | VariantPlan | ClaimsPlan


def load_plan(path: Path, smoke: bool = False) -> Plan:
    """Reads an experiment file. `train_as` names a file of `tengen train` beside it whose settings it takes as its own;
    the table `smoke` says what to change for a run of seconds."""
    data = _read(path)
    changes = data.pop("smoke", {})
    if file := data.pop("train_as", ""):
        data = merged({"train": _read(path.parent / file)}, data)
    data = merged(data, changes) if smoke else data
    kinds: dict[str, type[Plan]] = {
        "tournament": TournamentPlan,
        "milestones": MilestonePlan,
        "study": StudyPlan,
        "variants": VariantPlan,
        "claims": ClaimsPlan,
    }
    if data.get("kind") not in kinds:
        raise TengenError(f"{path}: kind must be one of {', '.join(kinds)}")
    try:
        return kinds[data["kind"]].model_validate(data)
    except ValidationError as error:
        raise TengenError(f"{path}: {explain(error.errors())}") from None


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise TengenError(f"there is no file {path}")
    return read_toml(path)


def toml_text(data: dict[str, Any], prefix: str = "") -> str:
    """Plain settings as TOML: numbers, texts, on/off, lists and tables."""
    lines = [f"{key} = {_toml_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    for key, value in data.items():
        if isinstance(value, dict):
            lines += ["", f"[{prefix}{key}]", toml_text(value, f"{prefix}{key}.")]
    return "\n".join(lines)


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    return repr(value)
