"""A room: one game, the pages that look at it, and the player that thinks in it.

Every command is carried out in one go on the event loop, so commands cannot interleave, and is told to the pages in
one message. A search only reports back, and its answer counts only if the game still stands where it was asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from tengen.errors import TengenError
from tengen.players.clock import budget
from tengen.rules import Color, Value
from tengen.web import messages as m
from tengen.web.events import Chosen, ErrorNews, Event, NodeRow, Opened, Status, Thinking, ThinkingNews, Update
from tengen.web.game import ROOT, Game, GameError
from tengen.web.search_jobs import ChooseJob
from tengen.web.search_pool import Refused, SearchFailed, SearchPool, Stopped, Ticket
from tengen.web.seats import HUMAN, checked_player, checked_seat, helper, resolve
from tengen.web.snapshot import game_shown, node_row, status_shown
from tengen.web.study_desk import StudyDesk

Tell = Callable[[Event], None]
Log = Callable[["Room", list[int]], None]
"""Hears of nodes that were added, before any page does."""
LEAVE_GRACE = 3.0
"""Seconds that searches go on when the last page is gone: a page that is loaded again finds them at work."""
PACE = 0.25
"""Seconds between two moves when players play each other, so that people can follow."""


@dataclass(slots=True)
class News:
    """What a command has changed so far."""

    added: list[NodeRow] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    decision: Chosen | None = None
    changed: bool = False
    moved: bool = False
    """The position on show is another one: live analysis follows."""
    faults: list[ErrorNews] = field(default_factory=list)
    """Told after the update."""


class Room:
    def __init__(self, game: Game, play: SearchPool, study: SearchPool, dirty: Callable[[Room], None],
                 leave_grace: float = LEAVE_GRACE, log: Log = lambda room, nodes: None) -> None:  # fmt: skip
        self.game, self.play_pool, self.leave_grace = game, play, leave_grace
        self.pages: set[Tell] = set()
        self.thinking: Ticket | None = None
        self.thinker = ""
        self.paused = False
        self._dirty, self._log = dirty, log
        self._news: News | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._flag: asyncio.TimerHandle | None = None
        self._leaving: asyncio.TimerHandle | None = None
        self.desk = StudyDesk(game, study, self.tell, self.dirty)
        self._handlers: dict[type[m.Message], Callable[[Any], None]] = {
            m.Play: self._play, m.Go: self._go, m.Undo: self._undo, m.Redo: self._redo, m.Think: self._think,
            m.Stop: self._stop, m.Hint: lambda c: self.desk.hint(), m.Resign: self._resign, m.Choose: self._choose,
            m.Delete: self._delete, m.Seats: self._seats,
            m.Analyse: lambda c: self.desk.analyse(c.specs, c.lines),
            m.Threats: lambda c: self.desk.threats(c.seconds),
            m.Review: lambda c: self.desk.review(),
            m.Retry: lambda c: self.desk.retry(c.node, c.move),
            m.StopStudy: lambda c: self.desk.stop("review", "hint", "threats", "retry"),
        }  # fmt: skip

    # Pages come and go

    def join(self, page: Tell) -> None:
        self.pages.add(page)
        if self._leaving:
            self._leaving.cancel()
        page(Opened(game=game_shown(self.game), status=self._status(), review=self.desk.progress))
        if self.game.cursor != ROOT or self._machines_only or not self.game.humans_turn:
            with self._one_update():
                self._continue()

    def leave(self, page: Tell) -> None:
        """Nobody looking: no clock runs, live analysis ends, and soon nothing is searched."""
        self.pages.discard(page)
        if not self.pages:
            self._pause_clock()
            self.desk.stop_live()
            self._leaving = asyncio.get_running_loop().call_later(self.leave_grace, self.close)

    def tell(self, event: Event) -> None:
        for page in tuple(self.pages):
            page(event)

    def dirty(self) -> None:
        self._dirty(self)

    def obey(self, command: m.Command) -> None:
        """Raises GameError, SpecError or Refused when it cannot; the game is then as it was.

        A move stands even if there is no room to search for the answer: the pages are told, and the player waits.
        """
        with self._one_update():
            self._handlers[type(command)](command)

    @contextmanager
    def _one_update(self) -> Iterator[None]:
        """Gathers what happens inside and tells it in one message."""
        assert self._news is None
        news = self._news = News()
        try:
            yield
        finally:
            self._news = None
            if news.changed:
                self.dirty()
                self.tell(Update(added=news.added, removed=news.removed, status=self._status(), decision=news.decision))
        for fault in news.faults:
            self.tell(fault)
        if news.moved:
            self._follow()

    def _changed(self, moved: bool = True) -> News:
        assert self._news is not None
        self._news.changed = True
        self._news.moved |= moved
        return self._news

    def _follow(self) -> None:
        try:
            self.desk.follow()
        except Refused as error:
            self.tell(ErrorNews(code="busy", message=str(error)))

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
        self._log(self, [node])
        self._changed().added.append(node_row(self.game.nodes[node]))
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
            checked_player(c.spec, self.game.variant)
        self.paused = False
        if not self.thinking:
            turn = self.game.turn
            self._start_thinking(c.spec or helper(self.game.seat(turn), self.game.seat(turn.other), self.game.variant))

    def _stop(self, c: m.Stop) -> None:
        self.paused = True
        self._stop_thinking()
        self._changed(moved=False)

    def _resign(self, c: m.Resign) -> None:
        people = [color for color in Color if self.game.seat(color) == HUMAN]
        loser = people[0] if len(people) == 1 else self.game.turn
        self._stop_thinking()
        self.game.resign(loser)
        self._changed()

    def _choose(self, c: m.Choose) -> None:
        swap2 = self.game.swap2
        if swap2 is None or not swap2.choosing or not swap2.mover_is_human:
            raise GameError("no-choice", "there is nothing to choose now")
        self._settle(c.choice)

    def _settle(self, choice: Literal["black", "white", "more"]) -> None:
        assert self.game.swap2 is not None
        try:
            seats = self.game.swap2.choose(choice)
        except TengenError as error:
            raise GameError("no-choice", str(error)) from None
        if seats:
            self.game.settings = self.game.settings.model_copy(update={"black": seats[0], "white": seats[1]})
        news = self._changed()
        news.decision = news.decision or Chosen(choice=choice)
        self._continue()

    def _delete(self, c: m.Delete) -> None:
        self._refuse_in_opening()
        if c.node in self.game.path():
            self._stop_thinking()
        self._changed().removed += self.game.delete(c.node)

    def _seats(self, c: m.Seats) -> None:
        self._refuse_in_opening()
        seats = {
            "black": checked_seat(c.black, self.game.variant),
            "white": checked_seat(c.white, self.game.variant),
            "seconds": c.seconds,
        }
        self._stop_thinking()
        self.game.settings = self.game.settings.model_copy(update=seats)
        self.paused = False
        self._changed(moved=False)
        self._continue()

    def _refuse_in_opening(self) -> None:
        if self.game.swap2 and not self.game.swap2.done:
            raise GameError("in-opening", "finish the swap2 opening first")

    # Who thinks in the room

    @property
    def _machines_only(self) -> bool:
        return HUMAN not in (self.game.settings.black, self.game.settings.white)

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
        except TengenError as error:  # a saved seat that does not exist here any more
            self._cannot_think("bad-player", str(error))
        except Refused as error:
            self._cannot_think("busy", str(error))

    def _cannot_think(self, code: str, message: str) -> None:
        self.paused = True
        self._changed(moved=False).faults.append(ErrorNews(code=code, message=message))

    def _start_thinking(self, seat: str) -> None:
        game = self.game
        spec, seconds = resolve(seat, game.settings.seconds, game.variant)
        if game.clock.left is not None:
            seconds = min(seconds, self._share_of_clock(game))
        opening = game.swap2.stage if game.swap2 and not game.swap2.done else None
        job = ChooseJob(spec=spec, seconds=seconds, position=game.position(), swap2=opening)
        try:
            self.thinker = seat
            self.thinking = self.play_pool.submit(job, game.id, seconds, on_turn=self._tell_thinking)
        except Refused:
            self.paused = True
            self._changed(moved=False)
            raise
        self._changed(moved=False)
        self._spawn(self._await_answer(self.thinking, game.cursor))

    def _share_of_clock(self, game: Game) -> float:
        board, left = game.board(), game.clock.remaining(game.turn)
        return budget(None, left, board.stones, board.cells, game.clock.increment) or left

    def _stop_thinking(self) -> None:
        if ticket := self.thinking:
            self.thinking = None
            self.play_pool.stop(ticket)
            if self._news:
                self._news.changed = True

    def _tell_thinking(self) -> None:
        """News of the queue; while a command is carried out its update will say it."""
        if self._news is None:
            self.tell(ThinkingNews(thinking=self._thinking(), paused=self.paused))

    def _thinking(self) -> Thinking | None:
        ticket = self.thinking
        if ticket is None:
            return None
        return Thinking(seat=self.thinker, seconds=ticket.seconds, ahead=self.play_pool.ahead(ticket),
                        queued=ticket.worker is None, color=self.game.turn.name.lower())  # fmt: skip

    async def _await_answer(self, ticket: Ticket, node: int) -> None:
        try:
            answer = Chosen.model_validate(await ticket.answer)
            if self._machines_only:
                await asyncio.sleep(PACE)
        except Stopped:
            return
        except (SearchFailed, Refused) as error:
            self._search_failed(ticket, error)
            return
        if self.thinking is ticket and self.game.cursor == node:
            self.thinking = None
            self.accept(answer)

    def _search_failed(self, ticket: Ticket, error: SearchFailed | Refused) -> None:
        if self.thinking is ticket:
            self.thinking, self.paused = None, True
            self._tell_thinking()
            self.tell(ErrorNews(code=error.code, message=str(error)))

    def accept(self, answer: Chosen) -> None:
        """Carries out what a player decided."""
        with self._one_update():
            try:
                self._changed().decision = answer
                if answer.choice:
                    self._settle(answer.choice)
                else:
                    self._keep_opinion(answer)
                    self._place(-1 if answer.move is None else answer.move)
            except GameError as error:
                self._cannot_think("player-failed", f"the player chose badly: {error}")

    def _keep_opinion(self, answer: Chosen) -> None:
        """What players think of their chances, for those who watch; a person's opponent keeps it to itself."""
        note = self.game.nodes[self.game.cursor].note
        if self._machines_only and answer.value is not None and not note.proof:
            note.value = Value(answer.value, self.game.turn)

    # Clock and status

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
        if self._news:
            self._news.changed = True

    def _pause_clock(self) -> None:
        if self._flag:
            self._flag.cancel()
            self._flag = None
        self.game.clock.pause()

    def _time_up(self) -> None:
        side = self.game.clock.side
        if side is None or self.game.outcome() is not None:
            return
        with self._one_update():
            self._stop_thinking()
            self.game.flag(side)
            self._changed()

    def _status(self) -> Status:
        return status_shown(self.game).model_copy(update={"thinking": self._thinking(), "paused": self.paused})

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        if self._leaving:
            self._leaving.cancel()
        if self.thinking:
            self._stop_thinking()
            self._tell_thinking()
        self.desk.stop_all()
        self._pause_clock()
