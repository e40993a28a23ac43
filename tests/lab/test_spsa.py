"""`tengen spsa`: finds a good value again after it was spoiled, goes on after a kill, writes back."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tengen.arena.score import expected_score
from tengen.errors import TengenError
from tengen.lab import spsa
from tengen.lab.ab import Budget, Conditions, Job
from tengen.lab.ab_build import make_engine
from tengen.lab.ab_openings import load_openings
from tengen.lab.spsa import Schedule, choose, history, run_spsa, write_back
from tengen.rules import Variant

CONDITIONS = Conditions(Variant(), Budget(200), Budget(200))
SCHEDULE = Schedule(rounds=6, pairs=2, rate=0.2)


def run(out: Path, schedule: Schedule = SCHEDULE) -> dict[str, float]:
    engine = make_engine("")
    tuned = choose(["limit_base:2", "razor_margin"], engine)
    return run_spsa(engine, tuned, schedule, CONDITIONS, load_openings(Variant()), out, threads=2)


def test_a_killed_run_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    whole = run(tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:20])
    assert run(tmp_path / "b.jsonl") == whole
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert len(history(tmp_path / "a.jsonl")["limit_base"]) == SCHEDULE.rounds
    assert run(tmp_path / "a.jsonl") == whole, "a finished run is only read"
    with pytest.raises(TengenError, match="holds another test"):
        run(tmp_path / "a.jsonl", Schedule(rounds=7, pairs=2, rate=0.2))


class Pretended:
    """Plays like an engine whose strength falls off from razor_margin = 60 and limit_base = 10, by 100 Elo a step."""

    def __init__(self, *_: object) -> None:
        self._draw = random.Random(1)

    def __enter__(self) -> Pretended:
        return self

    def __exit__(self, *_: object) -> None: ...

    def play(self, jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
        for job in jobs:
            rate = expected_score(self.strength(job.new) - self.strength(job.old))
            winners = ["black" if self._draw.random() < rate else "white" for _ in range(2)]
            yield {"pair": job.pair, "games": [{"new": "black", "winner": winner} for winner in winners]}

    @staticmethod
    def strength(text: str) -> float:
        values = {name: int(value) for name, _, value in (item.partition("=") for item in text.split(","))}
        return -100 * ((values["razor_margin"] - 60) / 10) ** 2 - 100 * ((values["limit_base"] - 10) / 3) ** 2


def test_it_climbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spsa, "Runner", Pretended)
    engine = make_engine("razor_margin=20,limit_base=3")
    tuned = choose(["razor_margin:8", "limit_base:2"], engine)
    found = run_spsa(engine, tuned, Schedule(400, 8, 0.02), CONDITIONS, load_openings(Variant()), tmp_path / "a.jsonl")
    assert found["razor_margin"] == pytest.approx(60, abs=8)
    assert found["limit_base"] == pytest.approx(10, abs=2)


def test_steps_shrink_as_spall_says() -> None:
    tuned = choose(["razor_margin:10"], make_engine(""))[0]
    schedule = Schedule(rounds=100, pairs=1, rate=0.1)
    assert schedule.distance(tuned, 99) == pytest.approx(10)
    assert schedule.distance(tuned, 0) > schedule.distance(tuned, 50) > 10
    assert schedule.gain(tuned, 0) > schedule.gain(tuned, 99) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("text", "fault"), [("nonsense", "no parameter"), ("razor_margin:x", "name:step"), ("razor_margin:0", "step must")]
)
def test_bad_choices(text: str, fault: str) -> None:
    with pytest.raises(TengenError, match=fault):
        choose([text], make_engine(""))
    with pytest.raises(TengenError, match="at least one"):
        choose([], make_engine(""))


def test_values_are_written_back(tmp_path: Path) -> None:
    header = tmp_path / "parameters.h"
    header.write_text("X(one, 12, 0, 40)\nX(one_more, -3, -9, 9)\n")
    write_back({"one": 13.6, "one_more": -4.2}, header)
    assert header.read_text() == "X(one, 14, 0, 40)\nX(one_more, -4, -9, 9)\n"
    with pytest.raises(TengenError, match="no parameter 'two'"):
        write_back({"two": 1.0}, header)
