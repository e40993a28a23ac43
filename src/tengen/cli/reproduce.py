"""`tengen reproduce`: published experiments, their figures beside ours (docs/sources.md)."""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from tengen.arena.collection import checked
from tengen.cli._arena import GameProgress, checked_workers
from tengen.cli.tournament import LiveTable
from tengen.cli.train import need_torch
from tengen.errors import TengenError
from tengen.experiments import experiment_names, find_experiment
from tengen.files import write_atomic
from tengen.lab.reproduce.claims import claims_markdown, run_claims
from tengen.lab.reproduce.methods import able, methods_markdown, run_methods
from tengen.lab.reproduce.milestones import milestones_markdown, run_milestones
from tengen.lab.reproduce.plan import (
    ClaimsPlan,
    MilestonePlan,
    StudyPlan,
    TournamentPlan,
    VariantPlan,
    load_plan,
    toml_text,
)
from tengen.lab.reproduce.study import run_study
from tengen.lab.reproduce.study_report import draw_study, study_markdown
from tengen.lab.reproduce.variants import run_variants, variants_markdown
from tengen.records import GameRecord


def command(
    name: str = typer.Argument(
        help=f"a TOML file, or a bundled experiment: {', '.join(experiment_names(reproductions=True))}"
    ),
    budget: str = typer.Option("", help="time to spend, such as 90s, 30m or 2h; what is done counts"),
    smoke: bool = typer.Option(False, help="seconds instead of hours: shows that everything runs, measures nothing"),
    out: Path = typer.Option(Path("runs/reproduce"), help="folder of the results; an existing one is continued"),
    workers: int = typer.Option(os.cpu_count() or 1, help="processes that play or train"),
    report: bool = typer.Option(True, help="write the charts of a tournament too"),
) -> None:
    """Reproduce a published experiment and write its figures beside ours."""
    path = find_experiment(name, reproductions=True)
    plan = load_plan(path, smoke)
    folder = out / (path.stem + ("-smoke" if smoke else ""))
    deadline = time.monotonic() + parse_duration(budget) if budget else math.inf
    if isinstance(plan, TournamentPlan):
        text = _tournament(plan, folder, checked_workers(workers), deadline, report)
    elif isinstance(plan, StudyPlan):
        text = _study(plan, folder, checked_workers(workers), deadline)
    elif isinstance(plan, VariantPlan):
        text = _variants(plan, folder, checked_workers(workers), deadline)
    elif isinstance(plan, ClaimsPlan):
        text = _claims(plan, folder, checked_workers(workers), deadline)
    else:
        text = _milestones(plan, folder, checked_workers(workers), deadline)
    write_atomic(folder / "results.md", text)
    print(text)
    print(f"written to {folder / 'results.md'}", file=sys.stderr)


