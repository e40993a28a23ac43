"""The web application: routes, and nothing that could not be done without a network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from tengen import __version__
from tengen.errors import TengenError
from tengen.registry import SpecError
from tengen.web.about import About, about
from tengen.web.answers import ALWAYS, Created, refusals
from tengen.web.events import GameShown, Status
from tengen.web.game import GameError
from tengen.web.hub import Hub
from tengen.web.library_routes import add_library
from tengen.web.messages import NewGame
from tengen.web.networks import file_called
from tengen.web.room import LEAVE_GRACE
from tengen.web.routes import add_records, add_tournaments, add_training
from tengen.web.search_pool import Refused
from tengen.web.security import LOOPBACK, Gate
from tengen.web.snapshot import game_shown, status_shown
from tengen.web.socket import serve_page
from tengen.web.static_files import LASTING, PageFiles
from tengen.web.study_room import StudyRoom
from tengen.web.study_routes import add_study
from tengen.web.tasks import Tasks
from tengen.web.tournaments import Tournaments
from tengen.web.training import Training

MAX_SOCKETS = 200
MAX_DETAIL = 300
"""Characters of a refusal: what was wrong may be quoted, but not at full length."""


def create_app(
    state: Path,
    workers: int | None = None,
    hosts: frozenset[str] = LOOPBACK,
    runs: Path = Path("runs"),
    leave_grace: float = LEAVE_GRACE,
    token: str | None = None,
) -> FastAPI:
    """`hosts` are the names the server answers to; anything else is refused. Searches of a game that no page looks at
    go on for `leave_grace` seconds. With a `token`, only who has it may change anything.
    """
    hub, tasks, study = Hub(state, workers, leave_grace), Tasks(), StudyRoom(state)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await hub.start()
        taking_over = asyncio.create_task(asyncio.to_thread(desk.take_over, hub.files))
        yield
        await taking_over
        await asyncio.gather(hub.close(), tasks.close())
        study.close()

    app = FastAPI(title="Tengen", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
                  openapi_url="/api/openapi.json", responses=refusals(*ALWAYS))  # fmt: skip
    app.state.hub = hub
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    app.add_middleware(Gate, hosts=hosts, token=token)
    _add_errors(app)
    _add_games(app, hub)
    add_records(app, hub)
    add_tournaments(app, hub, Tournaments(state / "tournaments", tasks))
    add_training(app, hub, Training(runs, tasks, state / "networks"))
    add_study(app, hub, study)
    desk = add_library(app, hub, study.library, study.store, runs)
    _add_pages(app)
    return app


class GameNow(BaseModel):
    game: GameShown
    status: Status


def _add_games(app: FastAPI, hub: Hub) -> None:
    sockets = 0

    @app.get("/api/about")
    def about_tengen() -> About:
        """Version, rules, sizes, players, levels and networks."""
        return about()

    @app.post("/api/games", status_code=201, responses=refusals(409, 422, 503))
    async def new_game(request: NewGame) -> Created:
        """Creates a game and returns its id."""
        room = hub.create(request)
        await hub.save(room)
        return Created(id=room.game.id)

    @app.get("/api/games/{id}", responses=refusals(404, 422, 503))
    async def game(id: str) -> GameNow:
        """A game as the page sees it."""
        room = hub.find(id)
        return GameNow(game=game_shown(room.game), status=status_shown(room.game))

    @app.delete("/api/games/{id}", status_code=204, responses=refusals(404, 409, 422, 503))
    async def delete_game(id: str) -> None:
        """Forgets a game that no page has open."""
        hub.forget(id)

    @app.websocket("/api/games/{id}/socket")
    async def game_socket(socket: WebSocket, id: str) -> None:
        nonlocal sockets
        try:
            room = hub.find(id)
        except LookupError as error:
            return await _turn_away(socket, 1008, str(error.args[0]))
        except Refused as error:
            return await _turn_away(socket, 1013, str(error))
        if sockets >= MAX_SOCKETS:
            return await _turn_away(socket, 1013, "too many pages are open")
        sockets += 1
        try:
            await serve_page(socket, room)
        finally:
            sockets -= 1


async def _turn_away(socket: WebSocket, code: int, reason: str) -> None:
    """Only a socket that was accepted can be told why it is closed."""
    await socket.accept()
    await socket.close(code, reason)


def _add_pages(app: FastAPI) -> None:
    files = PageFiles()

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    def index() -> HTMLResponse:
        return HTMLResponse(files.index(), headers={"cache-control": "no-cache"})

    @app.get("/static/networks/{name}", include_in_schema=False)
    def network(name: str) -> FileResponse:
        """For pages that search in the browser."""
        if (path := file_called(name)) is None:
            raise HTTPException(404, "there is no such network")
        return FileResponse(path, headers=LASTING)

    app.mount("/static", files, name="static")


def _add_errors(app: FastAPI) -> None:
    """People's mistakes become one line of JSON; ours are logged and never shown as a stack trace."""

    def answer(status: int, code: str, text: Callable[[Exception], str] = str) -> Callable[..., JSONResponse]:
        def respond(request: Request, error: Exception) -> JSONResponse:
            body = {"detail": text(error)[:MAX_DETAIL], "code": _code_of(request, error) or code}
            return JSONResponse(body, status)

        return respond

    app.add_exception_handler(GameError, answer(409, "game"))
    app.add_exception_handler(TengenError, answer(422, "refused"))
    app.add_exception_handler(RequestValidationError, answer(422, "bad-request", _validation_text))
    app.add_exception_handler(LookupError, answer(404, "not-here", lambda e: str(e.args[0]) if e.args else "not found"))
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Refused, answer(503, "busy"))
    app.add_exception_handler(Exception, answer(500, "server", lambda e: "the server made a mistake; see its log"))


def _code_of(request: Request, error: Exception) -> str | None:
    """More exact than the status: what a game says, a player that cannot be, a record that cannot be read."""
    if isinstance(error, GameError):
        return error.code
    if isinstance(error, SpecError):
        return "bad-player"
    return "bad-record" if isinstance(error, TengenError) and request.url.path == "/api/records" else None


def _http_error(request: Request, error: Exception) -> JSONResponse:
    """What the framework refuses by itself: an unknown address or method."""
    assert isinstance(error, HTTPException)
    body = {"detail": str(error.detail)[:MAX_DETAIL], "code": "not-here"}
    return JSONResponse(body, error.status_code, dict(error.headers or {}))


def _validation_text(error: Exception) -> str:
    assert isinstance(error, RequestValidationError)
    fault = error.errors()[0]
    where = ".".join(str(part) for part in fault["loc"] if part != "body")[:80]
    return f"{where}: {fault['msg']}" if where else str(fault["msg"])
