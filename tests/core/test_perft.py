"""Counts of move sequences: the rules of each variant in a few numbers, as chess programs pin theirs."""

from __future__ import annotations

import json

import pytest

from tengen.board import Board
from tengen.rules import Rule, Variant
from tests.helpers.paths import DATA

FORKS = {9: "e5a1d6a9f6i1g5i9e4a5f4", 15: "h8a1g9a15i9o1j8o15h7a8i7o8", 20: "j10a1i11a20k11t1l10t20j9a10k9t10"}
"""Black holds many twos and threes around one point: under renju some cells are forbidden, some only after a move."""
FULL = {6: "a3a1b3c1d3e1e3b6f3d6b5a5c5f1d5f6", 7: "b4a4c4g4d4a1e4g1"}
"""Rows that may become five, six, or five with both ends closed."""


def perft(board: Board, depth: int) -> int:
    """How many sequences of `depth` legal moves there are. A finished game goes no further."""
    if board.outcome() is not None:
        return 0
    moves = board.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(after(board, move, depth - 1) for move in moves)


def after(board: Board, move: int, depth: int) -> int:
    board.play(move)
    found = perft(board, depth)
    board.undo()
    return found


def cases() -> dict[str, tuple[Board, int]]:
    """Every rule on every size of board, by a name that says what is counted."""
    found: dict[str, tuple[Board, int]] = {}
    for rule in Rule:
        for size, text in (FORKS | FULL).items():
            found[f"{rule} {size} {text}"] = (Board.from_text(text, Variant(size, rule=rule)), 2 if size > 7 else 4)
        for size, k, depth in [(4, 3, 5), (5, 4, 4), (6, 6, 3)] if rule != Rule.RENJU else [(5, 5, 4), (6, 5, 3)]:
            found[f"{rule} {size} k={k}"] = (Board(Variant(size, k=k, rule=rule)), depth)
    return found


PINNED: dict[str, int] = json.loads((DATA / "perft.json").read_text())


def test_tic_tac_toe_is_counted_as_everybody_counts_it() -> None:
    board = Board(Variant(3, k=3))
    assert [perft(board, depth) for depth in range(1, 8)] == [9, 72, 504, 3024, 15120, 54720, 148176]


@pytest.mark.parametrize("name", cases())
def test_counts_are_pinned(name: str) -> None:
    assert perft(*cases()[name]) == PINNED[name]


def test_every_count_is_used_and_the_rules_differ() -> None:
    assert set(PINNED) == set(cases())
    for size, text in FORKS.items():
        assert PINNED[f"renju {size} {text}"] < PINNED[f"freestyle {size} {text}"]
