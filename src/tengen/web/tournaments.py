"""Tournaments of the page: one folder each in the state folder, played by `tengen tournament`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Literal

from pydantic import BaseModel, Field, ValidationError

from tengen.arena.archive import RecordCache
from tengen.arena.ratings import RatingTable
from tengen.arena.tournament import GAMES_FILE
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.lab.levels import read_scale
from tengen.records import GameRecord
from tengen.rules import MAX_SIZE, Rule, Variant
from tengen.web.messages import Message, Spec
from tengen.web.seats import HUMAN, LEVEL, checked_seat, levels, resolve
from tengen.web.snapshot import is_id, new_id
from tengen.web.tasks import Tasks, tail

SHOWN_GAMES = 60


class NewTournament(Message):
    """Every two players meet `games` times, from balanced openings with colours swapped."""

    name: str = Field("", max_length=80)
    players: tuple[Spec, ...] = Field(strict=False, min_length=2, max_length=16)
    size: int = Field(15, ge=5, le=MAX_SIZE)
    rule: Rule = Field(Rule.FREESTYLE, strict=False)
    games: int = Field(10, ge=2, le=1000)
    seconds: float = Field(0.2, ge=0.02, le=30)

    @property
    def variant(self) -> Variant:
        return Variant(self.size, rule=self.rule)


class About(BaseModel):
    """What a tournament was started with: the file about.json. `seats` are the names people chose, by player."""

    name: str
    players: list[str]
    seats: dict[str, str] = Field(default_factory=dict)
    size: int
    rule: Rule
    games: int
    seconds: float
    total: int
    created: float


class TournamentRow(About):
    id: str
    done: int
    state: Literal["running", "done", "stopped", "failed"]


class Standing(BaseModel):
    player: str
    points: float
    games: int


class Pairing(BaseModel):
    player: str
    opponent: str
    wins: int
    draws: int
    losses: int


class Rated(BaseModel):
    """Elo with its 95 % interval, on the levels' scale when levels take part, else around the players' mean."""

    player: str
    value: float
    low: float
    high: float
    games: int


class PlayedGame(BaseModel):
    index: int
    black: str
    white: str
    winner: str | None
    moves: int
    termination: str


class TournamentShown(TournamentRow):
    standings: list[Standing]
    cross: list[Pairing]
    ratings: list[Rated]
    on_scale: bool
    """The ratings are on the levels' scale."""
    latest: list[PlayedGame]
    log: str


