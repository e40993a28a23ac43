"""The six counts: shapes that stand on a board, by its rule; and the order of the symmetries."""

from __future__ import annotations

import numpy as np
import pytest

from tengen import _core
from tengen.board import Board
from tengen.rules import Color, Rule, Variant
from tengen.training.samples.planes import QUARTER_TURNS, symmetry_maps, turned
from tests.helpers import oracle


def counts(text: str, k: int = 5, rule: Rule = Rule.FREESTYLE, own: Color = Color.BLACK) -> list[int]:
    """Own open fours, fours and open threes of a drawn board: X own, O other."""
    cells = np.array([list(line.split()[0]) for line in text.strip().splitlines()])
    height, width = cells.shape
    stones = [np.flatnonzero(cells.ravel() == mark).tolist() for mark in ("XO" if own == Color.BLACK else "OX")]
    return six(Board.from_stones(*stones, own, Variant(width, height, k, rule)))[:3]


def six(board: Board) -> list[int]:
    return _core.shape_counts(board.core).astype(int).tolist()


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("..XXXX..", [1, 0, 0]),
        (".OXXXX..", [0, 1, 0]),
        ("OXXXXO..", [0, 0, 0]),
        ("XXXX....", [0, 1, 0]),
        (".XX.XX..", [0, 1, 0]),
        ("X.XXX.X.", [0, 2, 0]),
        ("..XXX...", [0, 0, 1]),
        (".OXXX...", [0, 0, 0]),
        (".O.XXX.O", [0, 0, 0]),
        (".O.XXX..", [0, 0, 1]),
        (".XX.X...", [0, 0, 1]),
        (".X.XX...", [0, 0, 1]),
        ("OXX.X...", [0, 0, 0]),
        ("........", [0, 0, 0]),
        ("...XX...", [0, 0, 0]),
    ],
)
def test_shapes_on_every_line(row: str, expected: list[int]) -> None:
    empty = "." * 8
    horizontal = np.array([list(empty)] * 3 + [list(row)] + [list(empty)] * 4)
    assert counts("\n".join("".join(r) for r in horizontal)) == expected
    assert counts("\n".join("".join(r) for r in horizontal.T)) == expected
    diagonal = np.full((8, 8), ".")
    np.fill_diagonal(diagonal, list(row))
    assert counts("\n".join("".join(r) for r in diagonal)) == expected
    assert counts("\n".join("".join(r) for r in diagonal[:, ::-1])) == expected


def test_smaller_rows_are_named_one_step_down() -> None:
    assert counts(".XXX..\n" + "......\n" * 5, k=4) == [1, 0, 0]
    assert counts("..XX..\n" + "......\n" * 5, k=4) == [0, 0, 1]
    assert counts(".X.X..\n" + "......\n" * 5, k=4) == [0, 0, 1]


def test_lines_add_up() -> None:
    board = """
    .........
    ..XXX....
    .........
    ..X......
    ..X......
    ..X......
    .........
    .........
    .........
    """
    assert counts("\n".join(line.strip() for line in board.strip().splitlines()))[2] == 2


@pytest.mark.parametrize("row", [".XXX....", "....XXX.", ".XXX....\nO.......", ".XXXX.XXXX."])
def test_edges_and_neighbours_count_once(row: str) -> None:
    rows = row.split("\n")
    board = "\n".join(rows + ["." * len(row.split("\n")[0])] * (len(rows[0]) - len(rows)))
    assert counts(board) == ([2, 0, 0] if "XXXX" in row else [0, 0, 1])


@pytest.mark.parametrize(
    ("row", "freestyle", "exact"),
    [
        ("..XXXX.X..", [1, 0, 0], [0, 1, 0]),  # one end would make six
        ("X.XXXX.X..", [1, 0, 0], [0, 0, 0]),  # both would
        ("XX.XXX....", [0, 1, 1], [0, 0, 0]),  # the hole makes six; the right end makes a four with one end
        ("..XXX.X...", [0, 1, 1], [0, 1, 0]),
        ("...XXX..X.", [0, 0, 1], [0, 0, 1]),
        (".X.XXX.X..", [0, 2, 0], [0, 2, 0]),
    ],
)
def test_the_rule_decides_what_is_a_shape(row: str, freestyle: list[int], exact: list[int]) -> None:
    board = "\n".join([row, *["." * 10] * 9])
    assert counts(board) == counts(board, rule=Rule.CARO) == freestyle
    assert counts(board, rule=Rule.STANDARD) == exact
    assert counts(board, rule=Rule.RENJU) == exact, "black wins with exactly five"
    assert counts(board, rule=Rule.RENJU, own=Color.WHITE) == freestyle, "white with five or more"


