"""Games as JSON: for the page, and for the state folder that lets them survive a restart."""

from __future__ import annotations

import json
import re
import secrets
import time
from pathlib import Path
from typing import Any

from tengen.files import write_atomic
from tengen.rules import Color, Result, Termination
from tengen.web.game import ROOT, Ending, Game, Node
from tengen.web.messages import Settings, SetUp
from tengen.web.swap2 import Swap2

_ID = re.compile(r"[A-Za-z0-9_-]{10,32}")
MAX_GAMES = 2_000


def new_id() -> str:
    """Ids are made by the server and cannot be guessed."""
    return secrets.token_urlsafe(12)


def is_id(text: str) -> bool:
    return bool(_ID.fullmatch(text))


def game_json(game: Game) -> dict[str, Any]:
    """Everything a page needs to draw a game, except what `status` tells about the cursor."""
    return {
        "id": game.id,
        "settings": game.settings.model_dump(),
        "setup": game.setup.model_dump() if game.setup else None,
        "names": {"black": game.names[0], "white": game.names[1]},
        "nodes": [node_json(node) for node in game.nodes.values()],
        "cursor": game.cursor,
        "ending": _ending_json(game.ending),
        "swap2": game.swap2.to_json() if game.swap2 else None,
    }


def node_json(node: Node) -> list[Any]:
    """[id, parent, move, study]: short, for trees of thousands of moves."""
    return [node.id, node.parent, node.move, node.study or None]


def status_json(game: Game) -> dict[str, Any]:
    """What is true at the cursor: turn, legality, outcome, clock."""
    outcome, board = game.outcome(), game.board()
    return {
        "cursor": game.cursor,
        "turn": board.turn.name.lower(),
        "outcome": None if outcome is None else {
            "winner": None if outcome.winner is None else outcome.winner.name.lower(),
            "termination": str(outcome.termination),
            "line": list(outcome.line),
        },
        "forbidden": {} if outcome else {str(cell): why for cell, why in board.forbidden().items()},
        "clock": game.clock.to_json(),
        "swap2": game.swap2.to_json() if game.swap2 else None,
        "seats": {"black": game.settings.black, "white": game.settings.white, "seconds":
        game.settings.seconds},
        "ending": _ending_json(game.ending),
    }  # fmt: skip


def _ending_json(ending: Ending | None) -> dict[str, Any] | None:
    if ending is None:
        return None
    winner = None if ending.result == Result.DRAW else str(ending.result)
    return {"node": ending.node, "winner": winner, "termination": str(ending.termination)}


def stored(game: Game) -> dict[str, Any]:
    """The form of the state folder: `game_json` and what only the server must remember."""
    game_clock = game.clock
    clock = None
    if game_clock.left is not None:
        clock = [game_clock.remaining(Color.BLACK), game_clock.remaining(Color.WHITE)]
    swap2 = game.swap2
    return game_json(game) | {
        "children": {str(n.id): n.children for n in game.nodes.values() if len(n.children) > 1},
        "clock": clock,
        "swap2": None if swap2 is None else [swap2.first, swap2.second, swap2.stage, swap2.placed],
        "created": game.created,
        "touched": game.touched,
    }


def restored(data: dict[str, Any]) -> Game:
    """The inverse of `stored`. A file that does not fit raises ValueError, KeyError or TypeError."""
    settings = Settings.model_validate_json(json.dumps(data["settings"]))
    setup = SetUp.model_validate_json(json.dumps(data["setup"])) if data["setup"] else None
    game = Game(str(data["id"]), settings, setup)
    names = data.get("names", {})  # games saved by earlier versions have none
    game.names = (str(names.get("black", "")), str(names.get("white", "")))
    for id, parent, move, study in data["nodes"]:
        if id != ROOT:
            game.nodes[id] = Node(id, parent, move)
            game.nodes[parent].children.append(id)
        game.nodes[id].study = study or {}
    for id, children in data["children"].items():
        game.nodes[int(id)].children = list(children)
    game._next_id = max(game.nodes) + 1
    game.cursor = data["cursor"]
    game.created, game.touched = data["created"], data["touched"]
    if data["clock"] is not None:
        game.clock.left = list(data["clock"])
    if data["swap2"] is not None:
        game.swap2 = Swap2(*data["swap2"])
    if ending := data["ending"]:
        result = Result(ending["winner"] or Result.DRAW)
        game.ending = Ending(ending["node"], result, Termination(ending["termination"]))
    return game


class GameFiles:
    """One JSON file a game. Names come from our own ids only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, id: str, text: str) -> None:
        write_atomic(self._path(id), text)

    def read(self, id: str) -> Game | None:
        """None when there is no such game, or its file was damaged by something else than us."""
        if not is_id(id):
            return None
        try:
            return restored(json.loads(self._path(id).read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None

    def delete(self, id: str) -> None:
        if is_id(id):
            self._path(id).unlink(missing_ok=True)

    def prune(self, keep: int = MAX_GAMES) -> None:
        """Drops the games that were longest untouched."""
        files = sorted(self.folder.glob("*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
        for path in files[keep:]:
            path.unlink(missing_ok=True)
        for path in self.folder.glob("*.tmp"):
            if path.stat().st_mtime < time.time() - 3600:
                path.unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"
