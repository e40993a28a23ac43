"""`tengen rate`: ratings from record files."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

import typer

from tengen.arena.collection import collect
from tengen.arena.ratings import RatingTable, rate
from tengen.cli._arena import interval_text, parse_variant
from tengen.errors import TengenError
from tengen.rules import Variant


def command(
    files: list[Path] = typer.Argument(help="record files, or folders that hold them"),
    anchor: str = typer.Option("", help="player with a fixed rating: NAME or NAME=1500 (default: the mean is 0)"),
    variant: str = typer.Option("", help="which games to rate when files mix boards: '9x9 k=5 freestyle'"),
    bootstrap: int = typer.Option(200, help="samples of the bootstrap over opening pairs; 0 leaves it out"),
    prior: float = typer.Option(1.0, help="imaginary games a player, half won, half lost"),
    seed: int = typer.Option(0, help="seed of the bootstrap"),
    as_json: bool = typer.Option(False, "--json", help="print everything as one JSON object"),
) -> None:
    """Rate the players of any number of record files together."""
    if bootstrap < 0 or prior < 0:
        raise TengenError("--bootstrap and --prior must not be negative")
    collection = collect(files, parse_variant_name(variant))
    for note in collection.notes:
        print(f"note: {note}", file=sys.stderr)
    table = rate(collection.records, parse_anchor(anchor), prior=prior, bootstrap=bootstrap, seed=seed)
    if as_json:
        print(json.dumps(asdict(table) | {"variant": str(collection.variant), "notes": collection.notes}))
    else:
        print(f"{table.games} games on {collection.variant}\n")
        print(table_text(table))


def parse_anchor(text: str) -> tuple[str, float] | None:
    """`NAME`, or `NAME=1500` with the number behind the last equals sign."""
    if not text:
        return None
    match = re.fullmatch(r"(.*)=(-?\d+(?:\.\d+)?)", text)
    # `random:seed=3` is a name, not a rating of `random:seed`
    if match and not re.search(r"[:,][^:,=]+$", match[1]):
        return match[1], float(match[2])
    return text, 0.0


def parse_variant_name(text: str) -> Variant | None:
    """The inverse of `str(variant)`."""
    if not text:
        return None
    match = re.fullmatch(r"(\d+(?:x\d+)?)(?:\s+k=(\d+))?(?:\s+(\w+))?", text.strip())
    if not match:
        raise TengenError(f"'{text}' is not a board and rule; write it as '9x9 k=5 freestyle'")
    return parse_variant(match[1], int(match[2] or 5), match[3] or "freestyle")


def table_text(table: RatingTable) -> str:
    """Ratings, then the likelihood that each player is stronger than each below it."""
    width = max(len("player"), *(len(rating.player) for rating in table.ratings))
    rows = [f"{'player':{width}}     Elo  95 % interval  by bootstrap   games  score  draws  faults  s/move  LOS"]
    for i, r in enumerate(table.ratings):
        boot = f"{r.bootstrap.low:+6.0f} {r.bootstrap.high:+6.0f}" if r.bootstrap else 13 * " "
        los = f"{table.los[i][i + 1]:.1%}" if i + 1 < len(table.ratings) else ""
        rows.append(
            f"{r.player:{width}}  {r.elo.value:+6.0f}  {r.elo.low:+6.0f} {r.elo.high:+6.0f}  {boot}  {r.games:6d}"
            f"  {r.score:5.1%}  {r.draws:5.1%}  {r.faults:6d}  {r.seconds:6.3f}  {los}"
        )
    rows += [
        "",
        "LOS: how likely the player is stronger than the next one",
        f"first move worth {interval_text(table.first_move)} Elo",
        f"equal players draw {interval_text(table.draw_rate, '.1%')} of their games",
        f"anchor: {table.anchor}" if table.anchor else "zero is the mean of all players",
    ]
    return "\n".join(rows)
