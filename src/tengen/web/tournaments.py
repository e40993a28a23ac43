"""Tournaments of the page: one folder each in the state folder, played by `tengen tournament`."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import Field

from tengen.arena.collection import checked
from tengen.arena.ratings import rate
from tengen.arena.tournament import GAMES_FILE, cross_table, standings
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.records import GameRecord, read_records
from tengen.rules import Rule
from tengen.web.messages import Message, Spec
from tengen.web.seats import checked_seat, resolve
from tengen.web.snapshot import is_id, new_id
from tengen.web.tasks import Tasks, tail

SHOWN_GAMES = 60


class NewTournament(Message):
    """Every two players meet `games` times, from balanced openings with colours swapped."""

    name: str = Field("", max_length=80)
    players: tuple[Spec, ...] = Field(strict=False, min_length=2, max_length=16)
    size: int = Field(15, ge=5, le=22)
    rule: Rule = Field(Rule.FREESTYLE, strict=False)
    games: int = Field(10, ge=2, le=1000)
    seconds: float = Field(0.2, ge=0.02, le=30)


class Tournaments:
    def __init__(self, folder: Path, tasks: Tasks) -> None:
        self.folder, self.tasks = folder, tasks
        folder.mkdir(parents=True, exist_ok=True)

    async def start(self, request: NewTournament) -> str:
        players = _entrants(request)
        id = new_id()
        folder = self.folder / id
        folder.mkdir()
        total = request.games * len(players) * (len(players) - 1) // 2
        about = request.model_dump() | {"players": players, "total": total, "created": time.time()}
        write_atomic(folder / "about.json", json.dumps(about))
        await self._run(id, about)
        return id

    async def resume(self, id: str) -> None:
        if not self.tasks.running(id):
            await self._run(id, self._about(id))

    async def _run(self, id: str, about: dict[str, Any]) -> None:
        args = ["tournament", *about["players"], "--size", str(about["size"]), "--rule", about["rule"],
                "--games", str(about["games"]), "--seconds", str(about["seconds"]), "--workers", "1",
                "--out", str(self.folder / id)]  # fmt: skip
        await self.tasks.start(id, args, self.folder / id / "log.txt")

    def stop(self, id: str) -> None:
        self._about(id)
        self.tasks.stop(id)

    def overview(self) -> list[dict[str, Any]]:
        """Newest first."""
        ids = [path.parent.name for path in self.folder.glob("*/about.json")]
        rows = [self._about(id) | {"id": id, **self._progress(id, self._games(id))} for id in ids]
        return sorted(rows, key=lambda row: -row["created"])

    def show(self, id: str) -> dict[str, Any]:
        """Cross table, ratings with intervals and the latest games."""
        about, records = self._about(id), self._games(id)
        players = sorted({name for r in records for name in (r.black, r.white)})
        latest = list(enumerate(records))[-SHOWN_GAMES:]
        return about | {
            "id": id,
            **self._progress(id, records),
            "standings": [list(row) for row in standings(records, players)],
            "cross": [[a, b, s.wins, s.draws, s.losses] for (a, b), s in cross_table(records, players).items()],
            "ratings": _ratings(records),
            "latest": [_game_row(i, record) for i, record in reversed(latest)],
            "log": tail(self.folder / id / "log.txt"),
        }

    def record(self, id: str, index: int) -> GameRecord:
        self._about(id)
        records = self._games(id)
        if not 0 <= index < len(records):
            raise LookupError(f"the tournament has no game {index}")
        return records[index]

    def report(self, id: str) -> Path:
        """The report page, made anew from the games so far."""
        try:
            from tengen.arena.report.build import write_report
            from tengen.arena.report.facts import gather
        except ImportError as error:
            raise TengenError(f"the report needs more packages ({error.name}): pip install 'tengen[train]'") from None

        about = self._about(id)
        if not (records := self._games(id)):
            raise LookupError("the tournament has no games yet")
        collection = checked(records)
        pages = write_report(gather(collection, None, 0), self.folder / id / "report", about["name"] or "Tournament")
        return Path(pages[0])

    def _progress(self, id: str, records: list[GameRecord]) -> dict[str, Any]:
        done, total = len(records), self._about(id)["total"]
        if self.tasks.running(id):
            state = "running"
        elif done >= total:
            state = "done"
        else:
            state = "failed" if self.tasks.failed(id) else "stopped"
        return {"done": done, "total": total, "state": state}

    def _about(self, id: str) -> dict[str, Any]:
        path = self.folder / id / "about.json"
        if not is_id(id) or not path.is_file():
            raise LookupError("there is no such tournament")
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return data

    def _games(self, id: str) -> list[GameRecord]:
        path = self.folder / id / GAMES_FILE
        return list(read_records(path)) if path.is_file() else []


def _entrants(request: NewTournament) -> list[str]:
    """Specs with their own limits: a level brings its thinking time, a plain player uses the tournament's."""
    entrants = []
    for seat in request.players:
        if seat == "human":
            raise TengenError("people cannot enter a tournament")
        spec, seconds = resolve(checked_seat(seat, request.size), request.seconds, request.size)
        entrants.append(f"{spec}@{seconds:g}s" if seat.startswith("level:") else spec)
    if len(set(entrants)) < len(entrants):
        raise TengenError("the same player is named twice; give each its own options")
    return entrants


def _ratings(records: list[GameRecord]) -> list[dict[str, Any]]:
    """Empty until the games connect all players."""
    if not records:
        return []
    try:
        table = rate(checked(records).records)
    except ValueError:
        return []
    return [{"player": r.player, "elo": asdict(r.elo), "games": r.games, "score": r.score} for r in table.ratings]


def _game_row(index: int, record: GameRecord) -> dict[str, Any]:
    return {"index": index, "black": record.black, "white": record.white, "winner": record.winner,
            "moves": len(record.moves), "termination": str(record.termination)}  # fmt: skip
