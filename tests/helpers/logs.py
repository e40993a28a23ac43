"""A log of a run for tests that do not look at one."""

from __future__ import annotations

from tengen.training.run.loop import Metrics


class NoLog:
    """Says nothing."""

    def progress(self, stage: str, done: int, total: int) -> None:
        pass

    def write(self, iteration: int, metrics: Metrics) -> None:
        pass

    def close(self) -> None:
        pass
