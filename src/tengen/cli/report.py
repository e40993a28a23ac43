"""`tengen report`: a page, pictures and a table from record files."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from tengen.arena.collection import collect
from tengen.arena.report.build import write_report
from tengen.arena.report.facts import gather
from tengen.cli.rate import parse_anchor, parse_variant_name


def command(
    files: list[Path] = typer.Argument(help="record files, or folders that hold them"),
    out: Path | None = typer.Option(None, help="folder of the report (default: 'report' beside the records)"),
    title: str = typer.Option("", help="heading of the page"),
    anchor: str = typer.Option("", help="player with a fixed rating: NAME or NAME=1500 (default: the mean is 0)"),
    variant: str = typer.Option("", help="which games to report when files mix boards: '9x9 k=5 freestyle'"),
    bootstrap: int = typer.Option(200, help="samples of the bootstrap over opening pairs; 0 leaves it out"),
) -> None:
    """Write one self-contained page with charts, tables and games, the pictures as PNG and SVG, and a CSV."""
    collection = collect(files, parse_variant_name(variant))
    for note in collection.notes:
        print(f"note: {note}", file=sys.stderr)
    folder = out or (files[0] if files[0].is_dir() else files[0].parent) / "report"
    written = write_report(gather(collection, parse_anchor(anchor), bootstrap), folder, title)
    print(f"{len(collection.records)} games; open {written[0]}")
