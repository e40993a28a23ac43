"""Planes: what a plain reading of the board says, under every symmetry."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tengen import Board, Color, _core
from tengen.board import symmetries
from tengen.rules import Rule, Variant

FIVE, OPEN_FOUR, DOUBLE_FOUR = 12, 11, 10
MAPS = {1: (4, 0.5), 2: (4, 0.5), 3: (4, 1), 4: (3, 1), 5: (3, 1), 6: (3, 1), 7: (2, 1), 8: (2, 1), 9: (2, 1),
        DOUBLE_FOUR: (1, 1), OPEN_FOUR: (1, 1), FIVE: (0, 1)}  # fmt: skip


def random_game(size: int, rule: str, plies: int, seed: int) -> Board:
    draw = random.Random(seed)
    board = Board(Variant(size, rule=rule))
    while board.stones < plies and board.outcome() is None:
        board.play(draw.choice(board.legal_moves()))
    return board


def stone_planes(board: Board) -> np.ndarray:
    planes = np.zeros((4, board.cells), np.float32)
    for cell in range(board.cells):
        if board.at(cell) is not None:
            planes[0 if board.at(cell) == board.turn else 1, cell] = 1
    if board.moves:
        planes[2, board.moves[-1]] = 1
    planes[3] = board.turn == Color.BLACK
    return planes


@pytest.mark.parametrize("seed", range(6))
def test_stone_planes(seed: int) -> None:
    board = random_game(9, "freestyle", 4 * seed, seed)
    np.testing.assert_array_equal(_core.encode(board.core, "stones").reshape(4, -1), stone_planes(board))


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("seed", range(4))
def test_shape_planes(rule: str, seed: int) -> None:
    board = random_game(9, rule, 20 + 5 * seed, seed)
    planes = _core.encode(board.core, "shapes").reshape(16, -1)
    assert (planes[0] == 1).all()
    np.testing.assert_array_equal(planes[1:5], stone_planes(board))
    expected = np.zeros((10, board.cells), np.float32)
    for cell in range(board.cells):
        for side in range(2):
            color = board.turn if side == 0 else board.turn.other
            place = MAPS.get(board.core.threat(int(color), cell)) if board.at(cell) is None else None
            if place:
                expected[5 * side + place[0], cell] = place[1]
    np.testing.assert_array_equal(planes[5:15], expected)
    assert set(np.flatnonzero(planes[15])) == set(board.forbidden())


def test_shape_planes_show_threats() -> None:
    board = Board.from_text("c3a7d3g7e3a1", Variant(7))
    planes = _core.encode(board.core, "shapes").reshape(16, -1)
    assert {board.name(int(m)) for m in np.flatnonzero(planes[6])} == {"b3", "f3"}
    board.play(int(np.flatnonzero(planes[6])[0]))
    assert _core.encode(board.core, "shapes").reshape(16, -1)[10].sum() == 2


@pytest.mark.parametrize("kind", ["stones", "shapes"])
@pytest.mark.parametrize("symmetry", range(8))
def test_symmetries_turn_the_planes(kind: str, symmetry: int) -> None:
    board = random_game(8, "freestyle", 15, symmetry)
    image = symmetries(8, 8)[symmetry]
    assert sorted(image) == list(range(64))
    turned = Board(Variant(8), [image[m] for m in board.moves])
    np.testing.assert_array_equal(_core.encode(board.core, kind, symmetry), _core.encode(turned.core, kind))


def test_the_eight_symmetries_differ() -> None:
    assert len(set(symmetries(5, 5))) == 8 and len(set(symmetries(5, 6))) == 4
    with pytest.raises(ValueError, match="symmetries 0 to 3"):
        _core.encode(Board(Variant(5, 6)).core, "stones", 4)


@pytest.mark.parametrize("kind", ["stones", "shapes"])
def test_games_are_encoded_as_their_boards(kind: str) -> None:
    games, plies, turns, expected = [], [], [], []
    for seed in range(10):
        board = random_game(7, "renju", 20, seed)
        games.append(np.array(board.moves, np.int16))
        plies.append(seed)
        turns.append(seed % 8)
        expected.append(_core.encode(Board(Variant(7, rule="renju"), board.moves[:seed]).core, kind, seed % 8))
    planes = _core.encode_games(games, np.array(plies, np.int32), np.array(turns, np.int32), 7, 7, 5, "renju", kind)
    np.testing.assert_array_equal(planes, np.stack(expected))


def test_bad_games_are_refused() -> None:
    def encode(moves: list[int], ply: int) -> None:
        game, ints = np.array(moves, np.int16), np.array([ply], np.int32)
        _core.encode_games([game], ints, np.zeros(1, np.int32), 7, 7, 5, "freestyle", "stones")

    for moves, ply, words in [([3, 3], 2, "impossible move"), ([60], 1, "impossible move"), ([3], 2, "beyond")]:
        with pytest.raises(ValueError, match=words):
            encode(moves, ply)
    with pytest.raises(ValueError, match="choose stones or shapes"):
        _core.encoding_planes("pixels")
