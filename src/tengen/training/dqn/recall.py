"""Moves of won games, found again by position whichever way the board is turned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Recall:
    """What was played in the newest won game through each position that is remembered."""

    def __init__(self, height: int, width: int, symmetries: bool) -> None:
        cells = np.arange(height * width).reshape(height, width)
        turns = [np.rot90(cells, quarter) for quarter in range(4)] if symmetries else [cells]
        mirrored = [turn[:, ::-1] for turn in turns] if symmetries else []
        self._image = np.stack([turn.ravel() for turn in (*turns, *mirrored)])  # [S, cells]: where each cell goes
        random = np.random.default_rng(0).integers(2**64, size=(2, height * width), dtype=np.uint64)
        self._weights = random[:, self._image].transpose(1, 0, 2).reshape(len(self._image), -1)
        """Random numbers of every stone for each symmetry; their sum is a position's key."""
        self._keys = np.empty(0, np.uint64)
        self._moves = np.empty(0, np.int64)

    def learn(self, state: NDArray[np.uint8], action: NDArray[np.int64]) -> None:
        """Forgets all and takes these positions [N, 2, H, W] and moves [N], the newest first."""
        keys, symmetry = self._look(state)
        moves = self._image[symmetry, action]
        self._keys, first = np.unique(keys, return_index=True)
        self._moves = moves[first]

    def moves(self, state: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The remembered move for each position [N, 2, H, W]; -1 where there is none."""
        if not len(self._keys):
            return np.full(len(state), -1, np.int32)
        keys, symmetry = self._look(state)
        place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        back = np.argsort(self._image, axis=1)  # where each cell came from
        moves = back[symmetry, self._moves[place]]
        return np.where(self._keys[place] == keys, moves, -1).astype(np.int32)

    def _look(self, state: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """A key that all symmetric positions share, and the symmetry that leads to it."""
        keys = state.reshape(len(state), self._weights.shape[1]).astype(np.uint64) @ self._weights.T  # [N, S]
        return keys.min(axis=1), keys.argmin(axis=1)
