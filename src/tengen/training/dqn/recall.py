"""Moves of won games, found again by position whichever way the board is turned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.training.samples.planes import symmetry_maps


class Recall:
    """What was played in won games, by position."""

    def __init__(self, height: int, width: int, symmetries: bool) -> None:
        maps = symmetry_maps(width, height)
        self._image = maps if symmetries else maps[:1]  # [S, cells]: where each cell goes
        self._origin = np.argsort(self._image, axis=1)  # and where it came from
        random = np.random.default_rng(0).integers(2**64, size=(2, height * width), dtype=np.uint64)
        self._weights = random[:, self._image].transpose(1, 0, 2).reshape(len(self._image), -1)
        """Random numbers of every stone for each symmetry; their sum is a position's key."""
        self._keys = np.empty(0, np.uint64)
        self._moves = np.empty(0, np.uint64)
        self._after: set[int] = set()
        """Keys of the positions with the moves played."""

    def learn(self, state: NDArray[np.uint8], action: NDArray[np.int64]) -> None:
        """Forgets all and takes these positions [N, 2, H, W] with their moves [N]."""
        keys, symmetry = self._look(state)
        moves = self._image[symmetry, action].astype(np.uint64)
        self._keys, self._moves = np.unique(np.stack([keys, moves]), axis=1)
        self._after = set(self._keys_after(state, action))

    def note(self, state: NDArray[np.uint8], action: NDArray[np.int64]) -> bool:
        """Is any of these moves new? They will be known from now on, but not recalled before they are learned."""
        after = self._keys_after(state, action)
        new = not self._after.issuperset(after)
        self._after.update(after)
        return new

    def moves(self, state: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """[N, cells]: the moves that are known for each position."""
        keys, symmetry = self._look(state)
        first, end = np.searchsorted(self._keys, keys, "left"), np.searchsorted(self._keys, keys, "right")
        known = np.zeros((len(state), self._image.shape[1]), np.bool_)
        for later in range(int((end - first).max(initial=0))):
            rows = np.flatnonzero(first + later < end)
            known[rows, self._origin[symmetry[rows], self._moves[first[rows] + later].astype(np.int64)]] = True
        return known

    def _look(self, state: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """A key that all symmetric positions share, and the symmetry that leads to it."""
        keys = state.reshape(len(state), self._weights.shape[1]).astype(np.uint64) @ self._weights.T  # [N, S]
        return keys.min(axis=1), keys.argmin(axis=1)

    def _keys_after(self, state: NDArray[np.uint8], action: NDArray[np.int64]) -> list[int]:
        after = state.copy()
        after.reshape(len(state), 2, self._image.shape[1])[np.arange(len(state)), 0, action] = 1
        keys: list[int] = self._look(after)[0].tolist()
        return keys
