"""The six counts: shapes that stand on a board."""

from __future__ import annotations

import numpy as np
import pytest

from tengen.training.shapes import count_shapes


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
