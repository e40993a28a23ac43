"""A line network on the project's one run loop: the core plays and learns at the same time.

The games of an iteration are played with the network as it was when the iteration began, while the learner works on the
games of the iterations before. So an iteration depends on saved state alone, and play and learning overlap.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import read_json, write_json
from tengen.inference.lines import LineShape, Tensors, from_bytes, to_bytes
from tengen.inference.models import load_model
from tengen.records import GameRecord, append_record
from tengen.rules import Result, Termination, Variant
from tengen.training.knowledge.expert import read_games
from tengen.training.ladder import Candidate, ladder_metrics, ladder_tasks, play_ladder_game
from tengen.training.lines.config import LinesConfig
from tengen.training.lines.games import (
    Columns,
    columns_of,
    columns_of_engine,
    game_metrics,
    load_columns,
    save_columns,
)
from tengen.training.lines.probe import probe_metrics, probe_positions
from tengen.training.lines.widen import fits, widened
from tengen.training.run.loop import Log, Metrics
from tengen.training.run.workers import Workers
from tengen.training.samples.arrays import read_arrays
from tengen.training.samples.engine_games import read_header

_PLAY, _LEARN, _SIZE = range(3)
STATE = ("weights", "average", "mean", "square")
"""The numbers of the learner that a checkpoint holds."""
SLICE = 25
"""Gradient steps between two signs of progress."""


class LinesTrainer:
    """Resumes bit for bit: a checkpoint holds the learner, the run folder the games that the pool still needs."""

    def __init__(self, config: LinesConfig, folder: Path, workers: Workers, log: Log, threads: int = 1) -> None:
        self.config, self.folder, self.workers, self.log, self.threads = config, folder, workers, log, threads
        shape = config.shape
        self.learner = _core.LineLearner(shape.k, shape.rule, shape.channels, shape.hidden, config.seed)
        if config.warm.start:
            self.learner.weights = self.learner.average = widened(*start_network(config), shape, self.learner.weights)
        self.pool = self._new_pool()
        self._kept: list[int] = []
        """The iterations whose games are in the pool, oldest first."""
        self._needed = 0
        """The first iteration whose games the checkpoint before this iteration refers to."""
        self._warm: _core.LinePool | None = None
        self.iteration = self.games = self.positions = 0
        self._last_new = 0
        self._level = 0.0
        """The value for black at which games have been even: openings are drawn around it."""
        self._stopped = self._learning = False

    # -- one iteration ------------------------------------------------------------------------------------------

    def iterate(self) -> Metrics:
        self.iteration += 1
        if self.iteration <= self.config.warm.iterations:
            return self._warm_up()
        start, network = time.perf_counter(), self.network()
        self._stopped, self._learning = False, True
        with ThreadPoolExecutor(1) as player:
            playing = player.submit(self._play, network)
            try:
                learned = self._learn()
                self._learning = False
                games, speed = playing.result()
            except BaseException:  # Ctrl-C too: the games need not be finished
                self._stopped = True
                raise
        new = self._take(games)
        self._save_samples(games)
        seconds = time.perf_counter() - start
        return learned | game_metrics(games) | speed | self._totals(new) | {"play_seconds": seconds}

    def _play(self, network: _core.LineNetwork) -> tuple[Columns, Metrics]:
        """The games of this iteration: from the file if an earlier, killed process finished them, else played."""
        file = self._file(self.iteration)
        if file.is_file():
            return load_columns(file), {}
        config = self.config.selfplay
        count, (width, height) = config.count(self.iteration - 1), self._size()
        options = config.options() | {"opening_level": self._level}
        start = time.perf_counter()

        def progress(done: int) -> bool:
            if not self._learning:
                self.log.progress("play", done, count)
            return not self._stopped

        games = _core.line_games(network, width, height, count, self._seed(_PLAY), options, self.threads, progress)
        seconds = time.perf_counter() - start
        save_columns(file, games)
        speed = {
            "games_per_second": count / seconds,
            "simulations_per_second": games["simulations"] / seconds,
            "games_new": float(count),
        }
        return load_columns(file), speed

    def _learn(self) -> Metrics:
        """About `passes` passes over the games of the last iteration, drawn from the whole pool."""
        config = self.config.learn
        if self.pool.samples < max(1, self.config.pool.fill):
            return {"steps": 0.0}
        fresh = self._last_new
        steps = max(1, round(config.passes * fresh / config.batch))
        rate = config.rate_at(self.iteration - 1 - self.config.warm.iterations)
        return self._steps(self.pool, steps, rate, config.value_mix)

    def _steps(self, pool: _core.LinePool, steps: int, rate: float, value_mix: float) -> Metrics:
        config = self.config.learn
        seed = self._seed(_LEARN)
        sums: dict[str, float] = {}
        start = time.perf_counter()
        for done in range(0, steps, SLICE):
            some = min(SLICE, steps - done)
            self.log.progress("learn", done, steps)
            losses = self.learner.learn(
                pool, some, config.batch, rate, config.decay, config.average, config.value_weight, value_mix,
                seed + done,
            )  # fmt: skip
            for name, value in losses.items():
                sums[name] = sums.get(name, 0.0) + value * some / steps
        seconds = time.perf_counter() - start
        return {
            "loss": sums["policy"] + config.value_weight * sums["value"],
            "loss_policy": sums["policy"],
            "loss_value": sums["value"],
            "policy_entropy": sums["entropy"],
            "value_error": sums["error"],
            "rate": rate,
            "steps": float(steps),
            "samples_per_second": steps * config.batch / seconds,
            "learn_seconds": seconds,
        }

    def _warm_up(self) -> Metrics:
        """Learns from the games of others; plays none."""
        warm = self.config.warm
        self._warm = self._warm or warm_pool(self.config)
        metrics = self._steps(self._warm, warm.steps, warm.rate_at(self.iteration - 1), warm.value_mix)
        if self.iteration == warm.iterations:
            self._warm = None
        return metrics | self._totals(0)

    def _take(self, games: Columns) -> int:
        new = self.pool.add(games)
        self._kept.append(self.iteration)
        self.games += len(games["lengths"])
        self.positions += new
        self._last_new = new
        self._level = next_level(self._level, games["winners"], self.config.selfplay.opening_gain)
        window = self.config.pool.size(self.positions)
        while self.pool.generations > 1 and self.pool.samples - self.pool.oldest >= window:
            self.pool.drop_oldest()
            self._kept.pop(0)
        self._forget_files()
        return new

    def _totals(self, new: int) -> Metrics:
        return {
            "games": float(self.games),
            "positions": float(self.positions),
            "new_positions": float(new),
            "pool_positions": float(self.pool.samples),
            "gradient_steps": float(self.learner.steps),
        }

    def network(self) -> _core.LineNetwork:
        """The averaged network, as it plays."""
        return self.config.shape.network(self.learner.average)

    # -- evaluation ---------------------------------------------------------------------------------------------

    def evaluate(self) -> Metrics:
        """The tactics probe and the ladder, when they are due."""
        probe, ladder = self.config.probe, self.config.ladder
        metrics: Metrics = {}
        if probe.positions and self.iteration % probe.every == 0:
            variant = self.config.board.variant
            metrics |= probe_metrics(self.network(), probe_positions(variant, probe.positions), variant, probe.sims)
        if ladder.opponents and self.iteration % ladder.every == 0:
            metrics |= self._climb()
        return metrics

    def _climb(self) -> Metrics:
        tasks = ladder_tasks(self.config, self.iteration)
        candidate = Candidate(self.model(), self.card("candidate"), ".safetensors")
        records: dict[int, GameRecord] = {}
        for index, record in self.workers.map(play_ladder_game, candidate, tasks):
            records[index] = record
            self.log.progress("ladder", len(records), len(tasks))
        ordered = [records[index] for index in sorted(records)]
        for record in ordered:
            append_record(self.folder / "ladder.jsonl", record)
        return ladder_metrics(ordered)

    def model(self) -> bytes:
        return to_bytes(self.config.shape, self.learner.average)

    def card(self, name: str) -> dict[str, Any]:
        return lines_card(name, self.config)

    # -- state --------------------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        np.savez(folder / "learner.npz", **{name: getattr(self.learner, name) for name in STATE})
        write_json(folder / "state.json", {
            "iteration": self.iteration, "games": self.games, "positions": self.positions, "kept": self._kept,
            "steps": self.learner.steps, "last_new": self._last_new, "level": self._level,
        })  # fmt: skip

    def load(self, folder: Path) -> None:
        state = read_json(folder / "state.json")
        restore(self.learner, folder / "learner.npz")
        self.learner.steps = int(state["steps"])
        self.iteration, self.games, self.positions = (int(state[n]) for n in ("iteration", "games", "positions"))
        self._last_new, self._kept = int(state["last_new"]), [int(n) for n in state["kept"]]
        self._level = float(state.get("level", 0.0))
        self.pool, self._warm = self._new_pool(), None
        for number in self._kept:
            self.pool.add(load_columns(self._file(number)))
        self._needed = self._kept[0] if self._kept else 0

    def _forget_files(self) -> None:
        """Deletes games that no checkpoint needs: a resume starts one iteration back at most."""
        if not self.config.pool.archive:
            for file in (self.folder / "games").glob("[0-9]*.npz"):
                if int(file.stem) < self._needed:
                    file.unlink()
        self._needed = self._kept[0] if self._kept else 0

    def _file(self, iteration: int) -> Path:
        return self.folder / "games" / f"{iteration:06d}.npz"

    def _new_pool(self) -> _core.LinePool:
        return _core.LinePool(self.config.board.k, str(self.config.board.rule))

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, self.iteration, stream])

    def _seed(self, stream: int) -> int:
        return int(self._rng(stream).integers(0, 2**62))

    def _size(self) -> tuple[int, int]:
        board = self.config.board
        if not board.sizes:
            return board.width, board.height
        weights = np.array(list(board.sizes.values()))
        side = int(self._rng(_SIZE).choice([int(s) for s in board.sizes], p=weights / weights.sum()))
        return side, side

    def _save_samples(self, games: Columns) -> None:
        for record in sample_records(self.config, games, self.iteration):
            append_record(self.folder / "samples.jsonl", record)


def next_level(level: float, winners: NDArray[np.int32], gain: float) -> float:
    """Where black won more often, openings should be worse for black."""
    black = float(np.mean(winners == 0) - np.mean(winners == 1))
    return float(np.clip(level - gain * black, -0.6, 0.6))


def restore(learner: _core.LineLearner, path: Path) -> None:
    try:
        for name, array in read_arrays(path, STATE).items():
            setattr(learner, name, np.ascontiguousarray(array, np.float32))
    except (ValueError, OSError) as error:
        raise TengenError(f"{path} is not a checkpoint of this run: {error}") from None


def sample_records(config: LinesConfig, games: Columns, iteration: int) -> Iterator[GameRecord]:
    """The first games of an iteration, for people."""
    name = f"self-play:visits={config.selfplay.visits}"
    ends = np.cumsum(games["lengths"])
    for i in range(min(config.selfplay.samples, len(ends))):
        moves = tuple(int(m) for m in games["moves"][ends[i] - games["lengths"][i] : ends[i]])
        variant = Variant(games["width"], games["height"], config.board.k, config.board.rule)
        outcome = Board(variant, moves).outcome()
        yield GameRecord(
            black=name, white=name, variant=variant, moves=moves,
            result=outcome.result if outcome else Result.DRAW,
            termination=outcome.termination if outcome else Termination.MOVE_LIMIT,
            opening=int(games["openings"][i]), seed=config.seed, tags={"iteration": str(iteration)},
        )  # fmt: skip


def start_network(config: LinesConfig) -> tuple[LineShape, Tensors]:
    """The network that a run begins with: of the run's shape or smaller."""
    model = load_model(config.warm.start)
    if not model.native:
        raise TengenError(f"warm.start: {model.name} is not a line network")
    shape, tensors = from_bytes(model.path.read_bytes(), model.name)
    if not fits(shape, config.shape):
        raise TengenError(f"warm.start: {model.name} is {shape}, the run is {config.shape}")
    return shape, tensors


