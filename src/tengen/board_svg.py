"""A board as a picture: scalable vector graphics, as a notebook shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

CELL, EDGE = 28, 26
WOOD, LINE, MARK = "#e6c07b", "#6b4e23", "#c0392b"
FILL = ("#1b1b1e", "#fafaf5")


def board_svg(width: int, height: int, stones: Mapping[int, int], moves: Sequence[int], title: str) -> str:
    """Stones (cell -> 0 black, 1 white) are numbered as played, the last one marked; names count from the bottom."""
    right, bottom = EDGE * 2 + CELL * (width - 1), EDGE * 2 + CELL * (height - 1)
    numbers = {move: number for number, move in enumerate(moves, 1)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right}" height="{bottom}" viewBox="0 0 {right} {bottom}" '
        f'font-family="sans-serif" text-anchor="middle"><title>{escape(title)}</title>',
        f'<rect width="{right}" height="{bottom}" rx="4" fill="{WOOD}"/>',
        *(_line(EDGE, EDGE + CELL * row, right - EDGE, EDGE + CELL * row) for row in range(height)),
        *(_line(EDGE + CELL * col, EDGE, EDGE + CELL * col, bottom - EDGE) for col in range(width)),
        *(_text(EDGE + CELL * col, bottom - 4, chr(ord("a") + col), LINE) for col in range(width)),
        *(_text(9, EDGE + CELL * row + 4, str(height - row), LINE) for row in range(height)),
        *(_stone(divmod(cell, width), color, numbers, cell) for cell, color in stones.items()),
        "</svg>",
    ]
    return "".join(parts)


def _stone(place: tuple[int, int], color: int, numbers: Mapping[int, int], cell: int) -> str:
    x, y = EDGE + CELL * place[1], EDGE + CELL * place[0]
    number = numbers.get(cell)
    rim = f'stroke="{MARK}" stroke-width="2.5"' if number == len(numbers) else f'stroke="{LINE}"'
    stone = f'<circle cx="{x}" cy="{y}" r="12" fill="{FILL[color]}" {rim}/>'
    return stone + (_text(x, y + 4, str(number), FILL[1 - color]) if number else "")


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{LINE}"/>'


def _text(x: int, y: int, text: str, color: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="10" fill="{color}">{text}</text>'
