"""The exploring games of an iteration, in parts that any worker can play."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from tengen.envs.vector import StepResult, VectorEnv
from tengen.nets.qnet import QNet
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.explore import Chooser, FirstStones
from tengen.training.dqn.learner import exploring_values
from tengen.training.dqn.recall import Recall
from tengen.training.dqn.replay import NStep, Replay, WonGames


@dataclass(frozen=True, slots=True)
class Exploration:
    """What all parts of an iteration begin with."""

    config: DqnConfig
    network: QNet
    games: int
    """Games of the run so far, on which epsilon depends."""
    stones: NDArray[np.float64]
    """`FirstStones.won`."""
    recall: Recall | None
    """Won games that are played again."""


@dataclass(frozen=True, slots=True)
class PlayTask:
    boards: int
    recalling: int
    """Boards on which won games are played again."""
    seed: tuple[int, ...]


class Gathered:
    """Transitions on their way to a memory of this capacity."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._columns: list[tuple[NDArray[Any], ...]] = []

    def add(self, *columns: NDArray[Any]) -> None:
        self._columns.append(columns)

    def pour(self, memory: Replay) -> None:
        for columns in self._columns:
            memory.add(*columns)


@dataclass(frozen=True, slots=True)
class Played:
    """What a part brought."""

    transitions: Gathered
    won: Gathered
    ends: list[tuple[int, bool]]
    """First stone of each finished game, and whether it was won."""
    rewards: list[float]
    """Mean reward of each step of all boards."""
    lengths: list[int]
    results: list[int]
    boards: int

    @property
    def steps(self) -> int:
        """Of all boards together."""
        return len(self.rewards) * self.boards


def play_part(exploration: Exploration, task: PlayTask) -> Played:
    """Plays until enough steps are made and there are as many finished games as boards."""
    config, rng = exploration.config, np.random.default_rng(task.seed)
    env = VectorEnv(task.boards, config.env, seed=int(rng.integers(2**62)))
    noise = torch.Generator().manual_seed(int(rng.integers(2**31)))
    stones = FirstStones(config, exploration.stones)
    stones.begin(env.size)
    chooser = Chooser(lambda state: exploring_values(exploration.network, state, noise, config.learn), config, rng,
                      explore=True, stones=stones)  # fmt: skip
    recall = copy.deepcopy(exploration.recall)  # what one part finds, another does not know
    if recall:
        chooser.follow(recall, task.recalling)
    played = Played(Gathered(config.learn.memory), Gathered(config.won.memory if config.won.share else 0),
                    stones.ends, [], [], [], env.size)  # fmt: skip
    steps = NStep(env.size, config.learn.n_step, config.learn.gamma, config.env.opponent == "self")
    games = WonGames(env.size, config.learn, played.won, recall, config.play.first_random > 0)
    while len(played.rewards) < config.play.steps or len(played.lengths) < env.size:
        state = env.observe()
        chooser.epsilon = epsilon(config, exploration.games + len(played.results))
        actions = chooser.choose(env, state)
        step = env.step(actions)
        done = step.results != StepResult.ONGOING
        stones.watch(state, actions, step.results)
        scaled = step.rewards * np.float32(config.learn.reward_scale)
        games.push(_bits(state), actions, step)
        steps.push(_bits(state), actions, scaled, done, _bits(env.observe()), played.transitions)
        played.rewards.append(float(step.rewards.mean()))
        played.lengths.extend(step.lengths[done].tolist())
        played.results.extend(step.results[done].tolist())
    return played


def epsilon(config: DqnConfig, games: int) -> float:
    """The fraction of exploring moves after so many games."""
    if config.network.noisy:
        return 0.0
    e = config.explore
    return e.epsilon_min + (e.epsilon_max - e.epsilon_min) * exp(-games / e.decay)


def _bits(planes: NDArray[np.float32]) -> NDArray[np.uint8]:
    return planes.astype(np.uint8)
