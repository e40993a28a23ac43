"""`tengen sprt`: is A stronger than B? Plays until the answer is certain enough."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from tengen.arena.jobs import Conditions
from tengen.arena.score import Score
from tengen.arena.sprt import Sprt, run_sprt
from tengen.cli._arena import OPENINGS_HELP, GameProgress, checked_workers, parse_variant, score_line
from tengen.cli.match import summary
from tengen.errors import TengenError
from tengen.play.entrants import checked_limit, parse_entrant


def command(
    a: str = typer.Argument(help="the player under test"),
    b: str = typer.Argument(help="the player it is measured by"),
    elo0: float = typer.Option(0.0, help="the Elo gain that is not worth having"),
    elo1: float = typer.Option(20.0, help="the Elo gain that is hoped for"),
    alpha: float = typer.Option(0.05, help="chance of accepting elo1 wrongly"),
    beta: float = typer.Option(0.05, help="chance of accepting elo0 wrongly"),
    size: str = typer.Option("15", help="board size: 15 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    openings: str = typer.Option("balanced", help=OPENINGS_HELP),
    seconds: float | None = typer.Option(None, help="time a move"),
    nodes: int | None = typer.Option(None, help="nodes (or playouts) a move"),
    depth: int | None = typer.Option(None, help="depth a move"),
    max_games: int = typer.Option(20_000, help="stop undecided after so many games"),
    workers: int = typer.Option(os.cpu_count() or 1, help="games at the same time"),
    out: Path = typer.Option(Path("sprt.jsonl"), help="record file; an existing one is continued"),
    seed: int = typer.Option(1, help="seed of openings and players"),
) -> None:
    """Test whether A is better than B by elo1 rather than elo0, and stop as soon as it is known."""
    limit = checked_limit(seconds, nodes, depth)
    first, second = parse_entrant(a, limit), parse_entrant(b, limit)
    if first.name == second.name:
        raise TengenError("a player cannot be tested against itself")
    test = Sprt(elo0, elo1, alpha, beta)
    low, high = test.bounds
    conditions = Conditions(parse_variant(size, k, rule), openings, seed)
    with GameProgress(max_games) as progress:

        def show(score: Score, llr: float) -> None:
            progress.update(score.games, f"{score_line(score)}  LLR {llr:+.2f} ({low:.2f}, {high:.2f})")

        result = run_sprt(
            first, second, test, conditions, max_games, workers=checked_workers(workers), out=out, on_game=show
        )
    print(summary(first.name, second.name, result.score))
    print(f"LLR {result.llr:+.2f}, bounds {low:.2f} and {high:.2f}")
    verdict = {"elo1": f"accepted: better by {elo1:g} Elo rather than {elo0:g}",
               "elo0": f"rejected: better by {elo0:g} Elo rather than {elo1:g}"}  # fmt: skip
    print(verdict.get(result.verdict, f"undecided after {result.score.games} games"))
