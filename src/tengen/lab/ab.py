"""Two engine builds against each other: pairs of games by the native runner, judged by a sequential test."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tengen.arena.score import Score, pentanomial, score_interval
from tengen.arena.sprt import Sprt
from tengen.errors import TengenError
from tengen.lab.ab_build import Engine, runner
from tengen.lab.ab_openings import Openings, digest, ground_name, opening_of_pair
from tengen.rules import Move, Variant

PLAYED_OUT = 16
"""One pair in this many is played to its end, to check the wins that end the other games."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a side may use for a move; 0: no such limit."""

    nodes: int = 0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.nodes < 0 or self.seconds < 0 or not (self.nodes or self.seconds):
            raise TengenError("a limit is needed: --nodes or --seconds, above 0")


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything but the engines that decides what the games of a test are."""

    variant: Variant
    new: Budget
    old: Budget
    hash_mb: int = 4
    seed: int = 1
    processor_time: bool = False
    """Seconds are the processor time of the thread that plays, so a busy machine does not distort the games."""


@dataclass(frozen=True, slots=True)
class Job:
    pair: int
    opening: tuple[Move, ...]
    new: str
    old: str
    """The two sides' parameters as the runner reads them."""
    play_out: bool = False


@dataclass(frozen=True, slots=True)
class AbResult:
    score: Score
    llr: float
    verdict: str
    false_claims: int


