"""`tengen probe`: what a network sees by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o


def command(
    models: Annotated[list[str] | None, typer.Argument(help="models by name or path (default: all bundled)")] = None,
    sims: Annotated[int, typer.Option(min=2, help="simulations per move of the search")] = 100,
    count: Annotated[int, typer.Option(min=1, max=200, help="positions of each kind")] = 50,
    control: Annotated[bool, typer.Option("--control", help="also probe the same networks untrained")] = False,
    out: Annotated[Path | None, typer.Option(file_okay=False, help="folder for the table and its data")] = None,
    cards: Annotated[bool, typer.Option("--cards", help="write the results into the cards of bundled models")] = False,
    import_: o.Import = None,
) -> None:
    """Probe networks on tactics without the solver: fives, blocks, open fours, open threes, double threats."""
    from tengen.inference.models import bundled_models, load_model, untrained
    from tengen.lab.probe import probe_markdown, probe_model, write_cards, write_record

    rows = []
    for name in models or bundled_models():
        model = load_model(name)
        rows.append(probe_model(model, sims, count))
        if control and model.card.get("method") in ("alphazero", "lines"):
            rows.append(probe_model(untrained(model), sims, count))
    print(probe_markdown(rows))
    if out is not None:
        write_record(out, rows)
    if cards:
        write_cards(rows)
