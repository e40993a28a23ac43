"""Training runs for the page: what is in the runs folder, and experiments started from a form."""

from __future__ import annotations

import importlib.util
import math
import re
import time
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from tengen.errors import TengenError
from tengen.experiments import FOLDER, experiment_names, read_toml
from tengen.inference.models import Model
from tengen.play.openings import BUILT_IN
from tengen.records import GameRecord
from tengen.rules import Rule, Variant
from tengen.training.run.loop import Budget, Metrics, RunFolder, run_folders
from tengen.web.messages import Message
from tengen.web.networks import keep_exports_in, network
from tengen.web.tasks import Tasks, finish, tail

WITHOUT_TORCH = ("lines",)
"""Methods whose networks the core teaches."""
MAX_POINTS = 400
SHOWN_GAMES = 60
EXPORT_SECONDS = 120.0
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_KEY = re.compile(
    r"seed|keep|keep_last|ladder\.(games|every|sims|size|seed|solver|openings)"
    r"|(board|selfplay|search|pool|learn|budget|env|env\.reward|explore|play|won|plan|evaluate|network)\.[a-z0-9_]{1,40}"
)
"""Settings that the page may change; not those that name files, folders or other players."""
_NUMBER = re.compile(r"-?\d{1,12}(\.\d{1,12})?(e-?\d{1,2})?")
_WORDS = frozenset({
    "true", "false", *Rule, "adam", "adamw", "sgd", "float32", "bfloat16", "random", "greedy", "minimax", "self",
    "first", "second", "conv", "pooled", "dense", "forced", "uniform", "puct", "printed", "stones", "shapes",
})  # fmt: skip
_OPENINGS = frozenset({"balanced", "empty", "one-stone", *BUILT_IN})


class NewRun(Message):
    """An experiment by name, with a time budget and changed settings (`key=value`)."""

    experiment: str = Field(max_length=80)
    minutes: float = Field(10, ge=0.1, le=100_000)
    settings: tuple[str, ...] = Field((), strict=False, max_length=40)


class RunRow(BaseModel):
    """A run in the list. `ours` was started from the page and can be stopped there."""

    name: str
    running: bool
    ours: bool
    updated: float
    last: Metrics
    spent: float
    """The part of its budget that is used up; 1 or more when it is over."""
    playable: bool
    """It has a checkpoint, so its network can be played."""


class Spending(BaseModel):
    """When a run ends; 0 means no limit of that kind."""

    minutes: float = 0
    games: int = 0
    iterations: int = 0
    cpu_minutes: float = 0

    def spent(self, last: Metrics) -> float:
        budget = Budget(self.iterations, 60 * self.minutes, self.games, 60 * self.cpu_minutes)
        return budget.spent(int(last.get("iteration", 0)), last)


class Experiment(BaseModel):
    """`about` is what the file says of itself in its first comment; the rest is what it takes."""

    name: str
    about: str
    method: str
    board: str
    budget: Spending
    opponents: list[str]
    """Whom it is measured against while it learns."""
    missing: list[str]
    """Games it learns from that are not there: files and folders that have to be made first."""


class StageShown(BaseModel):
    """How far the current stage of a run is: [seconds since it began, parts done]."""

    stage: str = ""
    total: int = 0
    points: list[tuple[float, int]] = []


class RunsShown(BaseModel):
    runs: list[RunRow]
    experiments: list[Experiment]
    available: bool


class SweepCurve(BaseModel):
    """A variant's learning curve, as a chart takes it: [games, percent], and the band [games, low, high]."""

    name: str
    points: list[tuple[float, float]]
    band: list[tuple[float, float, float]]


class SweepShown(BaseModel):
    name: str
    finished: int
    total: int
    curves: list[SweepCurve]


class RunShown(RunRow):
    """Metrics are thinned to what a chart can show."""

    stage: StageShown
    config: dict[str, Any]
    metrics: list[Metrics]
    log: str


class RunLog(BaseModel):
    name: str
    running: bool
    failed: bool
    log: str


class SampleGame(BaseModel):
    index: int
    iteration: str
    moves: int
    winner: str | None
    width: int
    height: int


