"""A board as pixels, for environments that render."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tengen.board import Board

_WOOD, _LINE = (222, 184, 120), (110, 80, 40)
_STONES = ((25, 25, 28), (245, 245, 240))


def rgb_array(board: Board, cell: int = 24) -> NDArray[np.uint8]:
    """[H * cell, W * cell, 3], wooden, with a red dot on the last move."""
    picture = np.empty((board.height * cell, board.width * cell, 3), np.uint8)
    picture[:] = _WOOD
    half = cell // 2
    picture[half::cell, half : board.width * cell - half] = _LINE
    picture[half : board.height * cell - half, half::cell] = _LINE
    for move in range(board.cells):
        color = board.at(move)
        if color is not None:
            _disc(picture, move, board.width, cell, 0.45, _STONES[color])
    if board.moves:
        _disc(picture, board.moves[-1], board.width, cell, 0.15, (200, 40, 40))
    return picture


def _disc(
    picture: NDArray[np.uint8], move: int, width: int, cell: int, radius: float, color: tuple[int, int, int]
) -> None:
    row, col = divmod(move, width)
    y, x = np.mgrid[0:cell, 0:cell]
    inside = (y - (cell - 1) / 2) ** 2 + (x - (cell - 1) / 2) ** 2 <= (radius * cell) ** 2
    picture[row * cell : (row + 1) * cell, col * cell : (col + 1) * cell][inside] = color
