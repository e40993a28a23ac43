"""Searches in processes of their own: queued, bounded, stopped at once, replaced when they die.

A process is `python -m tengen.web.search_process`, spoken to in JSON lines. A job that is told to stop gets a moment to
obey and is then killed with its process; a fresh one takes its place. The event loop only ever waits. Jobs without a
limit of their own share the processes by turns while others wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tengen.web.search_jobs import AnyJob

STOP_GRACE = 0.12
"""Seconds a worker has to obey a stop before it is killed."""
DEADLINE_GRACE = 3.0
"""Seconds over its limit after which a search counts as hung."""
START_GRACE = 20.0
"""Extra seconds for a job that is the first of its player in a process: it may load a network."""
BIRTH_PAUSE = 1.0
"""Seconds before a process that died without a single job is replaced: a broken installation must not spin."""
QUEUE_NEWS = 0.5
"""Seconds between two looks at who waits where."""
TURN_SECONDS = 2.0
"""How long an endless job keeps its process while others wait."""
MAX_LINE = 8_000_000


class Refused(RuntimeError):
    """No room: too many searches wait already."""

    code = "busy"


class SearchFailed(RuntimeError):
    """The search ended without an answer. The message is for people; by the code pages say it in their language."""

    def __init__(self, message: str, code: str = "player-failed") -> None:
        super().__init__(message)
        self.code = code


class Stopped(RuntimeError):
    """The search was stopped on request."""


Json = dict[str, Any]
Frame = Callable[[Json], None]


@dataclass(eq=False, slots=True)
class Ticket:
    """A job and its answer to come. Without `seconds` it goes on until it is stopped."""

    id: int
    job: AnyJob
    client: str
    seconds: float | None
    on_frame: Frame | None
    on_turn: Callable[[], None] | None
    answer: asyncio.Future[Json]
    worker: SearchProcess | None = None
    stopping: bool = False
    resting: bool = False
    """It was told to stop only to let others go first, and will be taken up again."""


@dataclass(eq=False, slots=True)
class SearchProcess:
    process: asyncio.subprocess.Process
    ticket: Ticket | None = None
    reader: asyncio.Task[None] | None = None
    seen: set[str] = field(default_factory=set)
    timer: asyncio.TimerHandle | None = None


class SearchPool:
    """A fixed number of worker processes and one queue."""

    def __init__(self, size: int, max_queue: int = 128, max_client: int = 4, nice: int = 0) -> None:
        self.size, self.max_queue, self.max_client, self.nice = size, max_queue, max_client, nice
        self.workers: list[SearchProcess] = []
        self.queue: deque[Ticket] = deque()
        self.running: set[Ticket] = set()
        self._ids = itertools.count(1)
        self._closed = False
        self._starting: set[asyncio.Task[None]] = set()
        self._news: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        await asyncio.gather(*(self._spawn() for _ in range(self.size)))

    def halt(self) -> None:
        """Kills the processes; none takes their place."""
        self._closed = True
        for worker in self.workers:
            _kill(worker)

    async def close(self) -> None:
        self.halt()
        for ticket in [*self.queue, *self.running]:
            _fail(ticket, Stopped("the server is closing"))
        tasks = [w.reader for w in self.workers if w.reader] + list(self._starting)
        await asyncio.gather(*tasks, return_exceptions=True)

    def submit(self, job: AnyJob, client: str, seconds: float | None, on_frame: Frame | None = None,
               on_turn: Callable[[], None] | None = None) -> Ticket:  # fmt: skip
        """Queues a job. `seconds` is its own limit: one that runs far over it is killed; None for a job without end.
        `on_turn` hears when the job starts and, now and then, that it has moved up in the queue. Raises Refused.
        """
        mine = sum(t.client == client and not t.stopping for t in (*self.queue, *self.running))
        if mine >= self.max_client:
            raise Refused(f"at most {self.max_client} searches at a time; stop one first")
        if len(self.queue) >= self.max_queue:
            raise Refused(f"the server is busy: {len(self.queue)} searches are waiting; try again in a moment")
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda f: f.cancelled() or f.exception())
        ticket = Ticket(next(self._ids), job, client, seconds, on_frame, on_turn, answer)
        self.queue.append(ticket)
        self._dispatch()
        self._watch_queue()
        return ticket

    def _watch_queue(self) -> None:
        if self.queue and not self._news and not self._closed:
            self._news = asyncio.get_running_loop().call_later(QUEUE_NEWS, self._tell_queue)

    def _tell_queue(self) -> None:
        self._news = None
        for ticket in self.queue:
            if ticket.on_turn:
                ticket.on_turn()
        self._watch_queue()

    def ahead(self, ticket: Ticket) -> int:
        """How many searches are before this one in the queue."""
        return self.queue.index(ticket) if ticket in self.queue else 0

    def stop(self, ticket: Ticket) -> None:
        """The answer fails with Stopped at once; the process is free again within STOP_GRACE."""
        if ticket in self.queue:
            self.queue.remove(ticket)
        elif ticket.worker and not ticket.stopping:
            ticket.stopping = True
            self._tell(ticket.worker, {"stop": ticket.id})
            asyncio.get_running_loop().call_later(STOP_GRACE, self._kill_if_busy, ticket)
        _fail(ticket, Stopped("stopped"))

    def _dispatch(self) -> None:
        for worker in self.workers:
            if not self.queue:
                return
            if worker.ticket is None:
                self._assign(worker, self.queue.popleft())

    def _assign(self, worker: SearchProcess, ticket: Ticket) -> None:
        worker.ticket, ticket.worker = ticket, worker
        self.running.add(ticket)
        self._tell(worker, {"id": ticket.id, **ticket.job.model_dump(mode="json")})
        start = 0.0 if ticket.job.spec in worker.seen else START_GRACE
        worker.seen.add(ticket.job.spec)
        loop = asyncio.get_running_loop()
        if ticket.seconds is None:
            worker.timer = loop.call_later(TURN_SECONDS, self._turn_over, ticket)
        else:
            worker.timer = loop.call_later(ticket.seconds + DEADLINE_GRACE + start, self._hung, ticket)
        if ticket.on_turn:
            ticket.on_turn()

    def _turn_over(self, ticket: Ticket) -> None:
        """An endless job makes room when others wait, and else goes on."""
        worker = ticket.worker
        if worker is None or ticket.stopping or ticket.answer.done():
            return
        if not self.queue:
            worker.timer = asyncio.get_running_loop().call_later(TURN_SECONDS, self._turn_over, ticket)
            return
        ticket.resting = True
        self._tell(worker, {"stop": ticket.id})
        worker.timer = asyncio.get_running_loop().call_later(DEADLINE_GRACE, self._kill_if_busy, ticket)

    def _take_up_again(self, ticket: Ticket) -> None:
        ticket.resting, ticket.id = False, next(self._ids)
        self.queue.append(ticket)
        self._watch_queue()

    def _hung(self, ticket: Ticket) -> None:
        _fail(ticket, SearchFailed("the player did not answer in time and was stopped", "too-long"))
        self._kill_if_busy(ticket)

    def _kill_if_busy(self, ticket: Ticket) -> None:
        if ticket.worker and ticket.worker.ticket is ticket:
            _kill(ticket.worker)

    def _tell(self, worker: SearchProcess, message: Json) -> None:
        stdin = worker.process.stdin
        assert stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            stdin.write(json.dumps(message).encode() + b"\n")

    async def _spawn(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tengen.web.search_process", "--nice", str(self.nice),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MAX_LINE,
        )  # fmt: skip
        worker = SearchProcess(process)
        self.workers.append(worker)
        worker.reader = asyncio.create_task(self._read(worker))
        if self._closed:
            _kill(worker)
        self._dispatch()

    async def _respawn(self, pause: float) -> None:
        await asyncio.sleep(pause)
        await self._spawn()

    async def _read(self, worker: SearchProcess) -> None:
        """Hands out a worker's lines until it dies, then puts a new one in its place."""
        stdout = worker.process.stdout
        assert stdout is not None
        try:
            with contextlib.suppress(ValueError, ConnectionError):
                while line := await stdout.readline():
                    self._heard(worker, json.loads(line))
        finally:
            _kill(worker)
            await worker.process.wait()
            self._bury(worker)

    def _heard(self, worker: SearchProcess, message: Json) -> None:
        ticket = worker.ticket
        if ticket is None or message.get("id") != ticket.id:
            return
        if "frame" in message:
            if ticket.on_frame and not ticket.answer.done():
                ticket.on_frame(message["frame"])
            return
        self._release(worker)
        if "error" in message:
            _fail(ticket, SearchFailed(str(message["error"])))
        elif ticket.resting and not ticket.answer.done():
            self._take_up_again(ticket)
        elif not ticket.answer.done():
            ticket.answer.set_result(message["result"])
        self._dispatch()

    def _release(self, worker: SearchProcess) -> None:
        if worker.timer:
            worker.timer.cancel()
        if worker.ticket:
            self.running.discard(worker.ticket)
            worker.ticket.worker = None
        worker.ticket = None

    def _bury(self, worker: SearchProcess) -> None:
        ticket = worker.ticket
        self._release(worker)
        self.workers.remove(worker)
        if ticket and self._closed:
            _fail(ticket, Stopped("the server is closing"))
        elif ticket and ticket.resting and not ticket.answer.done():
            self._take_up_again(ticket)
        elif ticket:
            _fail(ticket, SearchFailed("the player's process died; a new one was started, try again", "died"))
        if not self._closed:
            task = asyncio.create_task(self._respawn(0.0 if worker.seen else BIRTH_PAUSE))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)


def _fail(ticket: Ticket, error: Exception) -> None:
    if not ticket.answer.done():
        ticket.answer.set_exception(error)


def _kill(worker: SearchProcess) -> None:
    if worker.process.returncode is None:  # by pid: Process.kill would reap the child before its watcher does
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker.process.pid, signal.SIGKILL)
