"""`tengen features`: positions of games with their shapes, as arrays for any tool that reads npz."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli.train import need_torch


def command(
    games: Annotated[list[Path], typer.Argument(help="folders of games: of `tengen games`, or of runs")],
    out: Annotated[Path, typer.Option(help="file to write, such as weight-9.npz")],
    k: Annotated[int, typer.Option(help="stones in a row that win")] = 5,
    rule: Annotated[str, typer.Option(help="freestyle, standard, renju or caro")] = "freestyle",
) -> None:
    """Store every position of the games with planes, six counts, shape maps, move and result."""
    need_torch()
    from tengen.training.knowledge.expert import read_games
    from tengen.training.knowledge.features import make_features, save_features

    played = [game for folder in games for file in read_games(folder, k, rule) for game in file]
    features = make_features(played)
    save_features(out, features)
    print(f"{out}: {len(features)} positions of {len(played)} games")
