"""A board drawn for a terminal, in colours where there are any and in plain letters where there are none."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from tengen.board import Board
from tengen.rules import Color, Forbidden, Move

WOOD = "on #d9ae62"
LINES = f"#8a6a35 {WOOD}"
STONES = {Color.BLACK: f"bold #101010 {WOOD}", Color.WHITE: f"bold #ffffff {WOOD}"}
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
    marked, forbidden = _marked(board), board.forbidden()
    text = Text()
    for row in range(board.height):
        text.append(f"{board.height - row:2d} ", "dim")
        text.append(" ", LINES)
        for col in range(board.width):
            move = row * board.width + col
            text.append(*_cell(board, move, marked, forbidden, hint))
            joined = col + 1 < board.width and board.at(move) is None and board.at(move + 1) is None
            text.append("─" if joined and move not in forbidden else " ", LINES)
        text.append("\n")
    text.append("    " + " ".join(chr(ord("A") + col) for col in range(board.width)) + "\n", "dim")
    return text


def _cell(
    board: Board, move: Move, marked: set[Move], forbidden: dict[Move, Forbidden], hint: Move | None
) -> tuple[str, str]:
    color = board.at(move)
    if color is not None:
        sign = {Color.BLACK: "◉", Color.WHITE: "◎"}[color] if move in marked else "●"
        return sign, STONES[color]
    if move == hint:
        return "◆", MARKS["hint"]
    return ("×", MARKS["forbidden"]) if move in forbidden else ("┼", LINES)


def _marked(board: Board) -> set[Move]:
    outcome = board.outcome()
    if outcome and outcome.line:
        return set(outcome.line)
    return {board.moves[-1]} if board.moves else set()