def warm_pool(config: LinesConfig) -> _core.LinePool:
    """The games that a run learns from first."""
    board = config.board
    pool = _core.LinePool(board.k, str(board.rule))
    for name in config.warm.data:
        variant = read_header(Path(name)).variant if Path(name).is_file() else None
        if variant is None or (variant.k, variant.rule) != (board.k, board.rule):
            raise TengenError(f"warm.data: {name} is no file of `tengen data` for {board.rule} with k = {board.k}")
        pool.add(columns_of_engine(Path(name)))
    for folder in config.warm.games:
        for games in read_games(Path(folder), board.k, str(board.rule)):
            for size in sorted({game.variant.size for game in games}):
                pool.add(columns_of([game for game in games if game.variant.size == size]))
    return pool


def lines_card(name: str, config: LinesConfig) -> dict[str, Any]:
    shape, board = config.shape, config.board
    return {
        "name": name,
        "method": "lines",
        "network": {"kind": "lines", "channels": shape.channels, "hidden": shape.hidden},
        "encoding": "lines",
        "size_free": True,
        "width": board.width,
        "height": board.height,
        "k": board.k,
        "rule": str(board.rule),
        "parameters": sum(int(np.prod(e)) for e in shape.tensors().values()),
        "search": {"policy_temperature": config.player.policy_temperature},
    }


def cores(workers: str) -> int:
    return int(workers) if workers.isdecimal() else os.cpu_count() or 1