def parse_duration(text: str) -> float:
    """Seconds of `90s`, `30m` or `2h`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text.strip())
    if not match:
        raise TengenError(f"'{text}' is not a time; write 90s, 30m or 2h")
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]


def _tournament(plan: TournamentPlan, folder: Path, workers: int, deadline: float, report: bool) -> str:
    entrants, missing = able(plan)
    for method, reason in missing.items():
        print(f"note: {method} is left out: {reason}", file=sys.stderr)
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
    need_torch()
    from tengen.lab.reproduce.laboratory import LocalLaboratory

    shown: dict[str, float] = {}

    def show(step: str, done: int, total: int) -> None:
        if done == total or time.monotonic() - shown.get(step, -math.inf) > 10:
            print(f"{step}: {done} of {total}", file=sys.stderr, flush=True)
            shown[step] = time.monotonic()

    players = 0 if workers == 1 else workers  # alone, this process does everything
    result = run_study(plan, folder, LocalLaboratory(plan.variant, workers), players, deadline, show)
    draw_study(plan, result, folder / "curves.png")
    return study_markdown(plan, result)


def _claims(plan: ClaimsPlan, folder: Path, workers: int, deadline: float) -> str:
    progress = GameProgress(plan.games, bar=False)

    def show(name: str, records: list[GameRecord]) -> None:
        progress.update(len(records), name)

    return claims_markdown(plan, run_claims(plan, folder, workers, show, lambda: time.monotonic() > deadline))


def _milestones(plan: MilestonePlan, folder: Path, workers: int, deadline: float) -> str:
    teacher = CommandTeacher(folder, "train", plan.train, workers)
    progress = GameProgress(plan.games, bar=False)

    def show(step: str, records: list[GameRecord]) -> None:
        progress.update(len(records), step)

    rows = run_milestones(plan, folder, teacher, workers, deadline, show)
    write_atomic(folder / "results.json", json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return milestones_markdown(plan, rows)


def _variants(plan: VariantPlan, folder: Path, workers: int, deadline: float) -> str:
    progress = GameProgress(plan.games, bar=False)

    def show(step: str, records: list[GameRecord]) -> None:
        progress.update(len(records), step)

    def student(name: str, settings: dict[str, Any]) -> CommandTeacher:
        return CommandTeacher(folder, name, settings, workers, same_budget=True)

    rows = run_variants(plan, folder, student, workers, deadline, show)
    write_atomic(folder / "results.json", json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return variants_markdown(plan, rows)


STOP_SECONDS = 60.0
"""What a training that was told to stop may take for its last words."""


class CommandTeacher:
    """Trains by `tengen train` in its own process, so that a deadline can stop it and a resume go on."""

    def __init__(
        self, folder: Path, name: str, settings: dict[str, Any], workers: int, same_budget: bool = False
    ) -> None:
        """`same_budget`: an existing run must have been begun with the budget in the settings too."""
        self._folder, self._workers = folder, workers
        self._run = folder / name
        self._settings = folder / f"{name}.toml"
        settings = settings | {"name": name}
        _check_same_settings(self._run, settings, ("name",) if same_budget else ("name", "budget"))
        write_atomic(self._settings, toml_text(settings) + "\n")

    def train(self, games: int, deadline: float) -> int:
        if self._games() < games:
            self._train(["--set", f"budget.games={games}"], deadline)
        return self._games()

    def finish(self, deadline: float) -> bool:
        """To the end of the budget in the settings; a run that is at its end stays as it is."""
        return self._train([], deadline)

    def metrics(self) -> dict[str, float]:
        lines = (self._run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
        last: dict[str, float] = json.loads(lines[-1])
        return last

    def _train(self, more: list[str], deadline: float) -> bool:
        started = (self._run / "run.json").is_file()
        what = ["--resume", str(self._run)] if started else [str(self._settings), "--runs", str(self._folder)]
        return self._call("train", [*what, *more, "--workers", str(self._workers), "--plain"], deadline)

    def export(self, name: str) -> Path:
        path = self._folder / "models" / f"{name}.onnx"
        if not path.is_file():
            self._call("export", [str(self._run), "--name", name, "--out", str(path.parent)], math.inf)
        return path

    def _games(self) -> int:
        """Games of the newest whole checkpoint."""
        metrics = self._run / "metrics.jsonl"
        if not metrics.is_file():
            return 0
        saved = [int(path.name) for path in (self._run / "checkpoints").glob("[0-9]*") if path.name.isdecimal()]
        for line in reversed(metrics.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            if row["iteration"] in saved:
                return int(row["games"])
        return 0

    def _call(self, command: str, args: list[str], deadline: float) -> bool:
        """Whether it came to its end before the deadline."""
        process = subprocess.Popen([sys.executable, "-m", "tengen", command, *args], stdout=2)
        try:
            left = deadline - time.monotonic()
            code = process.wait(None if math.isinf(left) else max(left, 1.0))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            return False
        except BaseException:
            process.kill()
            raise
        if code:
            raise TengenError(f"tengen {command} ended with exit code {code}; see its message above")
        return True


def _check_same_settings(run: Path, settings: dict[str, Any], free: tuple[str, ...]) -> None:
    """A run that exists goes on with the settings it was begun with, so these must be the same, but for the free ones.

    The networks and games beside it were made under them too: all of it has to go, not the run alone.
    """
    if not (run / "run.json").is_file():
        return
    need_torch()
    from tengen.training.methods import checked as checked_config
    from tengen.training.methods import other_settings
    from tengen.training.run.loop import RunFolder

    changed = other_settings(RunFolder.open(run), checked_config(settings, str(run)))
    if changed := [key for key in changed if key not in free]:
        raise TengenError(f"{run} was begun with another {', '.join(changed)}; remove {run.parent} to begin anew")
