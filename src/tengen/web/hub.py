"""All tables of a server: made, found again after a restart, saved in the background, put away when idle."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

from tengen.errors import TengenError
from tengen.web.game import Game, GameError
from tengen.web.models import NewGame
from tengen.web.players import checked_seat
from tengen.web.pool import Pool, Refused
from tengen.web.snapshot import GameFiles, new_id, stored
from tengen.web.table import LEAVE_GRACE, Table

MAX_TABLES = 256
SAVE_SECONDS = 0.4


class Hub:
    def __init__(self, state: Path, workers: int | None = None, leave_grace: float = LEAVE_GRACE) -> None:
        cores = workers or max(2, min(8, os.cpu_count() or 2))
        self.state, self.leave_grace = state, leave_grace
        self.files = GameFiles(state / "games")
        self.play_pool = Pool(cores, max_queue=256, max_client=2)
        self.study_pool = Pool(cores, max_queue=64, max_client=6, nice=5)
        self.tables: dict[str, Table] = {}
        self._dirty: set[Table] = set()
        self._forgotten: set[str] = set()
        self._saver: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await asyncio.gather(self.play_pool.start(), self.study_pool.start())
        await asyncio.to_thread(self.files.prune)
        self._saver = asyncio.create_task(self._save_now_and_then())

    async def close(self) -> None:
        if self._saver:
            self._saver.cancel()
        for table in self.tables.values():
            table.close()
        await self._save()
        await asyncio.gather(self.play_pool.close(), self.study_pool.close())

    def create(self, request: NewGame) -> Table:
        """A new game, checked: seats, set-up and moves must all be possible."""
        s = request.settings
        for seat in (s.black, s.white):
            checked_seat(seat, s.width)
        if request.moves and s.opening == "swap2":
            raise TengenError("a swap2 opening starts from an empty board")
        game = Game(new_id(), s, request.setup)
        for move in request.moves:
            game.play(move)
        return self.adopt(game)

    def adopt(self, game: Game) -> Table:
        self._make_room()
        table = self.tables[game.id] = self._table(game)
        self._dirty.add(table)
        return table

    def _table(self, game: Game) -> Table:
        return Table(game, self.play_pool, self.study_pool, self._dirty.add, self.leave_grace)

    def find(self, id: str) -> Table:
        """Raises LookupError when there is no such game."""
        if id in self.tables:
            return self.tables[id]
        game = None if id in self._forgotten else self.files.read(id)
        if game is None:
            raise LookupError("there is no such game here; it may have been deleted")
        self._make_room()
        self.tables[id] = self._table(game)
        return self.tables[id]

    def forget(self, id: str) -> None:
        table = self.find(id)
        if table.pages:
            raise GameError("in-use", "the game is open in a page")
        self._dirty.discard(table)
        table.close()
        del self.tables[id]
        self._forgotten.add(id)
        self.files.delete(id)

    def _make_room(self) -> None:
        """Tables nobody looks at leave memory once saved; with every table in use a new one is refused."""
        if len(self.tables) < MAX_TABLES:
            return
        idle = [t for t in self.tables.values() if not t.pages and t not in self._dirty]
        if not idle:
            raise Refused(f"all {MAX_TABLES} tables are in use; try again later")
        oldest = min(idle, key=lambda t: t.game.touched)
        oldest.close()
        del self.tables[oldest.game.id]

    async def _save_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SAVE_SECONDS)
            await self._save()

    async def _save(self) -> None:
        while self._dirty:
            game = self._dirty.pop().game
            await asyncio.to_thread(self.files.write, game.id, json.dumps(stored(game)))
            if game.id in self._forgotten:  # deleted while it was being written
                self.files.delete(game.id)
