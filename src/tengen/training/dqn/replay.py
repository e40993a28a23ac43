"""Experience replay: a ring of n-step transitions, drawn uniformly or by priority."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tengen.envs.vector import Step, StepResult
from tengen.errors import TengenError
from tengen.training.dqn.config import QLearnConfig
from tengen.training.dqn.recall import Recall


@dataclass(frozen=True, slots=True)
class Transitions:
    """Transitions to learn from. `discount` is 0 where the game ended, and negative where the next state is the
    opponent's (self-play)."""

    state: NDArray[np.uint8]  # [B, 2, H, W]
    action: NDArray[np.int64]  # [B]
    reward: NDArray[np.float32]  # [B], the n-step sum
    next_state: NDArray[np.uint8]  # [B, 2, H, W]
    discount: NDArray[np.float32]  # [B], what the next state's value is multiplied by
    weight: NDArray[np.float32]  # [B], corrects for drawing by priority
    index: NDArray[np.int64]  # [B], where they lie in the memory


def joined(a: Transitions, b: Transitions) -> Transitions:
    return Transitions(*(np.concatenate([getattr(a, f.name), getattr(b, f.name)]) for f in fields(Transitions)))


class Replay:
    """`alpha` 0 draws uniformly; otherwise with probability proportional to priority ** alpha."""

    COLUMNS = ("state", "next_state", "action", "reward", "discount", "priority")

    def __init__(self, capacity: int, height: int, width: int, alpha: float = 0.0) -> None:
        self.capacity, self.alpha = capacity, alpha
        self.state = np.zeros((capacity, 2, height, width), np.uint8)
        self.next_state = np.zeros((capacity, 2, height, width), np.uint8)
        self.action = np.zeros(capacity, np.int64)
        self.reward = np.zeros(capacity, np.float32)
        self.discount = np.zeros(capacity, np.float32)
        self.priority = np.zeros(capacity, np.float32)
        self.size = self.next = 0
        self.highest = 1.0
        """`priority` and `highest` are already raised to alpha: a draw should not have to."""

    def add(
        self,
        state: NDArray[np.uint8],
        action: NDArray[np.int64],
        reward: NDArray[np.float32],
        next_state: NDArray[np.uint8],
        discount: NDArray[np.float32],
    ) -> None:
        """Adds transitions; the newest replace the oldest. New ones have the highest priority."""
        where = (self.next + np.arange(len(action))) % self.capacity
        self.state[where], self.next_state[where] = state, next_state
        self.action[where], self.reward[where], self.discount[where] = action, reward, discount
        self.priority[where] = self.highest
        self.next = int((self.next + len(action)) % self.capacity)
        self.size = min(self.capacity, self.size + len(action))

    def draw(self, count: int, rng: np.random.Generator, beta: float = 1.0) -> Transitions:
        if self.size < count:
            raise TengenError(f"the memory holds {self.size} transitions, fewer than a batch of {count}")
        index, weight = self._draw_index(count, rng, beta)
        return Transitions(
            self.state[index], self.action[index], self.reward[index], self.next_state[index],
            self.discount[index], weight, index,
        )  # fmt: skip

    def update(self, index: NDArray[np.int64], error: NDArray[np.float32]) -> None:
        """New priorities from the errors just seen."""
        self.priority[index] = (np.abs(error) + 1e-3) ** self.alpha
        self.highest = max(self.highest, float(self.priority[index].max()))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that is held, to be stored; `restore` is the inverse."""
        held = {name: getattr(self, name)[: self.size] for name in self.COLUMNS}
        return held | {"counters": np.array([self.size, self.next, self.highest], np.float64)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.size, self.next = int(arrays["counters"][0]), int(arrays["counters"][1])
        self.highest = float(arrays["counters"][2])
        for name in self.COLUMNS:
            getattr(self, name)[: self.size] = arrays[name]

    def _draw_index(
        self, count: int, rng: np.random.Generator, beta: float
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if self.alpha == 0:
            return rng.integers(self.size, size=count), np.ones(count, np.float32)
        mass = np.cumsum(self.priority[: self.size], dtype=np.float64)
        # One draw from each of `count` equal slices, so that a batch spreads over the memory.
        points = (np.arange(count) + rng.random(count)) / count * mass[-1]
        index = np.minimum(np.searchsorted(mass, points), self.size - 1)
        share = self.priority[index] / mass[-1]
        weight = (self.size * share) ** -beta
        return index.astype(np.int64), (weight / weight.max()).astype(np.float32)


class Memory(Protocol):
    """Where transitions go: a `Replay`, or a place on the way to one."""

    capacity: int

    @property
    def add(self) -> Callable[..., None]: ...


class WonGames:
    """Follows the games of many boards and remembers those that were won, whole and in n-step transitions.

    A game that `recall` knows move by move is not remembered again, or the easy wins would soon be all there is. A
    first stone that `first_is_drawn` was nobody's choice and is left out.
    """

    def __init__(
        self,
        boards: int,
        config: QLearnConfig,
        memory: Memory,
        recall: Recall | None = None,
        first_is_drawn: bool = False,
    ) -> None:
        self._config, self._memory, self._recall, self._first_is_drawn = config, memory, recall, first_is_drawn
        self._paths: list[list[tuple[NDArray[np.uint8], int, float]]] = [[] for _ in range(boards)]
        self.count = 0

    def push(self, state: NDArray[np.uint8], actions: NDArray[np.int32], step: Step) -> None:
        if not self._memory.capacity:
            return
        for i, path in enumerate(self._paths):
            path.append((state[i], int(actions[i]), float(step.rewards[i]) * self._config.reward_scale))
            if step.results[i] == StepResult.WIN:
                self._remember(path)
            if step.results[i] != StepResult.ONGOING:
                path.clear()

    def clear(self) -> None:
        """All games begin anew."""
        for path in self._paths:
            path.clear()

    def _remember(self, path: list[tuple[NDArray[np.uint8], int, float]]) -> None:
        if self._recall:
            states, moves = np.stack([state for state, _, _ in path]), np.array([action for _, action, _ in path])
            if not self._recall.note(states, moves):
                return
        if self._first_is_drawn and not path[0][0].any():
            path = path[1:]
        steps = NStep(1, self._config.n_step, self._config.gamma, alternating=False)
        for j, (state, action, reward) in enumerate(path):
            last = j + 1 == len(path)
            after = state if last else path[j + 1][0]
            steps.push(state[None], np.array([action], np.int32), np.array([reward], np.float32), np.array([last]),
                       after[None], self._memory)  # fmt: skip
        self.count += 1


class NStep:
    """Turns the steps of many boards into n-step transitions.

    With `alternating` each step is one stone of the side to move, so every second reward counts negative.
    """

    def __init__(self, boards: int, n: int, gamma: float, alternating: bool) -> None:
        self._n, self._factor = n, -gamma if alternating else gamma
        self._pending: list[list[tuple[NDArray[np.uint8], int, float]]] = [[] for _ in range(boards)]

    def push(
        self,
        state: NDArray[np.uint8],
        action: NDArray[np.int32],
        reward: NDArray[np.float32],
        done: NDArray[np.bool_],
        next_state: NDArray[np.uint8],
        memory: Memory,
    ) -> None:
        """Takes one step of every board and adds the transitions that are complete."""
        ready: list[tuple[NDArray[np.uint8], int, float, NDArray[np.uint8], float]] = []
        for i, pending in enumerate(self._pending):
            pending.append((state[i], int(action[i]), float(reward[i])))
            while pending and (done[i] or len(pending) >= self._n):
                first_state, first_action, total, length = self._fold(pending)
                tail = 0.0 if done[i] else self._factor**length
                ready.append((first_state, first_action, total, next_state[i], tail))
                pending.pop(0)
        if ready:
            states, actions, rewards, nexts, discounts = zip(*ready, strict=True)
            memory.add(
                np.stack(states), np.array(actions, np.int64), np.array(rewards, np.float32), np.stack(nexts),
                np.array(discounts, np.float32),
            )  # fmt: skip

    def _fold(self, pending: list[tuple[NDArray[np.uint8], int, float]]) -> tuple[NDArray[np.uint8], int, float, int]:
        steps = pending[: self._n]
        total = sum(self._factor**j * reward for j, (_, _, reward) in enumerate(steps))
        return steps[0][0], steps[0][1], total, len(steps)
