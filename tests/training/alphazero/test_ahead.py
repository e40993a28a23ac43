"""Self-play ahead of the learner: nobody waits, and no game is older than it may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import tengen
from tengen.training.alphazero.ahead import PlayAhead
from tengen.training.alphazero.selfplay import SelfPlayResult
from tengen.training.run.workers import Work


class AnyOrder:
    """Four tasks are always under way, and any of them may be finished next."""

    count = 2

    def map(self, function: Any, shared: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        raise NotImplementedError

    def stream(self, function: Any, work: Iterable[Work]) -> Iterator[tuple[int, Any]]:
        left, running, rng = enumerate(work), list[int](), np.random.default_rng(1)
        while True:
            running += [next(left)[0] for _ in range(4 - len(running))]
            yield running.pop(int(rng.integers(4))), SelfPlayResult([], {})

    def close(self) -> None:
        pass


@pytest.mark.parametrize("lag", [1, 2, 4])
def test_no_game_is_older_than_it_may_be(lag: int) -> None:
    ahead = PlayAhead(AnyOrder(), lambda number: (b"", None), lag)  # type: ignore[arg-type, return-value]
    taken = [ahead.take(iteration, 2, lambda done: None) for iteration in range(1, 40)]
    assert all(len(results) >= 2 and metrics["lag"] <= metrics["lag_max"] for results, metrics in taken)
    assert max(metrics["lag_max"] for _, metrics in taken) == lag


def test_a_run_learns_while_its_workers_play(tmp_path: Path) -> None:
    run = tengen.train(
        "quick", runs=tmp_path, show=False, workers=2, budget={"iterations": 3, "minutes": 0},
        network={"blocks": 1, "channels": 8},
        selfplay={"games": 4, "slots": 2, "sims_first": 4, "sims_last": 4, "lag": 1},
        learn={"batch": 16, "max_steps": 2, "threads": 1}, ladder={"opponents": []},
    )  # fmt: skip
    assert [row["games"] >= 4 * row["iteration"] for row in run.metrics] == [True] * 3
    lags = [row["lag_max"] for row in run.metrics]
    assert lags[0] == 0 and max(lags) == 1, "games begun with an older network were learned from"
