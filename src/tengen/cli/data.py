"""`tengen data`: games of the engine to learn from, and the engine's numbers learned from them."""

from __future__ import annotations

from pathlib import Path

import typer

from tengen.cli._arena import GameProgress, checked_workers, parse_variant
from tengen.errors import TengenError
from tengen.lab.ab_build import make_engine
from tengen.lab.engine_data import fit_data, make_data, read_games, read_header


def command(
    files: list[Path] = typer.Argument(help="the data file to write, or with --fit and --info the files to read"),
    games: int = typer.Option(10_000, help="games the file shall hold"),
    nodes: int = typer.Option(600, help="nodes per move"),
    engine: str = typer.Option("", help="a git revision, name=value,... or nothing for the working tree"),
    size: str = typer.Option("15", help="board size: 15 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    threads: int = typer.Option(1, help="games at the same time"),
    seed: int = typer.Option(1, help="seed of the games"),
    fit: Path | None = typer.Option(None, help="fit the engine's numbers to the files and write this C++ header"),
    epochs: int = typer.Option(10, help="how often each game is learned from"),
    search_share: float = typer.Option(0.7, help="share of the search's value in the target; the rest is the result"),
    info: bool = typer.Option(False, "--info", help="say what the files hold"),
) -> None:
    """Let the engine play games to learn from, or learn its numbers from such games.

    Games start from even openings. A killed run loses at most a block of a hundred games; the same command goes on.
    """
    if info:
        for path in files:
            print(describe(path))
    elif fit:
        if not 0 <= search_share <= 1:
            raise TengenError(f"--search-share {search_share:g}: choose 0 to 1")
        for line in fit_data(fit, files, epochs=_positive("epochs", epochs), search_share=search_share):
            print(line, flush=True)
    else:
        _make(files, engine, games, nodes, (size, k, rule), threads, seed)


def _make(
    files: list[Path], engine: str, games: int, nodes: int, board: tuple[str, int, str], threads: int, seed: int
) -> None:
    if len(files) != 1:
        raise TengenError("name one file to write")
    variant, total, positions = parse_variant(*board), _positive("games", games), 0
    with GameProgress(total) as progress:
        done = 0

        def show(played: int, found: int) -> None:
            nonlocal done, positions
            done, positions = done + played, positions + found
            progress.update(done, f"{positions} positions")

        make_data(
            make_engine(engine), variant, files[0], nodes=_positive("nodes", nodes), games=total, seed=seed,
            threads=checked_workers(threads), on_block=show,
        )  # fmt: skip
    print(describe(files[0]))


def describe(path: Path) -> str:
    header, games, positions = read_header(path), 0, 0
    winners = {0: 0, 1: 0, None: 0}
    for game in read_games(path):
        games, positions = games + 1, positions + len(game.plies)
        winners[game.winner] += 1
    share = f"black won {winners[0]}, white {winners[1]}, drawn {winners[None]}"
    return f"{path}: {header.variant}, {header.nodes} nodes per move, {games} games, {positions} positions; {share}"


def _positive(name: str, value: int) -> int:
    if value < 1:
        raise TengenError(f"--{name} {value}: choose 1 or more")
    return value
