"""Planes and shape counts of samples, by the core, and the symmetries of a board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.training.samples.window import Samples

QUARTER_TURNS = (0, 5, 3, 6, 1, 7, 2, 4)
"""No, one, two, three quarter turns, then the same mirrored, as numbers of `symmetry_maps`. DQN and teachers draw in
this order; with another one old checkpoints would not continue as they began."""
SHAPE_MAPS = slice(5, 15)
"""The planes of the encoding `shapes` that are maps of shapes: five for each side."""


def encode_samples(samples: Samples, symmetries: NDArray[np.intp], encoding: str) -> NDArray[np.float32]:
    """[B, C, H, W] for the side to move, each sample under its own symmetry."""
    v = samples.variant
    planes: NDArray[np.float32] = _core.encode_games(
        [game.moves for game in samples.games], samples.plies(), symmetries.astype(np.int32),
        v.width, v.height, v.k, str(v.rule), encoding,
    )  # fmt: skip
    return planes


def shape_counts(samples: Samples) -> NDArray[np.float32]:
    """[B, 6] open fours, other fours and open threes of the side to move, then of its opponent, by the rule played."""
    v, moves = samples.variant, [game.moves for game in samples.games]
    counts: NDArray[np.float32] = _core.count_games(moves, samples.plies(), v.width, v.height, v.k, str(v.rule))
    return counts


@lru_cache(maxsize=32)
def symmetry_maps(width: int, height: int) -> NDArray[np.intp]:
    """[8 or 4, cells] cell -> image for every symmetry of the board. Do not write into it."""
    return np.array(_core.symmetry_maps(width, height), np.intp)


def turned(planes: NDArray[Any], symmetry: int) -> NDArray[Any]:
    """Planes [..., H, W] under a symmetry, a number of `symmetry_maps`."""
    height, width = planes.shape[-2:]
    origin = np.argsort(symmetry_maps(width, height)[symmetry])
    return planes.reshape(*planes.shape[:-2], -1)[..., origin].reshape(planes.shape)
