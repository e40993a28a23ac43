"""`tengen calibrate`: measures the levels again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import typer

from tengen.cli._arena import checked_workers
from tengen.cli.rate import table_text
from tengen.cli.reproduce import parse_duration
from tengen.cli.tournament import LiveTable
from tengen.lab.levels import REACH, calibrate, read_scale, write_scale


def command(
    size: int = typer.Option(0, help="side of the board whose levels are measured; 0: all boards of the file"),
    games: int = typer.Option(40, help="games between a level and each of its neighbours"),
    budget: str = typer.Option("", help="time to spend on each board, such as 30m; what is played counts"),
    levels: Path | None = typer.Option(None, help="file of levels (default: the one the program uses)"),
    out: Path = typer.Option(Path("runs/calibrate"), help="folder of the records; an existing one is continued"),
    workers: int = typer.Option(os.cpu_count() or 1, help="games at the same time"),
    seed: int = typer.Option(1, help="seed of openings and players"),
) -> None:
    """Play the levels against their neighbours and write the measured ratings into the file of levels."""
    path = levels or Path(str(resources.files("tengen.lab") / "levels.json"))
    scale = read_scale(path)
    for side in [size] if size else list(scale.boards):
        deadline = time.monotonic() + parse_duration(budget) if budget else float("inf")
        names = [level.entrant.name for level in scale.boards.get(side, ())]
        meetings = sum(min(REACH, number) for number in range(len(names)))
        with LiveTable(names, meetings * games) as live:
            scale, table = calibrate(
                scale, side, out / f"{side}x{side}", games, workers=checked_workers(workers), seed=seed,
                on_game=live.update, stop=_after(deadline),
            )  # fmt: skip
        write_scale(scale, path)
        print(f"{side}x{side}: {table.games} games\n{table_text(table)}\n")
        for level in scale.boards[side]:
            print(f"{level.name:14} {level.elo or 0:5.0f} ± {level.error or 0:3.0f}  {level.spec}@{level.seconds:g}s")


def _after(deadline: float) -> Callable[[], bool]:
    return lambda: time.monotonic() > deadline
