"""`tengen spsa`: tunes parameters of the alphabeta engine by playing it against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.cli.output import GameProgress
from tengen.errors import TengenError
from tengen.lab.ab import Budget, Conditions
from tengen.lab.ab_build import make_engine, parameters
from tengen.lab.ab_openings import load_openings
from tengen.lab.spsa import Schedule, choose, history, run_spsa, write_back
from tengen.rules import Rule


def command(
    names: Annotated[list[str] | None, typer.Argument(help="parameters to tune: name or name:step")] = None,
    engine: Annotated[str, typer.Option(help="a git revision, name=value,... or nothing for the working tree")] = "",
    nodes: Annotated[int, typer.Option(min=1, help="nodes per move")] = 5000,
    seconds: Annotated[float, typer.Option(min=0, help="seconds per move, instead of nodes")] = 0.0,
    rounds: Annotated[int, typer.Option(min=1, help="number of rounds")] = 500,
    pairs: Annotated[int, typer.Option(min=1, help="pairs of games per round")] = 8,
    rate: Annotated[float, typer.Option(help="final change of a parameter per point of score difference")] = 0.05,
    size: o.Size = "15",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    openings: Annotated[Path | None, typer.Option(dir_okay=False, help="opening file (default: bundled)")] = None,
    threads: o.Threads = 1,
    seed: o.Seed = 1,
    out: o.RecordFile = Path("spsa.jsonl"),
    plot: Annotated[
        Path | None, typer.Option(dir_okay=False, help="plot the run in --out to this file and exit")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="write the result to cpp/search/parameters.h")] = False,
    show: Annotated[bool, typer.Option("--list", help="list the parameters and exit")] = False,
) -> None:
    """Tune parameters of the engine. Test the result with `tengen ab` before keeping it."""
    if plot:
        _draw(out, plot)
        return
    variant = o.variant_of(size, k, rule)
    tried = make_engine(engine, variant)
    if show:
        for p in parameters(tried.folder).values():
            print(f"{p.name:22} {p.value:6}  {p.low} to {p.high}: {p.meaning}")
        return
    if rate <= 0:
        raise TengenError(f"--rate {rate:g} must be above 0")
    budget = Budget(0 if seconds else nodes, seconds)
    tuned = choose(names or [], tried)
    with GameProgress(rounds * pairs * 2) as progress:

        def note(number: int, theta: dict[str, float]) -> None:
            progress.update(number * pairs * 2, " ".join(f"{name}={value:.1f}" for name, value in theta.items()))

        values = run_spsa(
            tried, tuned, Schedule(rounds, pairs, rate), Conditions(variant, budget, budget, seed=seed),
            load_openings(variant, openings), out, threads=threads, on_round=note,
        )  # fmt: skip
    for t in tuned:
        print(f"{t.parameter.name}: {t.start:g} -> {values[t.parameter.name]:.2f}")
    print("settings " + ",".join(f"{name}={round(value)}" for name, value in values.items()))
    if write:
        write_back(values)


def _draw(out: Path, picture: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    found = history(out)
    if not found:
        raise TengenError(f"{out} holds no rounds yet")
    figure, axes = pyplot.subplots(len(found), 1, figsize=(8, 1.6 * len(found)), sharex=True, squeeze=False)
    for axis, (name, values) in zip(axes[:, 0], found.items(), strict=True):
        axis.plot(values)
        axis.set_ylabel(name, rotation=0, ha="right", fontsize=8)
    axes[-1, 0].set_xlabel("round")
    figure.tight_layout()
    figure.savefig(picture)
