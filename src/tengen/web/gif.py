"""A game as an animated GIF: one frame per move, the last one held."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw

from tengen.board import Board
from tengen.rules import Color, Move, star_points
from tengen.web.game import Game

CELL = 30
MARGIN = 26
FINE = 3
"""Drawn so much larger and scaled down, for smooth edges."""
MOVE_MS, END_MS = 700, 3000
COLOURS = 64
WOOD, LINE, LAST = "#e3bd7b", "#5c4120", "#d2402c"
STONES = {Color.BLACK: ("#1d1d20", "#000000"), Color.WHITE: ("#fbf8f1", "#8d8268")}


def line_on_show(game: Game) -> list[Move]:
    """Through the position on show to the end of its line."""
    moves, at = list(game.moves()), game.cursor
    while children := game.nodes[at].children:
        at = children[0]
        moves.append(game.nodes[at].move)
    return moves


def game_gif(start: Board, moves: list[Move]) -> bytes:
    """From a position on, with the last move or the winning row marked."""
    board = start.copy()
    frames = [_picture(board)]
    for move in moves:
        board.play(move)
        frames.append(_picture(board))
    paletted = [frame.quantize(COLOURS) for frame in frames]
    times = [MOVE_MS] * (len(frames) - 1) + [END_MS]
    out = io.BytesIO()
    paletted[0].save(out, "GIF", save_all=True, append_images=paletted[1:], duration=times, loop=0, optimize=False)
    return out.getvalue()


def _picture(board: Board) -> Image.Image:
    width, height = (2 * MARGIN + (side - 1) * CELL for side in (board.width, board.height))
    image = Image.new("RGB", (width * FINE, height * FINE), WOOD)
    pen = ImageDraw.Draw(image)
    _lines(pen, board)
    for move in range(board.width * board.height):
        if (color := board.at(move)) is not None:
            fill, edge = STONES[color]
            _disc(pen, board, move, 0.46 * CELL, fill, edge)
    outcome = board.outcome()
    for move in outcome.line if outcome and outcome.line else board.moves[-1:]:
        _disc(pen, board, move, 0.14 * CELL, LAST, LAST)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _lines(pen: ImageDraw.ImageDraw, board: Board) -> None:
    first, last = _centre(board, 0), _centre(board, board.width * board.height - 1)
    for col in range(board.width):
        x = _centre(board, col)[0]
        pen.line([(x, first[1]), (x, last[1])], LINE, FINE)
    for row in range(board.height):
        y = _centre(board, row * board.width)[1]
        pen.line([(first[0], y), (last[0], y)], LINE, FINE)
    for move in star_points(board.width, board.height):
        _disc(pen, board, move, 0.1 * CELL, LINE, LINE)


def _disc(pen: ImageDraw.ImageDraw, board: Board, move: Move, radius: float, fill: str, edge: str) -> None:
    x, y = _centre(board, move)
    r = radius * FINE
    pen.ellipse([x - r, y - r, x + r, y + r], fill, edge, FINE)


def _centre(board: Board, move: Move) -> tuple[int, int]:
    row, col = divmod(move, board.width)
    return (MARGIN + col * CELL) * FINE, (MARGIN + row * CELL) * FINE
