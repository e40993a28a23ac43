"""`tengen rate`: ratings from record files."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from tengen.arena.collection import collect
from tengen.arena.ratings import rate
from tengen.cli import options as o
from tengen.cli.output import print_notes, rating_text


def command(
    files: o.RecordFiles,
    anchor: o.Anchor = "",
    size: o.OnlySize = None,
    k: o.OnlyK = None,
    rule: o.OnlyRule = None,
    bootstrap: o.Bootstrap = 200,
    prior: Annotated[float, typer.Option(min=0, help="virtual games per player, half won and half lost")] = 1.0,
    seed: Annotated[int, typer.Option(help="random seed of the bootstrap")] = 0,
    as_json: o.AsJson = False,
) -> None:
    """Rate the players of any number of record files together."""
    collection = collect(files, o.chosen_variant(size, k, rule))
    print_notes(collection.notes)
    table = rate(collection.records, o.parse_anchor(anchor), prior=prior, bootstrap=bootstrap, seed=seed)
    if as_json:
        print(json.dumps(asdict(table) | {"variant": str(collection.variant), "notes": collection.notes}))
    else:
        print(f"{table.games} games on {collection.variant}\n")
        print(rating_text(table))
