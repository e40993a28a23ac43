"""Swap2 as players handle it: level stones, the better colour, two more when there is none."""

from __future__ import annotations

import random

import pytest

from tengen.board import Board
from tengen.players.base import Decision
from tengen.players.swap2 import OPENINGS, Choice, choose, first_three, next_stone, two_more
from tengen.rules import Variant


def even(board: Board, share: float) -> Decision:
    return Decision(board.legal_moves()[0], value=0.0)


@pytest.mark.parametrize("game", ["15x15", "20x20 standard", "15x15 renju", "5x5", "6x5 k=4", "3x3 k=3"])
@pytest.mark.parametrize("seed", range(5))
def test_three_stones_and_two_more_are_legal_and_leave_a_game(game: str, seed: int) -> None:
    board, draw = Board(Variant.parse(game)), random.Random(seed)
    assert len(set(first_three(board, even))) == 3
    for _ in range(3):
        board.play(next_stone(board, even, draw))
    for move in two_more(board, even, draw):
        board.play(move)
    assert board.stones == 5 and (board.outcome() is None or game == "3x3 k=3")


def test_openings_are_known_ones_turned() -> None:
    board = Board()
    laid = set()
    for seed in range(60):
        position = board.copy()
        for _ in range(3):
            position.play(next_stone(position, even, random.Random(seed)))
        laid.add(position.moves)
    assert len(laid) > len(OPENINGS), "in many orientations"


@pytest.mark.parametrize(
    ("stones", "value", "wanted"),
    [
        (3, 0.4, "white"),
        (3, -0.4, "black"),
        (3, 0.05, "more"),
        (5, 0.05, "white"),
        (5, -0.05, "black"),
        (3, None, "black"),
    ],
)
def test_choices(stones: int, value: float | None, wanted: str) -> None:
    assert choose(stones, value) is Choice(wanted)


def test_the_last_stone_leaves_the_most_level_position() -> None:
    board = Board.from_text("h8i9")

    def liking(position: Board, share: float) -> Decision:
        return Decision(0, value=position.moves[-1] / 300)

    third = next_stone(board, liking, random.Random(3))
    near = [move for move in board.cells_near(2) if board.is_legal(move)]
    assert third == min(random.Random(3).sample(near, 6))
