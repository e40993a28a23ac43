"""The ladder: a network that lies in no file plays as its file would, and stays loaded between games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.board import Board
from tengen.inference import onnx
from tengen.inference.models import ModelError, model_from_bytes
from tengen.registry import create
from tengen.rules import Limit, Variant
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.ladder import Candidate, ladder_tasks, play_ladder_game
from tests.helpers.networks import write_network


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    file = write_network(tmp_path, size=7, k=5)
    return Candidate(file.read_bytes(), json.loads(file.with_suffix(".json").read_text()))


def test_a_network_in_memory_plays_as_its_file(candidate: Candidate, tmp_path: Path) -> None:
    board = Board(Variant(7), (24, 17))
    of_bytes = create("alphazero:sims=16", model=model_from_bytes(candidate.model, candidate.card), seed=3)
    of_file = create(f"alphazero:sims=16,model={tmp_path / 'tiny.onnx'}", seed=3)
    assert of_bytes.choose(board, Limit()) == of_file.choose(board, Limit())


def test_a_worker_loads_the_network_once(candidate: Candidate, monkeypatch: pytest.MonkeyPatch) -> None:
    config = AlphaZeroConfig.model_validate({
        "board": {"width": 7, "height": 7}, "ladder": {"opponents": ["greedy"], "games": 4, "sims": 4},
    })  # fmt: skip
    opened: list[object] = []
    plain = onnx.open_session
    monkeypatch.setattr(onnx, "open_session", lambda source, *rest: opened.append(source) or plain(source, *rest))
    onnx._kept.cache_clear()
    tasks = ladder_tasks(config, 1)
    records = [play_ladder_game(candidate, task) for task in tasks]
    assert [record.black for record in records] == ["network", "greedy"] * 2
    assert opened == [candidate.model], "one session for four games, and no file"


def test_a_card_of_another_board_is_refused(candidate: Candidate) -> None:
    model = model_from_bytes(candidate.model, candidate.card | {"width": 9, "height": 9})
    with pytest.raises(ModelError, match="does not fit its card"):
        create("alphazero", model=model)
