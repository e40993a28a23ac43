"""Simultaneous perturbation: tunes many parameters of the engine at once by playing it against itself.

In each round all chosen parameters are moved a little, each at random up or down; the engine with the moved set plays
the one with the opposite set, and every parameter takes a step towards the side that scored better. Steps and
distances shrink by Spall's schedules. The file holds one line for each round, so a run can be killed and continued.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.lab.ab import AbFile, Conditions, Job, Runner, header_of, pair_points
from tengen.lab.ab_build import ROOT, Engine, Parameter, check_value, parameters
from tengen.lab.ab_openings import Openings, opening_of_pair

ALPHA, GAMMA, STABILITY = 0.602, 0.101, 0.1
HEADER = Path("cpp/search/parameters.h")


@dataclass(frozen=True, slots=True)
class Tuned:
    """A parameter with the value tuning starts from and the distance it is moved by in the last round."""

    parameter: Parameter
    start: float
    step: float


@dataclass(frozen=True, slots=True)
class Schedule:
    rounds: int
    pairs: int
    """Pairs of games in a round."""
    rate: float
    """How far a parameter goes in the last round for one point of difference, in squares of its step."""

    def distance(self, tuned: Tuned, number: int) -> float:
        return tuned.step * float((self.rounds / (number + 1)) ** GAMMA)

    def gain(self, tuned: Tuned, number: int) -> float:
        """What a point of difference moves the parameter by, for each unit of distance."""
        offset = STABILITY * self.rounds
        last = self.rate * tuned.step**2
        shrunk = float(((offset + self.rounds) / (offset + number + 1)) ** ALPHA)
        return last * shrunk / self.distance(tuned, number) ** 2


def choose(texts: Iterable[str], engine: Engine) -> list[Tuned]:
    """`name` or `name:step`. The step is a tenth of the value, at least a fiftieth of the range, if not given."""
    known = parameters(engine.folder)
    chosen = []
    for text in texts:
        name, _, step = text.partition(":")
        check_value(name, known[name].value if name in known else 0, known)
        p = known[name]
        value = engine.parameters.get(name, p.value)
        try:
            size = float(step) if step else max(1.0, 0.1 * abs(value), 0.02 * (p.high - p.low))
        except ValueError:
            raise TengenError(f"'{text}' is not name or name:step") from None
        if not 0 < size <= p.high - p.low:
            raise TengenError(f"'{text}': the step must lie above 0 and within the parameter's range")
        chosen.append(Tuned(p, float(value), size))
    if not chosen:
        raise TengenError("name at least one parameter to tune; `tengen spsa --list` shows them")
    return chosen


def run_spsa(
    engine: Engine,
    tuned: list[Tuned],
    schedule: Schedule,
    conditions: Conditions,
    openings: Openings,
    out: Path,
    *,
    threads: int = 1,
    on_round: Callable[[int, dict[str, float]], None] | None = None,
) -> dict[str, float]:
    """Goes on from `out` until all rounds are played; returns the tuned values."""
    header = header_of(engine, engine, conditions, openings) | {
        "spsa": {t.parameter.name: [t.start, t.step] for t in tuned},
        "rounds": schedule.rounds, "pairs": schedule.pairs, "rate": schedule.rate,
    }  # fmt: skip
    with AbFile(out, header, _is_round) as file:
        theta = dict(file.lines[-1]["theta"]) if file.lines else {t.parameter.name: t.start for t in tuned}
        with Runner(engine, engine, conditions, threads) as native:
            for number in range(len(file.lines), schedule.rounds):
                theta, points = _round(native, tuned, schedule, conditions, openings, number, theta, engine)
                file.append({"round": number, "points": points, "theta": theta})
                if on_round:
                    on_round(number + 1, theta)
    return theta


def _is_round(line: dict[str, Any]) -> bool:
    return isinstance(line["theta"], dict) and line["round"] >= 0


def _round(
    native: Runner,
    tuned: list[Tuned],
    schedule: Schedule,
    conditions: Conditions,
    openings: Openings,
    number: int,
    theta: dict[str, float],
    engine: Engine,
) -> tuple[dict[str, float], float]:
    """The values after a round, and by how many points a pair the moved-up set was better."""
    draw = random.Random(conditions.seed * 1_000_003 + number)
    signs = {t.parameter.name: draw.choice((-1, 1)) for t in tuned}

    def settings(side: int) -> str:
        moved = engine.parameters | {
            t.parameter.name: _rounded(
                theta[t.parameter.name] + side * signs[t.parameter.name] * schedule.distance(t, number), t, draw
            )
            for t in tuned
        }
        return ",".join(f"{name}={value}" for name, value in sorted(moved.items()))

    up, down = settings(1), settings(-1)
    points = sum(
        2 * sum(pair_points(pair)) - 2 for pair in native.play(_jobs(schedule, conditions, openings, number, up, down))
    )
    after = {}
    for t in tuned:
        name = t.parameter.name
        step = schedule.gain(t, number) * schedule.distance(t, number) * points / 2 * signs[name]
        after[name] = min(max(theta[name] + step, float(t.parameter.low)), float(t.parameter.high))
    return after, points


def _jobs(
    schedule: Schedule, conditions: Conditions, openings: Openings, number: int, up: str, down: str
) -> Iterator[Job]:
    for pair in range(number * schedule.pairs, (number + 1) * schedule.pairs):
        yield Job(pair, opening_of_pair(openings, pair, conditions.variant, conditions.seed), up, down)


def _rounded(value: float, tuned: Tuned, draw: random.Random) -> int:
    """Up or down by chance, so that steps below one have an effect in the mean."""
    whole = int(value // 1) + (draw.random() < value % 1)
    return min(max(whole, tuned.parameter.low), tuned.parameter.high)


def write_back(values: dict[str, float], header: Path = ROOT / HEADER) -> None:
    """Puts tuned values into the engine's list of parameters."""
    text = header.read_text(encoding="utf-8")
    for name, value in values.items():
        text, found = re.subn(rf"(X\({name}, )-?\d+", rf"\g<1>{round(value)}", text)
        if found != 1:
            raise TengenError(f"{header} has no parameter '{name}'")
    write_atomic(header, text)


def history(out: Path) -> dict[str, list[float]]:
    """Every parameter's value after each round, for a plot."""
    rows = [
        json.loads(line)["theta"] for line in out.read_text(encoding="utf-8").splitlines()[1:] if line.endswith("}")
    ]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}
