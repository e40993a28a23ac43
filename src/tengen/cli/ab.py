"""`tengen ab`: two builds of the alphabeta engine, or two sets of its parameters, against each other."""

from __future__ import annotations

from pathlib import Path

import typer

from tengen.arena.score import Score
from tengen.arena.sprt import Sprt
from tengen.cli._arena import GameProgress, checked_workers, interval_text, parse_variant, score_line
from tengen.errors import TengenError
from tengen.lab.ab import AbResult, Budget, Conditions, run_ab
from tengen.lab.ab_build import make_engine
from tengen.lab.ab_openings import load_openings, make_openings

ENGINE_HELP = "a git revision, name=value,... for parameters, or REVISION:name=value,...; empty: the working tree"


def command(
    new: str = typer.Option("", help=f"the engine under test: {ENGINE_HELP}"),
    old: str = typer.Option("HEAD", help="the engine it is measured by, written the same way"),
    nodes: int = typer.Option(0, help="nodes per move"),
    seconds: float = typer.Option(0.0, help="seconds per move"),
    old_nodes: int = typer.Option(0, help="nodes per move of the old engine, if others"),
    old_seconds: float = typer.Option(0.0, help="seconds per move of the old engine, if others"),
    elo0: float = typer.Option(0.0, help="the Elo gain that is not worth having"),
    elo1: float = typer.Option(5.0, help="the Elo gain that is hoped for"),
    alpha: float = typer.Option(0.05, help="chance of accepting elo1 wrongly"),
    beta: float = typer.Option(0.05, help="chance of accepting elo0 wrongly"),
    games: int = typer.Option(0, help="play just so many games, without a sequential test"),
    max_games: int = typer.Option(40_000, help="stop undecided after so many games"),
    size: str = typer.Option("15", help="board size: 15 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    openings: Path | None = typer.Option(None, help="a file of openings; without it the bundled ones"),
    make: Path | None = typer.Option(None, "--make-openings", help="write a file of openings for this board, and end"),
    count: int = typer.Option(2000, help="how many openings to make"),
    bound: float = typer.Option(0.15, help="openings are even when a search values them within this"),
    threads: int = typer.Option(1, help="games at the same time"),
    hash_mb: int = typer.Option(4, help="table of each engine"),
    seed: int = typer.Option(1, help="seed of openings and engines"),
    out: Path = typer.Option(Path("ab.jsonl"), help="record file; an existing one is continued"),
) -> None:
    """Test whether the new engine is stronger than the old one, and stop as soon as it is known.

    Each opening is played twice, colours swapped, by both engines in one process. Killed at any time, the same command
    goes on where it stopped.
    """
    variant = parse_variant(size, k, rule)
    if make:
        make.write_text(make_openings(variant, count, seed, nodes or 20_000, bound), encoding="utf-8")
        return
    test = None if games else Sprt(elo0, elo1, alpha, beta)
    limit = Budget(nodes, seconds)
    other = Budget(old_nodes, old_seconds) if old_nodes or old_seconds else limit
    conditions = Conditions(variant, limit, other, _checked("hash-mb", hash_mb, 1, 16_384), seed)
    first, second = make_engine(new), make_engine(old)
    if first.key == second.key and other == limit and not games:
        raise TengenError("the two engines are the same; name another revision or other parameters")
    with GameProgress(games or max_games) as progress:

        def show(score: Score, llr: float) -> None:
            note = f"  LLR {llr:+.2f} ({test.bounds[0]:.2f}, {test.bounds[1]:.2f})" if test else ""
            progress.update(score.games, score_line(score) + note)

        result = run_ab(
            first, second, conditions, load_openings(variant, openings), out, test=test, max_games=games or max_games,
            threads=checked_workers(threads), on_pair=show,
        )  # fmt: skip
    print(f"{first.name} against {second.name}, {_limits(limit, other)}, {size} {rule}")
    print(final_line(result, test))


def final_line(result: AbResult, test: Sprt | None) -> str:
    score = result.score
    parts = [f"+{score.wins} ={score.draws} -{score.losses}", f"{score.rate.value:.1%}",
             f"Elo {interval_text(score.elo)}", f"pairs {' '.join(map(str, score.pairs))}"]  # fmt: skip
    if test:
        verdict = {"elo1": "passed", "elo0": "failed"}.get(result.verdict, "undecided")
        parts.append(f"LLR {result.llr:+.2f} [{test.elo0:g}, {test.elo1:g}] {verdict}")
    if result.false_claims:
        parts.append(f"{result.false_claims} announced wins were not won")
    return ", ".join(parts)


def _limits(new: Budget, old: Budget) -> str:
    def text(budget: Budget) -> str:
        return " and ".join(
            filter(None, [f"{budget.nodes} nodes" * bool(budget.nodes), f"{budget.seconds:g} s" * bool(budget.seconds)])
        )

    return text(new) if new == old else f"{text(new)} against {text(old)}"


def _checked(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise TengenError(f"--{name} {value}: choose {low} to {high}")
    return value
