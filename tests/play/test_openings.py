"""Openings: sets, files, and balanced ones for any board."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tengen.board import Board
from tengen.play.balance import shapes_balance
from tengen.play.openings import BUILT_IN, Opening, _canonical, balanced, openings
from tengen.rules import Color, Rule, Variant, parse_move


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_sets_are_playable(name: str) -> None:
    variant = Variant(BUILT_IN[name], BUILT_IN[name])
    starts = openings(name, variant, 20, seed=1)
    assert len(set(starts)) == 20
    assert all(Board(variant, start).outcome() is None for start in starts)


def test_built_in_set_refuses_another_board() -> None:
    with pytest.raises(ValueError, match="15x15"):
        openings("gomocup-15", Variant(9, 9), 4, seed=1)


def test_a_short_set_comes_again_turned() -> None:
    starts = openings("gomocup-15", Variant(), 60, seed=1)
    assert len(set(starts)) > 50
    variant = Variant()
    assert _canonical(starts[0], variant) == _canonical(starts[24], variant) != _canonical(starts[1], variant)


def _balanced(variant: Variant, count: int, seed: int) -> list[Opening]:
    return list(islice(balanced(variant, seed, shapes_balance), count))


@pytest.mark.parametrize(
    "variant",
    [
        Variant(), Variant(9, 9), Variant(20, 20), Variant(22, 22), Variant(7, 7), Variant(8, 8),
        Variant(6, 6, 4), Variant(4, 4, 3),
        Variant(15, 11), Variant(9, 9, 5, Rule.CARO), Variant(15, 15, 5, Rule.RENJU), Variant(12, 12, 6, Rule.STANDARD),
        Variant(3, 3, 3),
    ],
    ids=str,
)  # fmt: skip
def test_balanced_openings_for_every_ground(variant: Variant) -> None:
    starts = _balanced(variant, 6, seed=3)
    assert starts == _balanced(variant, 6, seed=3) != _balanced(variant, 6, seed=4)
    for start in starts:
        board = Board(variant, start)
        assert board.outcome() is None and start
        if min(variant.width, variant.height) >= 9:
            assert abs(shapes_balance(board)) < 0.5


def test_balanced_openings_differ_and_a_longer_list_goes_on() -> None:
    variant = Variant(9, 9)
    starts = openings("balanced", variant, 12, seed=1)
    assert len({_canonical(start, variant) for start in starts}) == 12
    assert starts[:4] == openings("balanced", variant, 4, seed=1)


def test_neither_side_wins_at_once() -> None:
    variant = Variant()
    for start in openings("balanced", variant, 12, seed=2):
        board = Board(variant, start)
        assert not board.core.cells_with(0, 0) and not board.core.cells_with(1, 0)
        assert abs(shapes_balance(board)) < 1


def test_shapes_see_a_win() -> None:
    black = [parse_move(cell, 15, 15) for cell in ("f8", "g8", "h8", "i8")]
    white = [parse_move(cell, 15, 15) for cell in ("a1", "c1", "e3", "b9")]
    assert shapes_balance(Board.from_stones(black, white, Color.BLACK)) == 1
    assert shapes_balance(Board.from_stones(black, white, Color.WHITE)) == -1
    assert shapes_balance(Board.from_stones(black[:3], white, Color.BLACK)) == 1
    assert abs(shapes_balance(Board.from_text("h8h7"))) < 0.5


def test_files_in_both_notations(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# two ways to write one opening\nh8 h9 i8\n0,0, 0,-1, 1,0,\n")
    cells, offsets = openings(str(path), Variant(), 2, seed=1)
    assert cells == offsets == (112, 97, 113)


@pytest.mark.parametrize("text", ["h8h8", "h8z9", "0,0,1", "9,9", "hello", "# nothing", "a1b1a2b2a3b3a4b4a5"])
def test_bad_files_name_the_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text + "\n")
    with pytest.raises(ValueError, match=r"openings\.txt"):
        openings(str(path), Variant(), 2, seed=1)


def test_one_stone_stands_in_the_middle() -> None:
    starts = openings("one-stone", Variant(7, 7), 60, seed=1)
    assert {len(start) for start in starts} == {1} and 10 < len(set(starts)) <= 25
    assert all(1 <= start[0] // 7 <= 5 and 1 <= start[0] % 7 <= 5 for start in starts)


def test_unknown_source_lists_the_choices() -> None:
    with pytest.raises(ValueError, match="balanced, empty, one-stone, balanced-9"):
        openings("nowhere", Variant(), 2, seed=1)
