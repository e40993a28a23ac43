"""`tengen games`: games of any players as training data."""

from __future__ import annotations

from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.cli.output import GameProgress
from tengen.rules import Rule


def command(
    players: Annotated[list[str], typer.Argument(help="player specs; one plays itself, several play every pairing")],
    out: o.RecordFolder,
    games: Annotated[int, typer.Option(min=1, help="total number of games in the folder, in files of 50")] = 1000,
    size: o.Size = "9",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    nodes: Annotated[int, typer.Option(min=0, help="nodes (or playouts) per move (0 = set by the specs)")] = 0,
    openings: o.Openings = "balanced",
    random_moves: Annotated[float, typer.Option(min=0, max=1, help="fraction of random moves, for variety")] = 0.05,
    workers: o.Workers = o.CORES,
    seed: o.Seed = 1,
) -> None:
    """Generate training games with any players, to warm-start a run: --set 'warm.games=["FOLDER"]'."""
    from tengen.training.knowledge.expert import Recipe, write_games
    from tengen.training.run.workers import LocalWorkers

    variant = o.variant_of(size, k, rule)
    recipe = Recipe(tuple(players), variant, nodes, openings, random_moves, 50, seed)
    local = LocalWorkers(workers)
    try:
        with GameProgress(recipe.files(games) * recipe.chunk) as progress:
            held = write_games(out, recipe, games, local, lambda done: progress.update(done, ""))
    finally:
        local.close()
    print(f"{out}: {held} games")
