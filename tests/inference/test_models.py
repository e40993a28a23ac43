"""Evaluators and model files: what a search may rely on, and what a damaged or foreign file says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tengen import Board
from tengen.inference.base import Evaluation, Evaluator
from tengen.inference.cache import CachedEvaluator
from tengen.inference.models import ModelError, bundled_models, load_model
from tengen.inference.onnx import OnnxEvaluator
from tengen.inference.search_options import SearchOptions, help_of
from tengen.players.dqn import DqnPlayer
from tengen.rules import Variant
from tests.helpers.networks import write_network


def test_a_network_gives_probabilities_over_legal_cells(tmp_path: Path) -> None:
    evaluator = OnnxEvaluator(write_network(tmp_path))
    boards = [Board(Variant(7)), Board.from_text("d4e5", Variant(7))]
    evaluation = evaluator.evaluate(boards)
    np.testing.assert_allclose(evaluation.policy.sum(axis=1), 1, atol=1e-5)
    assert (evaluation.policy[1][list(boards[1].moves)] == 0).all()
    assert (np.abs(evaluation.value) <= 1).all()
    assert isinstance(evaluator, Evaluator)
    same = OnnxEvaluator((tmp_path / "tiny.onnx").read_bytes()).evaluate(boards)
    np.testing.assert_array_equal(same.policy, evaluation.policy)


class Counting:
    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, boards: Sequence[Board]) -> Evaluation:
        self.asked += len(boards)
        rows = np.array([[board.key % 1000] * board.cells for board in boards], np.float32)
        return Evaluation(rows, rows[:, 0] / 1000)


def test_cache_asks_once_and_forgets_the_oldest() -> None:
    inner = Counting()
    cached = CachedEvaluator(inner, size=2)
    boards = [Board.from_text(text, Variant(7)) for text in ("a1", "b1", "a1")]
    first = cached.evaluate(boards)
    assert inner.asked == 2
    np.testing.assert_array_equal(first.value, Counting().evaluate(boards).value)
    cached.evaluate([boards[0]])  # now b1 is the oldest
    cached.evaluate([Board.from_text("c1", Variant(7))])
    cached.evaluate([boards[0]])
    assert (inner.asked, cached.hits) == (3, 3)
    cached.evaluate([boards[1]])
    assert inner.asked == 4
    with pytest.raises(ValueError, match="no cache"):
        CachedEvaluator(inner, size=0)


def test_models_load_by_path_and_know_their_board(tmp_path: Path) -> None:
    path = write_network(tmp_path, size=8)
    for name in (path, path.with_suffix(".json"), str(path.with_suffix(""))):
        model = load_model(name)
        assert (model.width, model.k, model.encoding) == (8, 5, "stones")
    model.check_board(Board(Variant(8)))
    with pytest.raises(ModelError, match="plays 8x8, not 9x9"):
        model.check_board(Board(Variant(9)))


def test_bundled_models_load_and_run() -> None:
    for name in bundled_models():
        model = load_model(name)
        board = Board(Variant(model.width, model.height, model.k, model.rule))
        if model.encoding == "q-stones":
            assert len(DqnPlayer(model).q_values(board)) == board.cells
            continue
        evaluation = OnnxEvaluator(model.path).evaluate([board])
        assert evaluation.policy.shape == (1, board.cells)


def damage_network(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def truncate_without_checksum(path: Path) -> None:
    card = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps({k: v for k, v in card.items() if k != "onnx_sha256"}))
    path.write_bytes(b"not a network at all")


def remove_card(path: Path) -> None:
    path.with_suffix(".json").unlink()


def spoil_card(path: Path) -> None:
    path.with_suffix(".json").write_text("{")


def shorten_card(path: Path) -> None:
    path.with_suffix(".json").write_text('{"name": "tiny"}')


@pytest.mark.parametrize(
    ("spoil", "words"),
    [(damage_network, "checksum"), (truncate_without_checksum, "not a readable network"), (remove_card, "no card"),
     (spoil_card, "not a model card"), (shorten_card, "not complete")],
)  # fmt: skip
def test_bad_model_files(tmp_path: Path, spoil, words: str) -> None:  # type: ignore[no-untyped-def]
    path = write_network(tmp_path)
    spoil(path)
    with pytest.raises(ValueError, match=words):
        OnnxEvaluator(load_model(path).path)


def test_a_foreign_network_is_refused(tmp_path: Path) -> None:
    import onnx
    from onnx import TensorProto, helper

    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])], "other",
        [info("x", TensorProto.FLOAT, [1])], [info("y", TensorProto.FLOAT, [1])],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, tmp_path / "other.onnx")
    with pytest.raises(ValueError, match="needs one input 'planes'"):
        OnnxEvaluator(tmp_path / "other.onnx")


def test_every_search_option_is_explained_and_known_to_the_core() -> None:
    from tengen import _core

    for name in SearchOptions().to_dict():
        assert help_of(name)
    _core.Search(Board(Variant(7)).core, "stones", SearchOptions().to_dict(), 0)
