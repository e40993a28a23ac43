"""The replay pool: the newest games within a window of positions, and fair draws of samples from them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.training.samples.games import Game

Size = tuple[int, int]
"""Width and height."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions of one board size: row `rows[i]` of `games[i]`."""

    width: int
    height: int
    games: list[Game]
    rows: NDArray[np.intp]


class Pool:
    """Games in the order they came. A generation is one iteration's games; whole generations leave together."""

    def __init__(self) -> None:
        self._generations: deque[tuple[int, list[Game]]] = deque()
        self.seen = 0
        """Samples that ever came in."""
        self.samples = 0
        """Samples in the pool now."""
        self._groups: dict[Size, _Group] = {}

    @property
    def oldest(self) -> int:
        """The first generation still held, or 0."""
        return self._generations[0][0] if self._generations else 0

    @property
    def games(self) -> int:
        return sum(len(games) for _, games in self._generations)

    def add(self, generation: int, games: list[Game]) -> int:
        """Takes a generation in and returns how many samples it brought."""
        count = sum(len(game.samples()) for game in games)
        self._generations.append((generation, games))
        self.seen += count
        self.samples += count
        self._groups = {}
        return count

    def shrink(self, window: int) -> None:
        """Drops the oldest generations that are wholly outside the window of newest samples."""
        while len(self._generations) > 1:
            count = sum(len(game.samples()) for game in self._generations[0][1])
            if self.samples - count < window:
                return
            self._generations.popleft()
            self.samples -= count
            self._groups = {}

    def draw(self, count: int, rng: np.random.Generator) -> Samples:
        """`count` samples of one board size, by their weights; the size by its share of all weight."""
        if not self.samples:
            raise TengenError("the replay pool is empty; play games before learning")
        groups = self._grouped()
        shares = np.array([group.total for group in groups.values()])
        size = list(groups)[int(rng.choice(len(shares), p=shares / shares.sum()))]
        return groups[size].draw(size, count, rng)

    def _grouped(self) -> dict[Size, _Group]:
        if not self._groups:
            by_size: dict[Size, list[Game]] = {}
            for _, games in self._generations:
                for game in games:
                    by_size.setdefault((game.width, game.height), []).append(game)
            groups = {size: _Group(games) for size, games in by_size.items()}
            self._groups = {size: group for size, group in groups.items() if group.total > 0}
        return self._groups


class _Group:
    """All samples of one board size with running sums of their weights."""

    def __init__(self, games: list[Game]) -> None:
        self.games = games
        rows = [game.samples() for game in games]
        self.game_of = np.repeat(np.arange(len(games)), [len(r) for r in rows])
        self.rows = np.concatenate(rows)
        self.sums = np.cumsum(
            np.concatenate([g.weights[r] for g, r in zip(games, rows, strict=True)]), dtype=np.float64
        )
        self.total = float(self.sums[-1]) if len(self.sums) else 0.0

    def draw(self, size: Size, count: int, rng: np.random.Generator) -> Samples:
        picks = np.searchsorted(self.sums, rng.random(count) * self.total, side="right")
        picks = np.minimum(picks, len(self.rows) - 1)
        return Samples(*size, [self.games[i] for i in self.game_of[picks]], self.rows[picks])
