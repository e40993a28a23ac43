"""One search at a time on its own thread, so that the engine can hear the manager while a player thinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tengen.board import Board
from tengen.players.base import Analyser, Analysis, Decision, Player, Stoppable
from tengen.rules import Limit, Move

STOP_REPEAT = 0.05
"""Seconds until a player is told again to stop: the first time may have come before its search had begun."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot from the running search. `search` is the one it belongs to."""

    search: RunningSearch
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Finished:
    search: RunningSearch
    decision: Decision | None
    analysis: Analysis | None
    error: str


Event = Progress | Finished


class RunningSearch:
    """A running `choose`, or `analyse` when snapshots are wanted. Reports through `post`, from its own thread."""

    def __init__(self, agent: Player, board: Board, limit: Limit, stream: bool, post: Callable[[Event], None]) -> None:
        self._agent, self._board, self._limit, self._post = agent, board.copy(), limit, post
        self._stream = stream and isinstance(agent, Analyser)
        self._stopped, self._ended = threading.Event(), threading.Event()
        threading.Thread(target=self._run, daemon=True, name="search").start()

    def stop(self) -> None:
        """Asks the player to answer now. One that has no `stop` goes on to its limit."""
        self._stopped.set()
        if isinstance(self._agent, Stoppable):
            self._agent.stop()

    def end_within(self, seconds: float) -> bool:
        """Stops the search and waits for its end. False: it has not ended in that time."""
        deadline = time.monotonic() + seconds
        while not self._ended.is_set() and time.monotonic() < deadline:
            self.stop()
            self._ended.wait(STOP_REPEAT)
        return self._ended.is_set()

    def _run(self) -> None:
        try:
            decision, analysis = self._analysed() if self._stream else (self._chosen(), None)
            self._post(Finished(self, decision, analysis, ""))
        except Exception as error:  # whatever a player does, the manager must get an answer
            self._post(Finished(self, None, None, f"{type(error).__name__}: {error}"))
        finally:
            self._ended.set()

    def _chosen(self) -> Decision:
        return self._agent.choose(self._board, self._limit)

    def _analysed(self) -> tuple[Decision, Analysis]:
        assert isinstance(self._agent, Analyser)
        last: Analysis | None = None
        for analysis in self._agent.analyse(self._board, self._limit):
            if analysis.candidates:
                last = analysis
                self._post(Progress(self, analysis))
            if self._stopped.is_set() and last:
                break
        if last is None:
            raise RuntimeError("the player's analysis named no move")
        best = last.candidates[0]
        return Decision(best.move, best.value, best.pv, last.nodes, last.depth), last


def fallback_move(board: Board) -> Move:
    """A legal move for when the player gave none: the one nearest to the last stone, or to the centre."""
    row, col = divmod(board.moves[-1], board.width) if board.moves else (board.height // 2, board.width // 2)
    return min(board.legal_moves(), key=lambda m: max(abs(m // board.width - row), abs(m % board.width - col)))
