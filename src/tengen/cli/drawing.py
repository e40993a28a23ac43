"""A board drawn for a terminal, in colours where there are any and in plain letters where there are none."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from tengen.board import Board
from tengen.rules import Color, Forbidden, Move, star_points

WOOD = "on #d9ae62"
LINES = f"#8a6a35 {WOOD}"
STONES = {Color.BLACK: f"bold #101010 {WOOD}", Color.WHITE: f"bold #ffffff {WOOD}"}
CROSSINGS = ("┌┬┐", "├┼┤", "└┴┘")
STAR = "╋"
MARKS = {"last": f"bold #c00000 {WOOD}", "forbidden": f"#c00000 {WOOD}", "hint": f"bold #0050c0 {WOOD}"}


def draw(console: Console, board: Board, hint: Move | None = None) -> Text:
    """The board as text, ready to print. The last move, a winning row, forbidden cells and a hint are marked."""
    return _colourful(board, hint) if console.is_terminal and _speaks_unicode(console) else Text(_plain(board, hint))


def _speaks_unicode(console: Console) -> bool:
    return console.encoding.lower().replace("-", "").startswith("utf")


def _plain(board: Board, hint: Move | None) -> str:
    """The last move or the winning row in parentheses, forbidden cells as `*`, a hint as `?`."""
    signs = dict.fromkeys(board.forbidden(), "*") | ({} if hint is None else {hint: "?"})
    return board.diagram(_marked(board), signs) + "\n"


def _colourful(board: Board, hint: Move | None) -> Text:
    """Lines to the edge, star points, stones; the last move or the winning row in red."""
    marked, forbidden = _marked(board), board.forbidden()
    stars = set(star_points(board.width, board.height))
    text = Text()
    for row in range(board.height):
        text.append(f"{board.height - row:2d} ", "dim")
        text.append(" ", LINES)
        for col in range(board.width):
            move = row * board.width + col
            text.append(*(_sign(board, move, marked, forbidden, hint) or _crossing(board, move, stars)))
            text.append("─" if col + 1 < board.width else " ", LINES)
        text.append("\n")
    text.append("    " + " ".join(chr(ord("a") + col) for col in range(board.width)) + "\n", "dim")
    return text


def _sign(
    board: Board, move: Move, marked: set[Move], forbidden: dict[Move, Forbidden], hint: Move | None
) -> tuple[str, str] | None:
    """What stands on a cell, or is marked there."""
    if (color := board.at(move)) is not None:
        if move in marked:
            return {Color.BLACK: "◉", Color.WHITE: "◎"}[color], MARKS["last"]
        return "●", STONES[color]
    if move == hint:
        return "◆", MARKS["hint"]
    return ("×", MARKS["forbidden"]) if move in forbidden else None


def _crossing(board: Board, move: Move, stars: set[Move]) -> tuple[str, str]:
    if move in stars:
        return STAR, f"bold {LINES}"
    row, col = divmod(move, board.width)
    return CROSSINGS[_third(row, board.height)][_third(col, board.width)], LINES


def _third(place: int, size: int) -> int:
    """0 at the first line, 2 at the last, 1 between."""
    return 0 if place == 0 else 2 if place == size - 1 else 1


def _marked(board: Board) -> set[Move]:
    outcome = board.outcome()
    if outcome and outcome.line:
        return set(outcome.line)
    return {board.moves[-1]} if board.moves else set()
