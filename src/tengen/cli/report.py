"""`tengen report`: a page, charts and a table from record files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.arena.collection import collect
from tengen.arena.report.build import write_report
from tengen.arena.report.facts import gather
from tengen.cli import options as o
from tengen.cli.output import print_notes


def command(
    files: o.RecordFiles,
    out: Annotated[
        Path | None, typer.Option(file_okay=False, help="folder for the report (default: 'report' beside the records)")
    ] = None,
    title: Annotated[str, typer.Option(help="title of the page")] = "",
    anchor: o.Anchor = "",
    size: o.OnlySize = None,
    k: o.OnlyK = None,
    rule: o.OnlyRule = None,
    bootstrap: o.Bootstrap = 200,
) -> None:
    """Write one self-contained page with charts, tables and games, the charts as PNG and SVG, and a CSV file."""
    collection = collect(files, o.chosen_variant(size, k, rule))
    print_notes(collection.notes)
    folder = out or (files[0] if files[0].is_dir() else files[0].parent) / "report"
    written = write_report(gather(collection, o.parse_anchor(anchor), bootstrap), folder, title)
    print(f"{len(collection.records)} games; open {written[0]}")
