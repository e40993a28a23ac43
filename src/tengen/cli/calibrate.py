"""`tengen calibrate`: measures the ratings of the levels."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from tengen.arena.tournament import GAMES_FILE
from tengen.cli import options as o
from tengen.cli.output import LiveTable, rating_text
from tengen.lab.levels import LEVELS_FILE, calibrate, levels_markdown, read_scale, write_scale
from tengen.records import read_records
from tengen.rules import Variant


def command(
    size: Annotated[str, typer.Option(help="board whose levels to measure, such as 15 (default: all boards)")] = "",
    games: Annotated[int, typer.Option(help="games per pair of neighbouring levels")] = 200,
    budget: o.Budget = "",
    levels: Annotated[
        Path, typer.Option(dir_okay=False, show_default="the bundled levels", help="file of levels to update")
    ] = LEVELS_FILE,
    out: o.RecordFolder = Path("runs/calibrate"),
    workers: o.Workers = o.CORES,
    seed: o.Seed = 1,
) -> None:
    """Play each level against the next one and write the measured ratings into the file of levels.

    The budget applies to each board separately.
    """
    scale = read_scale(levels)
    for side in [Variant.parse(size).width] if size else list(scale.boards):
        deadline = time.monotonic() + o.parse_duration(budget)
        names = [level.entrant.name for level in scale.boards.get(side, ())]
        with LiveTable(names, (len(names) - 1) * games) as live:
            scale, table = calibrate(
                scale, side, out / f"{side}x{side}", games, workers=workers, seed=seed,
                on_game=live.update, stop=_after(deadline),
            )  # fmt: skip
        write_scale(scale, levels)
        print(f"{side}x{side}: {table.games} games\n{rating_text(table)}\n")
        print(levels_markdown(scale.boards[side], list(read_records(out / f"{side}x{side}" / GAMES_FILE))))


def _after(deadline: float) -> Callable[[], bool]:
    return lambda: time.monotonic() > deadline
