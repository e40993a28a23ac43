"""Evaluation against fixed opponents: the same players, openings and seeds for the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import Field

from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.models import model_from_bytes
from tengen.play.entrants import Entrant, check_entrants
from tengen.play.game import play_game
from tengen.play.openings import Opening, openings
from tengen.players.base import close_player
from tengen.records import GameRecord
from tengen.registry import create, parse_spec
from tengen.rules import MAX_SIZE, Color, Limit, Termination, Variant
from tengen.training.run.board import BoardConfig
from tengen.training.run.config import Strict
from tengen.training.run.loop import Metrics, RunFolder
from tengen.training.samples.tactics import probe_positions, solved

FAULTS = (Termination.CRASH, Termination.ILLEGAL, Termination.MEMORY)
"""Endings that are a defect of a player and must not pass as a result."""
SELF = "network"
"""The name of the network under evaluation in the records."""


class LadderConfig(Strict):
    opponents: list[str] = Field(default_factory=list, description="player specs, fixed for the whole run")
    games: int = Field(10, ge=2, multiple_of=2, description="games against each opponent, colours swapped")
    every: int = Field(10, ge=1, description="iterations between evaluations")
    sims: int = Field(64, ge=1, description="simulations per move of the network under evaluation")
    solver: bool = Field(True, description="use the threat solver for the network under evaluation")
    size: int = Field(0, ge=0, le=MAX_SIZE, description="board size of the ladder; 0: the run's width x height")
    openings: str = Field("balanced", description="openings: balanced, empty, a bundled set or a file")
    seed: int = Field(7, description="seed of openings and opponents")
    control: bool = Field(
        False, description="also play the first ladder with the untrained network, with the same search and solver"
    )
    probe: int = Field(
        0, ge=0, le=200, description="positions of each kind in the tactics probe, for policy and search; 0: no probe"
    )


@dataclass(frozen=True, slots=True)
class LadderTask:
    """One game of the network against an opponent."""

    variant: Variant
    opponent: str
    opening: Opening
    network_black: bool
    sims: int
    solver: bool
    seed: int
    tags: dict[str, str]


@dataclass(frozen=True, slots=True)
class ProbeTask:
    """The tactics probe with so many simulations per move, without the solver; 1: the policy alone."""

    variant: Variant
    count: int
    sims: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A network to be evaluated: its file's bytes, its card, and how the file's name would end."""

    model: bytes
    card: dict[str, Any]
    suffix: str = ".onnx"


class Laddered(Protocol):
    """Settings of a run that is measured so."""

    @property
    def ladder(self) -> LadderConfig: ...
    @property
    def board(self) -> BoardConfig: ...


