"""The site's opening explorer answers as the server's does."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

from tengen.board import Board
from tengen.rules import Rule, Variant, parse_moves
from tengen.study.book import bundled_book
from tengen.study.explorer import Explorer, bundled_matches
from tengen.study.library import Entry, Library, cell_text
from tengen.study.store import Store
from tengen.web.library_routes import Judged, MoveShown, OpeningShown

VARIANT = Variant()
PLAYED = ("h8i9j7g9", "h8i9g7", "h8h9i10j9", "h8i7j9")
"""Two of them are the same up to symmetry for three stones."""


def positions() -> list[tuple[Rule, list[int]]]:
    """Known openings turned about, and what may follow them."""
    rng, found = (
        random.Random(4),
        [(Rule.FREESTYLE, parse_moves(text, 15, 15)) for text in ("h8", "h8i9", "h8h9", "a1")],
    )
    for number in range(40):
        board = Board(VARIANT, found[number][1])
        found.append((Rule.FREESTYLE, [*board.moves, rng.choice(board.cells_near(2))]))
    return [*found, (Rule.FREESTYLE, []), (Rule.RENJU, parse_moves("h8i9j7", 15, 15)), (Rule.CARO, [])]


def entries() -> list[Entry]:
    winners = ("black", "white", "draw", "black")
    games = zip(PLAYED, winners, strict=True)
    return [Entry(VARIANT, tuple(parse_moves(text, 15, 15)), "human", "x", w, 1.0, "play", text) for text, w in games]


def native(explorer: Explorer, rule: Rule, moves: list[int]) -> dict[str, Any]:
    found = explorer.look(Variant(rule=rule), moves)
    rows = [json.loads(MoveShown.of(row).model_dump_json()) for row in found.moves]
    opening, book = OpeningShown.of(found.opening), Judged.of(found.book)
    return {"opening": opening and opening.model_dump(mode="json"), "book": book and book.model_dump(mode="json"),
            "moves": sorted(rows, key=order)}  # fmt: skip


def order(row: dict[str, Any]) -> tuple[float, int]:
    """Moves of the same worth may stand in any order."""
    return (-sum(sum(counts.values()) for counts in (row["library"], row["matches"]) if counts), row["move"])


def test_positions_are_found_as_on_the_server(sources: Path, site: Path, tmp_path: Path) -> None:
    library = Library(Store(tmp_path / "study.sqlite"))
    for entry in entries():
        library.put(entry)
    explorer = Explorer(library, bundled_matches(), bundled_book())
    kept = [{"variant": {"width": 15, "height": 15, "k": 5, "rule": "freestyle"}, "setup": None, "winner": e.winner,
             "moves": e.moves} for e in entries()]  # fmt: skip
    asked = [{"rule": str(rule), "moves": cell_text(moves, VARIANT)} for rule, moves in positions()]
    command = [
        "node",
        "--preserve-symlinks",
        str(Path(__file__).parent / "explorer.mjs"),
        str(sources),
        str(site / "data"),
    ]
    lines = "".join(json.dumps(one) + "\n" for one in [kept, *asked])
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    for (rule, moves), line in zip(positions(), done.stdout.splitlines(), strict=True):
        said = json.loads(line)
        ranked = [order(row)[0] for row in said["moves"]]
        assert ranked == sorted(ranked), "the most played moves come first"
        assert {key: said[key] for key in ("opening", "book")} | {"moves": sorted(said["moves"], key=order)} == native(
            explorer, rule, moves
        ), asked
