"""`tengen games`: games of any players as training data."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from tengen.cli._arena import OPENINGS_HELP, GameProgress, checked_workers, parse_variant


def command(
    players: list[str] = typer.Argument(help="player specs; one plays itself, of several every pair plays"),
    out: Path = typer.Option(help="folder of the games; an existing one is filled up"),
    games: int = typer.Option(1000, help="games the folder shall hold, in whole files of 50", min=1),
    size: str = typer.Option("9", help="board size: 9 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    nodes: int = typer.Option(0, help="nodes (or playouts) a move; 0: as the specs say", min=0),
    openings: str = typer.Option("balanced", help=OPENINGS_HELP),
    random_moves: float = typer.Option(0.05, help="share of moves played at random, for variety", min=0, max=1),
    workers: int = typer.Option(os.cpu_count() or 1, help="games at the same time"),
    seed: int = typer.Option(1, help="seed of openings and players"),
) -> None:
    """Let players play and keep their moves and judgements, for a warm start: --set 'warm.games=["FOLDER"]'."""
    from tengen.training.knowledge.expert import Recipe, write_games
    from tengen.training.run.workers import LocalWorkers

    variant = parse_variant(size, k, rule)
    recipe = Recipe(tuple(players), variant, nodes, openings, random_moves, 50, seed)
    pool = LocalWorkers(checked_workers(workers))
    try:
        with GameProgress(recipe.files(games) * recipe.chunk) as progress:
            held = write_games(out, recipe, games, pool, lambda done: progress.update(done, ""))
    finally:
        pool.close()
    print(f"{out}: {held} games")
