"""Sweeps: the same training with several seeds and settings, within a budget, resumable.

OUT/sweep.json                 experiment, variants, seeds, and what made it
OUT/VARIANT-s1.metrics.jsonl   the log of a finished run: with it the run is not done again
OUT/VARIANT-s1.ladder.jsonl    its ladder games
OUT/runs/VARIANT-s1/           the run itself, while it is needed
"""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tengen.errors import TengenError
from tengen.files import read_json, write_atomic, write_json
from tengen.provenance import origin
from tengen.training.run.logs import DeadlineError, DeadlineLog
from tengen.training.run.loop import Metrics
from tengen.training.runs import new_config, open_run, train

FILE = "sweep.json"


@dataclass(frozen=True, slots=True)
class Variant:
    """A name and the settings that it changes, as `key=value`."""

    name: str
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a sweep."""

    variant: str
    seed: int
    config: Any

    @property
    def name(self) -> str:
        return f"{self.variant}-s{self.seed}"


def parse_variants(grids: Sequence[str], named: Sequence[str]) -> list[Variant]:
    """`learn.rate=1e-3,1e-4` gives a variant for each value, several such every combination; `NAME: key=value ...`
    names one with any settings. Without either there is one, `base`."""
    axes = [_axis(text) for text in grids]
    products = [Variant("_".join(_slug(s) for s in point), point) for point in itertools.product(*axes)] if axes else []
    found = products + [_named(text) for text in named] or [Variant("base")]
    names = [variant.name for variant in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise TengenError(f"two variants are called '{twice[0]}'")
    return found


def _axis(text: str) -> list[str]:
    key, equals, values = text.partition("=")
    if not equals or not key.strip() or not values.strip():
        raise TengenError(f"--set {text}: write key=a,b,c, such as learn.rate=1e-3,1e-4")
    return [f"{key.strip()}={value}" for value in _split(values)]


def _split(values: str) -> list[str]:
    """At the commas that stand outside of brackets and quotes."""
    return re.findall(r"(?:\[[^\]]*\]|\{[^}]*\}|\"[^\"]*\"|[^,])+", values)


def _slug(setting: str) -> str:
    key, _, value = setting.partition("=")
    return re.sub(r"[^A-Za-z0-9.]*-[^A-Za-z0-9.]*|[^A-Za-z0-9.-]+", "-", f"{key.rpartition('.')[2]}-{value}").strip(
        "-."
    )


def _named(text: str) -> Variant:
    name, colon, rest = text.partition(":")
    if not colon or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name.strip()):
        raise TengenError(f"--variant {text}: write NAME: key=value key=value")
    return Variant(name.strip(), tuple(rest.split()))


def cases(experiment: str, variants: Sequence[Variant], seeds: int, settings: Sequence[str] = ()) -> list[Case]:
    """Every run, seed by seed, so that a budget that ends early leaves whole comparisons. All are checked here."""
    return [
        Case(
            variant.name, seed,
            new_config(experiment, f"{variant.name}-s{seed}", [*settings, *variant.settings, f"seed={seed}"], "1"),
        )
        for seed in range(1, seeds + 1)
        for variant in variants
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sweep:
    """The folder of a sweep and its cases."""

    folder: Path
    experiment: str
    cases: list[Case]

    def open(self) -> None:
        """Writes what is swept; refuses a folder whose runs had other settings."""
        about = {case.name: case.config.resolved() for case in self.cases}
        file = self.folder / FILE
        known = read_json(file)["runs"] if file.is_file() else {}
        for name, config in about.items():
            if name in known and json.loads(json.dumps(config)) != known[name]:
                raise TengenError(f"{self.folder} holds a run {name} with other settings; choose another --out")
        write_json(file, {"experiment": self.experiment, "runs": known | about} | origin())

    @classmethod
    def read(cls, folder: Path) -> Sweep:
        """A sweep that was begun, by its folder alone."""
        about = read_json(folder / FILE)
        named = [(*name.rsplit("-s", 1), config) for name, config in about["runs"].items()]
        return cls(folder, about["experiment"], [Case(variant, int(seed), config) for variant, seed, config in named])

    def finished(self, case: Case) -> bool:
        return self.log(case).is_file()

    def log(self, case: Case) -> Path:
        return self.folder / f"{case.name}.metrics.jsonl"

    def ladder(self, case: Case) -> Path:
        return self.folder / f"{case.name}.ladder.jsonl"

    def metrics(self, case: Case) -> list[Metrics]:
        """The log of a finished run; empty before its end."""
        if not self.finished(case):
            return []
        return [json.loads(line) for line in self.log(case).read_text(encoding="utf-8").splitlines() if line]

    def run(self, workers: str, deadline: float, show: Callable[[Case, int], None]) -> int:
        """Trains what is missing until `deadline` (time.monotonic); returns how many runs are finished."""
        self.open()
        for number, case in enumerate(self.cases):
            if self.finished(case):
                continue
            if time.monotonic() >= deadline:
                break
            show(case, number)
            if not self._train(case, workers, deadline):
                break
        return sum(map(self.finished, self.cases))

    def _train(self, case: Case, workers: str, deadline: float) -> bool:
        folder = open_run(self.folder / "runs" / case.name, case.config)
        try:
            with folder.locked():
                train(folder, case.config, workers, "", DeadlineLog(deadline))
        except DeadlineError:
            return False
        ladder = folder.path / "ladder.jsonl"
        if ladder.is_file():
            write_atomic(self.ladder(case), ladder.read_bytes())
        write_atomic(self.log(case), folder.metrics_file.read_bytes())
        return True


def measures(logs: Sequence[Sequence[Metrics]], wanted: Sequence[str] = ()) -> list[str]:
    """The metrics that say how strong a network is: those asked for, else the ladder's, else evaluation wins."""
    known = {key for log in logs for row in log for key in row}
    if missing := [key for key in wanted if key not in known]:
        raise TengenError(f"no run logged '{missing[0]}'; there are {', '.join(sorted(known)) or 'no finished runs'}")
    return list(wanted) or sorted(k for k in known if k.startswith("ladder/")) or sorted(known & {"eval_win"})


def curve(log: Sequence[Metrics], keys: Sequence[str]) -> Iterator[tuple[float, list[float]]]:
    """Games and scores in percent wherever all measures were taken. What evaluations log are shares."""
    for row in log:
        if all(key in row for key in keys):
            scores = [100 * row[key] if key.startswith("eval_") else row[key] for key in keys]
            yield row.get("games", row["iteration"]), scores
