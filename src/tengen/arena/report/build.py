"""Writes a report: one page that needs nothing else, the pictures as files, the games as CSV."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from tengen.arena.report.facts import Facts
from tengen.arena.report.page import page
from tengen.arena.report.table import games_csv
from tengen.errors import TengenError
from tengen.files import write_atomic

PAGE, TABLE = "report.html", "games.csv"


def write_report(
    facts: Facts, folder: Path, title: str = "", on_chart: Callable[[str], None] | None = None
) -> list[Path]:
    """Returns the files written. Raises ValueError when matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        raise TengenError("a report needs matplotlib; install it with: pip install 'tengen[train]'") from None
    from tengen.arena.report.charts import CHARTS, STYLE

    written, pictures = [], []
    with matplotlib.rc_context(STYLE):
        for chart in CHARTS:
            figure = chart.draw(facts)
            for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None})):
                data = io.BytesIO()
                figure.savefig(data, format=kind, dpi=120, metadata=metadata)
                path = folder / f"{chart.name}.{kind}"
                write_atomic(path, data.getvalue())
                written.append(path)
            pictures.append((chart.name, chart.caption, data.getvalue()))
            if on_chart:
                on_chart(chart.name)
    write_atomic(folder / TABLE, games_csv(facts.collection.records))
    write_atomic(folder / PAGE, page(facts, pictures, title))
    return [folder / PAGE, folder / TABLE, *written]
