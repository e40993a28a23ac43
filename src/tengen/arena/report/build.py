"""Writes a report: one page that needs nothing else, the pictures as files, the games as CSV."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from tengen.arena.archive import RecordCache, Stamp
from tengen.arena.collection import checked
from tengen.arena.report.facts import Facts, gather
from tengen.arena.report.page import page
from tengen.arena.report.table import games_csv
from tengen.errors import TengenError
from tengen.files import read_object, write_atomic, write_json

PAGE, TABLE, SOURCE = "report.html", "games.csv", "source.json"
_drawing = threading.Lock()


def current_report(games: RecordCache, path: Path, folder: Path, title: str) -> Path:
    """The page of the report about a record file, drawn again only when the file or the title changed.

    Raises TengenError when there are no games yet.
    """
    with _drawing:
        source = asdict(Stamp.of(path)) | {"title": title}
        if (folder / PAGE).is_file() and _source_of(folder) == source:
            return folder / PAGE
        collection = checked(list(games.records(path)))
        pages = write_report(gather(collection, None, bootstrap=0), folder, title)
        write_json(folder / SOURCE, source)
        return pages[0]


def _source_of(folder: Path) -> dict[str, object]:
    try:
        return read_object(folder / SOURCE)
    except (OSError, TengenError):
        return {}


def write_report(
    facts: Facts, folder: Path, title: str = "", on_chart: Callable[[str], None] | None = None
) -> list[Path]:
    """Returns the files written, the page first. Raises TengenError when matplotlib is missing."""
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
