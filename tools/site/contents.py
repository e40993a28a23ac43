"""What the site copies from the package: levels, players, puzzles, lessons. Nothing is written down twice."""

from __future__ import annotations

import json
from typing import Any

from tengen.study.lessons import load_lessons
from tengen.study.puzzles import bundled_puzzles
from tengen.web.about import about
from tengen.web.study_routes import PuzzleShown, _lesson

PLAYERS: dict[str, tuple[str, ...]] = {
    "alphabeta": ("depth", "nodes", "hash_mb"),
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
    data["networks"] = []
    return compact(data)


def plays(spec: str) -> bool:
    """Can the engine in the browser be this player?"""
    name, _, rest = spec.partition(":")
    keys = [item.partition("=")[0] for item in rest.split(",") if item]
    return name in PLAYERS and all(key in PLAYERS[name] for key in keys)


def study_files() -> dict[str, str]:
    """File name -> text: the puzzles with their answers, and the lessons as the page gets them."""
    puzzles = [
        json.loads(PuzzleShown.of(puzzle).model_dump_json()) | {"solutions": puzzle.solutions, "line": puzzle.line}
        for puzzle in bundled_puzzles()
    ]
    lessons = [json.loads(_lesson(lesson).model_dump_json()) for lesson in load_lessons()]
    return {"puzzles.json": compact(puzzles), "lessons.json": compact(lessons)}


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)
