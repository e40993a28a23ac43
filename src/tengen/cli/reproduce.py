"""`tengen reproduce`: published experiments, with their figures compared to ours (docs/sources.md)."""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.arena.collection import checked
from tengen.cli import options as o
from tengen.cli.display import PlainDisplay
from tengen.cli.output import GameProgress, LiveTable, print_notes
from tengen.experiments import experiment_names, find_experiment
from tengen.files import write_atomic
from tengen.lab.reproduce.claims import claims_markdown, run_claims
from tengen.lab.reproduce.methods import available_players, methods_markdown, run_methods
from tengen.lab.reproduce.milestones import milestones_markdown, run_milestones
from tengen.lab.reproduce.plan import (
    ClaimsPlan,
    MilestonePlan,
    StudyPlan,
    TournamentPlan,
    VariantPlan,
    load_plan,
)
from tengen.lab.reproduce.study import run_study
from tengen.lab.reproduce.study_report import draw_study, study_markdown
from tengen.lab.reproduce.training import TrainingRun
from tengen.lab.reproduce.variants import run_variants, variants_markdown
from tengen.records import GameRecord
from tengen.training.run.loop import Budget


def command(
    name: Annotated[
        str,
        typer.Argument(help=f"a bundled experiment ({', '.join(experiment_names(reproductions=True))}) or a TOML file"),
    ],
    budget: o.Budget = "",
    smoke: Annotated[bool, typer.Option(help="a run of a few seconds to check that everything works")] = False,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="folder for the results; an existing one is continued")
    ] = Path("runs/reproduce"),
    workers: Annotated[int, typer.Option(min=1, max=256, help="number of processes that play or train")] = o.CORES,
    report: Annotated[bool, typer.Option(help="draw the charts of a tournament")] = True,
) -> None:
    """Reproduce a published experiment and compare its figures with ours."""
    path = find_experiment(name, reproductions=True)
    plan = load_plan(path, smoke)
    folder = out / (path.stem + ("-smoke" if smoke else ""))
    deadline = time.monotonic() + o.parse_duration(budget)
    if isinstance(plan, TournamentPlan):
        text = _tournament(plan, folder, workers, deadline, report)
    elif isinstance(plan, StudyPlan):
        text = _study(plan, folder, workers, deadline)
    elif isinstance(plan, VariantPlan):
        text = _variants(plan, folder, workers, deadline)
    elif isinstance(plan, ClaimsPlan):
        text = _claims(plan, folder, workers, deadline)
    else:
        text = _milestones(plan, folder, workers, deadline)
    write_atomic(folder / "results.md", text)
    print(text)
    print(f"written to {folder / 'results.md'}", file=sys.stderr)


def _tournament(plan: TournamentPlan, folder: Path, workers: int, deadline: float, report: bool) -> str:
    entrants, missing = available_players(plan)
    print_notes([f"{method} is left out: {reason}" for method, reason in missing.items()])
    total = len(entrants) * (len(entrants) - 1) // 2 * plan.games
    with LiveTable([entrant.name for entrant in entrants.values()], total) as table:

        def show(records: list[GameRecord], _: int) -> None:
            table.update(records)

        result = run_methods(plan, folder, workers, show, lambda: time.monotonic() > deadline)
    if report:
        from tengen.arena.report.build import write_report
        from tengen.arena.report.facts import gather

        write_report(gather(checked(result.records)), folder / "report", plan.title)
    return methods_markdown(plan, result)


def _study(plan: StudyPlan, folder: Path, workers: int, deadline: float) -> str:
    from tengen.training.methods import find_method

    find_method("alphazero")  # says what is missing, if anything
    from tengen.lab.reproduce.laboratory import LocalLaboratory

    shown: dict[str, float] = {}

    def show(step: str, done: int, total: int) -> None:
        if done == total or time.monotonic() - shown.get(step, -math.inf) > 10:
            print(f"{step}: {done} of {total}", file=sys.stderr, flush=True)
            shown[step] = time.monotonic()

    result = run_study(plan, folder, LocalLaboratory(plan.variant, workers), _players(workers), deadline, show)
    draw_study(plan, result, folder / "curves.png")
    return study_markdown(plan, result)


def _players(workers: int) -> int:
    """Processes that play: alone, this process does everything."""
    return 0 if workers == 1 else workers


def _lines(budget: Budget) -> PlainDisplay:
    """How a training shows its iterations while results go to the standard output."""
    return PlainDisplay(budget, sys.stderr)


def _claims(plan: ClaimsPlan, folder: Path, workers: int, deadline: float) -> str:
    progress = GameProgress(plan.games, bar=False)

    def show(name: str, records: list[GameRecord]) -> None:
        progress.update(len(records), name)

    return claims_markdown(plan, run_claims(plan, folder, _players(workers), show, lambda: time.monotonic() > deadline))


def _milestones(plan: MilestonePlan, folder: Path, workers: int, deadline: float) -> str:
    training = TrainingRun(folder, "train", plan.train, workers, _lines)
    progress = GameProgress(plan.games, bar=False)

    def show(step: str, records: list[GameRecord]) -> None:
        progress.update(len(records), step)

    rows = run_milestones(plan, folder, training, _players(workers), deadline, show)
    write_atomic(folder / "results.json", json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return milestones_markdown(plan, rows)


def _variants(plan: VariantPlan, folder: Path, workers: int, deadline: float) -> str:
    progress = GameProgress(plan.games, bar=False)

    def show(step: str, records: list[GameRecord]) -> None:
        progress.update(len(records), step)

    def training(name: str, settings: dict[str, Any]) -> TrainingRun:
        return TrainingRun(folder, name, settings, workers, _lines, same_budget=True)

    rows = run_variants(plan, folder, training, _players(workers), deadline, show)
    write_atomic(folder / "results.json", json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return variants_markdown(plan, rows)
