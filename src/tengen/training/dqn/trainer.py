"""DQN on the project's one run loop: play with exploration, remember, learn, evaluate without exploration."""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.envs.vector import Seat, VectorEnv
from tengen.nets.qnet import QNetSpec
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.learner import QLearner
from tengen.training.dqn.replay import NStep, Replay
from tengen.training.files import read_json, write_json
from tengen.training.run import Budget, Log, Metrics

_PLAY, _LEARN, _EVALUATE = range(3)


class DqnTrainer:
    """Resumes at iteration borders: unfinished games are dropped, seeds derive from (run seed, iteration)."""

    def __init__(self, config: DqnConfig, log: Log) -> None:
        self.config, self.log = config, log
        env = config.env
        self.spec = QNetSpec(env.width, env.height, **config.network.model_dump())
        self.learner = QLearner(self.spec, config.learn, config.seed)
        self.memory = Replay(config.learn.memory, env.height, env.width, config.learn.priority)
        self.iteration = self.games = self.transitions = 0
        self.debt = 0.0
        """Gradient steps owed for transitions already played."""

    def budget(self) -> Budget:
        b = self.config.budget
        return Budget(b.iterations, b.minutes * 60, b.games, b.cpu_minutes * 60)

    def iterate(self) -> Metrics:
        self.iteration += 1
        played = self._play()
        learned: Metrics = {}
        if self.memory.size >= self.config.learn.fill:
            steps, self.debt = int(self.debt), self.debt % 1
            learned = self.learner.learn(self.memory, steps, self._spent(), self._rng(_LEARN))
        totals = {
            "games": float(self.games),
            "transitions": float(self.transitions),
            "gradient_steps": float(self.learner.steps),
            "memory": float(self.memory.size),
        }
        return played | learned | totals

    def evaluate(self) -> Metrics:
        """Win, draw and loss rates of the online network without exploration, against the run's opponent."""
        if self.iteration % self.config.evaluate.every:
            return {}
        seats = ("first", "second") if self.config.env.seat == "random" else (self.config.env.seat,)
        games = -(-self.config.evaluate.games // len(seats))
        results = {seat: play_out(self.learner, self.config, games, self._rng(_EVALUATE), seat) for seat in seats}
        mean = {f"eval_{key}": float(np.mean([r[key] for r in results.values()])) for key in results[seats[0]]}
        if len(seats) > 1:
            mean |= {f"eval_{key}_{seat}": results[seat][key] for seat in seats for key in ("win", "draw", "loss")}
        return mean

    def save(self, folder: Path) -> None:
        self.learner.save(folder)
        np.savez(folder / "memory.npz", **self.memory.arrays())  # type: ignore[arg-type]
        names = ("iteration", "games", "transitions", "debt")
        write_json(folder / "state.json", {n: getattr(self, n) for n in names} | {"steps": self.learner.steps})

    def load(self, folder: Path) -> None:
        self.learner.load(folder)
        with np.load(folder / "memory.npz", allow_pickle=False) as arrays:
            self.memory.restore(dict(arrays))
        state: dict[str, Any] = read_json(folder / "state.json")
        self.learner.steps = state.pop("steps")
        for name, value in state.items():
            setattr(self, name, value)

    def _spent(self) -> float:
        """Used part of the budget as far as counters tell; the clock plays no part, so that runs repeat."""
        return self.budget().spent(self.iteration, {"games": float(self.games)})

    def _play(self) -> Metrics:
        config = self.config
        rng = self._rng(_PLAY)
        env = VectorEnv(config.play.boards, config.env, seed=int(rng.integers(2**62)))
        steps = NStep(env.size, config.learn.n_step, config.learn.gamma, config.env.opponent == "self")
        chooser = Chooser(self.learner, config, rng, explore=True)
        rewards: list[float] = []
        lengths: list[int] = []
        results: list[int] = []
        while len(rewards) < config.play.steps or not _all_finished(lengths, env.size):
            state = env.observe()
            chooser.epsilon = self._epsilon()
            actions = chooser.choose(env, state)
            step = env.step(actions)
            done = step.results != 0
            scaled = step.rewards * np.float32(config.learn.reward_scale)
            steps.push(_bits(state), actions, scaled, done, _bits(env.observe()), self.memory)
            rewards.append(float(step.rewards.mean()))
            lengths += step.lengths[done].tolist()
            results += step.results[done].tolist()
            self.games += int(done.sum())
            self.log.progress("play", len(rewards), config.play.steps)
        count = len(rewards) * env.size
        self.transitions += count
        self.debt += count * config.play.updates
        return {
            "epsilon": self._epsilon(),
            "reward": float(np.mean(rewards)),
            "length": float(np.mean(lengths)) if lengths else 0.0,
            "train_win": _share(results, 1),
            "train_draw": _share(results, 2),
            "train_loss": _share(results, -1),
        }

    def _epsilon(self) -> float:
        e = self.config.explore
        if self.config.network.noisy:
            return 0.0
        return e.epsilon_min + (e.epsilon_max - e.epsilon_min) * exp(-self.games / e.decay)

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng((self.config.seed, self.iteration, stream))


class Chooser:
    """Actions for all boards: the best Q of a legal cell, or an exploring move with probability epsilon."""

    def __init__(self, learner: QLearner, config: DqnConfig, rng: np.random.Generator, explore: bool) -> None:
        self._learner, self._config, self._rng, self._explore = learner, config, rng, explore
        self._noise = torch.Generator().manual_seed(int(rng.integers(2**31))) if explore else None
        self._central = _central_cells(config.env.width, config.env.height, config.play.first_random)
        self.epsilon = 0.0

    def choose(self, env: VectorEnv, state: NDArray[np.float32]) -> NDArray[np.int32]:
        near = self._config.explore.near if self._explore else -1
        mask = env.mask(near)
        q = np.where(mask, self._values(state), -np.inf)
        actions = q.argmax(axis=1).astype(np.int32)
        exploring = self._rng.random(env.size) < self.epsilon
        if exploring.any():
            actions = np.where(exploring, self._exploring_moves(env, mask), actions)
        if self._explore and self._config.explore.attack:
            actions = self._with_attacks(env, actions)
        first = state.sum(axis=(1, 2, 3)) == 0
        if len(self._central) and first.any():
            actions = np.where(first, self._rng.choice(self._central, env.size), actions)
        chosen: NDArray[np.int32] = actions.astype(np.int32)
        return chosen

    def _values(self, state: NDArray[np.float32]) -> NDArray[np.float32]:
        if self._noise is None:
            return self._learner.values(state)
        return self._learner.exploring_values(state, self._noise)

    def _with_attacks(self, env: VectorEnv, actions: NDArray[np.int32]) -> NDArray[np.int32]:
        """Wins that are there but far too rare to be found by chance, played on a share of the boards."""
        found = env.attack_actions(self._config.explore.attack_stones)
        looked = self._rng.random(env.size) < self._config.explore.attack
        return np.where(looked & (found >= 0), found, actions)

    def _exploring_moves(self, env: VectorEnv, mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        if self._config.explore.by == "greedy":
            return env.greedy_actions()
        if self._config.explore.by == "calm":
            return env.calm_actions()
        moves: NDArray[np.int32] = (self._rng.random(mask.shape) * mask).argmax(axis=1).astype(np.int32)
        return moves


def play_out(learner: QLearner, config: DqnConfig, games: int, rng: np.random.Generator, seat: Seat) -> Metrics:
    """Every board plays one game without exploration, so that short games do not count more than long ones."""
    opponent = "minimax" if config.env.opponent == "self" else config.env.opponent
    env_config = config.env.model_copy(update={"opponent": opponent, "seat": seat})
    env = VectorEnv(games, env_config, seed=int(rng.integers(2**62)))
    chooser = Chooser(learner, config, rng, explore=False)
    result, length = np.zeros(games, np.int8), np.zeros(games, np.int32)
    reward = np.zeros(games, np.float32)
    while (result == 0).any():
        step = env.step(chooser.choose(env, env.observe()))
        fresh = result == 0
        reward += np.where(fresh, step.rewards, 0)
        result = np.where(fresh, step.results, result)
        length = np.where(fresh & (step.results != 0), step.lengths, length)
    return {
        "win": float((result == 1).mean()),
        "draw": float((result == 2).mean()),
        "loss": float((result == -1).mean()),
        "reward": float(reward.mean()),
        "length": float(length.mean()),
    }


def _all_finished(lengths: list[int], boards: int) -> bool:
    """At least one game a board on average, so that the share of early games is not too large."""
    return len(lengths) >= boards


def _bits(planes: NDArray[np.float32]) -> NDArray[np.uint8]:
    return planes.astype(np.uint8)


def _share(results: list[int], kind: int) -> float:
    return results.count(kind) / len(results) if results else 0.0


def _central_cells(width: int, height: int, side: int) -> NDArray[np.int64]:
    rows = range(max(0, (height - side) // 2), min(height, (height - side) // 2 + side)) if side else range(0)
    cols = range(max(0, (width - side) // 2), min(width, (width - side) // 2 + side))
    return np.array([row * width + col for row in rows for col in cols], np.int64)
