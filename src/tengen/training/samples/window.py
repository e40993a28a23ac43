"""The replay window: the newest games within a number of positions, and fair draws of samples from them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.rules import Variant
from tengen.training.samples.games import TrainingGame


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Positions of one variant: row `rows[i]` of `games[i]`."""

    variant: Variant
    games: list[TrainingGame]
    rows: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.rows)

    def plies(self) -> NDArray[np.int32]:
        """Stones on the board of each sample."""
        return np.array([g.ply(r) for g, r in zip(self.games, self.rows, strict=True)], np.int32)


class ReplayWindow:
    """Games in the order they came. A generation is one iteration's games; whole generations leave together."""

    def __init__(self) -> None:
        self._generations: deque[tuple[int, list[TrainingGame]]] = deque()
        self.seen = 0
        """Samples that ever came in."""
        self.samples = 0
        """Samples in the window now."""
        self._groups: dict[Variant, _Group] = {}

    @property
    def oldest(self) -> int:
        """The first generation still held, or 0."""
        return self._generations[0][0] if self._generations else 0

    @property
    def games(self) -> int:
        return sum(len(games) for _, games in self._generations)

    def add(self, generation: int, games: list[TrainingGame]) -> int:
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
            raise TengenError("the replay window is empty; play games before learning")
        groups = self._grouped()
        shares = np.array([group.total for group in groups.values()])
        variant = list(groups)[int(rng.choice(len(shares), p=shares / shares.sum()))]
        return groups[variant].draw(variant, count, rng)

    def _grouped(self) -> dict[Variant, _Group]:
        if not self._groups:
            played: dict[Variant, list[TrainingGame]] = {}
            for _, games in self._generations:
                for game in games:
                    played.setdefault(game.variant, []).append(game)
            groups = {variant: _Group(games) for variant, games in played.items()}
            self._groups = {variant: group for variant, group in groups.items() if group.total > 0}
        return self._groups


class _Group:
    """All samples of one variant with running sums of their weights."""

    def __init__(self, games: list[TrainingGame]) -> None:
        self.games = games
        rows = [game.samples() for game in games]
        self.game_of = np.repeat(np.arange(len(games)), [len(r) for r in rows])
        self.rows = np.concatenate(rows)
        self.sums = np.cumsum(
            np.concatenate([g.weights[r] for g, r in zip(games, rows, strict=True)]), dtype=np.float64
        )
        self.total = float(self.sums[-1]) if len(self.sums) else 0.0

    def draw(self, variant: Variant, count: int, rng: np.random.Generator) -> Samples:
        picks = np.searchsorted(self.sums, rng.random(count) * self.total, side="right")
        picks = np.minimum(picks, len(self.rows) - 1)
        return Samples(variant, [self.games[i] for i in self.game_of[picks]], self.rows[picks])
