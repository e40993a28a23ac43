"""Counts of shapes that stand on a board, for many boards at once: the labels of the six-count head.

Named for k = 5; in general a "four" is k - 1 stones and a "three" k - 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Stones = NDArray[np.bool_]  # [B, H, W]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def count_shapes(own: Stones, other: Stones, k: int) -> NDArray[np.float32]:
    """[B, 3] open fours, other fours and open threes of `own`.

    An open four has an empty cell at both ends. Other fours are counted by the cells that complete a five, less the
    two of each open four. An open three can become an open four in one move and is counted once.
    """
    empty = ~(own | other)
    total = np.zeros((len(own), 3), np.float32)
    for step in DIRECTIONS:
        mine = [_shift(own, step, i) for i in range(k + 2)]
        free = [_shift(empty, step, i) for i in range(k + 2)]
        open_fours = _sum(_open_four(mine, free, k))
        total[:, 0] += open_fours
        total[:, 1] += _completing(own, empty, step, k) - 2 * open_fours
        total[:, 2] += _sum(_solid_three(mine, free, k)) + _sum(_broken_three(mine, free, k))
    return total


def _open_four(mine: list[Stones], free: list[Stones], k: int) -> Stones:
    return _all([free[0], *mine[1:k], free[k]])


def _completing(own: Stones, empty: Stones, step: tuple[int, int], k: int) -> NDArray[np.float32]:
    """Empty cells that make k in a row along one direction."""
    cells = np.zeros_like(own)
    for hole in range(k):
        others = [_shift(own, step, i - hole) for i in range(k) if i != hole]
        cells |= _all([empty, *others])
    return _sum(cells)


def _solid_three(mine: list[Stones], free: list[Stones], k: int) -> Stones:
    """k - 2 stones in a row with empty ends and a further empty cell on at least one side.

    Anchored one cell before the first end, so that the far cells are at 0 and k + 1.
    """
    core = _all([free[1], *mine[2:k], free[k]])
    return core & (free[0] | free[k + 1])


def _broken_three(mine: list[Stones], free: list[Stones], k: int) -> Stones:
    """k - 2 stones and one hole inside k - 1 cells, with empty ends; the hole is not at an edge."""
    found = np.zeros_like(mine[0])
    for hole in range(2, k - 1):
        found |= _all([free[0], *(free[i] if i == hole else mine[i] for i in range(1, k)), free[k]])
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
