"""Tournaments of published methods: every pair, the published scores beside ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tengen.arena.collection import checked
from tengen.arena.ratings import RatingTable, rate
from tengen.arena.schedule import Conditions
from tengen.arena.score import Interval, Score
from tengen.arena.tournament import Tournament, cross_table, play_tournament
from tengen.board import Board
from tengen.errors import TengenError
from tengen.lab.probe import SEES, seen
from tengen.lab.reproduce import verdicts
from tengen.lab.reproduce.plan import TournamentPlan
from tengen.play.entrants import Entrant, check_entrants, parse_entrant
from tengen.records import GameRecord
from tengen.rules import Limit


@dataclass(frozen=True, slots=True)
class MethodsResult:
    """`missing`: methods that could not play, with the reason."""

    records: list[GameRecord]
    names: dict[str, str]
    ratings: RatingTable
    cross: dict[tuple[str, str], Score]
    missing: dict[str, str]


def available_players(plan: TournamentPlan) -> tuple[dict[str, Entrant], dict[str, str]]:
    """The methods that can play here, and why the others cannot."""
    entrants: dict[str, Entrant] = {}
    missing: dict[str, str] = {}
    for method, spec in plan.players.items():
        try:
            entrant = parse_entrant(spec, Limit())
            check_entrants([entrant], Board(plan.variant))
            entrants[method] = entrant
        except ValueError as error:
            missing[method] = str(error)
    if len(entrants) < 2:
        raise TengenError(f"too few methods can play: {'; '.join(missing.values())}")
    return entrants, missing


def run_methods(
    plan: TournamentPlan,
    folder: Path,
    workers: int,
    on_game: Callable[[list[GameRecord], int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> MethodsResult:
    entrants, missing = available_players(plan)
    conditions = Conditions(plan.variant, plan.openings, plan.seed)
    tournament = Tournament(tuple(entrants.values()), conditions, plan.games)
    total = len(tournament.pairings()) * plan.games
    show = (lambda records: on_game(records, total)) if on_game else None
    records = play_tournament(tournament, folder, workers=workers, on_game=show, stop=stop)
    names = {method: entrant.name for method, entrant in entrants.items()}
    kept = checked(records).records
    return MethodsResult(kept, names, rate(kept), cross_table(kept, list(names.values())), missing)


def methods_markdown(plan: TournamentPlan, result: MethodsResult) -> str:
    """The tables and the verdicts as text."""
    by_name = {name: method for method, name in result.names.items()}
    lines = [f"# {plan.title}", "", f"Source: {plan.source}.", ""]
    lines += [f"{len(result.records)} games on {plan.variant}, openings `{plan.openings}`, each with both colours.", ""]
    lines += [f"- left out: {method} ({reason})" for method, reason in result.missing.items()]
    lines += ["", "| method | player | Elo (95 %) | bootstrap | games | score | draws | ms per move | sees |",
              "|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for r in result.ratings.ratings:
        boot = f"{r.bootstrap.low:+.0f} to {r.bootstrap.high:+.0f}" if r.bootstrap else ""
        method = by_name[r.player]
        sees = seen(parse_entrant(plan.players[method], Limit()).spec)
        lines.append(
            f"| {method} | `{r.player}` | {_elo(r.elo)} | {boot} | {r.games} | {r.score:.1%} "
            f"| {r.draws:.1%} | {1000 * r.seconds:.1f} | {sees} |"
        )
    lines += ["", SEES, "", f"The first move is worth {_elo(result.ratings.first_move)} Elo.", ""]
    return "\n".join(lines + _claims(plan, result) + _all_pairs(result, by_name)) + "\n"


def _claims(plan: TournamentPlan, result: MethodsResult) -> list[str]:
    if not plan.scores:
        return []
    lines = ["Our networks are trained and search differently, so a difference is not a refutation.", "",
             "| pair | published | score | ours (+ = −) | our score (95 %) | side ahead | published score |",
             "|---|---|---|---|---|---|---|"]  # fmt: skip
    for claim in plan.scores:
        pair = (result.names.get(claim.a, ""), result.names.get(claim.b, ""))
        told = f"{claim.wins} - {claim.losses}" + (f", {claim.draws} draws" if claim.draws else "")
        if score := result.cross.get(pair):
            ours = f"+{score.wins} ={score.draws} −{score.losses} | {_rate(score.rate)}"
            judged = f"{verdicts.direction(claim.rate, score.rate)} | {verdicts.size(claim.rate, score.rate)}"
        else:
            ours, judged = "not played |", "|"
        lines.append(f"| {claim.a} - {claim.b} | {claim.label}: {told} | {claim.rate:.1%} | {ours} | {judged} |")
    return [*lines, ""]


def _all_pairs(result: MethodsResult, by_name: dict[str, str]) -> list[str]:
    order = [r.player for r in result.ratings.ratings]
    lines = ["| row against column | " + " | ".join(by_name[p] for p in order) + " |", "|---" * (len(order) + 1) + "|"]
    for a in order:
        cells = [_cell(result.cross.get((a, b))) for b in order]
        lines.append(f"| {by_name[a]} | " + " | ".join(cells) + " |")
    return lines


def _cell(score: Score | None) -> str:
    return f"+{score.wins} ={score.draws} −{score.losses}" if score else ""


def _rate(interval: Interval) -> str:
    return f"{interval.value:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def _elo(interval: Interval) -> str:
    return f"{interval.value:+.0f} ({interval.low:+.0f} to {interval.high:+.0f})"
