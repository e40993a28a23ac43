"""A room: one game, the pages that look at it, and the player that thinks in it.

Every command is carried out in one go on the event loop, so commands cannot interleave; a search only reports
back, and its
answer counts only if the game still stands where it was asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tengen.rules import Color
from tengen.web import messages as m
from tengen.web.game import ROOT, Game, GameError
from tengen.web.search_pool import Refused, SearchFailed, SearchPool, Stopped, Ticket
from tengen.web.seats import checked_player, checked_seat, resolve, strongest
from tengen.web.snapshot import game_json, node_json, status_json
from tengen.web.study_desk import StudyDesk

Tell = Callable[[m.Event], None]
CLOCK_SHARE = 20
"""A player on a clock spends at most this part of its time left on one move."""
LEAVE_GRACE = 3.0
"""Seconds that searches go on when the last page is gone: a page that is loaded again finds them at work."""
PACE = 0.25
"""Seconds between two moves when players play each other, so that people can follow."""


class Room:
    def __init__(self, game: Game, play: SearchPool, study: SearchPool, dirty: Callable[[Room], None],
                 leave_grace: float = LEAVE_GRACE) -> None:  # fmt: skip
        self.game, self.play_pool, self.leave_grace = game, play, leave_grace
        self.pages: set[Tell] = set()
        self.thinking: Ticket | None = None
        self.thinker = ""
        self.paused = False
        self._dirty = dirty
        self._tasks: set[asyncio.Task[None]] = set()
        self._flag: asyncio.TimerHandle | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self.desk = StudyDesk(game, study, self.tell, self.dirty)
        self._handlers: dict[type[m.Message], Callable[[Any], None]] = {
            m.Play: self._play, m.Go: self._go, m.Undo: self._undo, m.Redo: self._redo, m.Think: self._think,
            m.Stop: self._stop, m.Hint: lambda c: self.desk.hint(), m.Resign: self._resign, m.Choose:
            self._choose,
            m.Delete: self._delete, m.Seats: self._seats,
            m.Analyse: lambda c: self.desk.analyse(c.specs, c.seconds),
            m.Threats: lambda c: self.desk.threats(c.seconds),
            m.Review: lambda c: self.desk.review(c.spec, c.seconds),
            m.Retry: lambda c: self.desk.retry(c.node, c.move),
            m.StopStudy: lambda c: self.desk.stop("review", "hint", "threats", "retry"),
        }  # fmt: skip

    # Pages come and go

    def join(self, page: Tell) -> None:
        self.pages.add(page)
        if self._leaving:
            self._leaving.cancel()
        page({"type": "game", "game": game_json(self.game), "status": self._status(), "review": self.desk.sweep})
        if self.game.cursor != ROOT or self._machines_only or not self.game.humans_turn:
            self._continue()

    def leave(self, page: Tell) -> None:
        """Nobody looking: no clock runs, live analysis ends, and soon nothing is searched."""
        self.pages.discard(page)
        if not self.pages:
            self._pause_clock()
            self.desk.stop_live()
            self._leaving = asyncio.get_running_loop().call_later(self.leave_grace, self.close)

    def tell(self, event: m.Event) -> None:
        for page in tuple(self.pages):
            page(event)

    def dirty(self) -> None:
        self._dirty(self)

    def obey(self, command: m.Command) -> None:
        """Raises GameError, SpecError or Refused when it cannot; the game is then as it was.

        A move stands even if there is no room to search for the answer: the pages are told, and the player waits.
        """
        self._handlers[type(command)](command)

    # Commands

    def _play(self, c: m.Play) -> None:
        if c.node != self.game.cursor:
            raise GameError("stale", "the position has changed; look again")
        if self.thinking:
            raise GameError("thinking", "it is the other side's turn; stop the player first")
        if self.game.swap2 and self.game.swap2.choosing:
            raise GameError("choose-first", "the opening waits for a choice of colour")
        self._place(c.move)

    def _place(self, move: int) -> None:
        mover = self.game.turn
        node = self.game.play(move)
        self.game.clock.moved(mover)
        self._changed(added=[node_json(self.game.nodes[node])])
        self._continue()

    def _go(self, c: m.Go) -> None:
        if c.node == self.game.cursor:
            return
        self._refuse_in_opening()
        self.game.go(c.node)
        self._moved_about()

    def _undo(self, c: m.Undo) -> None:
        self._refuse_in_opening()
        self.game.undo()
        self._moved_about()
        self._run_clock()

    def _redo(self, c: m.Redo) -> None:
        self._refuse_in_opening()
        self.game.redo()
        self._moved_about()
        self._run_clock()

    def _moved_about(self) -> None:
        self._stop_thinking()
        self._pause_clock()
        self._changed()

    def _think(self, c: m.Think) -> None:
        if self.game.outcome() is not None:
            raise GameError("over", "the game is over")
        if c.spec:
            checked_player(c.spec, self.game.settings.width)
        self.paused = False
        if not self.thinking:
            self._start_thinking(c.spec or self._seat_to_think())

    def _stop(self, c: m.Stop) -> None:
        self.paused = True
        self._stop_thinking()
        self._changed(study=False)

    def _resign(self, c: m.Resign) -> None:
        people = [color for color in Color if self.game.seat(color) == "human"]
        loser = people[0] if len(people) == 1 else self.game.turn
        self._stop_thinking()
        self.game.resign(loser)
        self._changed()

    def _choose(self, c: m.Choose) -> None:
        swap2 = self.game.swap2
        if swap2 is None or not swap2.choosing or not swap2.mover_is_human:
            raise GameError("no-choice", "there is nothing to choose now")
        self._settle(c.choice)

    def _settle(self, choice: str) -> None:
        assert self.game.swap2 is not None
        try:
            seats = self.game.swap2.choose(choice)
        except ValueError as error:
            raise GameError("no-choice", str(error)) from None
        if seats:
            self.game.settings = self.game.settings.model_copy(update={"black": seats[0], "white": seats[1]})
        self.tell({"type": "chosen", "choice": choice})
        self._changed()
        self._continue()

    def _delete(self, c: m.Delete) -> None:
        self._refuse_in_opening()
        if c.node in self.game.path():
            self._stop_thinking()
        gone = self.game.delete(c.node)
        self._changed(removed=gone)

    def _seats(self, c: m.Seats) -> None:
        self._refuse_in_opening()
        width = self.game.settings.width
        seats = {
            "black": checked_seat(c.black, width),
            "white": checked_seat(c.white, width),
            "seconds": c.seconds,
        }
        self._stop_thinking()
        self.game.settings = self.game.settings.model_copy(update=seats)
        self.paused = False
        self._changed(study=False)
        self._continue()

    def _refuse_in_opening(self) -> None:
        if self.game.swap2 and not self.game.swap2.done:
            raise GameError("in-opening", "finish the swap2 opening first")

    # Who thinks in the room

    @property
    def _machines_only(self) -> bool:
        return "human" not in (self.game.settings.black, self.game.settings.white)

    def _seat_to_think(self) -> str:
        """The machine to move, or the other seat's machine, or the strongest level between people."""
        turn = self.game.turn
        for seat in (self.game.seat(turn), self.game.seat(turn.other)):
            if seat != "human":
                return seat
        return f"level:{strongest(self.game.settings.width).name}"

    def _continue(self) -> None:
        """The machine answers if it is its turn at the end of the line and the server has room for its search."""
        self._run_clock()
        game = self.game
        if self.paused or not self.pages or self.thinking or game.outcome() is not None or not game.at_tip:
            return
        if game.humans_turn:
            return
        seat = game.swap2.mover if game.swap2 and not game.swap2.done else game.seat(game.turn)
        try:
            self._start_thinking(seat)
        except Refused as error:
            self.tell({"type": "error", "code": "busy", "message": str(error)})

    def _start_thinking(self, seat: str) -> None:
        game = self.game
        spec, seconds = resolve(seat, game.settings.seconds, game.settings.width)
        if game.clock.left is not None:
            seconds = min(seconds, game.clock.remaining(game.turn) / CLOCK_SHARE + game.clock.increment / 2 + 0.02)
        opening = game.swap2.stage if game.swap2 and not game.swap2.done else None
        job = {"kind": "choose", "spec": spec, "seconds": seconds, "position": game.position().model_dump(),
               "swap2": opening}  # fmt: skip
        try:
            self.thinker = seat
            self.thinking = self.play_pool.submit(job, game.id, seconds, on_turn=self._tell_thinking)
        except Refused:
            self.paused = True
            self._tell_thinking()
            raise
        self._tell_thinking()
        self._spawn(self._await_answer(self.thinking, game.cursor))

    def _stop_thinking(self) -> None:
        if ticket := self.thinking:
            self.thinking = None
            self.play_pool.stop(ticket)
            self._tell_thinking()

    def _tell_thinking(self) -> None:
        self.tell({"type": "thinking", "thinking": self._thinking_json(), "paused": self.paused})

    def _thinking_json(self) -> dict[str, Any] | None:
        ticket = self.thinking
        if ticket is None:
            return None
        return {
            "seat": self.thinker,
            "seconds": ticket.seconds,
            "ahead": self.play_pool.ahead(ticket),
            "queued": ticket.worker is None,
            "color": self.game.turn.name.lower(),
        }

    async def _await_answer(self, ticket: Ticket, node: int) -> None:
        try:
            decision = await ticket.answer
            if self._machines_only:
                await asyncio.sleep(PACE)
        except Stopped:
            return
        except (SearchFailed, Refused) as error:
            self._search_failed(ticket, str(error))
            return
        if self.thinking is not ticket or self.game.cursor != node:
            return
        self.thinking = None
        self._accept(decision)

    def _search_failed(self, ticket: Ticket, message: str) -> None:
        if self.thinking is ticket:
            self.thinking, self.paused = None, True
            self._tell_thinking()
            self.tell({"type": "error", "code": "player-failed", "message": message})

    def _accept(self, decision: dict[str, Any]) -> None:
        self._tell_thinking()
        try:
            if choice := decision.get("choice"):
                self._settle(choice)
            else:
                self.tell({"type": "decision", **decision})
                self._place(decision["move"])
        except GameError as error:
            self.paused = True
            self.tell({"type": "error", "code": "player-failed", "message": f"the player chose badly: {error}"})

    # Clock and news

    def _run_clock(self) -> None:
        game = self.game
        opening = game.swap2 is not None and not game.swap2.done
        idle = not self.pages or game.outcome() or not game.at_tip or game.cursor == ROOT or opening
        if game.clock.left is None or idle:
            self._pause_clock()
            return
        game.clock.run(game.turn)
        if self._flag:
            self._flag.cancel()
        loop = asyncio.get_running_loop()
        self._flag = loop.call_later(game.clock.remaining(game.turn) + 0.01, self._time_up)
        self.tell({"type": "clock", "clock": game.clock.to_json()})

    def _pause_clock(self) -> None:
        if self._flag:
            self._flag.cancel()
            self._flag = None
        self.game.clock.pause()

    def _time_up(self) -> None:
        side = self.game.clock.side
        if side is None or self.game.outcome() is not None:
            return
        self._stop_thinking()
        self.game.flag(side)
        self._changed()

    def _status(self) -> dict[str, Any]:
        return status_json(self.game) | {"thinking": self._thinking_json(), "paused": self.paused}

    def _changed(self, added: list[Any] | None = None, removed: list[int] | None = None, study: bool = True) -> None:
        """Tells every page what is new and moves live analysis along."""
        self.tell({"type": "update", "added": added or [], "removed": removed or [], "status": self._status()})
        self.dirty()
        if study and self.desk.specs:
            try:
                self.desk.follow()
            except Refused as error:
                self.tell({"type": "error", "code": "busy", "message": str(error)})

    def _spawn(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        if self._leaving:
            self._leaving.cancel()
        self._stop_thinking()
        self.desk.stop_all()
        self._pause_clock()
