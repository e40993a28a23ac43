"""Training measured at milestones: strength after so many games, the published figures beside ours."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from tengen.arena.match import play_match
from tengen.arena.schedule import Conditions
from tengen.arena.score import Interval, observations, score_interval
from tengen.lab.reproduce import verdicts
from tengen.lab.reproduce.plan import MilestonePlan, SourceMilestone
from tengen.play.entrants import parse_entrant
from tengen.records import GameRecord
from tengen.rules import Color, Limit

TRAINING_SHARE = 0.7
"""Of the time a milestone gets under a budget, how much may go into training; the rest is for measuring."""


class TrainingDriver(Protocol):
    """Trains one network further and further. Everything it does survives a kill."""

    def train(self, games: int, deadline: float) -> int:
        """Goes on to `games` games or until `deadline` (time.monotonic); returns how many are done in all."""
        ...

    def export(self, name: str) -> Path:
        """The present network as a model file."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """One milestone as it was measured."""

    asked: int
    trained: int
    wins: int
    draws: int
    losses: int
    rate: Interval
    seconds: float
    """Thinking time of our player per move."""


def run_milestones(
    plan: MilestonePlan,
    folder: Path,
    training: TrainingDriver,
    workers: int,
    deadline: float = math.inf,
    on_step: Callable[[str, list[GameRecord]], None] | None = None,
) -> list[Row]:
    """Trains and measures in turn. Before a deadline each milestone gets an equal share of the time left."""
    rows: list[Row] = []
    for number, games in enumerate(plan.milestones):
        if time.monotonic() >= deadline:
            break
        now = time.monotonic()
        ends = now + (deadline - now) / (len(plan.milestones) - number)
        trained = training.train(games, now + (ends - now) * TRAINING_SHARE)
        if not trained or (rows and trained == rows[-1].trained):
            continue
        show = (lambda records, t=trained: on_step(f"after {t} games", records)) if on_step else None
        model = training.export(f"after-{trained}")
        records = _measure(plan, folder / f"after-{trained}.jsonl", model, trained, workers, ends, show)
        rows.append(measured_row(plan, games, trained, records))
    return rows


def _measure(
    plan: MilestonePlan,
    out: Path,
    model: Path,
    trained: int,
    workers: int,
    ends: float,
    show: Callable[[list[GameRecord]], None] | None,
) -> list[GameRecord]:
    """The match of a milestone; with a deadline it may have fewer games, but never less than one pair."""
    ours = replace(parse_entrant(plan.player.format(model=model), Limit()), name=f"after-{trained}")
    theirs = parse_entrant(plan.opponent, Limit())
    conditions = Conditions(plan.variant, plan.openings, plan.seed)
    result = play_match(
        ours, theirs, conditions, plan.games, workers=workers, out=out, on_game=show,
        stop=lambda: time.monotonic() > ends,
    )  # fmt: skip
    return result.records


def measured_row(plan: MilestonePlan, asked: int, trained: int, records: list[GameRecord]) -> Row:
    """What the games of a milestone say; with `colors = "first"` only those in which ours moved first."""
    opponent = parse_entrant(plan.opponent, Limit()).name
    if plan.colors == "first":
        records = [record for record in records if record.white == opponent]
    counts = {1.0: 0, 0.5: 0, 0.0: 0}
    groups: dict[object, list[float]] = {}
    seconds, moves = 0.0, 0
    for record, unit in zip(records, observations(records), strict=True):
        side = Color.WHITE if record.black == opponent else Color.BLACK
        score = record.score(side)
        counts[score] += 1
        points = float(score == 1) if plan.measure == "wins" else score
        groups.setdefault(unit, []).append(points)
        own = record.seconds[(record.opening + side) % 2 :: 2]
        seconds, moves = seconds + sum(own), moves + len(own)
    rate = score_interval(list(groups.values()))
    return Row(asked, trained, counts[1.0], counts[0.5], counts[0.0], rate, seconds / max(moves, 1))


def milestones_markdown(plan: MilestonePlan, rows: list[Row]) -> str:
    """The published table with ours beside it."""
    what = "wins" if plan.measure == "wins" else "score"
    first = ", our player moving first" if plan.colors == "first" else ", each opening with both colours"
    lines = [f"# {plan.title}", "", f"Source: {plan.source}.", "",
             f"Against `{plan.opponent}` on {plan.variant}, openings `{plan.openings}`{first}.", "",
             f"| training games | published | our games | + = − | our {what} (95 %) "
             "| seconds per move | published figure |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    told = {claim.games: claim for claim in plan.reported}
    done = {row.asked: row for row in rows}
    for games in sorted({*plan.milestones, *told}):
        lines.append(_line(games, told.get(games), done.get(games)))
    return "\n".join(lines) + "\n"


def _line(games: int, claim: SourceMilestone | None, row: Row | None) -> str:
    told = claim.text if claim else ""
    if row is None:
        return f"| {games} | {told} | not reached | | | | |"
    trained = f"{games}" if row.trained == games else f"{games} (measured at {row.trained})"
    rate = f"{row.rate.value:.1%} ({row.rate.low:.1%} to {row.rate.high:.1%})"
    played = f"{row.wins + row.draws + row.losses} | +{row.wins} ={row.draws} −{row.losses}"
    verdict = verdicts.size(claim.rate, row.rate) if claim else ""
    return f"| {trained} | {told} | {played} | {rate} | {row.seconds:.2f} | {verdict} |"
