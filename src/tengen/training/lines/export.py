"""A run of a line network as a model: the file the core plays with, checked, and its card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.lines import from_bytes, to_bytes
from tengen.rules import Variant
from tengen.training.ladder import newest_ladder
from tengen.training.lines.config import LinesConfig
from tengen.training.lines.trainer import lines_card
from tengen.training.samples.arrays import read_arrays


def export_lines(name: str, config: LinesConfig, checkpoint: Path) -> tuple[bytes, dict[str, Any]]:
    """The averaged network of a checkpoint."""
    try:
        average = read_arrays(checkpoint / "learner.npz", ["average"])["average"].astype(np.float32)
    except (ValueError, OSError) as error:
        raise TengenError(f"{checkpoint} is not a checkpoint of a line network: {error}") from None
    model = to_bytes(config.shape, average)
    _check(config, average, model)
    return model, lines_card(name, config) | {"strength": newest_ladder(config.ladder, checkpoint)}


def _check(config: LinesConfig, weights: np.ndarray[Any, np.dtype[np.float32]], model: bytes) -> None:
    """The file gives the very bits that the weights give."""
    shape, tensors = from_bytes(model, "the exported network")
    networks = [shape.network(weights), shape.network(shape.flat(tensors))]
    board = Board(Variant(config.board.width, config.board.height, config.board.k, config.board.rule))
    rng = np.random.default_rng(0)
    while board.outcome() is None and board.stones < 20:
        (scores, value), (same_scores, same_value) = (network.evaluate(board.core) for network in networks)
        if value != same_value or not np.array_equal(scores, same_scores):
            raise AssertionError("the exported network differs from the trained one")
        board.play(int(rng.choice(board.legal_moves())))