class Tournaments:
    def __init__(self, folder: Path, tasks: Tasks) -> None:
        self.folder, self.tasks = folder, tasks
        self._cache = RecordCache()
        folder.mkdir(parents=True, exist_ok=True)

    async def start(self, request: NewTournament) -> str:
        entrants = _entrants(request)
        id = new_id()
        total = request.games * len(entrants) * (len(entrants) - 1) // 2
        about = About(**request.model_dump(exclude={"players"}), players=list(entrants), seats=entrants, total=total,
                      created=time.time())  # fmt: skip
        await self._run(id, about, lambda: write_atomic(self.folder / id / "about.json", about.model_dump_json()))
        return id

    async def resume(self, id: str) -> None:
        about = self._about(id)
        if not self.tasks.running(id):
            await self._run(id, about)

    async def _run(self, id: str, about: About, prepare: Callable[[], None] | None = None) -> None:
        args = ["tournament", *about.players, "--size", str(about.size), "--rule", about.rule,
                "--games", str(about.games), "--seconds", str(about.seconds), "--workers", "1",
                "--out", str(self.folder / id)]  # fmt: skip
        await self.tasks.start(id, args, self.folder / id / "log.txt", prepare)

    def stop(self, id: str) -> None:
        self._about(id)
        self.tasks.stop(id)

    def overview(self) -> list[TournamentRow]:
        """Newest first. Games are counted, not read."""
        ids = [path.parent.name for path in self.folder.glob("*/about.json")]
        return sorted((self._row(id) for id in ids), key=lambda row: -row.created)

    def show(self, id: str) -> TournamentShown:
        """Cross table, ratings with intervals and the latest games."""
        row, state = self._row(id), self._cache.state(self._games(id))
        latest = list(enumerate(state.records))[-SHOWN_GAMES:]
        known = _level_ratings(row)
        return TournamentShown(
            **row.model_dump(),
            standings=[Standing(player=p, points=points, games=n) for p, points, n in state.standings],
            cross=[Pairing(player=a, opponent=b, wins=s.wins, draws=s.draws, losses=s.losses)
                   for (a, b), s in state.cross.items()],
            ratings=_rated(state.ratings, known),
            on_scale=bool(known),
            latest=[_played(i, record) for i, record in reversed(latest)],
            log=tail(self.folder / id / "log.txt"),
        )  # fmt: skip

    def record(self, id: str, index: int) -> GameRecord:
        self._about(id)
        records = self._cache.records(self._games(id))
        if not 0 <= index < len(records):
            raise LookupError(f"the tournament has no game {index}")
        return records[index]

    def report(self, id: str) -> Path:
        """The report page, drawn again only when there are new games."""
        from tengen.arena.report.build import current_report

        about, games = self._about(id), self._games(id)
        if not self._cache.count(games):
            raise LookupError("the tournament has no games yet")
        return current_report(self._cache, games, self.folder / id / "report", about.name or "Tournament")

    def _row(self, id: str) -> TournamentRow:
        about, done = self._about(id), self._cache.count(self._games(id))
        return TournamentRow(**about.model_dump(), id=id, done=done, state=self._state(id, done >= about.total))

    def _state(self, id: str, complete: bool) -> Literal["running", "done", "stopped", "failed"]:
        if self.tasks.running(id):
            return "running"
        if complete:
            return "done"
        return "failed" if self.tasks.failed(id) else "stopped"

    def _about(self, id: str) -> About:
        path = self.folder / id / "about.json"
        if not is_id(id) or not path.is_file():
            raise LookupError("there is no such tournament")
        try:
            return About.model_validate_json(path.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise TengenError(f"{path} is damaged: {error.errors()[0]['msg']}") from None

    def _games(self, id: str) -> Path:
        return self.folder / id / GAMES_FILE


def _entrants(request: NewTournament) -> dict[str, str]:
    """Specs with their own limits, and the seats they stand for: a level brings its thinking time, a plain player uses
    the tournament's.
    """
    entrants: dict[str, str] = {}
    for seat in request.players:
        if seat == HUMAN:
            raise TengenError("people cannot enter a tournament")
        spec, seconds = resolve(checked_seat(seat, request.variant), request.seconds, request.variant)
        entrant = f"{spec}@{seconds:g}s" if seat.startswith(LEVEL) else spec
        if entrant in entrants:
            raise TengenError("the same player is named twice; give each its own options")
        entrants[entrant] = seat
    return entrants


def _rated(table: RatingTable | None, known: dict[str, float]) -> list[Rated]:
    """Empty until the games connect all players. Moved so that levels have on average the ratings `known` of them."""
    ratings = table.ratings if table else []
    moves = [known[r.player] - r.elo.value for r in ratings if r.player in known]
    by = fmean(moves) if moves else 0.0
    return [
        Rated(player=r.player, value=r.elo.value + by, low=r.elo.low + by, high=r.elo.high + by, games=r.games)
        for r in ratings
    ]


def _level_ratings(about: About) -> dict[str, float]:
    """The measured ratings of levels that take part; none on a board or by a rule where none was measured."""
    if about.rule is not Rule.FREESTYLE or about.size not in read_scale().boards:
        return {}
    elo = {f"{LEVEL}{level.name}": level.elo for level in levels(about.size)}
    found = {player: elo.get(seat) for player, seat in about.seats.items()}
    return {player: rating for player, rating in found.items() if rating is not None}


def _played(index: int, record: GameRecord) -> PlayedGame:
    return PlayedGame(index=index, black=record.black, white=record.white, winner=record.winner,
                      moves=len(record.moves), termination=str(record.termination))  # fmt: skip