def ladder_tasks(config: Laddered, iteration: int) -> list[LadderTask]:
    """Every opponent, every opening, both colours."""
    ladder, variant = config.ladder, _variant(config)
    starts = openings(ladder.openings, variant, ladder.games // 2, ladder.seed)
    return [
        LadderTask(variant, opponent, start, black, ladder.sims, ladder.solver, ladder.seed + 1000 * i,
                   {"iteration": str(iteration), "opening": str(i)})
        for opponent in ladder.opponents
        for i, start in enumerate(starts)
        for black in (True, False)
    ]  # fmt: skip


def play_ladder_game(candidate: Candidate, task: LadderTask) -> GameRecord:
    """Plays one game in a worker, which keeps the network loaded for the next."""
    model = model_from_bytes(candidate.model, candidate.card, candidate.suffix)
    network = create("alphazero", model=model, sims=task.sims, solver=task.solver, seed=task.seed)
    opponent = create(task.opponent, seed=task.seed)
    black, white = (network, opponent) if task.network_black else (opponent, network)
    names = (SELF, task.opponent) if task.network_black else (task.opponent, SELF)
    record = play_game(
        black, white, Board(task.variant, task.opening), Limit(), names=names,
        pair=f"{task.opponent}/{task.tags['opening']}", seed=task.seed, tags=task.tags,
    )  # fmt: skip
    close_player(opponent)
    if record.termination in FAULTS:
        raise TengenError(f"the ladder game against {task.opponent} broke off: {record.detail}")
    return record


def run_probe(candidate: Candidate, task: ProbeTask) -> Metrics:
    """Percent solved of each kind of tactics, as `policy/KIND` or `search/KIND`."""
    model = model_from_bytes(candidate.model, candidate.card, candidate.suffix)
    player = create("alphazero", model=model, sims=task.sims, solver=False)
    probes = probe_positions(task.variant, task.count)
    how = "policy" if task.sims == 1 else "search"
    return solved(probes, task.variant, lambda board: player.choose(board, Limit()).move, f"{how}/")


def probe_tasks(config: Laddered) -> list[ProbeTask]:
    variant, ladder = _variant(config), config.ladder
    return [ProbeTask(variant, ladder.probe, sims) for sims in (1, ladder.sims)] if ladder.probe else []


def control_metrics(records: list[GameRecord]) -> Metrics:
    """What the untrained network scored."""
    scores = ladder_metrics(records).items()
    return {key.replace("ladder", "control", 1): value for key, value in scores if key.startswith("ladder/")}


def ladder_metrics(records: list[GameRecord]) -> Metrics:
    """Score of the network in percent against each opponent, with wins, draws and losses."""
    metrics: Metrics = {}
    for opponent in dict.fromkeys(_opponent(r) for r in records):
        scores = [_score(r) for r in records if _opponent(r) == opponent]
        metrics[f"ladder/{opponent}"] = 100 * sum(scores) / len(scores)
        for name, score in (("wins", 1.0), ("draws", 0.5), ("losses", 0.0)):
            metrics[f"ladder_{name}/{opponent}"] = float(scores.count(score))
    return metrics


def newest_tactics(checkpoint: Path) -> dict[str, float]:
    """Percent of the tactics probe solved by policy and by search, and the control's scores; empty: not probed."""
    rows = RunFolder(checkpoint.parents[1]).read_metrics()
    probed = [r for r in rows if r["iteration"] <= int(checkpoint.name) and any(k.startswith("policy/") for k in r)]
    return {k: v for k, v in (probed[-1] if probed else {}).items() if k.startswith(("policy/", "search/", "control/"))}


def newest_ladder(ladder: LadderConfig, checkpoint: Path) -> list[dict[str, Any]]:
    """The newest ladder that the run had played when the checkpoint was written."""
    rows = RunFolder(checkpoint.parents[1]).read_metrics()
    played = [r for r in rows if r["iteration"] <= int(checkpoint.name) and any(k.startswith("ladder/") for k in r)]
    return [
        {
            "opponent": (opponent := key.removeprefix("ladder/")),
            **{part: int(played[-1][f"ladder_{part}/{opponent}"]) for part in ("wins", "draws", "losses")},
            "sims": ladder.sims,
            "solver": ladder.solver,
            "iteration": int(played[-1]["iteration"]),
        }
        for key in (played[-1] if played else {})
        if key.startswith("ladder/")
    ]


def check_opponents(config: Laddered) -> None:
    """Finds a mistake in the ladder before any work is done."""
    for spec in config.ladder.opponents:
        parse_spec(spec)


def check_ladder(config: Laddered) -> None:
    """Makes the opponents and an opening once: what is missing or of another board is known before a run begins."""
    check_opponents(config)
    if config.ladder.opponents:
        openings(config.ladder.openings, _variant(config), 1, config.ladder.seed)
        check_entrants([Entrant(spec, spec, Limit()) for spec in config.ladder.opponents], Board(_variant(config)))


def _variant(config: Laddered) -> Variant:
    return config.board.square(config.ladder.size) if config.ladder.size else config.board.variant


def _opponent(record: GameRecord) -> str:
    return record.white if record.black == SELF else record.black


def _score(record: GameRecord) -> float:
    return record.score(Color.BLACK if record.black == SELF else Color.WHITE)
