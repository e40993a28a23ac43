"""The Q-network as a player: one board, one forward pass, the best legal cell."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import torch

from tengen import Board, Limit
from tengen.agents.dqn import DqnAgent
from tengen.evaluators.models import ModelError
from tengen.nets.qnet import QNet, QNetSpec
from tengen.training.dqn.export import network_onnx

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
    agent = DqnAgent(str(model))
    board = Board(SIZE, moves=[24, 25, 17])
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
    moves = {DqnAgent(str(model), seed).choose(Board(SIZE), Limit()).move for seed in range(40)}
    assert len(moves) > 5
    assert all(1 <= m // SIZE <= 5 and 1 <= m % SIZE <= 5 for m in moves)
    again = {DqnAgent(str(model), 4).choose(Board(SIZE), Limit()).move for _ in range(3)}
    assert len(again) == 1


def test_analysis_lists_every_cell_best_first(model: Path) -> None:
    board = Board(SIZE, moves=[24])
    (analysis,) = DqnAgent(str(model)).analyse(board, Limit())
    values = [c.prior for c in analysis.candidates]
    assert len(values) == SIZE * SIZE - 1
    assert values == sorted(values, reverse=True)


def test_another_board_is_refused_by_name(model: Path) -> None:
    with pytest.raises(ModelError, match="plays 7x7, not 9x9"):
        DqnAgent(str(model)).choose(Board(9), Limit())


def test_a_policy_network_is_refused(model: Path, tmp_path: Path) -> None:
    card = json.loads(model.with_suffix(".json").read_text()) | {"encoding": "stones"}
    (tmp_path / "other.onnx").write_bytes(model.read_bytes())
    (tmp_path / "other.json").write_text(json.dumps(card))
    with pytest.raises(ModelError, match="not a Q-network"):
        DqnAgent(str(tmp_path / "other.onnx"))
