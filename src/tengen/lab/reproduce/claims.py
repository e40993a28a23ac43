"""Claims of strength, each a match: what was published, what we ask of ourselves, and what we measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tengen.arena.match import play_match
from tengen.arena.schedule import Conditions
from tengen.arena.score import Score
from tengen.board import Board
from tengen.lab.probe import SEES, seen
from tengen.lab.reproduce import verdicts
from tengen.lab.reproduce.plan import Claim, ClaimsPlan
from tengen.play.entrants import check_entrants, parse_entrant
from tengen.records import GameRecord, compressed
from tengen.rules import Limit, Variant

SOLVER = "{solver}"
"""Stands for `on` and `off` in a player: two matches."""

OnGame = Callable[[str, list[GameRecord]], None]


@dataclass(frozen=True, slots=True)
class Trial:
    """One match of a claim."""

    claim: Claim
    name: str
    """Of its record file, without ending."""
    a: str
    b: str
    solver: str

    def command(self, plan: ClaimsPlan) -> str:
        claim = self.claim
        return (f"tengen match {self.a} {self.b} --size {claim.size} --games {claim.games or plan.games} "
                f"--openings {claim.openings} --seed {plan.seed}")  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrialResult:
    """`score` is None where the match could not be played, for the reason given."""

    trial: Trial
    score: Score | None
    reason: str = ""


def trials(plan: ClaimsPlan) -> Iterator[Trial]:
    for name, claim in plan.claims.items():
        for solver in ("on", "off") if SOLVER in claim.a else ("",):
            file = "-".join(filter(None, (name, solver)))
            yield Trial(claim, file, claim.a.replace(SOLVER, solver), claim.b.replace(SOLVER, solver), solver)


def run_claims(plan: ClaimsPlan, folder: Path, workers: int, on_game: OnGame = lambda name, records: None,
               stop: Callable[[], bool] = lambda: False) -> list[TrialResult]:  # fmt: skip
    """Plays what the record files in `folder` still lack."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_result(plan, trial, folder, workers, on_game, stop) for trial in trials(plan)]


def _result(plan: ClaimsPlan, trial: Trial, folder: Path, workers: int, on_game: OnGame,
            stop: Callable[[], bool]) -> TrialResult:  # fmt: skip
    claim = trial.claim
    a, b = parse_entrant(trial.a, Limit()), parse_entrant(trial.b, Limit())
    conditions = Conditions(Variant(claim.size, claim.size), claim.openings, plan.seed)
    try:
        check_entrants([a, b], Board(conditions.variant))
    except ValueError as error:
        return TrialResult(trial, None, str(error))
    out, games = folder / f"{trial.name}.jsonl", claim.games or plan.games
    if stop() and not (out.is_file() or compressed(out).is_file()):
        return TrialResult(trial, None, "not played in this time")
    result = play_match(
        a, b, conditions, games, workers=workers, out=out, stop=stop,
        on_game=lambda records: on_game(trial.name, records),
    )  # fmt: skip
    return TrialResult(trial, result.score)


def claims_markdown(plan: ClaimsPlan, results: list[TrialResult]) -> str:
    lines = [f"# {plan.title}", "", "Every opening with both colours. Score: a draw counts half, 95 % interval.", "",
             "| claim | published | asked | solver | games | + = − | score | reached | sees |",
             "|---|---|---|---|---|---|---|---|---|",
             *(_line(result) for result in results), "", SEES, "", "Commands, one per row:", ""]  # fmt: skip
    lines += [f"    {result.trial.command(plan)}" for result in results if result.score]
    return "\n".join(lines) + "\n"


def _line(result: TrialResult) -> str:
    claim, score = result.trial.claim, result.score
    asked = "" if claim.bar is None else f"over {claim.bar:.0%}" if claim.above else f"{claim.bar:.0%}"
    head = f"| {claim.text} | {claim.published} | {asked} | {result.trial.solver} |"
    if score is None:
        return f"{head} 0 | | {result.reason} | | |"
    rate = f"{score.rate.value:.1%} ({score.rate.low:.1%} to {score.rate.high:.1%})"
    tail = f"{_reached(claim, score)} | {seen(parse_entrant(result.trial.a, Limit()).spec)} |"
    return f"{head} {score.games} | +{score.wins} ={score.draws} −{score.losses} | {rate} | {tail}"


def _reached(claim: Claim, score: Score) -> str:
    """A bar is reached by the score itself; `above` asks for the whole interval over it."""
    if claim.bar is None:
        return ""
    if claim.above:
        return verdicts.reached(claim.bar, score.rate)
    return "yes" if score.rate.value >= claim.bar else "no"
