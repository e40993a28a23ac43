"""Routes of the library and the opening explorer. Handlers run on threads, never on the event loop."""

from __future__ import annotations

import asyncio
import math
import time
from pathlib import Path as Folder
from typing import Annotated

from fastapi import FastAPI, Path, Query
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from tengen.board import Board
from tengen.errors import TengenError
from tengen.lab.levels import LEVELS_FILE, read_scale
from tengen.rules import Move, parse_moves
from tengen.study.book import BookPosition, bundled_book
from tengen.study.explorer import ExploredMove, Explorer, bundled_matches
from tengen.study.library import Entry, Library, MoveStats, Search
from tengen.study.library_files import ImportReport, import_texts
from tengen.study.openings import Opening, openings
from tengen.study.store import Store
from tengen.web.answers import Created, refusals
from tengen.web.events import Chosen
from tengen.web.hub import Hub
from tengen.web.library_desk import LibraryDesk, as_record
from tengen.web.messages import ImportRecord, Message, OfVariant, Position
from tengen.web.search_jobs import ChooseJob
from tengen.web.search_pool import SearchFailed, Stopped
from tengen.web.seats import ENGINE

GameId = Annotated[str, Path(max_length=40)]
Short = Annotated[str, Query(max_length=80)]
PAGE = 50
JUDGE_SECONDS = 0.5


class OpeningShown(BaseModel):
    code: str
    en: str
    zh: str
    moves: tuple[Move, ...]

    @classmethod
    def of(cls, opening: Opening | None) -> OpeningShown | None:
        return None if opening is None else cls(code=opening.code, en=opening.en, zh=opening.zh, moves=opening.moves)


class GameRow(BaseModel):
    id: str
    variant: str
    black: str
    white: str
    winner: str
    played: float
    moves: int
    source: str
    opening: str
    helped: bool
    tags: tuple[str, ...]
    note: str

    @classmethod
    def of(cls, e: Entry) -> GameRow:
        return cls(id=e.id, variant=str(e.variant), black=e.black, white=e.white, winner=e.winner, played=e.played,
                   moves=len(e.moves), source=e.source, opening=e.opening, helped=e.helped, tags=e.tags,
                   note=e.note)  # fmt: skip


class LibraryShown(BaseModel):
    """`damaged` is the name of a file that was set aside when the server started."""

    total: int
    games: list[GameRow]
    damaged: str


class LevelScore(BaseModel):
    variant: str
    level: str
    won: int
    drawn: int
    lost: int


class ResultsShown(BaseModel):
    levels: list[LevelScore]
    elo: tuple[float, float, float] | None
    """Estimate, low and high end of its 95 % interval."""


class GameFile(Message):
    name: str = Field(max_length=200)
    text: str = Field(max_length=400_000)


class GameFilesSent(Message):
    files: Annotated[tuple[GameFile, ...], Field(strict=False, max_length=2_000)]


class Imported(BaseModel):
    new: int
    doubles: int
    bad: list[str]

    @classmethod
    def of(cls, report: ImportReport) -> Imported:
        return cls(new=report.new, doubles=report.doubles, bad=[line[:300] for line in report.bad[:500]])


class Annotation(Message):
    tags: str = Field("", max_length=200)
    note: str = Field("", max_length=4_000)


def add_library(app: FastAPI, hub: Hub, library: Library, store: Store, runs: Folder) -> LibraryDesk:
    """From now on every game that is saved is kept in the library too."""
    desk = LibraryDesk(library)
    hub.keeper = desk.keeper
    _add_games(app, desk, store)
    _add_changes(app, hub, desk, runs)
    _add_explorer(app, hub, library)
    return desk


def _add_games(app: FastAPI, desk: LibraryDesk, store: Store) -> None:
    @app.get("/api/library", responses=refusals(422))
    def games(
        player: Short = "", result: Short = "", opening: Short = "", tag: Short = "", source: Short = "",
        since: float = 0.0, until: float = 0.0, offset: Annotated[int, Query(ge=0)] = 0,
    ) -> LibraryShown:  # fmt: skip
        """The games that fit, newest first."""
        search = Search(player, result, opening, tag, source, since, until or math.inf)
        aside = store.set_aside
        return LibraryShown(total=desk.library.count(search), damaged=aside.name if aside else "",
                            games=[GameRow.of(e) for e in desk.library.find(search, PAGE, offset)])  # fmt: skip

    @app.get("/api/library/results")
    def results() -> ResultsShown:
        """The person's results against each level, and a rating estimated from them."""
        scores, found = desk.results(read_scale(LEVELS_FILE).boards)
        rows = [LevelScore(variant=variant, level=level, won=s.won, drawn=s.drawn, lost=s.lost)
                for (variant, level), s in sorted(scores.items())]  # fmt: skip
        return ResultsShown(levels=rows, elo=(found.elo, found.low, found.high) if found else None)

    @app.get("/api/library/export", response_class=PlainTextResponse)
    def export() -> PlainTextResponse:
        """All games as one SGF collection."""
        name = time.strftime("tengen-library-%Y-%m-%d.sgf")
        return PlainTextResponse(desk.export(), headers={"content-disposition": f'attachment; filename="{name}"'})


