"""`tengen runs`, `plot` and `export` on a small run, and the displays."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from matplotlib.figure import Figure

from tests.helpers.paths import ROOT

torch = pytest.importorskip("torch")

from tengen.board import Board  # noqa: E402
from tengen.cli.app import main  # noqa: E402
from tengen.cli.display import LiveDisplay, PlainDisplay, time_left  # noqa: E402
from tengen.registry import create  # noqa: E402
from tengen.rules import Limit, Variant  # noqa: E402
from tengen.training.alphazero.config import check_config  # noqa: E402
from tengen.training.alphazero.trainer import AlphaZeroTrainer  # noqa: E402
from tengen.training.run.logs import NoLog, TensorBoardLog  # noqa: E402
from tengen.training.run.loop import Budget, RunFolder, run  # noqa: E402
from tengen.training.run.plots import _panel  # noqa: E402
from tengen.training.run.workers import InlineWorkers  # noqa: E402
from tests.helpers.screen import shown  # noqa: E402

SETTINGS = {
    "name": "small",
    "board": {"width": 6, "height": 6, "k": 4},
    "network": {"kind": "base"},
    "selfplay": {"games": 6, "slots": 6, "sims_first": 4, "sims_last": 4},
    "learn": {"batch": 16, "threads": 1},
    "ladder": {"opponents": ["random"], "games": 2, "every": 2, "sims": 4},
}


def tengen(*args: str) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as end:
        main(list(args))
    return int(end.value.code or 0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    config = check_config(SETTINGS, "here")
    made = RunFolder.create(folder / "small", "alphazero", config.resolved())
    log = TensorBoardLog(made.path / "tensorboard", 1)
    run(AlphaZeroTrainer(config, made.path, InlineWorkers(), log), Budget(iterations=3), log, made)
    log.close()
    return folder


def test_the_run_left_its_traces(runs: Path) -> None:
    path = runs / "small"
    assert len(RunFolder.open(path).read_metrics()) == 3
    assert len((path / "samples.jsonl").read_text().splitlines()) == 6
    assert len((path / "ladder.jsonl").read_text().splitlines()) == 2
    assert list((path / "tensorboard").glob("events*"))


def test_every_metric_is_explained(runs: Path) -> None:
    page = (ROOT / "docs" / "training.md").read_text()
    names = {key.partition("/")[0] for row in RunFolder.open(runs / "small").read_metrics() for key in row}
    assert [name for name in sorted(names) if name not in page] == []


def test_runs_are_listed(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / "broken").mkdir(exist_ok=True)
    (runs / "broken" / "run.json").write_text("{")
    assert tengen("runs", str(runs)) == 0
    output = capsys.readouterr().out
    assert "small" in output and "6x6 k=4" in output and "unreadable" in output


def test_a_run_is_drawn(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tengen("plot", "small", "--runs", str(runs), "--out", str(tmp_path / "a.png")) == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert tengen("plot", "small", "--runs", str(runs), "--out", str(tmp_path / "a.xyz")) == 2
    assert "ends in .png" in capsys.readouterr().err


@pytest.mark.parametrize(("iterations", "marker"), [(1, "."), (3, "."), (100, "")])
def test_few_points_are_drawn_as_points(iterations: int, marker: str) -> None:
    rows = [{"iteration": float(i), "games": 6.0 * i, "rate": 0.1} for i in range(1, iterations + 1)]
    axis = Figure().subplots()
    _panel(axis, rows, "learning rate", ("rate",), True)
    assert [(len(line.get_xdata()), line.get_marker()) for line in axis.get_lines()] == [(iterations, marker)]


def test_an_exported_model_plays(runs: Path, tmp_path: Path) -> None:
    assert tengen("export", "small", "--name", "mine", "--runs", str(runs), "--out", str(tmp_path)) == 0
    card = json.loads((tmp_path / "mine.json").read_text())
    model = (tmp_path / "mine.onnx").read_bytes()
    assert card["onnx_sha256"] == hashlib.sha256(model).hexdigest()
    assert (card["network"], card["encoding"], card["width"], card["k"]) == ("base", "stones", 6, 4)
    assert card["training"]["iteration"] == 3 and card["seed"] == 1
    (strength,) = card["strength"]
    assert strength["opponent"] == "random" and strength["iteration"] == 2
    assert strength["wins"] + strength["draws"] + strength["losses"] == 2
    decision = create(f"alphazero:model={tmp_path / 'mine.onnx'},sims=8").choose(Board(Variant(6, k=4)), Limit())
    assert Board(Variant(6, k=4)).is_legal(decision.move)
    shape = onnxruntime.InferenceSession(model).run(None, {"planes": np.zeros((2, 4, 6, 6), np.float32)})[0].shape
    assert shape == (2, 36)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["small", "--name", "../x"], "not a model name"),
        (["nobody", "--name", "x"], "no run 'nobody'"),
        (["small", "--name", "x", "--iteration", "77"], "no checkpoint 77"),
    ],
)
def test_a_wrong_export_is_refused(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], message: str
) -> None:
    assert tengen("export", *args, "--runs", str(runs), "--out", str(tmp_path)) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_export_does_not_overwrite(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.onnx").write_text("precious")
    assert tengen("export", "small", "--name", "x", "--runs", str(runs), "--out", str(tmp_path)) == 2
    assert "exists already" in capsys.readouterr().err and (tmp_path / "x.onnx").read_text() == "precious"


def test_a_pool_that_is_not_full_only_plays(tmp_path: Path) -> None:
    config = check_config(SETTINGS | {"pool": {"fill": 10**6}}, "here")
    folder = RunFolder.create(tmp_path / "r", "alphazero", config.resolved())
    metrics = run(
        AlphaZeroTrainer(config, folder.path, InlineWorkers(), NoLog()), Budget(iterations=1), NoLog(), folder
    )
    assert metrics["steps"] == 0 and metrics["games"] == 6 and "loss" not in metrics


def test_plain_lines_tell_the_figures(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = RunFolder.open(runs / "small").read_metrics()[1]
    PlainDisplay(Budget(iterations=4)).write(2, row)
    line = capsys.readouterr().out
    for part in ("iteration 2", "games 12", "loss", "KL", "random", "left"):
        assert part in line


def test_the_live_display_draws_history_and_progress(runs: Path) -> None:
    display = LiveDisplay("small", Budget(iterations=4), RunFolder.open(runs / "small").read_metrics())
    display.progress("play", 3, 6)
    text = shown(display)
    for part in ("small: iteration 3", "against random", "playing", "3/6", "policy loss"):
        assert part in text


@pytest.mark.parametrize(
    ("budget", "text"), [(Budget(), "no end set"), (Budget(seconds=400), "0:05:00 left"), (Budget(games=10), "0:00:00")]
)
def test_time_left(budget: Budget, text: str) -> None:
    assert text in time_left(3, {"seconds": 100.0, "games": 10.0}, budget)


def test_before_the_first_iteration_an_end_is_set_but_no_pace_known() -> None:
    assert time_left(0, {}, Budget(games=10)) == "pace not known yet"
