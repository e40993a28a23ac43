"""`tengen library`: the games kept in the state folder, from the command line."""

from __future__ import annotations

import enum
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from tengen.errors import TengenError
from tengen.files import data_folder, write_atomic
from tengen.formats.sgf import format_sgf
from tengen.study.library import Entry, Library, Search
from tengen.study.library_files import import_files
from tengen.study.store import NAME, Store

MOST_SHOWN = 1_000


class Action(enum.StrEnum):
    IMPORT = "import"
    LIST = "list"
    EXPORT = "export"


def command(
    action: Annotated[Action, typer.Argument(help="import files, list games, or export all games as SGF")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="import: SGF, psq, position text, records (.jsonl) or engine data (.bin)"),
    ] = None,
    state: Annotated[Path | None, typer.Option(help="state folder (default: your data folder)")] = None,
    out: Annotated[Path | None, typer.Option(dir_okay=False, help="export: the SGF file to write")] = None,
    player: Annotated[str, typer.Option(help="list: part of a player's name")] = "",
    result: Annotated[str, typer.Option(help="list: won, lost, draw, open, black or white")] = "",
    opening: Annotated[str, typer.Option(help="list: code of a classical opening, d1 to d13 or i1 to i13")] = "",
    tag: Annotated[str, typer.Option(help="list: a tag")] = "",
) -> None:
    """Import games into your library, list them, or export all of them.

    An import adds every game that can be read, skips duplicates, and lists the games it could not read.
    """
    store = Store((state or data_folder()) / NAME)
    if store.set_aside:
        print(f"the library was damaged; it was moved to {store.set_aside} and a new one was started", file=sys.stderr)
    library = Library(store)
    if action is Action.IMPORT:
        _import(library, files or [])
    elif action is Action.LIST:
        _list(library, Search(player=player, result=result, opening=opening, tag=tag))
    else:
        _export(library, out)
    store.close()


def _import(library: Library, files: list[Path]) -> None:
    if not files:
        raise TengenError("tengen library import needs files of games")
    report = import_files(library, files)
    for line in report.bad:
        print(line, file=sys.stderr)
    print(f"{report.new} new, {report.doubles} already in the library, {len(report.bad)} rejected")


def _list(library: Library, search: Search) -> None:
    for entry in library.find(search, MOST_SHOWN):
        print(_line(entry))
    print(_counted(library.count(search), "game"))


def _line(entry: Entry) -> str:
    day = time.strftime("%Y-%m-%d", time.localtime(entry.played))
    marks = " ".join([entry.opening, *(f"#{tag}" for tag in entry.tags)]).strip()
    who = f"{entry.black} - {entry.white}  {entry.winner or 'open'}"
    return f"{day}  {who}  {_counted(len(entry.moves), 'move')}  {entry.variant}  {marks}".rstrip()


def _export(library: Library, out: Path | None) -> None:
    text = format_sgf(entry.tree() for entry in library.all())
    if out is None:
        print(text)
    else:
        write_atomic(out, text)
        print(f"{_counted(library.count(), 'game')} in {out}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
