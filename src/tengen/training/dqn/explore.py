"""How actions are chosen: the best Q, exploring rules, and games won by rule or plan before learning begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tengen.envs.vector import StepResult, VectorEnv
from tengen.errors import TengenError
from tengen.players.dqn import central_cells
from tengen.training.dqn.config import DqnConfig
from tengen.training.dqn.recall import Recall
from tengen.training.dqn.replay import Replay, WonGames
from tengen.training.run.loop import Log

Values = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Planes [B, 2, H, W] -> Q [B, cells]."""
GATHER_BOARDS = 256
LATELY = 0.02
"""Weight of the newest game in the share of games lately won."""
RANDOM_BOARD_EPSILON = 0.5
"""Share of exploring moves on the boards of `explore.random_board_fraction`."""
GIVE_UP = 100
"""Rounds without a single won game after which there is nothing to gather."""
IDLE = 5
"""Rounds without a new game after which all plans are known."""


class FirstStones:
    """Where the first stone of a game falls: in the central square, more often on cells from which games are lost."""

    def __init__(self, config: DqnConfig, won: NDArray[np.float64] | None = None) -> None:
        self._bias = config.play.first_stone_bias
        self._cells = np.array(central_cells(config.env.width, config.env.height, config.play.first_random), np.int64)
        self.won = np.zeros(len(self._cells)) if won is None else won.copy()
        """Share of the games lately won from each cell."""
        self.ends: list[tuple[int, bool]] = []
        """The first stone of each game that was watched to its end, and whether it was won."""
        self._of = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._cells)

    def draw(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        weight = 1 - self._bias * self.won
        return rng.choice(self._cells, count, p=weight / weight.sum())

    def begin(self, boards: int) -> None:
        self._of = np.full(boards, -1)

    def watch(self, state: NDArray[np.float32], actions: NDArray[np.int32], results: NDArray[np.int8]) -> None:
        """Learns from one step of all boards how games end that began on a cell."""
        self._of = np.where(_empty(state), actions, self._of)
        for board in np.flatnonzero(results):
            self.ends.append((int(self._of[board]), bool(results[board] == StepResult.WIN)))
            self.note(*self.ends[-1])

    def note(self, cell: int, won: bool) -> None:
        """A game that began on a cell has ended."""
        place = np.flatnonzero(self._cells == cell)
        self.won[place] += LATELY * (won - self.won[place])


class Rules:
    """Moves that need no network."""

    def __init__(self, config: DqnConfig, rng: np.random.Generator, stones: FirstStones | None = None) -> None:
        self._config, self._rng = config, rng
        self._stones = stones or FirstStones(config)

    def explore(self, env: VectorEnv, mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        if self._config.explore.by == "greedy":
            return env.greedy_actions()
        if self._config.explore.by == "forced":
            return env.forced_actions()
        moves: NDArray[np.int32] = (self._rng.random(mask.shape) * mask).argmax(axis=1).astype(np.int32)
        return moves

    def attack(self, env: VectorEnv, actions: NDArray[np.int32], share: float) -> NDArray[np.int32]:
        """Wins that are there but far too rare to be found by chance, played on a share of the boards."""
        found = env.attack_actions(self._config.explore.attack_stones)
        looked = self._rng.random(env.size) < share
        return np.where(looked & (found >= 0), found, actions)

    def first(self, state: NDArray[np.float32], actions: NDArray[np.int32]) -> NDArray[np.int32]:
        """The first stone of a game falls at random in the centre."""
        first = _empty(state)
        if not len(self._stones) or not first.any():
            return actions
        return np.where(first, self._stones.draw(len(actions), self._rng), actions).astype(np.int32)


class Chooser:
    """Actions for all boards: the best Q of a legal cell, or an exploring move with probability epsilon."""

    def __init__(
        self,
        values: Values,
        config: DqnConfig,
        rng: np.random.Generator,
        explore: bool,
        stones: FirstStones | None = None,
    ) -> None:
        self._values, self._config, self._rng, self._explore = values, config, rng, explore
        self._rules = Rules(config, rng, stones)
        self._recall: Recall | None = None
        self._recalling = 0
        self.epsilon = 0.0

    def follow(self, recall: Recall, boards: int) -> None:
        """Lets the first boards play won games again: where moves of such games are known, the best Q among them."""
        self._recall, self._recalling = recall, boards

    def choose(self, env: VectorEnv, state: NDArray[np.float32]) -> NDArray[np.int32]:
        near = self._config.explore.near if self._explore else -1
        mask = env.mask(near)
        if self._recall and self._recalling:
            known = self._recall.moves(state[: self._recalling].astype(np.uint8))
            mask[: self._recalling] = np.where(known.any(axis=1, keepdims=True), known, mask[: self._recalling])
        q = np.where(mask, self._values(state), -np.inf)
        actions = q.argmax(axis=1).astype(np.int32)
        exploring = self._rng.random(env.size) < self._epsilons(env.size)
        if exploring.any():
            actions = np.where(exploring, self._rules.explore(env, mask), actions)
        if self._explore and self._config.explore.attack:
            actions = self._rules.attack(env, actions, self._config.explore.attack)
        return self._rules.first(state, actions)

    def _epsilons(self, boards: int) -> NDArray[np.float64]:
        """The fraction of exploring moves on each board; the last ones explore to the end."""
        fraction = self._config.explore.random_board_fraction if self._explore else 0.0
        usual = boards - round(fraction * boards)
        return np.where(np.arange(boards) < usual, self.epsilon, max(self.epsilon, RANDOM_BOARD_EPSILON))


def gather_wins(config: DqnConfig, won: Replay, rng: np.random.Generator, log: Log) -> None:
    """Plays by forced wins and the exploring rule until enough games are won, giving long games up."""
    env = VectorEnv(GATHER_BOARDS, config.env, seed=int(rng.integers(2**62)))
    rules = Rules(config, rng)
    games = WonGames(env.size, config.learn, won, first_is_drawn=config.play.first_random > 0)
    for played in range(1_000_000):
        if games.count >= config.won.first:
            return
        if played == GIVE_UP and not games.count:
            raise TengenError("won.first: the exploring rule wins no game; set explore.attack, or won.first = 0")
        games.clear()
        env.reset()
        for _ in range(config.won.stones // 2):
            state = env.observe()
            actions = rules.first(state, rules.attack(env, rules.explore(env, env.mask()), 1.0))
            games.push(state.astype(np.uint8), actions, env.step(actions))
        log.progress("won games", games.count, config.won.first)


def gather_plans(config: DqnConfig, planned: Replay, rng: np.random.Generator, log: Log) -> None:
    """Plays by plan from every first stone until nothing new happens; games in which a plan fails are not kept."""
    env = VectorEnv(GATHER_BOARDS, config.opponent_env(), seed=int(rng.integers(2**62)))
    rules = Rules(config, rng)
    recall = Recall(config.env.height, config.env.width, config.learn.symmetries)
    games = WonGames(env.size, config.learn, planned, recall, config.play.first_random > 0)
    idle = 0
    while idle < IDLE and planned.size < planned.capacity:
        log.progress("plans", idle, IDLE)
        known = games.count
        games.clear()
        env.reset()
        off_plan = np.zeros(env.size, np.bool_)
        for _ in range(1 + config.plan.quiet + config.explore.attack_stones):
            state = env.observe()
            moves = env.plan_actions(config.plan.quiet, config.explore.attack_stones, ~off_plan)
            off_plan |= (moves < 0) & ~_empty(state)
            actions = rules.first(state, np.where(moves < 0, rules.explore(env, env.mask()), moves))
            step = env.step(actions)
            kept = np.where(off_plan & (step.results == StepResult.WIN), StepResult.LOSS, step.results).astype(np.int8)
            games.push(state.astype(np.uint8), actions, replace(step, results=kept))
            off_plan &= step.results == StepResult.ONGOING
        idle = 0 if games.count > known else idle + 1
    if not games.count:
        raise TengenError(
            f"plan.quiet = {config.plan.quiet}: no plan wins; allow more quiet moves, or more forcing ones after them "
            "(explore.attack_stones)"
        )


def _empty(state: NDArray[np.float32]) -> NDArray[np.bool_]:
    empty: NDArray[np.bool_] = state.sum(axis=(1, 2, 3)) == 0
    return empty
