"""The Q-network as a player: one board, one forward pass, the best legal cell."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tengen import Board, Limit
from tengen.inference.models import ModelError
from tengen.nets.qnet import QNet, QNetSpec
from tengen.players.dqn import DqnPlayer, central_cells
from tengen.rules import Variant
from tengen.training.dqn.export import network_onnx
from tests.helpers.networks import write_network, write_q_network

SIZE = 7


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Q-network of random weights with its card."""
    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("model") / "random-7.onnx"
    path.write_bytes(network_onnx(QNet(QNetSpec(SIZE, SIZE, body="dense")).eval()))
    card = {
        "name": "random-7", "encoding": "q-stones", "size_free": False, "width": SIZE, "height": SIZE, "k": 5,
        "rule": "freestyle", "q_win": 8.0, "onnx_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(card))
    return path


def test_plays_the_best_legal_cell_and_leaves_the_board(model: Path) -> None:
    agent = DqnPlayer(str(model))
    board = Board(Variant(SIZE), [24, 25, 17])
    while board.outcome() is None:
        before = board.moves
        q = agent.q_values(board)
        decision = agent.choose(board, Limit())
        assert board.moves == before
        assert set(q) == set(board.legal_moves())
        assert q[decision.move] == max(q.values())
        assert sum((decision.policy or {}).values()) == pytest.approx(1)
        board.play(decision.move)


def test_first_stone_is_central_and_seeded(model: Path) -> None:
    moves = {DqnPlayer(str(model), seed).choose(Board(Variant(SIZE)), Limit()).move for seed in range(40)}
    assert len(moves) > 5
    assert all(1 <= m // SIZE <= 5 and 1 <= m % SIZE <= 5 for m in moves)
    again = {DqnPlayer(str(model), 4).choose(Board(Variant(SIZE)), Limit()).move for _ in range(3)}
    assert len(again) == 1


def test_analysis_lists_every_cell_best_first(model: Path) -> None:
    board = Board(Variant(SIZE), [24])
    (analysis,) = DqnPlayer(str(model)).analyse(board, Limit())
    values = [c.prior for c in analysis.candidates]
    assert len(values) == SIZE * SIZE - 1
    assert values == sorted(values, reverse=True)


def test_another_board_is_refused_by_name(model: Path) -> None:
    with pytest.raises(ModelError, match="plays 7x7, not 9x9"):
        DqnPlayer(str(model)).choose(Board(Variant(9)), Limit())


def test_a_policy_network_is_refused(model: Path, tmp_path: Path) -> None:
    card = json.loads(model.with_suffix(".json").read_text()) | {"encoding": "stones"}
    (tmp_path / "other.onnx").write_bytes(model.read_bytes())
    (tmp_path / "other.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match="not a Q-network"):
        DqnPlayer(str(tmp_path / "other.onnx"))


def with_card(path: Path, **changes: Any) -> str:
    """The model with another card."""
    card = path.with_suffix(".json")
    card.write_text(json.dumps(json.loads(card.read_text()) | changes))
    return str(path)


@pytest.mark.parametrize(
    ("shape", "side", "rows", "cols"),
    [
        ((7, 7), 5, range(1, 6), range(1, 6)),
        ((8, 8), 5, range(1, 6), range(1, 6)),
        ((9, 6), 2, range(2, 4), range(3, 5)),
        ((6, 9), 20, range(9), range(6)),
        ((7, 7), 0, range(0), range(0)),
    ],
)
def test_the_centre_is_a_square_of_that_side(shape: tuple[int, int], side: int, rows: range, cols: range) -> None:
    assert central_cells(*shape, side) == [row * shape[0] + col for row in rows for col in cols]


@pytest.mark.parametrize(("card", "side"), [({}, 5), ({"recipe": {"play": {"first_random": 2}}}, 2)])
def test_the_card_tells_where_first_stones_fall(card: dict[str, Any], side: int, tmp_path: Path) -> None:
    model = with_card(write_q_network(tmp_path, size=8), **card)
    moves = {DqnPlayer(model, seed).choose(Board(Variant(8)), Limit()).move for seed in range(12)}
    assert len(moves) > 2
    assert moves <= set(central_cells(8, 8, side))


def test_q_decides_the_first_stone_where_the_training_drew_none(tmp_path: Path) -> None:
    model = with_card(write_q_network(tmp_path), recipe={"play": {"first_random": 0}})
    for seed in range(3):
        agent = DqnPlayer(model, seed)
        q = agent.q_values(Board(Variant(9)))
        assert q[agent.choose(Board(Variant(9)), Limit()).move] == max(q.values())


def test_a_finished_board_is_not_analysed(model: Path) -> None:
    board = Board(Variant(SIZE), [0, 7, 1, 8, 2, 9, 3, 10, 4])
    with pytest.raises(ValueError, match="the game is over; there is no move to choose"):
        next(DqnPlayer(str(model)).analyse(board, Limit()))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"width": 7, "height": 7}, "model 'tiny-q' does not fit its card: it is not a Q-network for 7x7"),
        ({"height": 6}, "is not a Q-network for 5x6"),
        ({"width": 50, "height": 50}, "a 50x50 board is not supported"),
        ({"q_win": 0}, "says q_win = 0; it must be a number above 0"),
        ({"q_win": "x"}, "says q_win = 'x'; it must be a number above 0"),
        ({"q_win": -8.0}, "says q_win = -8.0"),
        ({"q_win": float("nan")}, "NaN is not a JSON number"),
        ({"recipe": {"play": {"first_random": -1}}}, "says first_random = -1; it must be 0 or more"),
        ({"recipe": {"play": {"first_random": "5"}}}, "says first_random = '5'"),
    ],
)
def test_a_card_that_does_not_fit_is_refused_when_the_player_is_made(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = write_q_network(tmp_path, size=5)
    DqnPlayer(str(path))
    with pytest.raises(ModelError, match=message) as refusal:
        DqnPlayer(with_card(path, **changes))
    assert "\n" not in str(refusal.value)


def test_a_network_without_q_is_refused(tmp_path: Path) -> None:
    model = with_card(write_network(tmp_path), encoding="q-stones")
    with pytest.raises(ModelError, match="is not a Q-network for 7x7"):
        DqnPlayer(model)


@pytest.mark.parametrize("name", ["dqn-7", "dqn-9"])
def test_bundled_networks_fit_their_cards(name: str) -> None:
    assert DqnPlayer(name).model.name == name
