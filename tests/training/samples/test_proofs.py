"""Better targets: wins spread over all winning moves, won positions beside the game, weights by surprise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

from tengen.board import Board
from tengen.rules import Result, Variant
from tengen.training.knowledge.targets import SOON, Context, make_targets, soon
from tengen.training.samples.games import TrainingGame, surprised
from tengen.training.samples.planes import symmetry_maps
from tengen.training.samples.proofs import proven_leaves, spread_wins, winning_moves
from tengen.training.samples.window import Samples

VARIANT = Variant(7, k=4)


def game(moves: list[int], result: Result = Result.BLACK, proven: int = 0) -> TrainingGame:
    rows = len(moves)
    policies = np.zeros((rows, 49), np.float16)
    policies[np.arange(rows), moves] = 1
    marks = np.zeros(rows, np.int8)
    marks[-1] = proven
    values = np.linspace(-0.5, 0.5, rows, dtype=np.float32)
    return TrainingGame(
        VARIANT, np.array(moves, np.int16), 0, result, policies, values, np.ones(rows, np.float32), marks
    )


WON = [23, 0, 24, 2, 25, 4, 26]
"""Black makes three with both ends open, then four."""


def test_a_win_is_spread_over_both_ends() -> None:
    assert winning_moves(Board(VARIANT, WON[:-1])) == [22, 26]
    taught = spread_wins(game(WON, proven=1))
    assert np.flatnonzero(taught.policies[-1]).tolist() == [22, 26] and taught.policies[-1].max() == 0.5
    assert (taught.policies[:-1] == game(WON).policies[:-1]).all()
    unproven = game(WON)
    assert spread_wins(unproven) is unproven


def test_an_open_four_does_not_win_while_the_opponent_has_a_five_at_hand() -> None:
    assert winning_moves(Board(VARIANT, [23, 0, 24, 1, 33, 2])) == []  # white threatens d7
    assert 22 in winning_moves(Board(VARIANT, [23, 0, 24, 2])), "three in a row with both ends open, four win"


def test_won_positions_beside_the_game_are_samples_of_one_row() -> None:
    played = game(WON)
    policies = played.policies.copy()
    policies[5, 6] = 0.5  # white thought of g7 instead of e7: black wins all the same
    (leaf,) = proven_leaves(replace(played, policies=policies), 3)
    assert leaf.moves.tolist() == [23, 0, 24, 2, 25, 6, 22] and leaf.opening == 6 and leaf.result is Result.BLACK
    assert np.flatnonzero(leaf.policies[0]).tolist() == [22, 26] and leaf.sign(0) == 1
    assert proven_leaves(played, 3) == [], "nobody thought of anything else"


def test_surprise_moves_weight_and_keeps_its_sum() -> None:
    games = [game(WON), game(WON[:5])]
    weights = np.concatenate(
        [g.weights for g in surprised(games, [np.zeros(7, np.float32), np.ones(5, np.float32)], 0.5)]
    )
    assert weights[:7] == pytest.approx([0.5] * 7) and weights[7:] == pytest.approx([0.5 + 0.5 * 12 / 5] * 5)
    assert weights.sum() == pytest.approx(12)
    same = surprised(games, [np.zeros(7, np.float32), np.zeros(5, np.float32)], 0.5)
    assert same is games


def test_soon_is_a_mean_of_later_values_and_the_result() -> None:
    played = replace(game(WON[:3]), values=np.array([0.1, 0.4, -0.2], np.float32))
    expected = (1 - SOON) * -0.4 + (1 - SOON) * SOON * -0.2 + SOON**2 * 1
    assert soon(played, 0) == pytest.approx(expected)
    assert soon(played, 2) == 1


@pytest.mark.parametrize("symmetry", [0, 3])
def test_the_final_row_is_a_map_under_the_samples_symmetry(symmetry: int) -> None:
    maps = symmetry_maps(7, 7)
    samples = Samples(VARIANT, [game(WON), game(WON[:5])], np.array([0, 0]))
    (target,) = make_targets(["five"], Context(samples, np.full(2, symmetry), maps)).values()
    assert sorted(np.flatnonzero(target[0].numpy())) == sorted(maps[symmetry, [23, 24, 25, 26]])
    assert target[0].sum() == 1 and target[1].sum() == 0