class Runner:
    """The native program, fed with jobs and read line by line."""

    def __init__(self, new: Engine, old: Engine, conditions: Conditions, threads: int) -> None:
        variant, self._conditions = conditions.variant, conditions
        words = [runner(), "match", new.library, old.library, variant.width, variant.height, variant.k, variant.rule,
                 threads, conditions.hash_mb, "processor" if conditions.processor_time else "wall",
                 new.network or "-", old.network or "-", new.threads, old.threads]  # fmt: skip
        self._ahead = 2 * threads + 2
        self._process = subprocess.Popen(
            [str(word) for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip

    def play(self, jobs: Iterable[Job]) -> Iterator[dict[str, Any]]:
        """The results of all jobs, as they come."""
        waiting, jobs = 0, iter(jobs)
        for job in islice(jobs, self._ahead):
            self._send(job)
            waiting += 1
        while waiting:
            yield self._receive()
            waiting -= 1
            for job in islice(jobs, 1):
                self._send(job)
                waiting += 1

    def _send(self, job: Job) -> None:
        new, old = self._conditions.new, self._conditions.old
        words = [job.pair, new.nodes, new.seconds, old.nodes, old.seconds, int(job.play_out), job.new, job.old]
        assert self._process.stdin
        try:
            self._process.stdin.write(" ".join(map(str, [*words, *job.opening])) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._fault() from None

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise self._fault()
        return dict(json.loads(line))

    def _fault(self) -> ValueError:
        _, text = self._process.communicate()
        return ValueError(f"the runner stopped: {text.strip() or f'exit code {self._process.returncode}'}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()


class AbFile:
    """The file of a run: what is played in the first line, then one line for each pair or round, which `check` looks
    at. Only ever appended to."""

    def __init__(self, path: Path, header: dict[str, Any], check: Callable[[dict[str, Any]], object]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file, self._check = path.open("a+b"), check
        try:
            self.lines = self._open(path, header)
        except ValueError:
            self._file.close()
            raise

    def _open(self, path: Path, header: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TengenError(f"{path} is being written by another run; wait for it or choose another --out") from None
        self._file.seek(0)
        whole, _, cut = self._file.read().rpartition(b"\n")
        if cut:  # a kill came between
            self._file.truncate(len(whole) + 1 if whole else 0)
        lines = whole.splitlines()
        if not lines:
            self.append(header)
            return []
        return _checked_lines(lines, header, path, self._check)

    def append(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.fsync(self._file.fileno())
        self._file.close()


def _checked_lines(
    lines: list[bytes], header: dict[str, Any], path: Path, check: Callable[[dict[str, Any]], object]
) -> list[dict[str, Any]]:
    try:
        found, *rest = [json.loads(line) for line in lines]
        good = all(check(line) for line in rest)
    except (ValueError, KeyError, TypeError):
        good = False
    if not good:
        raise TengenError(f"{path} is not a file of an engine test, or is damaged; choose another --out")
    for key, value in header.items():
        if found.get(key) != value:
            raise TengenError(
                f"{path} holds another test: its {key} is {found.get(key)}, not {value}; choose another --out"
            )
    return rest


def header_of(new: Engine, old: Engine, conditions: Conditions, openings: Openings) -> dict[str, Any]:
    header = {
        "new": new.key, "old": old.key, "board": ground_name(conditions.variant), "new_limit": asdict(conditions.new),
        "old_limit": asdict(conditions.old), "hash_mb": conditions.hash_mb, "seed": conditions.seed,
        "openings": digest(openings),
    }  # fmt: skip
    return header | {"clock": "processor"} if conditions.processor_time else header


def pair_points(pair: dict[str, Any]) -> list[float]:
    """What the new engine got in the games of a pair."""
    return [0.5 if not game["winner"] else float(game["winner"] == game["new"]) for game in pair["games"]]


def _is_pair(line: dict[str, Any]) -> bool:
    return line["pair"] >= 0 and bool(pair_points(line))


class Tally:
    """Adds up pairs as they come."""

    def __init__(self, pairs: Iterable[dict[str, Any]] = ()) -> None:
        self._groups: list[list[float]] = []
        self.counts, self.false_claims = [0, 0, 0, 0, 0], 0
        for pair in pairs:
            self.add(pair)

    def add(self, pair: dict[str, Any]) -> None:
        points = pair_points(pair)
        self._groups.append(points)
        self.counts[int(2 * sum(points))] += 1
        self.false_claims += sum(bool(game.get("false_claim")) for game in pair["games"])

    def llr(self, test: Sprt | None) -> float:
        a, b, c, d, e = self.counts
        return test.llr((a, b, c, d, e)) if test else 0.0

    def score(self) -> Score:
        won = Counter(point for group in self._groups for point in group)
        interval = score_interval(self._groups)
        return Score(won[1.0], won[0.5], won[0.0], pentanomial(self._groups), interval, {})


def new_pairs(openings: Openings, conditions: Conditions, new: Engine, old: Engine, done: set[int]) -> Iterator[Job]:
    """Every pair from the first on that is not done yet; endless."""
    for pair in count():
        if pair not in done:
            opening = opening_of_pair(openings, pair, conditions.variant, conditions.seed)
            yield Job(pair, opening, new.settings, old.settings, pair % PLAYED_OUT == 0)


def run_ab(
    new: Engine,
    old: Engine,
    conditions: Conditions,
    openings: Openings,
    out: Path,
    *,
    test: Sprt | None,
    max_games: int,
    threads: int = 1,
    on_pair: Callable[[Score, float], None] | None = None,
) -> AbResult:
    """Plays pairs until the test decides or `max_games` are played; goes on from `out`."""
    if conditions.processor_time and max(new.threads, old.threads) > 1:
        raise TengenError("--cpu-time measures one thread; limit engines with several threads by --nodes")
    with AbFile(out, header_of(new, old, conditions, openings), _is_pair) as file:
        tally = Tally(file.lines)
        done = {pair["pair"] for pair in file.lines}
        left = 0 if _verdict(test, tally) else max(0, (max_games + 1) // 2 - len(done))
        jobs = islice(new_pairs(openings, conditions, new, old, done), left)
        with Runner(new, old, conditions, threads) as native:
            _play_on(native, jobs, file, tally, test, on_pair)
        return AbResult(tally.score(), tally.llr(test), _verdict(test, tally), tally.false_claims)


def _play_on(
    native: Runner,
    jobs: Iterable[Job],
    file: AbFile,
    tally: Tally,
    test: Sprt | None,
    on_pair: Callable[[Score, float], None] | None,
) -> None:
    shown = 0.0
    for pair in native.play(jobs):
        file.append(pair)
        tally.add(pair)
        if on_pair and time.monotonic() - shown > 0.5:
            on_pair(tally.score(), tally.llr(test))
            shown = time.monotonic()
        if _verdict(test, tally):
            return


def _verdict(test: Sprt | None, tally: Tally) -> str:
    """ "elo1" or "elo0" when the test has decided."""
    if test is None:
        return ""
    low, high = test.bounds
    llr = tally.llr(test)
    return "elo1" if llr >= high else "elo0" if llr <= low else ""
