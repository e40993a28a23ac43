"""Self-play that never waits: workers go on while the learner learns, and the learner takes what is finished."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator

from tengen.training.alphazero.selfplay import SelfPlayResult, SelfPlayTask, play_games
from tengen.training.run.loop import Metrics
from tengen.training.run.workers import Work, Workers


class PlayAhead:
    """`begin(number)` gives each task the network that is newest when a worker is free for it. No game taken was begun
    more than `lag` iterations before: a learner that is too far ahead waits for the oldest task."""

    def __init__(self, workers: Workers, begin: Callable[[int], tuple[bytes, SelfPlayTask]], lag: int) -> None:
        self._begin, self._lag = begin, lag
        self._iteration = 0
        self._running: dict[int, int] = {}
        """The iteration in which each task was begun."""
        self._results = workers.stream(play_games, self._work())
        self._since = time.perf_counter()

    def take(self, iteration: int, tasks: int, show: Callable[[int], None]) -> tuple[list[SelfPlayResult], Metrics]:
        """At least `tasks` finished tasks, how far they were behind, and the seconds since the last time."""
        self._iteration, taken, lags = iteration, list[SelfPlayResult](), list[int]()
        while len(taken) < tasks or self._oldest() <= iteration - self._lag:
            number, result = next(self._results)
            lags.append(iteration - self._running.pop(number))
            taken.append(result)
            show(sum(len(one.games) for one in taken))
        before, self._since = self._since, time.perf_counter()
        return taken, {"lag": sum(lags) / len(lags), "lag_max": float(max(lags)), "seconds": self._since - before}

    def _oldest(self) -> float:
        return min(self._running.values(), default=float("inf"))

    def _work(self) -> Iterator[Work]:
        for number in itertools.count():
            self._running[number] = self._iteration
            yield self._begin(number)
