"""`tengen ab`: two builds of the alphabeta engine, or two sets of its parameters, against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.arena.score import Score
from tengen.arena.sprt import Sprt
from tengen.cli import options as o
from tengen.cli.output import GameProgress, interval_text, score_line
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.lab.ab import AbResult, Budget, Conditions, run_ab
from tengen.lab.ab_build import Engine, make_engine
from tengen.lab.ab_openings import Openings, load_openings, make_openings
from tengen.rules import Rule

ENGINE_HELP = (
    "a git revision, name=value,... for parameters (also network=NAME or none, its line network, and threads=N), "
    "or REVISION:name=value,...; empty = the working tree"
)


def command(
    new: Annotated[str, typer.Option(help=f"the engine under test: {ENGINE_HELP}")] = "",
    old: Annotated[str, typer.Option(help="the baseline, written the same way")] = "HEAD",
    nodes: Annotated[int, typer.Option(min=0, help="nodes per move (0 = no limit)")] = 0,
    seconds: Annotated[float, typer.Option(min=0, help="seconds per move (0 = no limit)")] = 0.0,
    old_nodes: Annotated[int, typer.Option(min=0, help="nodes per move of the baseline, if different")] = 0,
    old_seconds: Annotated[float, typer.Option(min=0, help="seconds per move of the baseline, if different")] = 0.0,
    elo0: o.Elo0 = 0.0,
    elo1: o.Elo1 = 5.0,
    alpha: o.Alpha = 0.05,
    beta: o.Beta = 0.05,
    games: Annotated[int, typer.Option(min=0, help="play exactly this many games, without a sequential test")] = 0,
    max_games: o.MaxGames = 40_000,
    size: o.Size = "15",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    openings: Annotated[Path | None, typer.Option(dir_okay=False, help="opening file (default: bundled)")] = None,
    make: Annotated[
        Path | None, typer.Option("--make-openings", dir_okay=False, help="generate an opening file and exit")
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="number of openings to generate")] = 2000,
    bound: Annotated[float, typer.Option(help="largest absolute search value that counts as balanced")] = 0.15,
    threads: o.Threads = 1,
    hash_mb: Annotated[int, typer.Option(min=1, max=16_384, help="megabytes of each engine's hash table")] = 4,
    cpu_time: Annotated[
        bool, typer.Option("--cpu-time", help="measure seconds in processor time, so that other load does not matter")
    ] = False,
    seed: o.Seed = 1,
    out: o.RecordFile = Path("ab.jsonl"),
) -> None:
    """Test whether the new engine is stronger than the old one, with as few games as possible.

    Each opening is played twice with colours swapped, by both engines in one process. If it is killed, the same
    command continues where it stopped.
    """
    variant = o.variant_of(size, k, rule)
    if make:
        write_atomic(make, make_openings(variant, count, seed, nodes or 20_000, bound))
        return
    limit = Budget(nodes, seconds)
    other = Budget(old_nodes, old_seconds) if old_nodes or old_seconds else limit
    conditions = Conditions(variant, limit, other, hash_mb, seed, cpu_time)
    engines = make_engine(new, variant), make_engine(old, variant)
    if engines[0].key == engines[1].key and other == limit and not games:
        raise TengenError("the two engines are the same; name another revision or other parameters")
    test = None if games else Sprt(elo0, elo1, alpha, beta)
    result = _play(engines, conditions, load_openings(variant, openings), out, test, games or max_games, threads)
    print(f"{engines[0].name} against {engines[1].name}, {_limits(conditions)}, {variant}")
    print(final_line(result, test))


def _play(
    engines: tuple[Engine, Engine],
    conditions: Conditions,
    openings: Openings,
    out: Path,
    test: Sprt | None,
    games: int,
    threads: int,
) -> AbResult:
    with GameProgress(games) as progress:

        def show(score: Score, llr: float) -> None:
            note = f"  LLR {llr:+.2f} ({test.bounds[0]:.2f}, {test.bounds[1]:.2f})" if test else ""
            progress.update(score.games, score_line(score) + note)

        return run_ab(*engines, conditions, openings, out, test=test, max_games=games, threads=threads, on_pair=show)


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


def _limits(conditions: Conditions) -> str:
    clock = " of processor time" * conditions.processor_time

    def text(budget: Budget) -> str:
        parts = f"{budget.nodes} nodes" * bool(budget.nodes), f"{budget.seconds:g} s{clock}" * bool(budget.seconds)
        return " and ".join(filter(None, parts))

    new, old = conditions.new, conditions.old
    return text(new) if new == old else f"{text(new)} against {text(old)}"
