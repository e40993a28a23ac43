"""Routes for records, tournaments and training. Slow reading is done on threads, never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query
from fastapi.responses import FileResponse

from tengen.records import GameRecord
from tengen.web.game import ROOT
from tengen.web.hub import Hub
from tengen.web.messages import ImportRecord, NewGame, settings_of
from tengen.web.record_io import MAX_NAME, export_game, import_game
from tengen.web.tournaments import NewTournament, Tournaments
from tengen.web.training import NewRun, Training

Index = Annotated[int, Path(ge=0, le=10_000_000)]
REPORT_CSP = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
)


def add_records(app: FastAPI, hub: Hub) -> None:
    @app.post("/api/records", status_code=201)
    async def open_record(request: ImportRecord) -> dict[str, str]:
        """Reads SGF, psq or position text and makes a game of it."""
        return {"id": hub.adopt(await asyncio.to_thread(import_game, request)).game.id}

    @app.get("/api/games/{id}/record")
    async def save_record(id: str, format: Annotated[str, Query(max_length=8)] = "sgf") -> dict[str, str]:
        """A game as SGF (with variations and analysis), psq or position text."""
        name, text = export_game(hub.find(id).game, format)
        return {"name": name, "text": text}


def add_tournaments(app: FastAPI, hub: Hub, tournaments: Tournaments) -> None:
    @app.get("/api/tournaments")
    def all_tournaments() -> list[dict[str, Any]]:
        """Every tournament of this server with its progress."""
        return tournaments.overview()

    @app.post("/api/tournaments", status_code=201)
    async def new_tournament(request: NewTournament) -> dict[str, str]:
        """Starts a tournament."""
        return {"id": await tournaments.start(request)}

    @app.get("/api/tournaments/{id}")
    def one_tournament(id: str) -> dict[str, Any]:
        """Cross table, ratings with 95 % intervals, latest games."""
        return tournaments.show(id)

    @app.post("/api/tournaments/{id}/stop")
    async def stop_tournament(id: str) -> dict[str, str]:
        """Stops a tournament; its games are kept and it can be resumed."""
        tournaments.stop(id)
        return {"id": id}

    @app.post("/api/tournaments/{id}/resume")
    async def resume_tournament(id: str) -> dict[str, str]:
        """Plays what is still missing."""
        await tournaments.resume(id)
        return {"id": id}

    @app.get("/api/tournaments/{id}/report")
    def report(id: str) -> FileResponse:
        """The report as one self-contained page, shut off from this site."""
        return FileResponse(tournaments.report(id), headers={"content-security-policy": REPORT_CSP})

    _add_opener(app, hub, "tournaments", tournaments.record)


def add_training(app: FastAPI, hub: Hub, training: Training) -> None:
    @app.get("/api/runs")
    def all_runs() -> dict[str, Any]:
        """Runs and the experiments that can be started."""
        return training.overview()

    @app.post("/api/runs", status_code=201)
    async def new_run(request: NewRun) -> dict[str, str]:
        """Starts an experiment."""
        return {"name": await training.start(request)}

    @app.get("/api/runs/{name}")
    def one_run(name: str, after: int = -1) -> dict[str, Any]:
        """Settings and metrics of a run."""
        return training.show(name, after)

    @app.get("/api/runs/{name}/log")
    def run_log(name: str) -> dict[str, Any]:
        """What a run started here has printed."""
        return training.log_of(name)

    @app.post("/api/runs/{name}/stop")
    async def stop_run(name: str) -> dict[str, str]:
        """Stops a run started here; `tengen train --resume` goes on with it."""
        training.stop(name)
        return {"name": name}

    @app.get("/api/runs/{name}/games")
    def run_games(name: str) -> list[dict[str, Any]]:
        """Sample games of a run, newest first."""
        return training.games(name)

    _add_opener(app, hub, "runs", training.record)


def _add_opener(app: FastAPI, hub: Hub, kind: str, record: Callable[[str, int], GameRecord]) -> None:
    @app.post(f"/api/{kind}/{{name}}/games/{{index}}", status_code=201, name=f"open_{kind}_game")
    async def open_game(name: str, index: Index) -> dict[str, str]:
        """Opens one of its games on the board."""
        return {"id": _opened(hub, await asyncio.to_thread(record, name, index))}


def _opened(hub: Hub, record: GameRecord) -> str:
    """A finished game as a game of the page, with what the players thought of their positions."""
    settings = settings_of(record.variant)
    game = hub.create(NewGame(settings=settings, moves=record.moves)).game
    game.names = (record.black[:MAX_NAME], record.white[:MAX_NAME])
    line = [ROOT, *game.path()]
    for ply, value in zip(range(record.opening, len(record.moves)), record.values, strict=False):
        if value is not None:
            game.nodes[line[ply]].study["v"] = value if ply % 2 == 0 else -value
    return game.id
