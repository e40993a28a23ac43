"""DQN on the project's one run loop: play with exploration, remember, learn, evaluate without exploration."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np

from tengen.envs.episodes import play_each_once
from tengen.envs.vector import Seat, StepResult, VectorEnv
from tengen.errors import TengenError
from tengen.files import read_json, write_json
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.explore import Chooser, FirstStones, gather_plans, gather_wins
from tengen.training.dqn.learner import QLearner, Source
from tengen.training.dqn.play import Exploration, Played, PlayTask, epsilon, play_part
from tengen.training.dqn.recall import Recall
from tengen.training.dqn.replay import Replay
from tengen.training.run.loop import Budget, Log, Metrics
from tengen.training.run.workers import InlineWorkers, Workers, map_in_order
from tengen.training.samples.arrays import read_arrays

_PLAY, _LEARN, _EVALUATE, _GATHER, _PLAN = range(5)
COUNTERS = ("iteration", "games", "transitions", "owed_steps")
"""What a trainer counts and a checkpoint keeps."""
RENAMED = {"owed_steps": "debt"}
"""Counters that older checkpoints know by another name."""


class DqnTrainer:
    """Resumes at iteration borders: unfinished games are dropped, seeds derive from (run seed, iteration)."""

    def __init__(self, config: DqnConfig, log: Log, workers: Workers | None = None) -> None:
        self.config, self.log, self.workers = config, log, workers or InlineWorkers()
        env = config.env
        self.learner = QLearner(config.spec, config.learn, config.seed)
        self.memory = Replay(config.learn.memory, env.height, env.width, config.learn.priority)
        won = config.won.memory if config.won.share else 0
        self.won = Replay(won, env.height, env.width, config.learn.priority)
        """Won games, which are rare at first, kept apart and drawn more often."""
        planned = config.plan.memory if config.plan.quiet else 0
        self.planned = Replay(planned, env.height, env.width, config.learn.priority)
        self.recall = Recall(env.height, env.width, config.learn.symmetries)
        self.stones = FirstStones(config)
        self.iteration = self.games = self.transitions = 0
        self.owed_steps = 0.0
        """Gradient steps owed for transitions already played."""

    def budget(self) -> Budget:
        b = self.config.budget
        return Budget(b.iterations, b.minutes * 60, b.games, b.cpu_minutes * 60)

    def iterate(self) -> Metrics:
        self.iteration += 1
        if self.iteration == 1 and self.config.won.first:
            gather_wins(self.config, self.won, self._rng(_GATHER), self.log)
        if self.iteration == 1 and self.config.plan.quiet:
            gather_plans(self.config, self.planned, self._rng(_PLAN), self.log)
        played = self._play()
        learned: Metrics = {}
        if self.memory.size >= self.config.learn.fill:
            steps, self.owed_steps = int(self.owed_steps), self.owed_steps % 1
            learned = self.learner.learn(self._sources(), steps, self._spent(), self._rng(_LEARN))
        totals = {
            "games": float(self.games),
            "transitions": float(self.transitions),
            "gradient_steps": float(self.learner.steps),
            "memory": float(self.memory.size),
            "won_memory": float(self.won.size),
            "planned_memory": float(self.planned.size),
        }
        return played | learned | totals

    def evaluate(self) -> Metrics:
        """Win, draw and loss rates against the run's opponent, without exploration, of the network that is exported."""
        if self.iteration % self.config.evaluate.every:
            return {}
        seats: list[Seat] = ["first", "second"] if self.config.env.seat == "random" else [self.config.env.seat]
        games = -(-self.config.evaluate.games // len(seats))
        results = {seat: play_out(self.learner, self.config, games, self._rng(_EVALUATE), seat) for seat in seats}
        mean = {f"eval_{key}": float(np.mean([r[key] for r in results.values()])) for key in results[seats[0]]}
        if len(seats) > 1:
            mean |= {f"eval_{key}_{seat}": results[seat][key] for seat in seats for key in ("win", "draw", "loss")}
        return mean

    def save(self, folder: Path) -> None:
        self.learner.save(folder)
        for name, memory in self._memories().items():
            np.savez(folder / name, **memory.arrays())  # type: ignore[arg-type]
        state = {n: getattr(self, n) for n in COUNTERS} | {"steps": self.learner.steps, "won": self.stones.won.tolist()}
        write_json(folder / "state.json", state)

    def load(self, folder: Path) -> None:
        self.learner.load(folder)
        for name, memory in self._memories().items():
            if memory.capacity:
                _restore(memory, folder / name)
        state: dict[str, Any] = read_json(folder / "state.json")
        self.learner.steps = state["steps"]
        if "won" in state:  # not in the first checkpoints that were written; it is soon known again
            self.stones.won = np.array(state["won"])
        for name in COUNTERS:
            setattr(self, name, state[RENAMED.get(name, name) if name not in state else name])

    def _memories(self) -> dict[str, Replay]:
        """By the file of a checkpoint that holds it."""
        return {"memory.npz": self.memory, "won.npz": self.won, "planned.npz": self.planned}

    def _spent(self) -> float:
        """The used part of the budget by its counters; the clock plays no part, so that runs repeat."""
        return self.budget().spent(self.iteration, {"games": float(self.games)})

    def _sources(self) -> list[Source]:
        """What a batch is made of. Won games alone make a move that wins by luck look sound, so their part fades; a
        planned move is sound, and what it is worth is learned by playing it."""
        batch, won, plan = self.config.learn.batch, self.config.won, self.config.plan
        left = won.left(self._spent())
        apart = [
            Source(self.won, min(int(left * won.share * batch), self.won.size), left * won.margin),
            Source(self.planned, min(max(1, int(plan.share * batch)), self.planned.size), plan.margin, returns=False),
        ]
        apart = [source for source in apart if source.count]
        return [Source(self.memory, batch - sum(source.count for source in apart)), *apart]

    def _play(self) -> Metrics:
        self.log.progress("play", 0, 1)
        parts, spent = map_in_order(self.workers, play_part, self._exploration(), self._tasks())
        for part in parts:
            self._take(part)
        rewards, lengths, results = ([x for part in parts for x in getattr(part, name)]
                                     for name in ("rewards", "lengths", "results"))  # fmt: skip
        return {
            "epsilon": epsilon(self.config, self.games),
            "reward": float(np.mean(rewards)),
            "length": float(np.mean(lengths)) if lengths else 0.0,
            "train_win": _share(results, StepResult.WIN),
            "train_draw": _share(results, StepResult.DRAW),
            "train_loss": _share(results, StepResult.LOSS),
            "workers_cpu_seconds": spent,
        }

    def _exploration(self) -> Exploration:
        if self.config.won.recall:
            self.recall.learn(self.won.state[: self.won.size], self.won.action[: self.won.size])
        online = self.learner.online
        network = copy.deepcopy(online).cpu() if self.workers.count > 1 else online
        recall = self.recall if self.config.won.recall else None
        return Exploration(self.config, network, self.games, self.stones.won, recall)

    def _tasks(self) -> list[PlayTask]:
        play, won = self.config.play, self.config.won
        recalled = won.recall * won.left(self._spent())
        boards = [len(own) for own in np.array_split(np.arange(play.boards), play.parts)]
        return [
            PlayTask(count, round(recalled * count), (self.config.seed, self.iteration, _PLAY, part))
            for part, count in enumerate(boards)
        ]

    def _take(self, part: Played) -> None:
        part.transitions.pour(self.memory)
        part.won.pour(self.won)
        for end in part.ends:
            self.stones.note(*end)
        self.games += len(part.results)
        self.transitions += part.steps
        self.owed_steps += part.steps * self.config.play.updates

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng((self.config.seed, self.iteration, stream))


def play_out(learner: QLearner, config: DqnConfig, games: int, rng: np.random.Generator, seat: Seat) -> Metrics:
    """Every board plays one game without exploration, so that short games do not count more than long ones."""
    env = VectorEnv(games, config.opponent_env().model_copy(update={"seat": seat}), seed=int(rng.integers(2**62)))
    chooser = Chooser(learner.values, config, rng, explore=False)
    return play_each_once(env, lambda env: chooser.choose(env, env.observe()))


def _restore(memory: Replay, path: Path) -> None:
    try:
        memory.restore(read_arrays(path, (*Replay.COLUMNS, "counters")))
    except (ValueError, IndexError) as error:
        raise TengenError(f"{path} is not a replay memory of this run: {error}") from None


def _share(results: list[int], kind: StepResult) -> float:
    return results.count(kind) / len(results) if results else 0.0
