"""Games from files into the library: SGF collections, psq, position text, records. A bad game costs only itself."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tengen.errors import TengenError
from tengen.formats import GameTree, parse_games
from tengen.formats.tree import add_line
from tengen.records import GameRecord, read_records
from tengen.rules import Color, Outcome
from tengen.study.games import games_of
from tengen.study.library import Entry, Library, cell_text

MAX_SGF = 20_000
"""Characters of a record that are kept beside its moves."""
BATCH = 2_000
_SKIPPED = re.compile(r"\[(?:\\.|[^\]\\])*\]|[()]", re.DOTALL)


@dataclass(slots=True)
class ImportReport:
    new: int = 0
    doubles: int = 0
    bad: list[str] = field(default_factory=list)
    """One line each: file, number of the game in it, reason."""


def split_sgf(text: str) -> list[str]:
    """The games of a collection, each as its own text, so that a bad one can be left out."""
    games, depth, start = [], 0, 0
    for token in _SKIPPED.finditer(text):
        if token[0] == "(":
            start, depth = (token.start() if depth == 0 else start), depth + 1
        elif token[0] == ")" and depth:
            depth -= 1
            if depth == 0:
                games.append(text[start : token.end()])
    return games if depth == 0 and games else [*games, text[start:]]


def entries_of_text(text: str, name: str, source: str, bad: list[str]) -> Iterator[Entry]:
    """The games of a text in any format; what is wrong with the others goes to `bad`."""
    pieces = split_sgf(text) if text.lstrip("\ufeff \t\r\n").startswith("(") else [text]
    for number, piece in enumerate(pieces, 1):
        try:
            for tree in parse_games(piece):
                yield entry_of(tree, source, piece)
        except TengenError as error:
            bad.append(f"{name}, game {number}: {error}")


def entry_of(tree: GameTree, source: str, text: str = "") -> Entry:
    """Raises TengenError when a move of the main line breaks the rule."""
    moves, board = [], tree.start()
    for move in tree.moves():
        if board.outcome() is not None:
            break  # some files go on after five
        board.play(move)
        moves.append(move)
    if not moves:
        raise TengenError("there are no moves")
    more = any(len(node.children) > 1 or node.comment for node in tree.nodes())
    kept = text if more and len(text) <= MAX_SGF else ""
    winner = _winner(tree, board.outcome())
    return Entry(tree.variant, tuple(moves), tree.black, tree.white, winner, _played(tree), source, setup=_setup(tree),
                 sgf=kept)  # fmt: skip


def _winner(tree: GameTree, outcome: Outcome | None) -> str:
    if outcome is not None:
        return str(outcome.result)
    return {"B": "black", "W": "white", "0": "draw", "D": "draw"}.get(tree.result[:1].upper(), "")


def _setup(tree: GameTree) -> str:
    if not (tree.black_stones or tree.white_stones or tree.first != Color.BLACK):
        return ""
    stones = (cell_text(stones, tree.variant) for stones in (tree.black_stones, tree.white_stones))
    return "/".join([*stones, tree.first.name.lower()])


def _played(tree: GameTree) -> float:
    """The day an SGF names, else now."""
    day = re.match(r"\d{4}-\d{2}-\d{2}", next(iter(tree.root.extra.get("DT", [])), ""))
    try:
        return time.mktime(time.strptime(day[0], "%Y-%m-%d")) if day else time.time()
    except (ValueError, OverflowError):
        return time.time()


def entry_of_record(record: GameRecord, source: str) -> Entry:
    return Entry(record.variant, record.moves, record.black, record.white, str(record.result), time.time(), source,
                 ending=str(record.termination))  # fmt: skip


def entries_of_file(path: Path, source: str, bad: list[str]) -> Iterator[Entry]:
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        yield from (entry_of_record(record, source) for record in read_records(path))
    elif path.suffix == ".bin":
        for game in games_of(path):
            tree = GameTree(game.variant, "alphabeta", "alphabeta")
            add_line(tree, game.moves)
            yield entry_of(tree, source)
    else:
        data = path.read_bytes()
        yield from entries_of_text(data.decode("utf-8", "replace"), path.name, source, bad)


def import_files(library: Library, paths: list[Path], source: str = "import") -> ImportReport:
    """Everything that can be read is kept, in batches; the rest is listed with its reason."""
    report = ImportReport()
    for path in paths:
        try:
            _take(library, entries_of_file(path, source, report.bad), report)
        except (TengenError, OSError) as error:
            report.bad.append(f"{path.name}: {error}")
    return report


def import_texts(library: Library, files: list[tuple[str, str]], source: str = "import") -> ImportReport:
    report = ImportReport()
    for name, text in files:
        _take(library, entries_of_text(text, name, source, report.bad), report)
    return report


def _take(library: Library, entries: Iterator[Entry], report: ImportReport) -> None:
    batch: list[Entry] = []
    for entry in entries:
        batch.append(entry)
        if len(batch) == BATCH:
            _add(library, batch, report)
            batch = []
    _add(library, batch, report)


def _add(library: Library, batch: list[Entry], report: ImportReport) -> None:
    added = library.add(batch)
    report.new += added.new
    report.doubles += added.doubles
