"""The board in the terminal, as it stands on the screen."""

from __future__ import annotations

import io

from rich.console import Console

from tengen.board import Board
from tengen.cli.drawing import MARKS, draw
from tengen.cli.terminal_game import Seats, TerminalGame
from tengen.rules import Color, Limit, Rule, Variant, parse_moves

CLEAR = "\x1b[2J"


def screen() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80, _environ={})


def rows(moves: str, variant: Variant, hint: int | None = None) -> list[str]:
    return draw(screen(), Board.from_text(moves, variant), hint).plain.splitlines()


def test_lines_run_to_the_edge_and_stars_stand_out() -> None:
    drawn = rows("", Variant(9))
    assert drawn[0] == " 9  ┌─┬─┬─┬─┬─┬─┬─┬─┐ " and drawn[8] == " 1  └─┴─┴─┴─┴─┴─┴─┴─┘ "
    assert drawn[2] == " 7  ├─┼─╋─┼─┼─┼─╋─┼─┤ " and drawn[4] == " 5  ├─┼─┼─┼─╋─┼─┼─┼─┤ "
    assert drawn[9] == "    a b c d e f g h i", "cells are written as they are typed"


def test_stones_the_last_move_and_a_hint() -> None:
    (hint,) = parse_moves("g7", 9, 9)
    drawn = draw(screen(), Board.from_text("e5d4", Variant(9)), hint)
    lines = drawn.plain.splitlines()
    assert lines[4].count("●") == 1 and lines[5].count("◎") == 1 and lines[2].count("◆") == 1
    last = next(span for span in drawn.spans if drawn.plain[span.start] == "◎")
    assert last.style == MARKS["last"]


def test_a_winning_row_and_forbidden_points_are_marked() -> None:
    assert "".join(rows("e5a1e6a2e7a3e8b4e9", Variant(9))).count("◉") == 5
    fork = rows("h8a1h9a3i7c1j7c3", Variant(15, rule=Rule.RENJU))
    assert "×" in fork[8], "h7 would make two open threes"


def test_one_redraw_for_each_move() -> None:
    console, typed = screen(), iter(["h8", "i9"])

    def read(prompt: str) -> str:
        if (line := next(typed, None)) is None:
            raise EOFError
        return line

    TerminalGame(
        Board(Variant(15)), Seats(Color.BLACK, None, "human", "alphabeta", Limit(seconds=1)), console, read
    ).run()
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue().count(CLEAR) == 3, "the empty board and two moves"
