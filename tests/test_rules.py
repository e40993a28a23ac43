"""Names of cells, and renju's forbidden points on positions known from the rules and their classic puzzles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.board import Board
from tengen.errors import IllegalMoveError
from tengen.rules import Color, Outcome, Result, Rule, Termination, Variant, move_name, parse_move, parse_moves
from tests.helpers import oracle
from tests.helpers.games import oracle_board

DOUBLE_THREE, DOUBLE_FOUR, OVERLINE = "double three", "double four", "overline"


# ---------------------------------------------------------------------------------------------- names of cells


@given(st.integers(3, 22), st.integers(3, 22), st.data())
def test_names_and_cells_are_inverse(width: int, height: int, data: st.DataObject) -> None:
    move = data.draw(st.integers(0, width * height - 1))
    name = move_name(move, width, height)
    assert parse_move(name, width, height) == parse_move(f" {name.upper()} ", width, height) == move


def test_rows_are_counted_from_the_bottom() -> None:
    assert parse_move("a1", 15, 15) == 14 * 15
    assert parse_move("o15", 15, 15) == 14
    assert parse_move("h8", 15, 15) == 7 * 15 + 7
    assert parse_move("v1", 22, 9) == 8 * 22 + 21
    assert parse_moves("h8 i9, j10;k11", 15, 15) == [112, 98, 84, 70]


@pytest.mark.parametrize("text", ["", "8h", "h", "h0", "p1", "a16", "h88", "hh8", "é8", "h-1"])
def test_text_that_names_no_cell(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a cell|is off the board"):
        parse_move(text, 15, 15)
    if text:
        with pytest.raises(ValueError, match=r"is not a|is off the board"):
            parse_moves("h8" + text, 15, 15)


def test_colours() -> None:
    assert Color.BLACK.other is Color.WHITE and Color.WHITE.other is Color.BLACK


# ---------------------------------------------------------------------------------------------- renju


def draw(picture: str) -> tuple[Board, int]:
    """A 15x15 renju board from rows of X, O, dots and one * where black would play; the rest is empty."""
    rows = [line.split() for line in picture.strip().splitlines()]
    at = {(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
    cells = {mark: [r * 15 + c for (r, c), m in at.items() if m == mark] for mark in "XO*"}
    board = Board.from_stones(cells["X"], cells["O"], Color.BLACK, Variant(rule=Rule.RENJU))
    return board, cells["*"][0]


def line(text: str) -> str:
    """One line of cells across the middle of the board."""
    padding = ["."] * 3
    return "\n".join(["."] * 7 + [" ".join(padding + list(text))])


PICTURES = {
    # Two fours in one line.
    "XXX.*.XXX": (line("XXX.*.XXX"), DOUBLE_FOUR),
    "XX.*X.XX": (line("XX.*X.XX"), DOUBLE_FOUR),
    "X.X*X.X": (line("X.X*X.X"), DOUBLE_FOUR),
    "a straight four is one four": (line(".XX*X."), None),
    "a four blocked at both ends is none": (line("OXX*XO"), None),
    # Six stones make no five, so what looks like two fours is one.
    "X.XX*X: six on one side": (line("X.XX*X"), None),
    "XX.X*X.XX has no exact five": (line("XX.X*X.XX"), None),
    "XX*X.XXX is a four at its open end only": (line("XX*X.XXX"), None),
    # Overlines.
    "six": (line("XXX*XX"), OVERLINE),
    "seven": (line("XXX*XXX"), OVERLINE),
    "five is a win, whatever is beside it": (line("OXX*XXO"), None),
    "a gap away from a stone it is still five": (line("X.XX*XX"), None),
    "double three": (
        """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        DOUBLE_THREE,
    ),
    "split double three": (
        """
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . X . . . .
        . X . X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        DOUBLE_THREE,
    ),
    "four and three is allowed": (
        """
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        None,
    ),
    "double four": (
        """
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X * . . . .
        . . . . . . . . .
        """,
        DOUBLE_FOUR,
    ),
    "four, four and three": (
        """
        . . . . O . . . . . .
        . . . . X . . . . . .
        . . . . X . X . . . .
        . . . . X X . . . . .
        O X X X * . . . . . .
        . . . . . . . . . . .
        """,
        DOUBLE_FOUR,
    ),
    "five overrides double three": (
        """
        . . . . . . X . .
        . . . . . X . . .
        . . X X * . . . .
        . . . X X . . . .
        . . X . X . . . .
        """,
        None,
    ),
    "five overrides overline": (
        """
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        X X X X * X . . .
        """,
        None,
    ),
    "a three along the edge is one, a column from the edge is none": (
        """
        . . X X * . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . . . . .
        """,
        None,
    ),
    "a column that starts at the edge is no three": (
        """
        . . . . X . . . .
        . . . . X . . . .
        . . X X * . . . .
        . . . . . . . . .
        """,
        None,
    ),
    "white near one end leaves the three real": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O . X X * . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        DOUBLE_THREE,
    ),
    "white near both ends makes the three false": (
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O . X X * . O . .
        . . . . . . . . .
        . . . . . . . . .
        """,
        None,
    ),
    # The three in the row could only become a straight four next to a stone that would make it six.
    "a three between stones that make six is false": (
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        X . . X X * . . X . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
        None,
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_forbidden_points_by_hand(name: str) -> None:
    picture, reason = PICTURES[name]
    board, move = draw(picture)
    assert board.forbidden().get(move) == reason
    assert board.is_legal(move) == (reason is None)
    found = oracle.forbidden(oracle_board(board), divmod(move, 15))
    assert (reason in found) if reason else not found


# Both ends of the row's three would be double fours, so nothing legal makes it a straight four.
RECURSION = """
. . . . . . . . . . . . . . .
. . . . . . . . . . . . . . .
. . . O . . . O . . . . . . .
. . . X . . . X . . . . . . .
. . . X . X . X . . . . . . .
. . . X . X . X . . . . . . .
. . . . X * X . . . . . . . .
"""


def test_a_three_is_false_when_its_straight_fours_are_forbidden() -> None:
    board, move = draw(RECURSION)
    row = move // 15 * 15
    after = board.copy()
    after.play(move)
    after.play(224)
    assert set(after.forbidden()) >= {row + 3, row + 7}, "the two ends are forbidden once the stone stands"
    assert move not in board.forbidden(), "so the row is no three and the column's three stands alone"
    free = draw(RECURSION.replace("X . . . X . . . . . . .", "X . . . . . . . . . . .", 1))[0]
    assert free.forbidden().get(move) == DOUBLE_THREE


def test_white_may_do_everything_and_wins_with_six() -> None:
    board, move = draw(line("XXX*XX"))
    white = Board.from_stones(
        [], [m for m in range(225) if board.at(m) is not None], Color.WHITE, Variant(rule=Rule.RENJU)
    )
    assert white.forbidden() == {}
    white.play(move)
    assert white.outcome() == Outcome(Result.WHITE, Termination.FIVE, tuple(range(move - 3, move + 3)))


def test_forbidden_moves_are_refused_with_their_reason() -> None:
    board, move = draw(line("XXX*XX"))
    with pytest.raises(IllegalMoveError, match=r"g8 is forbidden for black: overline"):
        board.play(move)
    assert board.at(move) is None


def test_other_rules_forbid_nothing() -> None:
    stones = [m for m in range(225) if draw(line("XX.*X.XX"))[0].at(m) is not None]
    for rule in (Rule.FREESTYLE, Rule.STANDARD, Rule.CARO):
        assert Board.from_stones(stones, [], Color.BLACK, Variant(rule=rule)).forbidden() == {}
