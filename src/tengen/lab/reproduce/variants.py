"""Variants of one training compared: each is trained with the same budget and plays the same opponents."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tengen.arena.match import play_match
from tengen.arena.schedule import Conditions
from tengen.arena.score import Score
from tengen.lab.reproduce.plan import VariantPlan
from tengen.play.entrants import Entrant, parse_entrant
from tengen.records import GameRecord
from tengen.rules import Limit
from tengen.training.run.config import merged


class Training(Protocol):
    """One training. Everything it does survives a kill."""

    def finish(self, deadline: float) -> bool:
        """Trains to the end of its budget, or until `deadline` (time.monotonic): then it is not finished."""
        ...

    def export(self, name: str) -> Path: ...

    def metrics(self) -> dict[str, float]:
        """The last line of the training's log."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """One training of the comparison."""

    variant: str
    size: int
    seed: int

    @property
    def name(self) -> str:
        return f"{self.variant}-{self.size}-seed{self.seed}"


@dataclass(frozen=True, slots=True)
class VariantRow:
    case: Case
    steps: int
    cpu_seconds: float
    scores: dict[str, Score]
    """By opponent."""


def cases(plan: VariantPlan) -> Iterator[Case]:
    """Seed by seed, so that a budget that ends early leaves whole comparisons."""
    for seed in plan.seeds:
        for size in plan.sizes:
            for variant in plan.only or plan.variants:
                yield Case(variant, size, seed)


def settings(plan: VariantPlan, case: Case) -> dict[str, Any]:
    """What `tengen train` is given for a case."""
    own = {"name": case.name, "seed": case.seed, "env": {"width": case.size, "height": case.size}}
    return merged(merged(plan.train, plan.variants[case.variant]), own)


def run_variants(
    plan: VariantPlan,
    folder: Path,
    training_of: Callable[[str, dict[str, Any]], Training],
    workers: int,
    deadline: float = math.inf,
    on_step: Callable[[str, list[GameRecord]], None] | None = None,
) -> list[VariantRow]:
    rows: list[VariantRow] = []
    for case in cases(plan):
        training = training_of(case.name, settings(plan, case))
        if time.monotonic() >= deadline or not training.finish(deadline):
            break
        ours = Entrant(case.name, plan.player.format(model=training.export(case.name)), Limit())
        scores = {}
        for opponent in plan.opponents:
            scores[opponent] = _measure(plan, folder, case, ours, opponent, workers, deadline, on_step)
        if any(score.games < plan.games for score in scores.values()):
            break
        metrics = training.metrics()
        rows.append(VariantRow(case, int(metrics["gradient_steps"]), metrics.get("cpu_seconds", 0.0), scores))
    return rows


def _measure(
    plan: VariantPlan,
    folder: Path,
    case: Case,
    ours: Entrant,
    opponent: str,
    workers: int,
    deadline: float,
    on_step: Callable[[str, list[GameRecord]], None] | None,
) -> Score:
    """The match of a case; the deadline may leave it with fewer games than were asked for."""
    show = (lambda records: on_step(f"{case.name} against {opponent}", records)) if on_step else None
    conditions = Conditions(plan.variant(case.size), plan.openings, plan.seed)
    theirs = parse_entrant(opponent, Limit())
    out = folder / "games" / f"{case.name}.jsonl"
    return play_match(
        ours, theirs, conditions, plan.games, workers=workers, out=out, on_game=show,
        stop=lambda: time.monotonic() > deadline,
    ).score  # fmt: skip


def variants_markdown(plan: VariantPlan, rows: list[VariantRow]) -> str:
    lines = [f"# {plan.title}", "", f"{plan.source}.", "",
             f"Each pair of players {plan.games} games, openings `{plan.openings}`, each with both colours; "
             "score with its 95 % interval.", "",
             "| board | variant | seed | gradient steps | processor seconds | " + " | ".join(plan.opponents) + " |",
             "|---" * (5 + len(plan.opponents)) + "|"]  # fmt: skip
    for row in sorted(rows, key=lambda row: row.case.size):
        cells = " | ".join(_cell(row.scores[opponent]) for opponent in plan.opponents)
        who = f"| {row.case.size}x{row.case.size} | {row.case.variant} | {row.case.seed} "
        lines.append(f"{who}| {row.steps} | {row.cpu_seconds:.0f} | {cells} |")
    missing = [case.name for case in cases(plan) if case not in {row.case for row in rows}]
    if missing:
        lines += ["", f"Not reached in the time given: {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def _cell(score: Score) -> str:
    rate = score.rate
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%}), +{score.wins} ={score.draws} −{score.losses}"
