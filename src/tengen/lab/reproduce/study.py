"""A study: variants of one training at equal compute, measured on the way and against each other at the end.

    STUDY/games/NAME/        games of other players that variants learn from, and what making them cost
    STUDY/runs/VARIANT-SEED/ the training runs
    STUDY/models/            each run's network at every stage
    STUDY/ladder.jsonl       every such network against the fixed opponents
    STUDY/final-off.jsonl    round robin of the last networks without the solver, final-on.jsonl with it

Every part goes on where it stopped. All runs are brought to a stage before any goes to the next one, so that a study
that runs out of time still compares equals.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from tengen.arena.game_processes import play_games
from tengen.arena.schedule import Conditions, ScheduledGame, record_key, schedule_pairs, unplayed
from tengen.arena.store import RecordStore
from tengen.arena.tournament import Tournament
from tengen.errors import TengenError
from tengen.lab.reproduce.plan import GamesPlan, StudyPlan
from tengen.play.entrants import Entrant
from tengen.play.openings import opening_stream
from tengen.records import GameRecord
from tengen.rules import Limit
from tengen.training.run.config import merged

TRAINING_SHARE = 0.75
"""Of the time under a budget, how much may go into training and ladder; the rest is for the round robins."""
SOLVER = ("off", "on")
OnStep = Callable[[str, int, int], None]
"""Sees what is being done, how much of it is done, and the whole."""


class Laboratory(Protocol):
    """Makes games and trains networks. Everything it does survives a kill."""

    def collect(self, folder: Path, games: GamesPlan) -> float:
        """Makes games of other players unless they are there; returns the processor seconds it took."""
        ...

    def train(self, run: Path, settings: dict[str, Any], cpu_seconds: float, deadline: float) -> dict[str, float]:
        """Brings a run to so much processor time or to `deadline` (time.monotonic).

        Returns the metrics of the iteration that reached it, however far the run is by now, or else its last ones.
        """
        ...

    def export(self, run: Path, model: Path, iteration: int) -> None:
        """A run's network of that iteration as a model file, unless that is there; raises when it is gone."""
        ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run's network at a stage. `extra`: processor seconds that making games for it took, part of its compute."""

    variant: str
    seed: int
    minutes: float
    model: Path
    metrics: dict[str, float]
    extra: float

    @property
    def name(self) -> str:
        return f"{self.variant}-{self.seed}"

    @property
    def stage_name(self) -> str:
        return f"{self.name}-{self.minutes:g}m"


@dataclass(slots=True)
class StudyResult:
    stages: list[list[Snapshot]] = field(default_factory=list)
    """Complete stages only: every variant with every seed."""
    ladder: list[GameRecord] = field(default_factory=list)
    finals: dict[str, list[GameRecord]] = field(default_factory=dict)
    """Solver off or on -> round robin of the last stage's networks."""


def run_study(plan: StudyPlan, folder: Path, laboratory: Laboratory, workers: int,
              deadline: float = math.inf, on_step: OnStep = lambda *_: None) -> StudyResult:  # fmt: skip
    result, ends = StudyResult(), _share(deadline)
    cost = {name: laboratory.collect(folder / "games" / name, games) for name, games in plan.games_of.items()}
    for minutes in plan.minutes:
        stage = _stage(plan, folder, laboratory, cost, minutes, ends, on_step)
        if stage is None:
            break
        result.stages.append(stage)
        jobs = list(_ladder_games(plan, stage))
        result.ladder += _play(jobs, folder / "ladder.jsonl", plan, workers, math.inf, on_step)
    if not result.stages:
        raise TengenError(f"the budget is too short to bring every run to {plan.minutes[0]:g} minutes")
    for solver in SOLVER:
        jobs = list(_final_games(plan, result.stages[-1], solver))
        file = folder / f"final-{solver}-{result.stages[-1][0].minutes:g}m.jsonl"
        result.finals[solver] = _play(jobs, file, plan, workers, deadline, on_step)
    return result


