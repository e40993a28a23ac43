"""Counts of shapes that stand on a board, for many boards at once: the labels of the six-count head.

Named for k = 5; in general a "four" is k - 1 stones and a "three" k - 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Stones = NDArray[np.bool_]  # [B, H, W]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def count_shapes(own: Stones, other: Stones, k: int) -> NDArray[np.float32]:
    """[B, 3] open fours, other fours and open threes of `own`, by the rule that k or more in a row win.

    An open four has an empty cell at both ends. Other fours are counted by the cells that complete a five and are not
    such an end. An open three can become an open four in one move; each set of stones is counted once.
    """
    empty = ~(own | other)
    total = np.zeros((len(own), 3), np.float32)
    for step in DIRECTIONS:
        line = _Line(own, empty, step, k)
        fours = line.open_four()
        ends = _shift(fours, step, -k) | fours
        total[:, 0] += _sum(fours)
        total[:, 1] += _sum(line.completing() & ~ends)
        total[:, 2] += _sum(line.solid_three()) + _sum(line.broken_three())
    return total


def both_counts(own: Stones, other: Stones, k: int) -> NDArray[np.float32]:
    """[B, 6] the counts of the side to move, then those of its opponent."""
    return np.concatenate([count_shapes(own, other, k), count_shapes(other, own, k)], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """One direction of all boards. Shapes are marked on the empty cell before their first stone."""

    own: Stones
    empty: Stones
    step: tuple[int, int]
    k: int

    def mine(self, *places: int) -> list[Stones]:
        return [_shift(self.own, self.step, i) for i in places]

    def free(self, *places: int) -> list[Stones]:
        return [_shift(self.empty, self.step, i) for i in places]

    def open_four(self) -> Stones:
        return _all(self.free(0, self.k) + self.mine(*range(1, self.k)))

    def completing(self) -> Stones:
        """Empty cells that make k in a row."""
        cells = np.zeros_like(self.own)
        for hole in range(self.k):
            cells |= _all([self.empty, *self.mine(*(i - hole for i in range(self.k) if i != hole))])
        return cells

    def solid_three(self) -> Stones:
        """k - 2 stones in a row with empty ends and a further empty cell on at least one side."""
        before, after = self.free(-1, self.k)
        return _all(self.free(0, self.k - 1) + self.mine(*range(1, self.k - 1))) & (before | after)

    def broken_three(self) -> Stones:
        """k - 2 stones and one hole inside k - 1 cells, with empty ends; the hole is not at an edge."""
        found = np.zeros_like(self.own)
        for hole in range(2, self.k - 1):
            stones = self.mine(*(i for i in range(1, self.k) if i != hole))
            found |= _all(self.free(0, hole, self.k) + stones)
        return found


def _shift(board: Stones, step: tuple[int, int], distance: int) -> Stones:
    """The board as seen `distance` steps further; off the board is False."""
    rows, cols = step[0] * distance, step[1] * distance
    _, height, width = board.shape
    out = np.zeros_like(board)
    if abs(rows) >= height or abs(cols) >= width:
        return out
    out[:, _to(rows, height), _to(cols, width)] = board[:, _to(-rows, height), _to(-cols, width)]
    return out


def _to(shift: int, size: int) -> slice:
    return slice(0, size - shift) if shift >= 0 else slice(-shift, size)


def _all(boards: list[Stones]) -> Stones:
    every: Stones = np.logical_and.reduce(boards)
    return every


def _sum(boards: Stones) -> NDArray[np.float32]:
    return np.asarray(boards.sum(axis=(1, 2)), np.float32)
