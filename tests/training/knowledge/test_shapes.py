"""The six counts: shapes that stand on a board."""

from __future__ import annotations

import numpy as np
import pytest

from tengen.training.knowledge.shapes import count_shapes
from tests.helpers import oracle


def counts(text: str, k: int = 5) -> list[int]:
    """Own open fours, fours and open threes of a drawn board: X own, O other."""
    rows = [line.split()[0] for line in text.strip().splitlines()]
    cells = np.array([list(row) for row in rows])[None]
    return count_shapes(cells == "X", cells == "O", k)[0].astype(int).tolist()


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


def slow_counts(board: oracle.OracleBoard, side: str) -> list[int]:
    """The same counts, read off the definitions cell by cell."""
    fours, completing, threes = set(), set(), set()
    for cell in board.cells():
        for d in oracle.DIRECTIONS:
            if board.at(cell) == side and (run := open_run(board, cell, d)):
                fours.add(run)
            if board.at(cell) == oracle.EMPTY:
                after = board.with_stone(cell, side)
                if len(oracle.run_through(after, cell, d)) >= board.k:
                    completing.add((cell, d))
                if run := open_run(after, cell, d):
                    threes.add((frozenset(run) - {cell}, d))
    ends = {(oracle.step(run[i], d, j), d) for run in fours for d in [direction(run)] for i, j in ((0, -1), (-1, 1))}
    return [len(fours), len(completing - ends), len(threes)]


def open_run(board: oracle.OracleBoard, cell: oracle.Cell, d: oracle.Cell) -> tuple[oracle.Cell, ...] | None:
    """The row of k - 1 stones through a cell, if both of its ends are empty."""
    run = oracle.run_through(board, cell, d)
    ends = board.at(oracle.step(run[0], d, -1)), board.at(oracle.step(run[-1], d))
    return tuple(run) if len(run) == board.k - 1 and ends == (oracle.EMPTY, oracle.EMPTY) else None


def direction(run: tuple[oracle.Cell, ...]) -> oracle.Cell:
    return (run[1][0] - run[0][0], run[1][1] - run[0][1])


@pytest.mark.parametrize(("height", "width", "k"), [(9, 9, 5), (7, 10, 5), (6, 6, 4), (8, 7, 4)])
def test_the_oracle_agrees_everywhere(height: int, width: int, k: int) -> None:
    """Dense boards at random, dearer to one side, so that every shape occurs, at the edges too."""
    rng, seen = np.random.default_rng(k), np.zeros(3)
    for share in (0.2, 0.35, 0.5) * 8:
        cells = rng.choice([".", "X", "O"], (height, width), p=[0.9 - share, share, 0.1])
        stones = {(int(r), int(c)): {"X": "x", "O": "o"}[cells[r, c]] for r, c in np.argwhere(cells != ".")}
        board = oracle.OracleBoard(width, height, k, "freestyle", stones)
        own, other = (cells == "X")[None], (cells == "O")[None]
        assert count_shapes(own, other, k)[0].tolist() == slow_counts(board, "x")
        assert count_shapes(other, own, k)[0].tolist() == slow_counts(board, "o")
        seen += count_shapes(own, other, k)[0]
    assert (seen > 0).all()
