"""The face every evaluator shows to a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tengen.board import Board
from tengen.rules import Color

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One row a board: probabilities of the cells (illegal cells 0) and values for the side to move."""

    policy: Floats  # [B, A]
    value: Floats  # [B]


@runtime_checkable
class Evaluator(Protocol):
    """Judges boards that are not over. Boards of one call have the same size."""

    def evaluate(self, boards: Sequence[Board]) -> Evaluation: ...


@runtime_checkable
class Network(Protocol):
    """Runs a network on encoded planes [B, C, H, W]; returns logits [B, A] and values [B] for the side to move."""

    def run(self, planes: Floats) -> tuple[Floats, Floats]: ...


def masked_softmax(logits: npt.NDArray[Any], legal: npt.NDArray[np.bool_]) -> Floats:
    """Probabilities over the legal cells of each row; rows need at least one."""
    shifted = np.where(legal, logits, -np.inf)
    shifted = np.exp(shifted - shifted.max(axis=1, keepdims=True))
    probabilities: Floats = (shifted / shifted.sum(axis=1, keepdims=True)).astype(np.float32)
    return probabilities


def legal_mask(boards: Sequence[Board]) -> npt.NDArray[np.bool_]:
    """[B, A], true where the side to move may play."""
    mask = np.zeros((len(boards), boards[0].cells), dtype=np.bool_)
    for row, board in zip(mask, boards, strict=True):
        row[board.legal_moves()] = True
    return mask


def stone_planes(board: Board, me: Color) -> Floats:
    """Own and the other's stones, [2, H, W]: what Q-networks and environments see."""
    stones = np.array([board.core.at(m) for m in range(board.cells)], np.int8).reshape(board.height, board.width)
    return np.stack([stones == int(me), stones == int(me.other)]).astype(np.float32)
