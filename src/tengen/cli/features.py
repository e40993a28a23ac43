"""`tengen features`: positions of games with their shapes, as arrays for any tool that reads npz."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.rules import Rule


def command(
    games: Annotated[list[Path], typer.Argument(help="folders of games, from `tengen games` or from training runs")],
    out: Annotated[Path, typer.Option(dir_okay=False, help="file to write, such as weight-9.npz")],
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
) -> None:
    """Store every position of the games with planes, shape counts, shape maps, move and result."""
    from tengen.training.knowledge.expert import read_games
    from tengen.training.knowledge.features import make_features, save_features

    played = [game for folder in games for file in read_games(folder, k, rule) for game in file]
    features = make_features(played)
    save_features(out, features)
    print(f"{out}: {len(features)} positions of {len(played)} games")
