"""Planes of samples, by the native encoder."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.training.samples.window import Samples


def encode_samples(samples: Samples, symmetries: NDArray[np.intp], encoding: str) -> NDArray[np.float32]:
    """[B, C, H, W] for the side to move, each sample under its own symmetry."""
    v = samples.variant
    planes: NDArray[np.float32] = _core.encode_games(
        [game.moves for game in samples.games], samples.plies(), symmetries.astype(np.int32),
        v.width, v.height, v.k, str(v.rule), encoding,
    )  # fmt: skip
    return planes


def symmetry_maps(width: int, height: int) -> NDArray[np.intp]:
    """[8 or 4, cells] cell -> image for every symmetry of the board."""
    kinds = 8 if width == height else 4
    return np.array([_core.symmetry_map(width, height, s) for s in range(kinds)], np.intp)