def _share(deadline: float) -> float:
    now = time.monotonic()
    return now + TRAINING_SHARE * (deadline - now)


def _stage(plan: StudyPlan, folder: Path, laboratory: Laboratory, cost: dict[str, float], minutes: float,
           deadline: float, on_step: OnStep) -> list[Snapshot] | None:  # fmt: skip
    """Every run at `minutes` of processor time, or None when the deadline came before."""
    stage: list[Snapshot] = []
    runs = [(variant, seed) for seed in plan.seeds for variant in plan.variants]
    for number, (variant, seed) in enumerate(runs):
        on_step(f"{variant}-{seed} to {minutes:g} minutes", number, len(runs))
        extra = sum(cost[name] for name in plan.variants[variant].uses)
        seconds = max(60 * minutes - extra, 1e-3)  # at least one iteration
        run, model = folder / "runs" / f"{variant}-{seed}", folder / "models" / f"{variant}-{seed}-{minutes:g}m.onnx"
        metrics = laboratory.train(run, settings_of(plan, variant, seed, folder), seconds, deadline)
        if metrics.get("cpu_seconds", 0.0) < seconds:
            return None
        laboratory.export(run, model, int(metrics["iteration"]))
        stage.append(Snapshot(variant, seed, minutes, model, metrics, extra))
    return stage


def settings_of(plan: StudyPlan, variant: str, seed: int, folder: Path) -> dict[str, Any]:
    """The settings of a run: those of all, the variant's on top; {games} stands for the folder of games."""
    settings = merged(plan.train, plan.variants[variant].train)
    filled: dict[str, Any] = _filled(settings, str(folder / "games"))
    return filled | {"name": f"{variant}-{seed}", "seed": seed}


def _filled(value: Any, games: str) -> Any:
    if isinstance(value, dict):
        return {key: _filled(item, games) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, games) for item in value]
    return value.replace("{games}", games) if isinstance(value, str) else value


def _ladder_games(plan: StudyPlan, stage: list[Snapshot]) -> Iterator[ScheduledGame]:
    conditions = Conditions(plan.variant, plan.openings, plan.seed)
    for snapshot in stage:
        own = Entrant(snapshot.stage_name, plan.spec(snapshot.model, "off"), Limit())
        for spec in plan.opponents:
            starts = opening_stream(plan.openings, plan.variant, plan.seed)
            yield from islice(schedule_pairs(own, Entrant(spec, spec, Limit()), conditions, starts), plan.ladder_games)


def _final_games(plan: StudyPlan, stage: list[Snapshot], solver: str) -> Iterator[ScheduledGame]:
    """All pairs, but not the seeds of one variant against each other: that would tell nothing."""
    entrants = tuple(Entrant(s.name, plan.spec(s.model, solver), Limit()) for s in stage)
    variant = {s.name: s.variant for s in stage}
    tournament = Tournament(entrants, Conditions(plan.variant, plan.openings, plan.seed), plan.games)
    for job in tournament.schedule(opening_stream(plan.openings, plan.variant, plan.seed)):
        if variant[job.black.name] != variant[job.white.name]:
            yield job


def _play(jobs: list[ScheduledGame], file: Path, plan: StudyPlan, workers: int, deadline: float,
          on_step: OnStep) -> list[GameRecord]:  # fmt: skip
    """Plays what the file lacks, until the deadline; returns the records of these jobs."""
    keys = {job.key for job in jobs}
    with RecordStore(file, plan.variant) as store:
        todo = list(unplayed(jobs, store.records[:]))
        with closing(store.keep(play_games(_until(deadline, todo), workers))) as games:
            for number, _ in enumerate(games, start=1):
                on_step(f"games of {file.stem}", len(jobs) - len(todo) + number, len(jobs))
        return [record for record in store.records if record_key(record) in keys]


def _until(deadline: float, jobs: Iterable[ScheduledGame]) -> Iterator[ScheduledGame]:
    for job in jobs:
        if time.monotonic() > deadline:
            return
        yield job
