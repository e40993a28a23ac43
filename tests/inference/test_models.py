"""Evaluators and model files: what a search may rely on, and what a damaged or foreign file says."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tengen import Board, TengenError, _core, create
from tengen.inference.base import Evaluator
from tengen.inference.models import ModelError, bundled_models, load_model
from tengen.inference.onnx import OnnxEvaluator
from tengen.inference.search_options import SearchOptions
from tengen.players.dqn import DqnPlayer
from tengen.rules import Limit, Variant
from tests.helpers.networks import write_network


def planes_of(*boards: Board) -> np.ndarray:
    return np.stack([_core.encode(board.core, "stones") for board in boards])


def test_a_network_runs_from_a_file_and_from_its_bytes(tmp_path: Path) -> None:
    evaluator = OnnxEvaluator(write_network(tmp_path))
    planes = planes_of(Board(Variant(7)), Board.from_text("d4e5", Variant(7)))
    policy, value = evaluator.run(planes)
    assert policy.shape == (2, 49) and value.shape == (2,) and (np.abs(value) <= 1).all()
    assert isinstance(evaluator, Evaluator)
    same = OnnxEvaluator((tmp_path / "tiny.onnx").read_bytes()).run(planes)
    np.testing.assert_array_equal(same[0], policy)


def test_a_model_is_tried_before_it_is_used(tmp_path: Path) -> None:
    path = write_network(tmp_path)
    card = json.loads(path.with_suffix(".json").read_text())
    for change, words in (({"encoding": "shapes"}, "does not fit its card"), ({"width": 9}, "does not fit its card")):
        path.with_suffix(".json").write_text(json.dumps(card | change))
        with pytest.raises(ModelError, match=words):
            create(f"alphazero:model={path}")


def test_a_network_must_answer_with_finite_numbers(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not finite"):
        create(f"alphazero:model={write_network(tmp_path, scale=float('nan'))}")
    search = _core.Search(Board(Variant(7)).core, "stones", {}, 0)
    count = search.select(np.zeros((1, 4, 7, 7), np.float32), 1)
    for policy, value in ((np.nan, 0.0), (0.0, np.nan), (np.inf, 0.0)):
        with pytest.raises(TengenError, match="not finite"):
            search.expand(np.full((count, 49), policy, np.float32), np.full(count, value, np.float32))


@pytest.mark.parametrize(
    ("change", "words"),
    [({"width": 10**9}, "not supported"), ({"k": float("nan")}, "not a model card"), ({"rule": "go"}, "unknown rule"),
     ({"width": [1]}, "is wrong"), ({"width": None}, "is wrong"), ({"k": 7}, "not supported")],
)  # fmt: skip
def test_cards_with_absurd_numbers_are_refused(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = write_network(tmp_path)
    card = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps(card | change))
    with pytest.raises(ModelError, match=words):
        load_model(path)


def test_models_load_by_path_and_know_their_board(tmp_path: Path) -> None:
    path = write_network(tmp_path, size=8)
    for name in (path, path.with_suffix(".json"), str(path.with_suffix(""))):
        model = load_model(name)
        assert (model.variant, model.encoding) == (Variant(8), "stones")
    model.check_board(Board(Variant(8)))
    with pytest.raises(ModelError, match="plays 8x8, not 9x9"):
        model.check_board(Board(Variant(9)))


def test_bundled_models_load_and_run() -> None:
    for name in bundled_models():
        model = load_model(name)
        board = Board(model.variant)
        if model.encoding == "q-stones":
            assert len(DqnPlayer(model).q_values(board)) == board.cells
            continue
        assert create(f"alphazero:model={name},sims=1").choose(board, Limit()).policy


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


def test_python_and_the_core_have_the_same_search_options() -> None:
    ours, native = SearchOptions().to_dict(), _core.search_defaults()
    assert ours.keys() == native.keys()
    for field in fields(SearchOptions):
        assert field.metadata["help"] and type(ours[field.name]) is type(native[field.name])
        assert ours[field.name] == pytest.approx(native[field.name])


def test_line_networks_need_neither_torch_nor_onnxruntime() -> None:
    code = (
        "import sys; from tengen.registry import create; from tengen import Board; from tengen.rules import Limit;"
        "from tengen.inference.models import bundled_models, load_model;"
        "names = [n for n in bundled_models() if load_model(n).native];"
        "[create(f'alphazero:model={n},sims=8').choose(Board(load_model(n).variant), Limit()) for n in names];"
        "print(names, [m for m in ('torch', 'onnxruntime') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "lines-standard" in shown
    assert shown.strip().endswith("[]")


def test_a_network_of_another_rule_is_named() -> None:
    with pytest.raises(ModelError, match=r"plays freestyle, not renju; lines-renju does$"):
        create("alphazero").choose(Board(Variant(15, rule="renju")), Limit(nodes=1))
    with pytest.raises(ModelError, match=r"plays freestyle, not caro$"):
        create("alphazero").choose(Board(Variant(15, rule="caro")), Limit(nodes=1))
