"""All rooms of a server: made, found again after a restart, saved in the background, put away when idle."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

from tengen.errors import TengenError
from tengen.web.game import Game, GameError
from tengen.web.messages import ImportRecord, NewGame
from tengen.web.room import LEAVE_GRACE, Room
from tengen.web.search_jobs import Imported, ImportJob
from tengen.web.search_pool import Refused, SearchFailed, SearchPool
from tengen.web.seats import checked_seat
from tengen.web.snapshot import GameFiles, new_id, restored, stored

MAX_ROOMS = 256
SAVE_SECONDS = 0.4
IMPORT_SECONDS = 10.0


class Hub:
    def __init__(self, state: Path, workers: int | None = None, leave_grace: float = LEAVE_GRACE) -> None:
        cores = workers or max(2, min(8, os.cpu_count() or 2))
        self.state, self.leave_grace = state, leave_grace
        self.files = GameFiles(state / "games")
        self.play_pool = SearchPool(cores, max_queue=256, max_client=2)
        self.study_pool = SearchPool(cores, max_queue=64, max_client=6, nice=5)
        self.rooms: dict[str, Room] = {}
        self.keeper: Callable[[Game], Callable[[], None]] = lambda game: lambda: None
        """Looks at every game that is saved; what it returns is done on a thread after that."""
        self._dirty: set[Room] = set()
        self._forgotten: set[str] = set()
        self._saver: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await asyncio.gather(self.play_pool.start(), self.study_pool.start())
        await asyncio.to_thread(self.files.prune)
        self._saver = asyncio.create_task(self._save_now_and_then())

    def halt(self) -> None:
        """Ends every search at once; may be called from a signal handler."""
        self.play_pool.halt()
        self.study_pool.halt()

    async def close(self) -> None:
        if self._saver:
            self._saver.cancel()
        for room in self.rooms.values():
            room.close()
        await self._save()
        await asyncio.gather(self.play_pool.close(), self.study_pool.close())

    def create(self, request: NewGame) -> Room:
        """A new game, checked: seats, set-up and moves must all be possible."""
        s = request.settings
        for seat in (s.black, s.white):
            checked_seat(seat, s.variant)
        if request.moves and s.opening == "swap2":
            raise TengenError("a swap2 opening starts from an empty board")
        game = Game(new_id(), s, request.setup)
        for move in request.moves:
            game.play(move)
        return self.adopt(game)

    async def open_record(self, record: ImportRecord) -> Room:
        """The game of a record, read in a process that is killed when it takes too long."""
        ticket = self.study_pool.submit(ImportJob(record=record), "import", IMPORT_SECONDS)
        try:
            read = Imported.model_validate(await ticket.answer)
            room = self.adopt(restored(read.stored))
            room.game.went_on = read.cut
            return room
        except SearchFailed as error:
            raise TengenError(str(error)) from None

    def adopt(self, game: Game) -> Room:
        self._make_room()
        room = self.rooms[game.id] = self._room(game)
        self._dirty.add(room)
        return room

    def _room(self, game: Game) -> Room:
        return Room(game, self.play_pool, self.study_pool, self._dirty.add, self.leave_grace, self._log)

    def _log(self, room: Room, nodes: list[int]) -> None:
        self.files.log_moves(room.game, nodes)

    def find(self, id: str) -> Room:
        """Raises LookupError when there is no such game."""
        if id in self.rooms:
            return self.rooms[id]
        game = None if id in self._forgotten else self.files.read(id)
        if game is None:
            raise LookupError("there is no such game here; it may have been deleted")
        self._make_room()
        self.rooms[id] = self._room(game)
        return self.rooms[id]

    def forget(self, id: str) -> None:
        room = self.find(id)
        if room.pages:
            raise GameError("in-use", "the game is open in a page")
        self._dirty.discard(room)
        room.close()
        del self.rooms[id]
        self._forgotten.add(id)
        self.files.delete(id)

    def _make_room(self) -> None:
        """Rooms nobody looks at leave memory once saved; with every room in use a new one is refused."""
        if len(self.rooms) < MAX_ROOMS:
            return
        idle = [t for t in self.rooms.values() if not t.pages and t not in self._dirty]
        if not idle:
            raise Refused(f"all {MAX_ROOMS} rooms are in use; try again later")
        oldest = min(idle, key=lambda t: t.game.touched)
        oldest.close()
        del self.rooms[oldest.game.id]

    async def _save_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            await self._save()

    async def _save(self) -> None:
        while self._dirty:
            await self.save(next(iter(self._dirty)))

    async def save(self, room: Room) -> None:
        """Writes a game; its log of moves is done with unless something changed meanwhile."""
        self._dirty.discard(room)
        game = room.game
        keep = self.keeper(game)
        await asyncio.to_thread(self.files.write, game.id, json.dumps(stored(game), allow_nan=False))
        await asyncio.to_thread(keep)
        if game.id in self._forgotten:  # deleted while it was being written
            self.files.delete(game.id)
        elif room not in self._dirty:
            self.files.forget_moves(game.id)