class Training:
    """`networks` is where networks of runs are exported to when somebody wants to play them."""

    def __init__(self, runs: Path, tasks: Tasks, networks: Path) -> None:
        self.runs, self.tasks, self.networks = runs, tasks, networks
        keep_exports_in(networks)

    def available(self) -> bool:
        """Whether there is what most methods learn with."""
        return all(importlib.util.find_spec(name) is not None for name in ("torch", "safetensors"))

    def overview(self) -> RunsShown:
        names = [run.path.name for run in run_folders(self.runs)]
        experiments = [one for one in _experiments() if self.available() or one.method in WITHOUT_TORCH]
        return RunsShown(runs=[self._row(name) for name in names], experiments=experiments, available=self.available())

    def sweeps(self) -> list[SweepShown]:
        """The sweeps that `tengen sweep` keeps beside the runs."""
        return [_sweep(file.parent) for file in sorted((self.runs / "sweeps").glob("*/sweep.json"))]

    def show(self, name: str, after: int = -1) -> RunShown:
        """Settings, and the metrics of iterations after `after`."""
        folder = self._folder(name)
        rows = [row for row in folder.read_metrics() if row.get("iteration", 0) > after]
        step = max(1, len(rows) // MAX_POINTS)
        thinned = [row for i, row in enumerate(rows) if (len(rows) - 1 - i) % step == 0 or _has_ladder(row)]
        return RunShown(**self._row(name).model_dump(), stage=_stage(folder), config=folder.about()["config"],
                        metrics=thinned, log=tail(self._log(name)))  # fmt: skip

    def games(self, name: str) -> list[SampleGame]:
        """The newest sample games, newest first."""
        records = list(enumerate(self._samples(name)))[-SHOWN_GAMES:]
        return [
            SampleGame(index=i, iteration=str(r.tags.get("iteration", "")), moves=len(r.moves),
                       winner=None if r.winner is None else str(r.winner), width=r.variant.width,
                       height=r.variant.height)
            for i, r in reversed(records)
        ]  # fmt: skip

    def record(self, name: str, index: int) -> GameRecord:
        records = self._samples(name)
        if not 0 <= index < len(records):
            raise LookupError(f"the run has no game {index}")
        return records[index]

    async def start(self, request: NewRun) -> str:
        if request.experiment not in experiment_names(reproductions=False):
            raise TengenError(f"unknown experiment '{request.experiment[:80]}'")
        if missing := _missing(read_toml(FOLDER / f"{request.experiment}.toml")):
            raise TengenError(
                f"{request.experiment} learns from games that are not here: make {', '.join(missing)} first"
            )
        for setting in request.settings:
            _check_setting(setting)
        self.runs.mkdir(parents=True, exist_ok=True)
        name = self._new_name(request.experiment)
        args = ["train", request.experiment, "--name", name, "--runs", str(self.runs), "--plain"]
        for setting in (*request.settings, f"budget.minutes={request.minutes:g}"):
            args += ["--set", setting]
        try:
            await self.tasks.start(f"run:{name}", args, self._log(name))
        except BaseException:
            self._log(name).unlink(missing_ok=True)
            raise
        return name

    def _new_name(self, experiment: str) -> str:
        """A name that nobody else has: its log file is made here, and a file can be made only once."""
        stem = f"{experiment}-{time.strftime('%Y%m%d-%H%M%S')}"
        for name in (stem, *(f"{stem}-{n}" for n in range(2, 100))):
            try:
                self._log(name).touch(exist_ok=False)
            except FileExistsError:
                continue
            if not (self.runs / name).exists():
                return name
        raise TengenError("too many runs were started at once; try again in a second")

    async def export(self, name: str) -> Model:
        """The network of a run's newest checkpoint, as a model that the page may name."""
        if not self._folder(name).iterations():
            raise TengenError("the run has no network yet")
        args = ["export", name, "--runs", str(self.runs), "--name", name, "--out", str(self.networks), "--replace"]
        await finish(args, EXPORT_SECONDS)
        keep_exports_in(self.networks)
        return network(name)

    def stop(self, name: str) -> None:
        self.tasks.stop(f"run:{name}")

    def log_of(self, name: str) -> RunLog:
        """A run that was just started may have no folder yet, or may have failed before it had one."""
        if not _NAME.fullmatch(name):
            raise LookupError("there is no such run")
        task = f"run:{name}"
        return RunLog(name=name, running=self.tasks.running(task), failed=self.tasks.failed(task),
                      log=tail(self._log(name)))  # fmt: skip

    def _row(self, name: str) -> RunRow:
        folder = self._folder(name)
        ours, last = self.tasks.running(f"run:{name}"), folder.last_metrics()
        spent = _spending(folder.about()["config"]).spent(last)
        return RunRow(name=name, running=ours or folder.is_running(), ours=ours, updated=folder.updated(), last=last,
                      spent=spent, playable=bool(folder.iterations()))  # fmt: skip

    def _folder(self, name: str) -> RunFolder:
        if not _NAME.fullmatch(name) or not (self.runs / name / "run.json").is_file():
            raise LookupError("there is no such run")
        return RunFolder(self.runs / name)

    def _samples(self, name: str) -> list[GameRecord]:
        return self._folder(name).samples()

    def _log(self, name: str) -> Path:
        return self.runs / f"{name}.log"


def _sweep(folder: Path) -> SweepShown:
    from tengen.lab.sweep import Sweep  # with scipy, which would delay the start of the server
    from tengen.lab.sweep_report import curve_points

    sweep = Sweep.read(folder)
    curves: dict[str, SweepCurve] = {}
    for games, variant, band in curve_points(sweep):
        one = curves.setdefault(variant, SweepCurve(name=variant, points=[], band=[]))
        one.points.append((games, band.value))
        low, high = (band.low, band.high) if math.isfinite(band.low) else (band.value, band.value)
        one.band.append((games, low, high))
    finished = sum(map(sweep.finished, sweep.cases))
    return SweepShown(name=folder.name, finished=finished, total=len(sweep.cases), curves=list(curves.values()))


def _experiments() -> list[Experiment]:
    return [_experiment(name) for name in experiment_names(reproductions=False)]


def _experiment(name: str) -> Experiment:
    path = FOLDER / f"{name}.toml"
    data = read_toml(path)
    board = data.get("board") or data.get("env") or {}
    width = board.get("width", 15)
    variant = Variant(width, board.get("height", width), board.get("k", 5), Rule(board.get("rule", Rule.FREESTYLE)))
    return Experiment(name=name, about=_first_comment(path), method=data.get("method", "alphazero"),
                      board=str(variant), budget=_spending(data),
                      opponents=data.get("ladder", {}).get("opponents", []), missing=_missing(data))  # fmt: skip


def _missing(data: dict[str, Any]) -> list[str]:
    named = [
        name for part in ("warm", "teacher") for key in ("data", "games") for name in data.get(part, {}).get(key, [])
    ]
    return [name for name in dict.fromkeys(named) if not Path(name).exists()]


def _spending(config: dict[str, Any]) -> Spending:
    return Spending.model_validate(config.get("budget", {}))


def _stage(folder: RunFolder) -> StageShown:
    return StageShown.model_validate(folder.read_progress())


def _first_comment(path: Path) -> str:
    """Without the commands it shows, nor the words that lead to them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    text = ""
    for line in (line.removeprefix("#") for line in lines[: _end_of_comment(lines)]):
        if line.startswith("   "):
            text = text[: text.rfind(".") + 1]
        elif line.strip():
            text = f"{text} {line.strip()}"
    return text.strip()


def _end_of_comment(lines: list[str]) -> int:
    return next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))


def _check_setting(setting: str) -> None:
    """Numbers, and words that name no file."""
    key, _, value = setting.partition("=")
    if not _KEY.fullmatch(key):
        raise TengenError(f"'{setting[:80]}' cannot be set here; write key=value, such as learn.batch=256")
    words = _OPENINGS if key == "ladder.openings" else _WORDS
    if value not in words and (key == "ladder.openings" or not _NUMBER.fullmatch(value)):
        raise TengenError(f"'{setting[:80]}' cannot be set here; {key} takes a number or a known word")


def _has_ladder(row: Metrics) -> bool:
    return any(key.startswith("ladder") for key in row)
