"""What a study says: tables as text and learning curves as a picture, both pure functions of its records."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tengen.arena.ratings import RatingTable, rate
from tengen.arena.score import Interval, Score, match_score
from tengen.lab.reproduce.plan import StudyPlan
from tengen.lab.reproduce.study import Snapshot, StudyResult
from tengen.records import GameRecord

_SNAPSHOT = re.compile(r"(?P<variant>.+?)-(?P<seed>\d+)(-(?P<minutes>[\d.]+)m)?")
Curve = list[tuple[float, Interval]]
"""Processor minutes and score."""


def study_markdown(plan: StudyPlan, result: StudyResult) -> str:
    last = result.stages[-1]
    lines = [f"# {plan.title}", "", f"Source: {plan.source}.", ""]
    seeds = ", ".join(map(str, plan.seeds))
    lines += [
        f"{plan.variant}; {len(plan.variants)} variants, seeds {seeds}; each run had {last[0].minutes:g} minutes of "
        "processor time for playing and learning, the making of games and teachers included. "
        f"Openings `{plan.openings}`, each with both colours. Intervals are 95 %.",
        "",
    ]
    lines += _runs(plan, last) + _ladder(plan, result)
    for solver, records in result.finals.items():
        lines += _final(plan, records, solver)
    return "\n".join(lines) + "\n"


def _runs(plan: StudyPlan, stage: list[Snapshot]) -> list[str]:
    lines = ["## Runs", "", "| run | what | self-play games | positions | iterations | processor s | games of others |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    for s in stage:
        m = s.metrics
        lines.append(
            f"| {s.name} | {plan.variants[s.variant].title} | {m.get('games', 0):.0f} | {m.get('positions', 0):.0f} "
            f"| {m.get('iteration', 0):.0f} | {m.get('cpu_seconds', 0) + s.extra:.0f} | {s.extra:.0f} s |"
        )
    return [*lines, ""]


def _ladder(plan: StudyPlan, result: StudyResult) -> list[str]:
    """Scores of all seeds of a variant together, at each stage."""
    stages = [stage[0].minutes for stage in result.stages]
    lines = ["## Ladder", "", f"Score in percent against fixed opponents, solver off, seeds together; player "
             f"`{plan.player}`.", "", "| opponent | variant | " + " | ".join(f"{m:g} min" for m in stages) + " |",
             "|---|---|" + "---|" * len(stages)]  # fmt: skip
    curves = ladder_curves(plan, result.ladder)
    for opponent in plan.opponents:
        for variant in plan.variants:
            cells = {minutes: _percent(score) for minutes, score in curves[variant, opponent]}
            lines.append(f"| `{opponent}` | {variant} | " + " | ".join(cells.get(m, "") for m in stages) + " |")
    return [*lines, ""]


def ladder_curves(plan: StudyPlan, records: list[GameRecord]) -> dict[tuple[str, str], Curve]:
    """Variant and opponent -> score at each stage; the opponent "" stands for all of them together."""
    games: dict[tuple[str, str], dict[float, list[GameRecord]]] = {}
    for record in records:
        name, opponent = (record.black, record.white)
        if opponent not in plan.opponents:
            name, opponent = opponent, name
        match = _SNAPSHOT.fullmatch(name)
        assert match is not None, "names of snapshots are our own"
        for key in ((match["variant"], opponent), (match["variant"], "")):
            games.setdefault(key, {}).setdefault(float(match["minutes"]), []).append(_as(record, name, "network"))
    curves: dict[tuple[str, str], Curve] = {(v, o): [] for v in plan.variants for o in [*plan.opponents, ""]}
    for key, stages in games.items():
        curves[key] = [(minutes, match_score(stages[minutes], "network").rate) for minutes in sorted(stages)]
    return curves


def _final(plan: StudyPlan, records: list[GameRecord], solver: str) -> list[str]:
    """Ratings of the networks and of the variants; each variant against the first one."""
    title = f"## Round robin of the last networks, solver {solver}"
    if not records:
        return [title, "", "Not played: the time was over.", ""]
    by_variant = [_variants(record) for record in records]
    first = next(iter(plan.variants))
    lines = [title, "", f"{len(records)} games, `{plan.player}`. Elo of the mean is 0.", ""]
    lines += _ratings("variant", rate(by_variant)) + _ratings("network", rate(records))
    lines += [f"| against {first} | + = − | score | Elo | knowledge |", "|---|---|---|---|---|"]
    for variant in list(plan.variants)[1:]:
        score = versus(by_variant, variant, first)
        lines.append(f"| {variant} | +{score.wins} ={score.draws} −{score.losses} | {_percent(score.rate)} "
                     f"| {_elo(score.elo)} | {verdict(score.rate)} |")  # fmt: skip
    return [*lines, ""]


def versus(records: list[GameRecord], a: str, b: str) -> Score:
    """The score of a against b, in records that name variants."""
    return match_score([record for record in records if {record.black, record.white} == {a, b}], a)


def verdict(score: Interval) -> str:
    if score.low <= 0.5 <= score.high:
        return "undecided"
    return "helps" if score.value > 0.5 else "harms"


def _ratings(what: str, table: RatingTable) -> list[str]:
    lines = [f"| {what} | Elo | interval | bootstrap | games | score | draws |", "|---|---|---|---|---|---|---|"]
    for r in table.ratings:
        boot = f"{r.bootstrap.low:+.0f} to {r.bootstrap.high:+.0f}" if r.bootstrap else ""
        lines.append(f"| {r.player} | {r.elo.value:+.0f} | {r.elo.low:+.0f} to {r.elo.high:+.0f} | {boot} "
                     f"| {r.games} | {r.score:.1%} | {r.draws:.1%} |")  # fmt: skip
    return [*lines, ""]


def _variants(record: GameRecord) -> GameRecord:
    """The record with variants for networks: seeds of a variant are one player."""
    names = [_SNAPSHOT.fullmatch(name) for name in (record.black, record.white)]
    black, white = (match["variant"] for match in names if match)
    return replace(record, black=black, white=white)


def _as(record: GameRecord, name: str, other: str) -> GameRecord:
    return replace(record, black=other) if record.black == name else replace(record, white=other)


def _percent(interval: Interval) -> str:
    return f"{100 * interval.value:.0f} ({100 * interval.low:.0f} to {100 * interval.high:.0f})"


def _elo(interval: Interval) -> str:
    return f"{interval.value:+.0f} ({interval.low:+.0f} to {interval.high:+.0f})"


def draw_study(plan: StudyPlan, result: StudyResult, path: Path) -> None:
    """Learning curves: a panel an opponent, a line a variant with its interval."""
    from matplotlib.figure import Figure

    curves = ladder_curves(plan, result.ladder)
    columns = (len(plan.opponents) + 2) // 2
    figure = Figure(figsize=(5 * columns, 8), layout="constrained")
    axes = figure.subplots(2, columns, squeeze=False).ravel()
    for axis, opponent in zip(axes, ["", *plan.opponents], strict=False):
        for shift, variant in enumerate(plan.variants):
            points = curves[variant, opponent]
            at = [minutes * (1 + 0.012 * (shift - len(plan.variants) / 2)) for minutes, _ in points]
            spread = [[100 * (s.value - s.low) for _, s in points], [100 * (s.high - s.value) for _, s in points]]
            axis.errorbar(at, [100 * s.value for _, s in points], spread, label=variant, marker="o", capsize=2)
        axis.set(
            title=opponent or "all opponents", xlabel="processor minutes", ylabel="score in percent", ylim=(-3, 103)
        )
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    for axis in axes[len(plan.opponents) + 1 :]:
        axis.axis("off")
    figure.suptitle(plan.title)
    figure.savefig(path, dpi=110)