def _add_changes(app: FastAPI, hub: Hub, desk: LibraryDesk, runs: Folder) -> None:
    @app.post("/api/library/import", responses=refusals(422))
    def take(sent: GameFilesSent) -> Imported:
        """Keeps the games of SGF, psq or position text; bad ones are listed with their reason."""
        return Imported.of(import_texts(desk.library, [(file.name, file.text) for file in sent.files]))

    @app.post("/api/library/matches")
    def take_matches() -> Imported:
        """Keeps the games of this server's tournaments and training runs."""
        return Imported.of(desk.take_in({"tournament": hub.state / "tournaments", "run": runs}))

    @app.post("/api/library/{id}/note", status_code=204, responses=refusals(404, 422))
    def note(id: GameId, annotation: Annotation) -> None:
        """Changes the tags and the note of a game."""
        desk.library.annotate(id, annotation.tags.split(), annotation.note)

    @app.delete("/api/library/{id}", status_code=204, responses=refusals(404, 422))
    def remove(id: GameId) -> None:
        """Deletes a game from the library."""
        desk.library.get(id)
        desk.library.remove(id)

    @app.post("/api/library/{id}/open", status_code=201, responses=refusals(404, 409, 422, 503))
    async def open_game(id: GameId) -> Created:
        """Opens a game of the library on the board."""
        try:
            return Created(id=hub.find(id).game.id)  # its own room is still there
        except LookupError:
            entry = await asyncio.to_thread(desk.library.get, id)
        request = as_record(entry)
        opened = await hub.open_record(request) if isinstance(request, ImportRecord) else hub.create(request)
        opened.game.names = (entry.black[:80], entry.white[:80])
        await hub.save(opened)
        return Created(id=opened.game.id)


class Counts(BaseModel):
    black: int
    draws: int
    white: int

    @classmethod
    def of(cls, stats: MoveStats | None) -> Counts | None:
        return None if stats is None else cls(black=stats.black, draws=stats.draws, white=stats.white)


class Judged(BaseModel):
    """`value` is for black; `winner` is proven."""

    value: float
    best: Move | None
    winner: str | None

    @classmethod
    def of(cls, position: BookPosition | None) -> Judged | None:
        if position is None:
            return None
        winner = None if position.winner is None else position.winner.name.lower()
        return cls(value=position.value, best=position.best, winner=winner)


class MoveShown(BaseModel):
    move: Move
    library: Counts | None
    matches: Counts | None
    book: Judged | None
    opening: OpeningShown | None

    @classmethod
    def of(cls, row: ExploredMove) -> MoveShown:
        return cls(move=row.move, library=Counts.of(row.library), matches=Counts.of(row.matches),
                   book=Judged.of(row.book), opening=OpeningShown.of(row.opening))  # fmt: skip


class ExploredShown(BaseModel):
    turn: str
    over: bool
    opening: OpeningShown | None
    book: Judged | None
    moves: list[MoveShown]
    book_positions: int
    match_games: int


class ExploreRequest(OfVariant):
    moves: Annotated[str, Field(max_length=1_500)] = ""

    def board(self) -> Board:
        v = self.variant
        return Board(v, parse_moves(self.moves, v.width, v.height) if self.moves else ())


def _add_explorer(app: FastAPI, hub: Hub, library: Library) -> None:
    @app.get("/api/explorer/openings")
    def classical() -> list[OpeningShown]:
        """The 26 classical openings."""
        return [OpeningShown(code=o.code, en=o.en, zh=o.zh, moves=o.moves) for o in openings()]

    @app.post("/api/explorer", responses=refusals(422))
    def explore(request: ExploreRequest) -> ExploredShown:
        """How games went on from a position, and what the book thinks."""
        board, explorer = request.board(), Explorer(library, bundled_matches(), bundled_book())
        found = explorer.look(request.variant, board.moves)
        over = board.outcome() is not None
        return ExploredShown(turn=board.turn.name.lower(), over=over, opening=OpeningShown.of(found.opening),
                             book=Judged.of(found.book), moves=[MoveShown.of(row) for row in found.moves],
                             book_positions=len(bundled_book()), match_games=bundled_matches().games)  # fmt: skip

    @app.post("/api/explorer/judge", responses=refusals(422, 503))
    async def judge(request: ExploreRequest) -> Judged:
        """The engine's judgement of a position, after half a second."""
        board = request.board()
        if board.outcome() is not None:
            raise TengenError("the game is over")
        position = Position(variant=request.variant, moves=board.moves)
        job = ChooseJob(spec=ENGINE, seconds=JUDGE_SECONDS, position=position)
        try:
            answer = await hub.study_pool.submit(job, "explorer", JUDGE_SECONDS).answer
        except (SearchFailed, Stopped) as error:
            raise TengenError(str(error)) from None
        chosen = Chosen.model_validate(answer)
        sign = 1 if len(board.moves) % 2 == 0 else -1
        return Judged(value=sign * (chosen.value or 0.0), best=chosen.move, winner=None)
