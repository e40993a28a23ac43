"""What the site copies from the package: levels, players, puzzles, lessons. Nothing is written down twice."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from tengen.inference.models import ENGINE_NETWORKS, Model, bundled_models, load_model
from tengen.players import swap2
from tengen.rules import Rule, Variant
from tengen.study.book import bundled_book
from tengen.study.explorer import bundled_matches
from tengen.study.lessons import load_lessons
from tengen.study.openings import openings
from tengen.study.positions import cell_numbers, key_of
from tengen.study.puzzles import bundled_puzzles
from tengen.web.about import about
from tengen.web.library_routes import OpeningShown
from tengen.web.networks import browser_file
from tengen.web.study_routes import PuzzleShown, _lesson

PLAYERS: dict[str, tuple[str, ...]] = {
    "alphabeta": ("depth", "nodes", "hash_mb", "network"),
    "alphazero": ("model", "sims"),
    "person": ("sees", "reads", "nodes"),
    "minimax": ("depth",),
    "mcts": ("playouts",),
    "greedy": (),
    "weight": (),
    "random": (),
}
"""Players the engine in the browser has, with the options it takes. Others need the server."""


def about_json() -> str:
    data = json.loads(about().model_dump_json())
    data["players"] = {
        name: card | {"options": {key: card["options"][key] for key in PLAYERS[name] if key in card["options"]}}
        for name, card in data["players"].items()
        if name in PLAYERS
    }
    data["levels"] = {
        side: [level for level in levels if plays(level["spec"])] for side, levels in data["levels"].items()
    }
    data["networks"] = [network for network in data["networks"] if network["file"]]
    data["swap2"] = {"openings": swap2.OPENINGS, "level": swap2.LEVEL, "tries": swap2.TRIES}
    return compact(data)


@cache
def line_networks() -> dict[str, Model]:
    """The networks that the engine in the browser plays with."""
    models = {name: load_model(name) for name in bundled_models()}
    return {name: model for name, model in models.items() if model.native}


def network_files() -> dict[str, bytes]:
    return {str(browser_file(model)): model.path.read_bytes() for model in line_networks().values()}


def engine_network_files() -> list[str]:
    """Those that alphabeta values positions with."""
    return [str(browser_file(line_networks()[name])) for name in ENGINE_NETWORKS.values()]


def plays(spec: str) -> bool:
    """Can the engine in the browser be this player?"""
    name, _, rest = spec.partition(":")
    options = dict(item.partition("=")[::2] for item in rest.split(",") if item)
    models = {options.get(key, "none") for key in ("model", "network")} - {"auto", "none"}
    return name in PLAYERS and models <= line_networks().keys() and options.keys() <= set(PLAYERS[name])


def study_files() -> dict[str, str]:
    """File name -> text: the puzzles with their answers, and the lessons as the page gets them."""
    puzzles = [
        json.loads(PuzzleShown.of(puzzle).model_dump_json()) | {"solutions": puzzle.solutions, "line": puzzle.line}
        for puzzle in bundled_puzzles()
    ]
    lessons = [json.loads(_lesson(lesson).model_dump_json()) for lesson in load_lessons()]
    return {"puzzles.json": compact(puzzles), "lessons.json": compact(lessons)}


def column_files() -> dict[str, bytes]:
    """File name -> bytes: the opening book with what positions are numbered by, and the counted games of matches."""
    book, matches = bundled_book(), bundled_matches()
    variants = {str(rule): Variant(rule=rule) for rule in Rule}
    numbers = {f"numbers-{rule}": cell_numbers(variant).ravel() for rule, variant in variants.items()}
    starts = {rule: str(key_of(variant, ())) for rule, variant in variants.items()}
    names = [json.loads(OpeningShown.of(opening).model_dump_json()) for opening in openings()]
    return {
        "book.bin": in_columns({"starts": starts, "openings": names}, numbers | book.columns),
        "matches.bin": in_columns({"games": matches.games}, matches.columns),
    }


def in_columns(header: dict[str, Any], columns: Mapping[str, np.ndarray]) -> bytes:
    """A length, a header in JSON, the columns, each on a multiple of eight bytes (static/js/local/positions.js)."""
    kinds = [(name, column.dtype.str[1:], len(column)) for name, column in columns.items()]
    text = json.dumps(header | {"columns": kinds}, ensure_ascii=False).encode()
    parts = [len(text).to_bytes(4, "little") + text, *(column.tobytes() for column in columns.values())]
    return b"".join(part + b"\0" * (-len(part) % 8) for part in parts)


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
