"""Games as JSON: for the page, and for the state folder that lets them survive a restart."""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from pathlib import Path
from typing import Any

from tengen import _core
from tengen.board import Board
from tengen.files import write_atomic
from tengen.rules import Color, Result, Termination
from tengen.web.events import EndingShown, GameShown, NodeRow, OutcomeShown, SeatsShown, SideThreats, Status
from tengen.web.game import ROOT, Ending, Game, Node
from tengen.web.messages import Settings, SetUp
from tengen.web.notes import note_json, read_note
from tengen.web.swap2 import Swap2

_ID = re.compile(r"[A-Za-z0-9_-]{10,32}")
MAX_GAMES = 2_000

Json = dict[str, Any]


def new_id() -> str:
    """Ids are made by the server and cannot be guessed."""
    return secrets.token_urlsafe(12)


def is_id(text: str) -> bool:
    return bool(_ID.fullmatch(text))


def game_shown(game: Game) -> GameShown:
    return GameShown(
        id=game.id,
        settings=game.settings.model_dump(mode="json"),
        setup=game.setup.model_dump(mode="json") if game.setup else None,
        names={"black": game.names[0], "white": game.names[1]},
        nodes=[node_row(node) for node in game.nodes.values()],
        cursor=game.cursor,
        created=game.created,
    )


def node_row(node: Node) -> NodeRow:
    return node.id, node.parent, node.move, note_json(node.note)


def status_shown(game: Game) -> Status:
    outcome, board, s = game.outcome(), game.board(), game.settings
    shown = outcome and OutcomeShown(
        winner=_color(outcome.winner), termination=str(outcome.termination), line=outcome.line
    )
    return Status(
        cursor=game.cursor,
        turn=_color(board.turn),
        outcome=shown,
        forbidden={} if outcome else board.forbidden(),
        threats={} if outcome else {_color(side): side_threats(board, side) for side in Color},
        clock=game.clock.shown(),
        swap2=game.swap2.shown() if game.swap2 else None,
        seats=SeatsShown(black=s.black, white=s.white, seconds=s.seconds),
        ending=_ending_shown(game.ending),
        takebacks=game.takebacks,
    )


def side_threats(board: Board, side: Color) -> SideThreats:
    """Standing fours and open threes by the cells that would complete them."""
    five, four = (board.core.cells_with(int(side), group) for group in (_core.Group.FIVE, _core.Group.FOUR))
    open_four = tuple(cell for cell in four if board.core.threat(int(side), cell) == _core.Threat.OPEN_FOUR)
    return SideThreats(five=tuple(five), open_four=open_four)


def _color(color: Color | None) -> Any:
    return None if color is None else color.name.lower()


def _ending_shown(ending: Ending | None) -> EndingShown | None:
    if ending is None:
        return None
    return EndingShown(node=ending.node, winner=_color(ending.result.winner), termination=str(ending.termination))


def stored(game: Game) -> Json:
    """The form of the state folder: what pages are shown and what only the server must remember."""
    clock, swap2, ending = game.clock, game.swap2, _ending_shown(game.ending)
    return game_shown(game).model_dump(mode="json") | {
        "children": {str(n.id): n.children for n in game.nodes.values() if len(n.children) > 1},
        "clock": None if clock.left is None else [clock.remaining(color) for color in Color],
        "swap2": None if swap2 is None else [swap2.first, swap2.second, swap2.stage, swap2.placed],
        "ending": ending.model_dump() if ending else None,
        "touched": game.touched,
        "helped": [game.helped, game.takebacks],
        "next_id": game.next_id,
    }


def restored(data: Json) -> Game:
    """The inverse of `stored`; reads files of all versions. One that does not fit raises ValueError, KeyError or
    TypeError.
    """
    settings = Settings.model_validate_json(json.dumps(data["settings"]))
    setup = SetUp.model_validate_json(json.dumps(data["setup"])) if data["setup"] else None
    game = Game(str(data["id"]), settings, setup)
    names = data.get("names", {})  # games saved by earlier versions have none
    game.names = (str(names.get("black", "")), str(names.get("white", "")))
    for id, parent, move, note in data["nodes"]:
        if id != ROOT:
            _attach(game, id, parent, move)
        game.nodes[id].note = read_note(note)
    for id, children in data["children"].items():
        game.nodes[int(id)].children = list(children)
    game.next_id = int(data.get("next_id", max(game.nodes) + 1))
    game.cursor = data["cursor"]
    game.created, game.touched = data["created"], data["touched"]
    game.helped, game.takebacks = data.get("helped", (0, 0))  # games saved by earlier versions do not say
    if data["clock"] is not None:
        game.clock.left = list(data["clock"])
    if data["swap2"] is not None:
        game.swap2 = Swap2(*data["swap2"])
    if ending := data["ending"]:
        result = Result(ending["winner"] or Result.DRAW)
        game.ending = Ending(ending["node"], result, Termination(ending["termination"]))
    return game


def _attach(game: Game, id: int, parent: int, move: int) -> None:
    game.nodes[id] = Node(id, parent, move)
    game.nodes[parent].children.append(id)


class GameFiles:
    """One JSON file per game, and beside it the moves played since it was written. Names come from our own ids only.

    A move is on the disk's doorstep before any page hears of it, so a killed server loses none.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, id: str, text: str) -> None:
        write_atomic(self._path(id), text)

    def log_moves(self, game: Game, nodes: list[int]) -> None:
        """Appends moves; one system call, no wait for the disk."""
        rows = [[n.id, n.parent, n.move] for n in (game.nodes[i] for i in nodes)]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        handle = os.open(self._log(game.id), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)

    def forget_moves(self, id: str) -> None:
        """All moves are in the game's file by now."""
        self._log(id).unlink(missing_ok=True)

    def read(self, id: str) -> Game | None:
        """None when there is no such game, or its file was damaged by something else than us."""
        if not is_id(id):
            return None
        try:
            game = restored(json.loads(self._path(id).read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None
        self._replay(game)
        return game

    def _replay(self, game: Game) -> None:
        """Moves that were played after the file was written; ids only grow, so older ones are known or deleted."""
        path = self._log(game.id)
        since = game.next_id
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            try:
                id, parent, move = json.loads(line)
                if id in game.nodes and id >= since:
                    game.cursor = id
                elif id >= since and parent in game.nodes and game.position(parent).board().is_legal(move):
                    _attach(game, id, parent, move)
                    game.cursor, game.next_id = id, id + 1
                    if game.swap2 and not game.swap2.done:
                        game.swap2.stone_placed()
            except (ValueError, TypeError):
                continue  # the last line of a log may be cut off

    def delete(self, id: str) -> None:
        if is_id(id):
            self._path(id).unlink(missing_ok=True)
            self.forget_moves(id)

    def prune(self, keep: int = MAX_GAMES) -> None:
        """Drops the games that were longest untouched."""
        files = sorted(self.folder.glob("*.json"), key=lambda p: p.stat().st_mtime, reverse=True)
        for path in files[keep:]:
            path.unlink(missing_ok=True)
            self.forget_moves(path.stem)
        for path in (*self.folder.glob("*.tmp"), *self.folder.glob(".tmp-*")):
            if path.stat().st_mtime < time.time() - 3600:
                path.unlink(missing_ok=True)

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"

    def _log(self, id: str) -> Path:
        return self.folder / f"{id}.moves"
