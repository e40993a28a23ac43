"""Routes for records, tournaments and training. Slow reading is done on threads, never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, Path, Query
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel

from tengen.records import GameRecord
from tengen.rules import Color, Rule, Value
from tengen.web.answers import Created, refusals
from tengen.web.game import ROOT
from tengen.web.gif import game_gif, line_on_show
from tengen.web.hub import Hub
from tengen.web.messages import ImportRecord, NewGame, Settings
from tengen.web.networks import player_of
from tengen.web.record_io import MAX_NAME, export_game, file_stem
from tengen.web.tournaments import NewTournament, TournamentRow, Tournaments, TournamentShown
from tengen.web.training import NewRun, RunLog, RunShown, RunsShown, SampleGame, SweepShown, Training

Index = Annotated[int, Path(ge=0, le=10_000_000)]
REPORT_CSP = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
)


class RecordText(BaseModel):
    """A file as it should be saved."""

    name: str
    text: str


class RecordOpened(Created):
    """With `cut`, moves after the end of the game were left out."""

    cut: bool


class RunNamed(BaseModel):
    name: str


class NetworkSeat(BaseModel):
    seat: str
    width: int
    height: int
    k: int
    rule: Rule


def add_records(app: FastAPI, hub: Hub) -> None:
    @app.post("/api/records", status_code=201, responses=refusals(409, 422, 503))
    async def open_record(request: ImportRecord) -> RecordOpened:
        """Reads SGF, psq or position text and makes a game of it."""
        room = await hub.open_record(request)
        await hub.save(room)
        return RecordOpened(id=room.game.id, cut=room.game.went_on)

    @app.get("/api/games/{id}/record", responses=refusals(404, 422, 503))
    async def save_record(id: str, format: Annotated[str, Query(max_length=8)] = "sgf") -> RecordText:
        """A game as SGF (with variations and analysis), psq or position text."""
        name, text = export_game(hub.find(id).game, format)
        return RecordText(name=name, text=text)

    @app.get("/api/games/{id}/gif", response_class=Response, responses=refusals(404, 422, 503))
    async def save_gif(id: str) -> Response:
        """The line on show as an animated picture."""
        game = hub.find(id).game
        picture = await asyncio.to_thread(game_gif, game.position(ROOT).board(), line_on_show(game))
        named = {"content-disposition": f'attachment; filename="{file_stem(game)}.gif"'}
        return Response(picture, media_type="image/gif", headers=named)


def add_tournaments(app: FastAPI, hub: Hub, tournaments: Tournaments) -> None:
    @app.get("/api/tournaments")
    def all_tournaments() -> list[TournamentRow]:
        """Every tournament of this server with its progress."""
        return tournaments.overview()

    @app.post("/api/tournaments", status_code=201, responses=refusals(422, 503))
    async def new_tournament(request: NewTournament) -> Created:
        """Starts a tournament."""
        return Created(id=await tournaments.start(request))

    @app.get("/api/tournaments/{id}", responses=refusals(404, 422))
    def one_tournament(id: str) -> TournamentShown:
        """Cross table, ratings with 95 % intervals, latest games."""
        return tournaments.show(id)

    @app.post("/api/tournaments/{id}/stop", responses=refusals(404, 422))
    async def stop_tournament(id: str) -> Created:
        """Stops a tournament; its games are kept and it can be resumed."""
        tournaments.stop(id)
        return Created(id=id)

    @app.post("/api/tournaments/{id}/resume", responses=refusals(404, 422, 503))
    async def resume_tournament(id: str) -> Created:
        """Plays what is still missing."""
        await tournaments.resume(id)
        return Created(id=id)

    @app.get("/api/tournaments/{id}/report", response_class=FileResponse, responses=refusals(404, 422))
    def report(id: str) -> FileResponse:
        """The report as one self-contained page, shut off from this site."""
        return FileResponse(tournaments.report(id), headers={"content-security-policy": REPORT_CSP})

    _add_opener(app, hub, "tournaments", tournaments.record)


def add_training(app: FastAPI, hub: Hub, training: Training) -> None:
    @app.get("/api/runs", responses=refusals(422))
    def all_runs() -> RunsShown:
        """Runs and the experiments that can be started."""
        return training.overview()

    @app.get("/api/sweeps", responses=refusals(422))
    def all_sweeps() -> list[SweepShown]:
        """Learning curves of trainings with several seeds and settings, with bands."""
        return training.sweeps()

    @app.post("/api/runs", status_code=201, responses=refusals(422, 503))
    async def new_run(request: NewRun) -> RunNamed:
        """Starts an experiment."""
        return RunNamed(name=await training.start(request))

    @app.get("/api/runs/{name}", responses=refusals(404, 422))
    def one_run(name: str, after: int = -1) -> RunShown:
        """Settings and metrics of a run."""
        return training.show(name, after)

    @app.get("/api/runs/{name}/log", responses=refusals(404, 422))
    def run_log(name: str) -> RunLog:
        """What a run started here has printed."""
        return training.log_of(name)

    @app.post("/api/runs/{name}/stop", responses=refusals(422))
    async def stop_run(name: str) -> RunNamed:
        """Stops a run started here; `tengen train --resume` goes on with it."""
        training.stop(name)
        return RunNamed(name=name)

    @app.post("/api/runs/{name}/network", status_code=201, responses=refusals(404, 422))
    async def run_network(name: str) -> NetworkSeat:
        """Makes the network of a run playable: who plays it, and what it plays."""
        model = await training.export(name)
        v = model.variant
        return NetworkSeat(seat=f"{player_of(model)}:model={model.name}", width=v.width, height=v.height, k=v.k,
                           rule=v.rule)  # fmt: skip

    @app.get("/api/runs/{name}/games", responses=refusals(404, 422))
    def run_games(name: str) -> list[SampleGame]:
        """Sample games of a run, newest first."""
        return training.games(name)

    _add_opener(app, hub, "runs", training.record)


def _add_opener(app: FastAPI, hub: Hub, kind: str, record: Callable[[str, int], GameRecord]) -> None:
    @app.post(f"/api/{kind}/{{name}}/games/{{index}}", status_code=201, name=f"open_{kind}_game",
              responses=refusals(404, 422, 503))  # fmt: skip
    async def open_game(name: str, index: Index) -> Created:
        """Opens one of its games on the board."""
        return Created(id=_opened(hub, await asyncio.to_thread(record, name, index)))


def _opened(hub: Hub, record: GameRecord) -> str:
    """A finished game as a game of the page, with what the players thought of their positions."""
    game = hub.create(NewGame(settings=Settings.of(record.variant), moves=record.moves)).game
    game.names = (record.black[:MAX_NAME], record.white[:MAX_NAME])
    line = [ROOT, *game.path()]
    for ply, value in zip(range(record.opening, len(record.moves)), record.values, strict=False):
        if value is not None:
            game.nodes[line[ply]].note.value = Value(value, Color(ply % 2))
    return game.id
