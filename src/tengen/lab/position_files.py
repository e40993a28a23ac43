"""Files of positions: one JSON object per line with the stones and the side to move.

{"side": "B", "black": [[x, y], ...], "white": [[x, y], ...]}     x and y count from 0 at the top left
"""

from __future__ import annotations

import json
from typing import Any

from tengen.board import Board
from tengen.errors import TengenError
from tengen.rules import Color, Move, Variant

SIDES = {"B": Color.BLACK, "W": Color.WHITE}


def parse_position(text: str, variant: Variant) -> Board:
    """A board from one line of such a file. Raises TengenError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise TengenError("not JSON") from None
    if not isinstance(data, dict) or not {"side", "black", "white"} <= data.keys():
        raise TengenError("an object with side, black and white is needed")
    if not isinstance(data["side"], str) or data["side"] not in SIDES:
        raise TengenError(f"side is {json.dumps(data['side'])}; write B or W")
    black, white = (_stones(data[color], color, variant) for color in ("black", "white"))
    return Board.from_stones(black, white, SIDES[data["side"]], variant)


def _stones(cells: Any, color: str, variant: Variant) -> list[Move]:
    if not isinstance(cells, list):
        raise TengenError(f"{color} is not a list of [x, y]")
    return [_cell(cell, color, variant) for cell in cells]


def _cell(cell: Any, color: str, variant: Variant) -> Move:
    if not (isinstance(cell, list) and len(cell) == 2 and all(type(n) is int for n in cell)):
        raise TengenError(f"{color} holds {json.dumps(cell)[:40]}; a stone is [x, y]")
    x, y = cell
    if not (0 <= x < variant.width and 0 <= y < variant.height):
        raise TengenError(
            f"{color} stone [{x}, {y}] is off the board; x goes to {variant.width - 1}, y to {variant.height - 1}"
        )
    return int(y * variant.width + x)
