"""Positions with their features, the teacher that learns to count them, and the losses that listen to it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen import _core  # noqa: E402
from tengen.board import Board  # noqa: E402
from tengen.cli.app import main  # noqa: E402
from tengen.nets.teacher import TeacherNet  # noqa: E402
from tengen.rules import Variant  # noqa: E402
from tengen.training.alphazero.config import check_config  # noqa: E402
from tengen.training.alphazero.trainer import AlphaZeroTrainer  # noqa: E402
from tengen.training.knowledge.config import TeacherConfig  # noqa: E402
from tengen.training.knowledge.expert import Recipe, read_games, write_games  # noqa: E402
from tengen.training.knowledge.features import Features, make_features, save_features  # noqa: E402
from tengen.training.knowledge.targets import printed, signed  # noqa: E402
from tengen.training.knowledge.teacher import load_teacher, save_teacher, train_teacher  # noqa: E402
from tengen.training.run.logs import NoLog  # noqa: E402
from tengen.training.run.loop import Budget, RunFolder, run  # noqa: E402
from tengen.training.run.workers import InlineWorkers  # noqa: E402
from tengen.training.samples.arrays import read_arrays  # noqa: E402
from tengen.training.samples.games import TrainingGame  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of the weight player and the greedy one: four in a row on 6x6."""
    path = tmp_path_factory.mktemp("games") / "weight"
    recipe = Recipe(("weight", "greedy"), Variant(6, k=4), 0, "balanced", 0.2, 20, 1)
    write_games(path, recipe, 120, InlineWorkers())
    return path


@pytest.fixture(scope="module")
def games(folder: Path) -> list[TrainingGame]:
    return [game for file in read_games(folder, 4, "freestyle") for game in file]


@pytest.fixture(scope="module")
def features(games: list[TrainingGame]) -> Features:
    return make_features(games)


def test_every_position_has_its_features(games: list[TrainingGame], features: Features) -> None:
    positions = [(game, ply) for game in games for ply in range(game.opening, len(game.moves))]
    assert len(features) == len(positions)
    for i in range(0, len(positions), 17):
        game, ply = positions[i]
        board = Board(Variant(6, k=4), [int(move) for move in game.moves[:ply]])
        own = np.array([board.at(cell) == board.turn for cell in range(36)]).reshape(6, 6)
        other = np.array([board.at(cell) == board.turn.other for cell in range(36)]).reshape(6, 6)
        np.testing.assert_array_equal(features.planes[i, :2], [own, other])
        np.testing.assert_array_equal(features.counts[i], _core.shape_counts(board.core))
        assert features.moves[i] == game.moves[ply] and games[features.games[i]] is game
        assert features.results[i] == game.result.sign(board.turn)
    assert set(np.unique(features.shapes)) <= {0, 1, 2} and features.shapes.any()
    assert features.counts.any(axis=0).sum() >= 5, "the games show most shapes"


def test_features_survive_a_file(features: Features, tmp_path: Path) -> None:
    save_features(tmp_path / "a.npz", features)
    again = read_arrays(tmp_path / "a.npz", [f.name for f in fields(Features)])
    for name, array in again.items():
        np.testing.assert_array_equal(array, getattr(features, name))


def test_the_command_writes_them(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["features", str(folder), "--out", str(tmp_path / "f.npz"), "--k", "4"])
    assert not end.value.code and "of 120 games" in capsys.readouterr().out
    assert len(read_arrays(tmp_path / "f.npz", ["moves"])["moves"]) > 200
    with pytest.raises(SystemExit) as end:
        main(["features", str(folder), "--out", str(tmp_path / "f.npz")])
    assert end.value.code == 2 and "k = 4" in capsys.readouterr().err


def test_a_teacher_learns_to_count(features: Features, tmp_path: Path) -> None:
    torch.set_num_threads(1)
    _, untrained = train_teacher(features, TeacherConfig(steps=1, rate=1e-9), seed=1)
    network, trained = train_teacher(features, TeacherConfig(steps=300, batch=32, rate=4e-3), seed=1)
    assert trained > 0.1 > untrained
    save_teacher(tmp_path / "t.safetensors", network)
    planes = torch.from_numpy(features.planes[:4].astype(np.float32))
    assert torch.allclose(load_teacher(tmp_path / "t.safetensors", 6, 6)(planes), network(planes), atol=1e-5)
    with pytest.raises(ValueError, match="another network or another board"):
        load_teacher(tmp_path / "t.safetensors", 7, 7)


def test_printed_cannot_tell_who_is_ahead_and_signed_can() -> None:
    counts = torch.tensor([[0.0, 2.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 2.0, 1.0]])
    assert torch.allclose(printed(counts), torch.tanh(torch.tensor([0.3, 0.3])))
    assert torch.allclose(signed(counts), torch.tanh(torch.tensor([0.3, -0.3])))


def settings(folder: Path, head: str, **more: object) -> dict[str, object]:
    return {
        "board": {"width": 6, "height": 6, "k": 4}, "network": {"kind": "base", "heads": {head: 0.2}},
        "selfplay": {"games": 4, "slots": 4, "sims_first": 2, "sims_last": 2},
        "learn": {"batch": 16, "max_steps": 3, "threads": 1, "policy_weight": 0.7, "value_weight": 0.1, "value_mix": 0},
        "teacher": {"games": [str(folder)], "steps": 3, "batch": 8}, **more,
    }  # fmt: skip


@pytest.mark.parametrize("head", ["teacher", "teacher_printed"])
def test_distillation_is_a_head_of_the_one_trainer(head: str, folder: Path, tmp_path: Path) -> None:
    config = check_config(settings(folder, head), "here")
    made = RunFolder.create(tmp_path / "r", "alphazero", config.resolved())
    first = run(AlphaZeroTrainer(config, made.path, InlineWorkers(), NoLog()), Budget(iterations=1), NoLog(), made)
    whole = 0.7 * first["loss_policy"] + 0.1 * first["loss_value"] + 0.2 * first[f"loss_{head}"]
    assert first["loss"] == pytest.approx(whole, rel=1e-5) and "teacher_explained" in first
    teacher = (made.path / "teacher.safetensors").read_bytes()
    trainer = AlphaZeroTrainer(config, made.path, InlineWorkers(), NoLog())
    second = run(trainer, Budget(iterations=2), NoLog(), made)
    assert (made.path / "teacher.safetensors").read_bytes() == teacher and "teacher_explained" not in second
    assert isinstance(trainer.batcher.teacher, TeacherNet) and not trainer.learner.network.heads


def test_a_teacher_needs_games_and_one_board(folder: Path) -> None:
    with pytest.raises(ValueError, match=r"needs teacher\.games"):
        check_config(settings(folder, "teacher", teacher={}), "here")
    many = {"network": {"kind": "tengen", "heads": {"teacher": 0.2}}, "board": {"k": 4, "sizes": {"6": 1, "7": 1}}}
    with pytest.raises(ValueError, match="one board size"):
        check_config(settings(folder, "teacher", **many), "here")