def slow_counts(board: oracle.OracleBoard, side: str) -> list[int]:
    """The same counts, read off the definitions cell by cell."""
    fours, completing, threes = set(), set(), set()
    for cell in board.cells():
        for d in oracle.DIRECTIONS:
            if board.at(cell) == side and (run := open_four(board, cell, d)):
                fours.add((run, d))
            if board.at(cell) == oracle.EMPTY:
                if completes(board, cell, d, side):
                    completing.add((cell, d))
                elif run := open_four(board.with_stone(cell, side), cell, d):
                    threes.add((frozenset(run) - {cell}, d))
    ends = {(oracle.step(run[i], d, j), d) for run, d in fours for i, j in ((0, -1), (-1, 1))}
    return [len(fours), len(completing - ends), len(threes)]


def completes(board: oracle.OracleBoard, cell: oracle.Cell, d: oracle.Cell, side: str) -> bool:
    if board.at(cell) != oracle.EMPTY:
        return False
    after = board.with_stone(cell, side)
    return oracle.run_wins(after, oracle.run_through(after, cell, d), d)


def open_four(board: oracle.OracleBoard, cell: oracle.Cell, d: oracle.Cell) -> tuple[oracle.Cell, ...] | None:
    """The row of k - 1 stones through a cell, if a stone at either end wins."""
    run, side = oracle.run_through(board, cell, d), board.at(cell)
    ends = oracle.step(run[0], d, -1), oracle.step(run[-1], d)
    return tuple(run) if len(run) == board.k - 1 and all(completes(board, end, d, side) for end in ends) else None


VARIANTS = [Variant(9), Variant(10, 7), Variant(6, k=4), Variant(7, 8, 4), Variant(9, rule="standard"),
            Variant(9, rule="renju"), Variant(9, rule="caro"), Variant(8, k=4, rule="standard")]  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_oracle_agrees_everywhere(variant: Variant) -> None:
    """Dense boards at random, dearer to one side, so that every shape occurs, at the edges too."""
    rng, seen, compared = np.random.default_rng(variant.k), np.zeros(3), 0
    for share in (0.2, 0.3, 0.4) * 16:
        cells = rng.choice([".", "x", "o"], (variant.height, variant.width), p=[0.9 - share, share, 0.1])
        stones = {(int(r), int(c)): str(cells[r, c]) for r, c in np.argwhere(cells != ".")}
        told = oracle.OracleBoard(variant.width, variant.height, variant.k, str(variant.rule), stones)
        if oracle.winning_runs(told):
            continue
        black, white = (np.flatnonzero(cells.ravel() == mark).tolist() for mark in "xo")
        found = six(Board.from_stones(black, white, Color.BLACK, variant))
        assert found == [*slow_counts(told, "x"), *slow_counts(told, "o")]
        seen, compared = seen + found[:3], compared + 1
    assert compared > 15 and (seen > 0).all()


@pytest.mark.parametrize("size", [(6, 6), (5, 7)])
def test_symmetries_are_drawn_in_the_order_they_always_were(size: tuple[int, int]) -> None:
    """Quarter turns, then the mirrored ones: old checkpoints go on as they began."""
    height, width = size
    planes = np.random.default_rng(0).random((2, 3, height, width))
    square = height == width
    for number in range(8) if square else (0, 2, 4, 6):
        rotated = np.rot90(planes, number % 4, (2, 3))
        expected = rotated[..., ::-1] if number >= 4 else rotated
        assert np.array_equal(turned(planes, QUARTER_TURNS[number]), expected)
    assert len(symmetry_maps(width, height)) == (8 if square else 4)
