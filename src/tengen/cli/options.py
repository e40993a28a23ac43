"""Options that several commands share, each declared once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated

import typer

from tengen.errors import TengenError
from tengen.play.openings import BUILT_IN
from tengen.rules import Rule, Variant

CORES = os.cpu_count() or 1

Size = Annotated[str, typer.Option(help="board size, such as 15 or 15x12")]
K = Annotated[int, typer.Option(help="stones in a row needed to win")]
RuleName = Annotated[Rule, typer.Option(help="rules of the game")]
OnlySize = Annotated[str | None, typer.Option("--size", help="only games on boards of this size (with --k and --rule)")]
OnlyK = Annotated[int | None, typer.Option("--k", help="only games with this many in a row to win")]
OnlyRule = Annotated[Rule | None, typer.Option("--rule", help="only games under these rules")]

Seconds = Annotated[float | None, typer.Option(help="seconds per move")]
Nodes = Annotated[int | None, typer.Option(help="nodes (or playouts) per move")]
Depth = Annotated[int | None, typer.Option(help="search depth per move")]
GameSeconds = Annotated[float | None, typer.Option(help="seconds per side for the whole game")]

Openings = Annotated[
    str, typer.Option(help=f"balanced (generated from the seed), empty, one-stone, {', '.join(BUILT_IN)} or a file")
]
Seed = Annotated[int, typer.Option(help="random seed of openings and players")]
Workers = Annotated[int, typer.Option(min=1, max=256, help="games played in parallel")]
Threads = Annotated[int, typer.Option(min=1, max=256, help="games played in parallel")]
RecordFile = Annotated[Path, typer.Option(dir_okay=False, help="record file; an existing one is continued")]
RecordFolder = Annotated[
    Path, typer.Option(file_okay=False, help="folder for the records; an existing one is continued")
]
RecordFiles = Annotated[list[Path], typer.Argument(help="record files, or folders of them")]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]

Elo0 = Annotated[float, typer.Option(help="H0: Elo difference to reject")]
Elo1 = Annotated[float, typer.Option(help="H1: Elo difference to accept")]
Alpha = Annotated[float, typer.Option(help="probability of accepting H1 when H0 is true")]
Beta = Annotated[float, typer.Option(help="probability of accepting H0 when H1 is true")]
MaxGames = Annotated[int, typer.Option(min=1, help="stop undecided after this many games")]

Anchor = Annotated[str, typer.Option(help="player with a fixed rating: NAME or NAME=1500 (default: the mean is 0)")]
Bootstrap = Annotated[int, typer.Option(min=0, help="bootstrap samples over openings (0 = none)")]

Run = Annotated[str, typer.Argument(help="name or folder of a run")]
Runs = Annotated[Path, typer.Option(file_okay=False, help="folder that holds training runs")]
Budget = Annotated[str, typer.Option(help="time limit, such as 90s, 30m or 2h; partial results count")]


def _import(files: list[Path] | None) -> list[Path] | None:
    from tengen.plugins import use_files

    use_files(files or [])
    return files


Import = Annotated[
    list[Path] | None,
    typer.Option("--import", callback=_import, is_eager=True, help="Python file with your own players, networks, ..."),
]


def variant_of(size: str, k: int, rule: Rule) -> Variant:
    return Variant.parse(f"{size} k={k} {rule}")


def chosen_variant(size: str | None, k: int | None, rule: Rule | None) -> Variant | None:
    """The variant to pick from mixed records; None when no option asks for one."""
    words = [size or "", f"k={k}" if k is not None else "", str(rule or "")]
    return Variant.parse(" ".join(words)) if any(words) else None


def parse_anchor(text: str) -> tuple[str, float] | None:
    """`NAME`, or `NAME=1500` with the number behind the last equals sign."""
    if not text:
        return None
    match = re.fullmatch(r"(.*)=(-?\d+(?:\.\d+)?)", text)
    # `random:seed=3` is a name, not a rating of `random:seed`
    if match and not re.search(r"[:,][^:,=]+$", match[1]):
        return match[1], float(match[2])
    return text, 0.0


def parse_duration(text: str) -> float:
    """Seconds of `90s`, `30m` or `2h`; infinite when the text is empty."""
    if not text:
        return float("inf")
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh])", text.strip())
    if not match:
        raise TengenError(f"'{text}' is not a time; write 90s, 30m or 2h")
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]
