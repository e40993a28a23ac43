"""What a tree search asks of a network, whatever runs it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tengen.board import Board
from tengen.rules import Color

Floats = npt.NDArray[np.float32]


@runtime_checkable
class Evaluator(Protocol):
    """Judges a batch of encoded positions [B, C, H, W]: move logits [B, A] and values [B] for the side to move.

    Tree search and self-play gather the positions (`select`), and take the answers (`expand`), in the core; a network
    that lives in the core beside the board needs no evaluator.
    """

    def run(self, planes: Floats) -> tuple[Floats, Floats]: ...


def stone_planes(board: Board, me: Color) -> Floats:
    """Own and the other's stones, [2, H, W]: what Q-networks and environments see."""
    return board.core.stone_planes(int(me))
