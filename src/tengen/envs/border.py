"""What the Gymnasium and the PettingZoo form have in common at their border: starts, actions, rendering."""

from __future__ import annotations

import operator
from typing import Any

import gymnasium
import numpy as np

from tengen.board import Board
from tengen.envs.drawing import rgb_array
from tengen.errors import TengenError
from tengen.rules import Move

RENDER_MODES = ("ansi", "rgb_array")


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise TengenError(f"{name}='{value}' is not one of {', '.join(choices)}")


def check_render_mode(mode: str | None) -> None:
    if mode is not None:
        check_choice("render_mode", mode, RENDER_MODES)


def render(board: Board, mode: str | None) -> Any:
    """Text or pixels; without a mode nothing but a warning, as everywhere in Gymnasium."""
    if mode is None:
        gymnasium.logger.warn(f"render() shows nothing without a render_mode; choose one of {', '.join(RENDER_MODES)}")
        return None
    return rgb_array(board) if mode == "rgb_array" else str(board)


def starting_board(empty: Board, options: dict[str, Any] | None) -> Board:
    """A new board, after the moves of `options={"moves": [...]}`. Other options are nobody's and let be."""
    board = empty.copy()
    for move in (options or {}).get("moves", ()):
        board.play(cell_of(move))
    if board.outcome() is not None:
        raise TengenError("options: the game is over after these moves; give fewer")
    return board


def cell_of(action: Any) -> Move:
    """A whole number, also as an array of one; nothing is rounded, and True is not a cell."""
    value = action.item() if isinstance(action, np.ndarray) and action.size == 1 else action
    if not isinstance(value, bool):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TengenError(f"action {' '.join(repr(action).split())} is not a cell; give its whole number")
