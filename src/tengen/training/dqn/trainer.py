"""DQN on the project's one run loop: play with exploration, remember, learn, evaluate without exploration."""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen.envs.episodes import play_each_once
from tengen.envs.vector import Seat, StepResult, VectorEnv
from tengen.errors import TengenError
from tengen.files import read_json, write_json
from tengen.nets.qnet import QNetSpec
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.explore import Chooser, FirstStones, gather_plans, gather_wins
from tengen.training.dqn.learner import QLearner, Source
from tengen.training.dqn.recall import Recall
from tengen.training.dqn.replay import NStep, Replay, WonGames
from tengen.training.run.loop import Budget, Log, Metrics
from tengen.training.samples.arrays import read_arrays

_PLAY, _LEARN, _EVALUATE, _GATHER, _PLAN = range(5)
COUNTERS = ("iteration", "games", "transitions", "owed_steps")
"""What a trainer counts and a checkpoint keeps."""
RENAMED = {"owed_steps": "debt"}
"""Counters that older checkpoints know by another name."""


class DqnTrainer:
    """Resumes at iteration borders: unfinished games are dropped, seeds derive from (run seed, iteration)."""

    def __init__(self, config: DqnConfig, log: Log) -> None:
        self.config, self.log = config, log
        env = config.env
        self.spec = QNetSpec(env.width, env.height, **config.network.model_dump())
        self.learner = QLearner(self.spec, config.learn, config.seed)
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
        config = self.config
        rng = self._rng(_PLAY)
        env = VectorEnv(config.play.boards, config.env, seed=int(rng.integers(2**62)))
        steps = NStep(env.size, config.learn.n_step, config.learn.gamma, config.env.opponent == "self")
        recall = self.recall if config.won.recall else None
        games = WonGames(env.size, config.learn, self.won, recall, config.play.first_random > 0)
        chooser = Chooser(self.learner, config, rng, explore=True, stones=self.stones)
        self.stones.begin(env.size)
        if config.won.recall:
            self.recall.learn(self.won.state[: self.won.size], self.won.action[: self.won.size])
            chooser.follow(self.recall, round(config.won.recall * config.won.left(self._spent()) * env.size))
        rewards: list[float] = []
        lengths: list[int] = []
        results: list[int] = []
        while len(rewards) < config.play.steps or not _all_finished(lengths, env.size):
            state = env.observe()
            chooser.epsilon = self._epsilon()
            actions = chooser.choose(env, state)
            step = env.step(actions)
            done = step.results != StepResult.ONGOING
            self.stones.watch(state, actions, step.results)
            scaled = step.rewards * np.float32(config.learn.reward_scale)
            games.push(_bits(state), actions, step)
            steps.push(_bits(state), actions, scaled, done, _bits(env.observe()), self.memory)
            rewards.append(float(step.rewards.mean()))
            lengths += step.lengths[done].tolist()
            results += step.results[done].tolist()
            self.games += int(done.sum())
            self.log.progress("play", len(rewards), config.play.steps)
        count = len(rewards) * env.size
        self.transitions += count
        self.owed_steps += count * config.play.updates
        return {
            "epsilon": self._epsilon(),
            "reward": float(np.mean(rewards)),
            "length": float(np.mean(lengths)) if lengths else 0.0,
            "train_win": _share(results, StepResult.WIN),
            "train_draw": _share(results, StepResult.DRAW),
            "train_loss": _share(results, StepResult.LOSS),
        }

    def _epsilon(self) -> float:
        e = self.config.explore
        if self.config.network.noisy:
            return 0.0
        return e.epsilon_min + (e.epsilon_max - e.epsilon_min) * exp(-self.games / e.decay)

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng((self.config.seed, self.iteration, stream))


def play_out(learner: QLearner, config: DqnConfig, games: int, rng: np.random.Generator, seat: Seat) -> Metrics:
    """Every board plays one game without exploration, so that short games do not count more than long ones."""
    env = VectorEnv(games, config.opponent_env().model_copy(update={"seat": seat}), seed=int(rng.integers(2**62)))
    chooser = Chooser(learner, config, rng, explore=False)
    return play_each_once(env, lambda env: chooser.choose(env, env.observe()))


def _restore(memory: Replay, path: Path) -> None:
    try:
        memory.restore(read_arrays(path, (*Replay.COLUMNS, "counters")))
    except (ValueError, IndexError) as error:
        raise TengenError(f"{path} is not a replay memory of this run: {error}") from None


def _all_finished(lengths: list[int], boards: int) -> bool:
    """At least one game a board on average, so that the share of early games is not too large."""
    return len(lengths) >= boards


def _bits(planes: NDArray[np.float32]) -> NDArray[np.uint8]:
    return planes.astype(np.uint8)


def _share(results: list[int], kind: StepResult) -> float:
    return results.count(kind) / len(results) if results else 0.0
