"""`tengen data`: generates engine games and fits the engine's evaluation to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.cli.output import GameProgress
from tengen.errors import TengenError
from tengen.lab.ab_build import Engine, make_engine
from tengen.lab.engine_data import fit_data, make_data, read_games, read_header
from tengen.rules import Rule, Variant


def command(
    files: Annotated[
        list[Path], typer.Argument(dir_okay=False, help="the data file to write; with --fit or --info, files to read")
    ],
    games: Annotated[int, typer.Option(min=1, help="total number of games in the file")] = 10_000,
    nodes: Annotated[int, typer.Option(min=1, help="nodes per move")] = 600,
    engine: Annotated[str, typer.Option(help="a git revision or name=value,... (default: the working tree)")] = "",
    size: o.Size = "15",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    threads: o.Threads = 1,
    seed: Annotated[int, typer.Option(help="random seed of the games")] = 1,
    fit: Annotated[
        Path | None, typer.Option(dir_okay=False, help="fit the evaluation to the files and write this C++ header")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="passes over the games")] = 10,
    search_share: Annotated[
        float, typer.Option(min=0, max=1, help="weight of the search's value in the target; the rest is the result")
    ] = 0.7,
    info: Annotated[bool, typer.Option("--info", help="describe the files and exit")] = False,
) -> None:
    """Generate games of the engine, or fit its evaluation to such games.

    Games start from balanced openings. A killed run loses at most a block of a hundred games; the same command
    continues it.
    """
    if info:
        for path in files:
            print(describe(path))
    elif fit:
        for line in fit_data(fit, files, epochs=epochs, search_share=search_share):
            print(line, flush=True)
    elif len(files) != 1:
        raise TengenError("name one file to write")
    else:
        variant = o.variant_of(size, k, rule)
        with GameProgress(games) as progress:
            _make(progress, make_engine(engine, variant), variant, files[0], nodes, games, seed, threads)
        print(describe(files[0]))


def _make(
    progress: GameProgress, engine: Engine, variant: Variant, file: Path, nodes: int, games: int, seed: int,
    threads: int,
) -> None:  # fmt: skip
    done = positions = 0

    def show(played: int, found: int) -> None:
        nonlocal done, positions
        done, positions = done + played, positions + found
        progress.update(done, f"{positions} positions")

    make_data(engine, variant, file, nodes=nodes, games=games, seed=seed, threads=threads, on_block=show)


def describe(path: Path) -> str:
    header, games, positions = read_header(path), 0, 0
    winners = {0: 0, 1: 0, None: 0}
    for game in read_games(path):
        games, positions = games + 1, positions + len(game.plies)
        winners[game.winner] += 1
    share = f"black won {winners[0]}, white {winners[1]}, drawn {winners[None]}"
    return f"{path}: {header.variant}, {header.nodes} nodes per move, {games} games, {positions} positions; {share}"
