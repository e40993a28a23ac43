"""Helpers of the tests of line networks: random networks, boards and games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import LineShape
from tengen.rules import Rule, Variant

VARIANTS = [
    Variant(15),
    Variant(15, rule=Rule.RENJU),
    Variant(20, rule=Rule.STANDARD),
    Variant(22, rule=Rule.CARO),
    Variant(6, 9, 4),
    Variant(9, 7, 6),
    Variant(5, 3, 3, Rule.STANDARD),
]


def random_tensors(shape: LineShape, seed: int = 0) -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    tensors = {name: rng.normal(0, 0.4, extents).astype(np.float32) for name, extents in shape.tensors().items()}
    tensors["bias"] = -np.abs(tensors["bias"])
    tensors["table"][:, 0] = 0
    return tensors


def random_network(shape: LineShape, seed: int = 0, kernels: str = "") -> _core.LineNetwork:
    weights = shape.flat(random_tensors(shape, seed))
    return _core.LineNetwork(shape.k, shape.rule, shape.channels, shape.hidden, weights, kernels)


def random_board(variant: Variant, moves: int, seed: int) -> Board:
    """A board that is not over, after at most so many random moves."""
    board = Board(variant)
    rng = np.random.default_rng(seed)
    while len(board.moves) < moves and board.outcome() is None:
        board.play(int(rng.choice(board.legal_moves())))
    if board.outcome() is not None:
        board.undo()
    return board


def shape_for(variant: Variant, channels: int = 16, hidden: int = 16) -> LineShape:
    return LineShape(variant.k, str(variant.rule), channels, hidden)
