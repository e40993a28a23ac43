"""`tengen sprt`: plays until it is clear enough whether A is stronger than B."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.arena.schedule import Conditions
from tengen.arena.score import Score
from tengen.arena.sprt import Sprt, run_sprt
from tengen.cli import options as o
from tengen.cli.output import GameProgress, match_summary, score_line
from tengen.errors import TengenError
from tengen.play.entrants import checked_limit, parse_entrant
from tengen.rules import Rule


def command(
    a: Annotated[str, typer.Argument(help="the player under test")],
    b: Annotated[str, typer.Argument(help="the baseline")],
    elo0: o.Elo0 = 0.0,
    elo1: o.Elo1 = 20.0,
    alpha: o.Alpha = 0.05,
    beta: o.Beta = 0.05,
    size: o.Size = "15",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    openings: o.Openings = "balanced",
    seconds: o.Seconds = None,
    nodes: o.Nodes = None,
    depth: o.Depth = None,
    max_games: o.MaxGames = 20_000,
    workers: o.Workers = o.CORES,
    out: o.RecordFile = Path("sprt.jsonl"),
    seed: o.Seed = 1,
) -> None:
    """Sequential probability ratio test: is A stronger than B by elo1 rather than elo0?"""
    limit = checked_limit(seconds, nodes, depth)
    first, second = parse_entrant(a, limit), parse_entrant(b, limit)
    if first.name == second.name:
        raise TengenError("a player cannot be tested against itself")
    test = Sprt(elo0, elo1, alpha, beta)
    low, high = test.bounds
    conditions = Conditions(o.variant_of(size, k, rule), openings, seed)
    with GameProgress(max_games) as progress:

        def show(score: Score, llr: float) -> None:
            progress.update(score.games, f"{score_line(score)}  LLR {llr:+.2f} ({low:.2f}, {high:.2f})")

        result = run_sprt(first, second, test, conditions, max_games, workers=workers, out=out, on_game=show)
    print(match_summary(first.name, second.name, result.score))
    print(f"LLR {result.llr:+.2f}, bounds {low:.2f} and {high:.2f}")
    verdict = {"elo1": f"H1 accepted: stronger by {elo1:g} Elo rather than {elo0:g}",
               "elo0": f"H0 accepted: stronger by {elo0:g} Elo rather than {elo1:g}"}  # fmt: skip
    print(verdict.get(result.verdict, f"undecided after {result.score.games} games"))
