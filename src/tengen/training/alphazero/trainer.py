"""AlphaZero: play games with the averaged network, put them in the replay window, learn, repeat."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import read_json, write_json
from tengen.nets.network import NetworkSpec, count_parameters
from tengen.nets.onnx import export_onnx
from tengen.records import GameRecord, append_record
from tengen.rules import Result, Termination, Variant
from tengen.training.alphazero.ahead import PlayAhead
from tengen.training.alphazero.batches import Batcher
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.alphazero.experts import expert_games, warm_window
from tengen.training.alphazero.learner import Learner, Metrics
from tengen.training.alphazero.selfplay import SelfPlayResult, SelfPlayTask, play_games
from tengen.training.knowledge.features import make_features
from tengen.training.knowledge.targets import TARGETS
from tengen.training.knowledge.teacher import load_teacher, save_teacher, train_teacher
from tengen.training.ladder import (
    Candidate,
    check_opponents,
    control_metrics,
    ladder_metrics,
    ladder_tasks,
    play_ladder_game,
    probe_tasks,
    run_probe,
)
from tengen.training.run.loop import Log
from tengen.training.run.workers import Workers
from tengen.training.samples.games import TrainingGame, load_games, save_games, surprised, weighed
from tengen.training.samples.proofs import proven_leaves, spread_wins
from tengen.training.samples.window import ReplayWindow

# Streams of random numbers of an iteration, so that none depends on how much another has used.
SELF_PLAY, SIZES, LEARNING = 0, 1, 2


class AlphaZeroTrainer:
    """Implements `tengen.training.run.loop.Trainer`. All randomness comes from (seed, iteration, stream)."""

    def __init__(self, config: AlphaZeroConfig, folder: Path, workers: Workers, log: Log) -> None:
        check_opponents(config)
        self.config, self.folder, self.workers, self.log = config, folder, workers, log
        self.spec = network_spec(config)
        self.learner = Learner(self.spec, config.learn, config.network.heads, config.seed)
        self.batcher = Batcher(
            config.encoding, config.learn.value_mix, config.learn.symmetries, list(config.network.heads),
        )  # fmt: skip
        self.window = ReplayWindow()
        self._warm: ReplayWindow | None = None
        self._ahead: PlayAhead | None = None
        self.iteration = 0
        """Iterations that are finished."""
        self.games = 0
        self._model: bytes | None = None
        self._oldest_needed = 0
        """The first generation of games that the checkpoint before this iteration refers to."""

    # -- one iteration ------------------------------------------------------------------------------------------

    def iterate(self) -> Metrics:
        """1. play  2. add the games to the replay window  3. learn from them a few times over."""
        self.iteration += 1
        if self.config.taught and self.batcher.teacher is None:
            return self._hire_teacher() | self._iterate()
        return self._iterate()

    def _iterate(self) -> Metrics:
        if self.iteration <= self.config.warm.iterations:
            return self._warm_up()
        start = time.perf_counter()
        games, metrics = self._play()
        self._save_samples(games)
        new = self.window.add(self.iteration, self._taught(games))
        self.window.shrink(self.config.pool.size(self.window.seen))
        self._forget_files()
        self.games += len(games)
        played = time.perf_counter()
        metrics |= self._learn(new)
        self._model = None
        return (
            metrics
            | self._totals(new)
            | {
                "play_seconds": played - start,
                "learn_seconds": time.perf_counter() - played,
            }
        )

    def _hire_teacher(self) -> Metrics:
        """Loads the run's teacher. The first time it is trained, which is part of the iteration's work."""
        file, board, metrics = self.folder / "teacher.safetensors", self.config.board, Metrics()
        if not file.is_file():
            self.log.progress("teacher", 0, self.config.teacher.steps)
            games = expert_games(self.config, self.config.teacher.games)
            features = make_features([game for some in games for game in some])
            half = self.config.learn.precision == "bfloat16"
            network, known = train_teacher(features, self.config.teacher, self.config.seed, half)
            save_teacher(file, network)
            metrics = {"teacher_explained": known}
        self.batcher = replace(self.batcher, teacher=load_teacher(file, board.width, board.height))
        return metrics

    def _warm_up(self) -> Metrics:
        """Learns from the games of others; plays none."""
        start, config = time.perf_counter(), self.config
        self._warm = self._warm or warm_window(config)
        batcher = replace(self.batcher, value_mix=config.warm.value_mix)
        metrics = self._steps(self._warm, batcher, config.warm.steps)
        if self.iteration == config.warm.iterations:
            self._warm = None
        self._model = None
        seconds = time.perf_counter() - start
        return metrics | self._totals(0) | {"play_seconds": 0.0, "learn_seconds": seconds}

    def _play(self) -> tuple[list[TrainingGame], Metrics]:
        """The games of this iteration: from the file if an earlier, killed process finished them, else played."""
        file = self.folder / "games" / f"{self.iteration:06d}.npz"
        if file.is_file():
            games = load_games(file, self.config.board.variant)
            return games, game_metrics(games)
        results, metrics = self._play_ahead() if self.config.selfplay.lag else self._play_now()
        games = [game for result in results for game in result.games]
        if share := self.config.pool.surprise:
            games = surprised(games, [self.learner.surprises(game, self.batcher) for game in games], share)
        save_games(file, games)
        speed = _speed([result.stats for result in results], metrics.pop("seconds"))
        return games, game_metrics(games) | speed | metrics

    def _play_now(self) -> tuple[list[SelfPlayResult], Metrics]:
        """This iteration's games, all with the network as it is."""
        start, tasks = time.perf_counter(), self._tasks()
        results: dict[int, SelfPlayResult] = {}
        done, total = 0, sum(task.games for task in tasks)
        self.log.progress("play", 0, total)
        for index, result in self.workers.map(play_games, self.model(), tasks):
            results[index] = result
            done += len(result.games)
            self.log.progress("play", done, total)
        return [results[index] for index in sorted(results)], {"seconds": time.perf_counter() - start}

    def _play_ahead(self) -> tuple[list[SelfPlayResult], Metrics]:
        """What the workers have finished meanwhile."""
        self._ahead = self._ahead or PlayAhead(self.workers, self._task_ahead, self.config.selfplay.lag)
        total = self.config.selfplay.games
        tasks = -(-total // self.config.selfplay.slots)
        self.log.progress("play", 0, total)
        return self._ahead.take(self.iteration, tasks, lambda done: self.log.progress("play", done, total))

    def _task_ahead(self, number: int) -> tuple[bytes, SelfPlayTask]:
        config, rng = self.config.selfplay, np.random.default_rng([self.config.seed, self.iteration, SELF_PLAY, number])
        options = asdict(replace(self.config.search, sims=config.sims(self.iteration - 1)))
        (variant,), games = self._variants(1, rng), min(config.slots, config.games)
        seed = int(rng.integers(2**62))
        return self.model(), SelfPlayTask(variant, self.config.encoding, games, games, seed, options, config.provider)

    def _tasks(self) -> list[SelfPlayTask]:
        """Splits the games into tasks of `slots` games, each on one board size, each with its own seed."""
        config = self.config.selfplay
        options = asdict(replace(self.config.search, sims=config.sims(self.iteration - 1)))
        counts = [min(config.slots, config.games - first) for first in range(0, config.games, config.slots)]
        variants = self._variants(len(counts), self._rng(SIZES))
        seeds = self._rng(SELF_PLAY).integers(0, 2**62, len(counts)).tolist()
        return [
            SelfPlayTask(variant, self.config.encoding, count, config.slots, seed, options, config.provider)
            for count, variant, seed in zip(counts, variants, seeds, strict=True)
        ]

    def _variants(self, count: int, rng: np.random.Generator) -> list[Variant]:
        board = self.config.board
        if not board.sizes:
            return [board.variant] * count
        sides = np.array([int(side) for side in board.sizes])
        weights = np.array(list(board.sizes.values()))
        drawn = rng.choice(sides, count, p=weights / weights.sum())
        return [board.square(int(side)) for side in drawn]

    def _learn(self, new: int) -> Metrics:
        """About `passes` passes over each new sample, once the window is filled."""
        config = self.config.learn
        if self.window.samples < max(2, self.config.pool.fill):
            self.log.progress("fill", self.window.samples, max(2, self.config.pool.fill))
            return {"steps": 0.0}
        fresh = self.window.samples if self.learner.steps == 0 else new
        steps = max(1, round(config.passes * fresh / min(config.batch, self.window.samples)))
        steps = min(steps, config.max_steps) if config.max_steps else steps
        return self._steps(self.window, self.batcher, steps)

    def _steps(self, window: ReplayWindow, batcher: Batcher, steps: int) -> Metrics:
        rate = self.config.learn.base_rate(self.iteration - 1)
        self.log.progress("learn", 0, steps)
        return self.learner.learn(
            window, batcher, steps, rate, self._rng(LEARNING),
            lambda done, total: self.log.progress("learn", done, total),
        )  # fmt: skip

    def _totals(self, new: int) -> Metrics:
        return {
            "games": float(self.games),
            "positions": float(self.window.seen),
            "new_positions": float(new),
            "pool_positions": float(self.window.samples),
            "sims": float(self.config.selfplay.sims(self.iteration - 1)),
        }

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng([self.config.seed, self.iteration, stream])

    # -- evaluation ---------------------------------------------------------------------------------------------

    def evaluate(self) -> Metrics:
        """Plays the ladder every `ladder.every` iterations."""
        ladder = self.config.ladder
        if not (ladder.opponents or ladder.probe) or self.iteration % ladder.every:
            return {}
        candidate = Candidate(self.model(), self.card("candidate"))
        records = self._ladder(candidate)
        for record in records:
            append_record(self.folder / "ladder.jsonl", record)
        metrics = ladder_metrics(records)
        for _, found in self.workers.map(run_probe, candidate, probe_tasks(self.config)):
            metrics |= found
        if ladder.control and self.iteration == ladder.every:
            metrics |= control_metrics(self._ladder(self._untrained()))
        return metrics

    def _ladder(self, candidate: Candidate) -> list[GameRecord]:
        tasks = ladder_tasks(self.config, self.iteration)
        records: dict[int, GameRecord] = {}
        self.log.progress("ladder", 0, len(tasks))
        for index, record in self.workers.map(play_ladder_game, candidate, tasks):
            records[index] = record
            self.log.progress("ladder", len(records), len(tasks))
        return [records[index] for index in sorted(records)]

    def _untrained(self) -> Candidate:
        """The network as the run began with it."""
        network = Learner(self.spec, self.config.learn, self.config.network.heads, self.config.seed).average
        return Candidate(export_onnx(network), self.card("untrained"))

    # -- the network as a file ----------------------------------------------------------------------------------

    def model(self) -> bytes:
        """The averaged network as an ONNX file."""
        if self._model is None:
            self._model = export_onnx(self.learner.average)
        return self._model

    def card(self, name: str) -> dict[str, Any]:
        """What a player must know about the network."""
        return base_card(name, self.config, self.spec, count_parameters(self.learner.average.body))

    # -- state --------------------------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        self.learner.save(folder)
        state = {
            "iteration": self.iteration, "games": self.games, "positions": self.window.seen,
            "oldest": self.window.oldest, "factor": self.learner.factor, "steps": self.learner.steps,
        }  # fmt: skip
        write_json(folder / "state.json", state)

    def load(self, folder: Path) -> None:
        state = read_json(folder / "state.json")
        self.learner.load(folder)
        self.learner.factor, self.learner.steps = float(state["factor"]), int(state["steps"])
        self.iteration, self.games = int(state["iteration"]), int(state["games"])
        self.window, self._model = ReplayWindow(), None
        if state["oldest"]:
            for generation in range(state["oldest"], self.iteration + 1):
                file = self.folder / "games" / f"{generation:06d}.npz"
                self.window.add(generation, self._taught(load_games(file, self.config.board.variant)))
        self.window.seen = int(state["positions"])

    def _taught(self, games: list[TrainingGame]) -> list[TrainingGame]:
        """What is learned from: the games, weighed and corrected by what is proven, and positions beside them."""
        pool = self.config.pool
        leaves = [leaf for game in games for leaf in proven_leaves(game, pool.leaves)] if pool.leaves else []
        kept = [weighed(game, pool.lost_weight) for game in games]
        return [*(map(spread_wins, kept) if pool.spread_wins else kept), *leaves]

    def _forget_files(self) -> None:
        """Deletes games that no checkpoint needs: a resume starts one iteration back at most."""
        if self.config.pool.archive:
            return
        for file in (self.folder / "games").glob("[0-9]*.npz"):
            if int(file.stem) < self._oldest_needed:
                file.unlink()
        self._oldest_needed = self.window.oldest

    def _save_samples(self, games: list[TrainingGame]) -> None:
        for game in games[: self.config.selfplay.samples]:
            append_record(self.folder / "samples.jsonl", self._record(game))

    def _record(self, game: TrainingGame) -> GameRecord:
        name = f"self-play:sims={self.config.selfplay.sims(self.iteration - 1)}"
        final = Board(game.variant, game.moves.tolist())
        return GameRecord(
            black=name, white=name, variant=final.variant, moves=final.moves,
            result=game.result, termination=_termination(final, game.result), opening=game.opening,
            values=tuple(round(float(v), 4) for v in game.values), seed=self.config.seed,
            tags={"iteration": str(self.iteration)},
        )  # fmt: skip


def network_spec(config: AlphaZeroConfig) -> NetworkSpec:
    network, board = config.network, config.board
    encoding, heads = network.chosen_encoding, _heads(network.heads)
    return NetworkSpec(network.kind, encoding, board.width, board.height, network.options, heads)


def _heads(names: Iterable[str]) -> tuple[str, ...]:
    """The targets that need a head of their own; the others are compared with an output that exists anyway."""
    if unknown := [name for name in names if name not in TARGETS]:
        raise TengenError(f"network.heads: unknown head '{unknown[0]}'; choose one of {', '.join(TARGETS)}")
    return tuple(name for name in names if not TARGETS[name].output)


def base_card(name: str, config: AlphaZeroConfig, spec: NetworkSpec, parameters: int) -> dict[str, Any]:
    return {
        "name": name,
        "method": "alphazero",
        "network": spec.network,
        "encoding": spec.core_encoding,
        "size_free": spec.size_free,
        "width": spec.width,
        "height": spec.height,
        "k": config.board.k,
        "rule": str(config.board.rule),
        "parameters": parameters,
    }


def game_metrics(games: list[TrainingGame]) -> Metrics:
    """Facts about an iteration's games."""
    results = [game.result for game in games]
    proven = np.concatenate([game.proven for game in games]) if games else np.zeros(0)
    return {
        "length": float(np.mean([len(game.moves) for game in games])),
        "black_wins": results.count(Result.BLACK) / len(games),
        "white_wins": results.count(Result.WHITE) / len(games),
        "draws": results.count(Result.DRAW) / len(games),
        "proven": float(np.mean(proven != 0)) if len(proven) else 0.0,
    }


def _speed(stats: list[dict[str, float]], seconds: float) -> Metrics:
    total = {key: sum(row.get(key, 0.0) for row in stats) for key in ("games", "plies", "simulations", "evaluations")}
    return {
        "games_per_second": total["games"] / seconds,
        "simulations_per_second": total["simulations"] / seconds,
        "evaluations_per_second": total["evaluations"] / seconds,
        "workers_cpu_seconds": sum(row["cpu_seconds"] for row in stats if row["process"] != os.getpid()),
    }


def _termination(board: Board, result: Result) -> Termination:
    """How a self-play game ended; one that was stopped when its result was proven counts as resigned."""
    if outcome := board.outcome():
        return outcome.termination
    return Termination.MOVE_LIMIT if result is Result.DRAW else Termination.RESIGN
