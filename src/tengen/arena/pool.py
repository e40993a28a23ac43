"""Worker processes that play games, and a watch over them: no player can hang or crash a match."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from tengen.arena.jobs import Job, forfeit, play
from tengen.errors import TengenError
from tengen.play.game import OnTurn
from tengen.records import GameRecord
from tengen.rules import Limit, Move, Termination

HANG_SECONDS = 900.0
"""How long a move without a time limit may take before its player is given up."""
SLACK_SECONDS = 4.0
"""What a worker may be late beyond limit and grace before it is killed; the referee inside is stricter."""

_MAX_MOVES = 22 * 22
_CONTEXT = multiprocessing.get_context("spawn")


def run_jobs(jobs: Iterable[Job], workers: int = 1) -> Generator[GameRecord, None, None]:
    """Plays the jobs and yields each record as its game ends, in any order.

    `workers` = 0 plays in this process, without the watch. Closing the iterator stops the games in play.
    """
    if workers < 1:
        yield from map(play, jobs)
        return
    crew: list[_Worker] = []
    try:
        yield from _drive(crew, iter(jobs), workers)
    finally:
        for worker in crew:
            worker.stop()


def _drive(crew: list[_Worker], jobs: Iterator[Job], workers: int) -> Iterator[GameRecord]:
    """Takes a job only when a worker is free for it, so jobs may be made as they are needed."""
    while True:
        while sum(worker.job is not None for worker in crew) < workers and (job := next(jobs, None)):
            _free_worker(crew).start_game(job)
        busy = [worker for worker in crew if worker.job]
        if not busy:
            return
        wait([worker.pipe for worker in busy], timeout=0.5)
        for worker in busy:
            if record := worker.result():
                yield record


def _free_worker(crew: list[_Worker]) -> _Worker:
    for worker in crew:
        if worker.job is None:
            return worker
    crew.append(_Worker())
    return crew[-1]


class _Worker:
    """One process and the parent's end of its pipe. `job` is the game in play."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self._spawn()

    def _spawn(self) -> None:
        # Shared with the process: when the present turn began, how many moves are played, the moves.
        self._turn = _CONTEXT.RawArray("d", 2 + _MAX_MOVES)
        self.pipe, other = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_work, args=(other, self._turn, os.getpid()), daemon=True)
        self._process.start()
        other.close()

    def start_game(self, job: Job) -> None:
        self._turn[0], self._turn[1] = 0.0, -1.0
        self.job = job
        # A process that died meanwhile shows in result().
        with contextlib.suppress(OSError):
            self.pipe.send(job)

    def result(self) -> GameRecord | None:
        """The finished game, or the forfeit of one whose process died or hangs; None while it goes on."""
        try:
            if self.pipe.poll():
                return self._received(self.pipe.recv())
        except (EOFError, OSError):
            self._process.join(5)
            return self._forfeit(Termination.CRASH, f"the process died ({_death(self._process.exitcode)})")
        allowed = self._allowed()
        if self._turn[0] and time.monotonic() - self._turn[0] > allowed:
            return self._forfeit(Termination.TIME, f"no move after {allowed:.0f} s; the process was killed")
        return None

    def _received(self, answer: GameRecord | str) -> GameRecord:
        self.job = None
        if isinstance(answer, str):
            raise TengenError(answer)
        return answer

    def _allowed(self) -> float:
        assert self.job is not None
        seconds = self._limit_to_move().seconds
        clock = self.job.conditions.game_seconds
        bounds = [bound for bound in (seconds, clock) if bound is not None]
        return min(bounds) + self.job.conditions.grace + SLACK_SECONDS if bounds else HANG_SECONDS

    def _limit_to_move(self) -> Limit:
        assert self.job is not None
        return (self.job.black, self.job.white)[len(self._moves()) % 2].limit

    def _moves(self) -> tuple[Move, ...]:
        assert self.job is not None
        played = int(self._turn[1])
        return self.job.opening if played < 0 else tuple(int(move) for move in self._turn[2 : 2 + played])

    def _forfeit(self, kind: Termination, detail: str) -> GameRecord:
        job, moves, started = self.job, self._moves(), self._turn[0] > 0
        assert job is not None
        self.stop()
        if not started:
            raise TengenError(f"the players of game {job.pair} ({job.black.name}, {job.white.name}) did not start")
        self.job = None
        self._spawn()
        return forfeit(job, moves, kind, detail)

    def stop(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join(1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(5)


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def _work(pipe: Connection, turn: Any, parent: int) -> None:
    """The life of a worker: a job in, a record out, until the pipe closes or the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0) if turn[0] == 0 else _leave())

    def on_turn(moves: Sequence[Move]) -> None:
        if os.getppid() != parent:
            _leave()
        turn[2 : 2 + len(moves)] = list(moves)
        turn[1] = len(moves)
        turn[0] = time.monotonic()

    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(pipe.recv(), on_turn))


def _answer(job: Job, on_turn: OnTurn) -> GameRecord | str:
    try:
        return play(job, on_turn)
    except Exception as error:  # a player that cannot even be made is the user's mistake, told in one line
        return f"game {job.pair} of {job.black.name} and {job.white.name}: {error}"


def _leave() -> None:
    raise SystemExit(0)
