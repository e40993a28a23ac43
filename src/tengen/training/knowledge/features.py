"""Positions of games with their features, as flat arrays: what a teacher learns from, and a file for other tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.training.samples.arrays import write_arrays
from tengen.training.samples.games import TrainingGame
from tengen.training.samples.planes import SHAPE_MAPS, encode_samples, shape_counts
from tengen.training.samples.window import Samples

CHUNK = 2048
"""Positions encoded at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """One row a position, everything for the side to move."""

    planes: NDArray[np.uint8]  # [N, 4, H, W] the encoding `stones`
    counts: NDArray[np.uint8]  # [N, 6] own and opponent's open fours, fours, open threes
    shapes: NDArray[np.uint8]  # [N, 10, H, W] twice the shape maps of the encoding `shapes`: 0, 1 or 2
    moves: NDArray[np.int16]  # [N] what was played
    results: NDArray[np.int8]  # [N] 1 won, 0 drawn, -1 lost in the end
    games: NDArray[np.int32]  # [N] which game the position is of

    def __len__(self) -> int:
        return len(self.moves)


def make_features(games: list[TrainingGame]) -> Features:
    """Every sample of the games, which must be of one variant."""
    if len(played := {game.variant for game in games}) != 1:
        raise TengenError(f"features need games on one board size, not on {len(played)}")
    parts = [_features(chunk) for chunk in _chunks(games)]
    numbers = np.repeat(np.arange(len(games), dtype=np.int32), [len(game.samples()) for game in games])
    joined = {f.name: np.concatenate([part[f.name] for part in parts]) for f in fields(Features) if f.name != "games"}
    return Features(**joined, games=numbers)


def _chunks(games: list[TrainingGame]) -> Iterator[Samples]:
    pairs = [(game, row) for game in games for row in game.samples()]
    for first in range(0, len(pairs), CHUNK):
        some, rows = zip(*pairs[first : first + CHUNK], strict=True)
        yield Samples(games[0].variant, list(some), np.array(rows, np.intp))


def _features(samples: Samples) -> dict[str, NDArray[np.generic]]:
    same, plies = np.zeros(len(samples), np.intp), samples.plies()
    return {
        "planes": encode_samples(samples, same, "stones").astype(np.uint8),
        "counts": shape_counts(samples).astype(np.uint8),
        "shapes": (2 * encode_samples(samples, same, "shapes")[:, SHAPE_MAPS]).astype(np.uint8),
        "moves": np.array([g.moves[ply] for g, ply in zip(samples.games, plies, strict=True)], np.int16),
        "results": np.array([g.sign(row) for g, row in zip(samples.games, samples.rows, strict=True)], np.int8),
    }


def save_features(path: Path, features: Features) -> None:
    """One compressed npz, written whole or not at all."""
    write_arrays(path, {f.name: getattr(features, f.name) for f in fields(Features)})
