"""Processes that play games, and a watch over them: no player can hang or crash a match."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from tengen.arena.kept_players import KeptPlayers
from tengen.arena.schedule import ScheduledGame, forfeit, play
from tengen.errors import TengenError
from tengen.play.game import OnTurn
from tengen.records import GameRecord
from tengen.rules import Limit, Move, Termination

HANG_SECONDS = 900.0
"""How long a move without a time limit may take before its player is given up."""
SLACK_SECONDS = 4.0
"""What a process may be late beyond limit and grace before it is killed; the referee inside is stricter."""
END_SECONDS = 2.0
"""What a process may take to end, closing external engines, before it is killed."""

_MAX_MOVES = 22 * 22
_CONTEXT = multiprocessing.get_context("spawn")


def play_games(games: Iterable[ScheduledGame], workers: int = 1) -> Generator[GameRecord, None, None]:
    """Plays the games and yields each record as its game ends, in any order.

    `workers` = 0 plays in this process, without the watch. Closing the iterator stops the games in play.
    """
    if workers < 1:
        with contextlib.closing(KeptPlayers()) as players:
            for game in games:
                yield play(game, players)
        return
    crew: list[_GameProcess] = []
    try:
        yield from _drive(crew, iter(games), workers)
    finally:
        for process in crew:
            process.release()
        for process in crew:
            process.join()


def _drive(crew: list[_GameProcess], games: Iterator[ScheduledGame], workers: int) -> Iterator[GameRecord]:
    """Takes a game only when a process is free for it, so games may be scheduled as they are needed."""
    while True:
        while sum(process.game is not None for process in crew) < workers and (game := next(games, None)):
            _free(crew).start(game)
        busy = [process for process in crew if process.game]
        if not busy:
            return
        wait([process.pipe for process in busy], timeout=0.5)
        for process in busy:
            if record := process.result():
                yield record


def _free(crew: list[_GameProcess]) -> _GameProcess:
    for process in crew:
        if process.game is None:
            return process
    crew.append(_GameProcess())
    return crew[-1]


class _GameProcess:
    """One process and the parent's ends of its pipes. `game` is the one in play."""

    def __init__(self) -> None:
        self.game: ScheduledGame | None = None
        self._spawn()

    def _spawn(self) -> None:
        # Shared with the process: when the present turn began, how many moves are played, the moves.
        self._turn = _CONTEXT.RawArray("d", 2 + _MAX_MOVES)
        self.pipe, other = _CONTEXT.Pipe()
        theirs, self._lifeline = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(target=_work, args=(other, theirs, self._turn), daemon=True)
        self._process.start()
        other.close()
        theirs.close()

    def start(self, game: ScheduledGame) -> None:
        self._turn[0], self._turn[1] = 0.0, -1.0
        self.game = game
        # A process that died meanwhile shows in result().
        with contextlib.suppress(OSError):
            self.pipe.send(game)

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
        self.game = None
        if isinstance(answer, str):
            raise TengenError(answer)
        return answer

    def _allowed(self) -> float:
        assert self.game is not None
        seconds = self._limit_to_move().seconds
        clock = self.game.conditions.game_seconds
        bounds = [bound for bound in (seconds, clock) if bound is not None]
        return min(bounds) + self.game.conditions.grace + SLACK_SECONDS if bounds else HANG_SECONDS

    def _limit_to_move(self) -> Limit:
        assert self.game is not None
        return (self.game.black, self.game.white)[len(self._moves()) % 2].limit

    def _moves(self) -> tuple[Move, ...]:
        assert self.game is not None
        played = int(self._turn[1])
        return self.game.opening if played < 0 else tuple(int(move) for move in self._turn[2 : 2 + played])

    def _forfeit(self, kind: Termination, detail: str) -> GameRecord:
        game, moves, started = self.game, self._moves(), self._turn[0] > 0
        assert game is not None
        self.release()
        self.join()
        if not started:
            raise TengenError(f"the players of game {game.pair} ({game.black.name}, {game.white.name}) did not start")
        self.game = None
        self._spawn()
        return forfeit(game, moves, kind, detail)

    def release(self) -> None:
        """Tells the process to end, as the end of this one would."""
        self._lifeline.close()
        self.pipe.close()

    def join(self) -> None:
        self._process.join(END_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(5)


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def _work(pipe: Connection, lifeline: Connection, turn: Any) -> None:
    """The life of a process: a game in, a record out, until the parent lets go of the lifeline or is gone."""
    players = KeptPlayers()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _end(players))
    threading.Thread(target=_end_with, args=(lifeline, players), daemon=True).start()

    def on_turn(moves: Sequence[Move]) -> None:
        turn[2 : 2 + len(moves)] = list(moves)
        turn[1] = len(moves)
        turn[0] = time.monotonic()

    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(_answer(pipe.recv(), players, on_turn))
    players.close()


def _answer(game: ScheduledGame, players: KeptPlayers, on_turn: OnTurn) -> GameRecord | str:
    try:
        return play(game, players, on_turn)
    except Exception as error:  # a player that cannot even be made is the user's mistake, reported in one line
        return f"game {game.pair} of {game.black.name} and {game.white.name}: {error}"


def _end_with(lifeline: Connection, players: KeptPlayers) -> None:
    """Waits on a thread of its own, so that not even a search of an hour outlives the parent."""
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv()
    _end(players)


def _end(players: KeptPlayers) -> None:
    with contextlib.suppress(Exception):
        players.close()
    os._exit(0)
