"""Learning in the core: its gradient is torch's, it lowers the loss, and bad games are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import LineShape
from tengen.nets.lines import LineNet
from tengen.rules import Rule, Variant
from tests.helpers.lines import random_network

PLAY = {"visits": 16, "solver": False, "memory_mb": 2}


def learner(shape: LineShape, seed: int = 1) -> _core.LineLearner:
    return _core.LineLearner(shape.k, shape.rule, shape.channels, shape.hidden, seed)


def one_row(games: dict[str, Any], row: int) -> dict[str, Any]:
    """The first game with only one of its rows to be learned from."""
    moves, opening = int(games["lengths"][0]), int(games["openings"][0])
    rows, policy = moves - opening, int(games["counts"][: moves - opening].sum())
    weights = np.zeros(rows, np.float32)
    weights[row] = 1
    return {
        "width": games["width"], "height": games["height"], "lengths": games["lengths"][:1],
        "openings": games["openings"][:1], "winners": games["winners"][:1], "moves": games["moves"][:moves],
        "values": games["values"][:rows], "weights": weights, "counts": games["counts"][:rows],
        "policy_moves": games["policy_moves"][:policy], "policy_shares": games["policy_shares"][:policy],
    }  # fmt: skip


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU])
@pytest.mark.parametrize("row", [0, 3])
def test_the_gradient_is_that_of_torch(rule: Rule, row: int) -> None:
    shape, mix = LineShape(5, str(rule), 32, 32), 0.4
    net = learner(shape)
    weights = net.weights
    games = one_row(_core.line_games(shape.network(weights), 9, 9, 1, 3, PLAY), row)
    pool = _core.LinePool(5, str(rule))
    assert pool.add(games) == 1
    losses = net.learn(pool, 1, 1, 1e-3, 0.0, 0.9, 2.0, mix, 1)
    gradient = shape.split(net.mean * 10)  # after one step Adam's first moment is a tenth of the gradient

    torch_net = LineNet(shape.split(weights), exact=False)
    ply = int(games["openings"][0]) + row
    board = Board(Variant(9, rule=rule), [int(m) for m in games["moves"][:ply]])
    views = [torch.tensor(_core.line_sights(board.core, side).astype(np.int64))[None] for side in (False, True)]
    scores, value = torch_net(*views, torch.tensor([ply % 2 == 0]))
    empty = torch.tensor([board.at(m) is None for m in range(81)])
    start, count = int(games["counts"][:row].sum()), int(games["counts"][row])
    target = torch.zeros(81)
    for m, share in zip(*(games[n][start : start + count] for n in ("policy_moves", "policy_shares")), strict=True):
        target[int(m)] = float(share)
    policy = -(torch.log_softmax(scores[0].masked_fill(~empty, -1e30), 0)[target > 0] * target[target > 0]).sum()
    winner = int(games["winners"][0])
    result = 0.0 if winner < 0 else 1.0 if winner == ply % 2 else -1.0
    wanted = torch.tensor(0.5 + 0.5 * ((1 - mix) * result + mix * float(games["values"][row])))
    win = (value[0] + 1) / 2
    judged = -(wanted * torch.log(win) + (1 - wanted) * torch.log(1 - win))
    (policy + 2.0 * judged).backward()

    assert losses["policy"] == pytest.approx(policy.item(), abs=1e-4)
    assert losses["value"] == pytest.approx(judged.item(), abs=1e-4)
    for name, parameter in torch_net.weights.items():
        expected = np.zeros(parameter.shape, np.float32) if parameter.grad is None else parameter.grad.numpy()
        if name.endswith("_black") and rule == Rule.FREESTYLE:
            expected = np.zeros_like(expected)  # both colours are alike: not learned
        np.testing.assert_allclose(gradient[name], expected, atol=2e-4, rtol=2e-3, err_msg=name)


def test_learning_lowers_the_loss_and_repeats_itself() -> None:
    shape = LineShape(5, "freestyle", 16, 16)
    games = _core.line_games(random_network(shape), 9, 9, 30, 3, PLAY)
    runs = []
    for _ in range(2):
        net, pool = learner(shape), _core.LinePool(5, "freestyle")
        pool.add(games)
        first = net.measure(pool, 500, 0.3, 9)
        net.learn(pool, 300, 128, 3e-3, 0.0, 0.9, 1.0, 0.3, 5)
        last = net.measure(pool, 500, 0.3, 9)
        assert last["policy"] < first["policy"] - 0.3
        assert last["value"] < first["value"] - 0.1
        runs.append(net.weights)
    assert np.array_equal(*runs)
    assert shape.network(runs[0])  # within the bounds of the integers


def test_generations_come_and_go() -> None:
    games = _core.line_games(random_network(LineShape(5, "freestyle", 16, 16)), 9, 9, 3, 3, PLAY)
    pool = _core.LinePool(5, "freestyle")
    counts = [pool.add(games), pool.add(games)]
    assert (pool.samples, pool.oldest, pool.generations) == (sum(counts), counts[0], 2)
    pool.drop_oldest()
    assert (pool.samples, pool.generations) == (counts[1], 1)


@pytest.mark.parametrize(
    ("column", "value", "match"),
    [
        ("values", np.nan, "out of range"),
        ("policy_shares", np.nan, "out of range"),
        ("weights", -1.0, "out of range"),
        ("moves", 81, "off the board"),
        ("winners", 3, "winner"),
        ("lengths", 200, "length"),
        ("counts", 500, "length"),
    ],
)
def test_games_that_cannot_be_are_refused(column: str, value: float, match: str) -> None:
    games = _core.line_games(random_network(LineShape(5, "freestyle", 16, 16)), 9, 9, 2, 3, PLAY)
    games[column] = games[column].copy()
    games[column][0] = value
    with pytest.raises(ValueError, match=match):
        _core.LinePool(5, "freestyle").add(games)


def test_two_stones_on_a_cell_are_refused() -> None:
    games = _core.line_games(random_network(LineShape(5, "freestyle", 16, 16)), 9, 9, 2, 3, PLAY)
    games["moves"] = games["moves"].copy()
    games["moves"][1] = games["moves"][0]
    with pytest.raises(ValueError, match="two stones"):
        _core.LinePool(5, "freestyle").add(games)


def test_learning_from_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to learn from"):
        learner(LineShape(5, "freestyle", 16, 16)).learn(
            _core.LinePool(5, "freestyle"), 1, 8, 1e-3, 0.0, 0.9, 1.0, 0.3, 1
        )
