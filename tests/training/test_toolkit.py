"""A researcher's own network, planes and logger, from one file and from Python; models where the user keeps them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

import tengen
from tengen import plugins
from tengen.errors import TengenError
from tengen.inference.models import load_model
from tengen.inference.onnx import providers
from tengen.plugins import FILES, PluginError
from tengen.training.run.device import available, chosen
from tengen.training.run.logs import GuardedLog
from tengen.training.samples.tactics import KINDS
from tests.helpers.paths import ROOT

EXAMPLE = ROOT / "examples" / "pebble_net.py"
TINY = {
    "selfplay": {"games": 4, "slots": 4, "sims_first": 4, "sims_last": 4},
    "learn": {"batch": 16, "max_steps": 2, "threads": 1},
    "ladder": {"opponents": []},
    "budget": {"iterations": 1, "minutes": 0},
}
PEBBLE = {"kind": "pebble", "encoding": "own-view", "channels": 4, "blocks": None}


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FILES, "")
    monkeypatch.setenv("TENGEN_DATA", str(tmp_path / "data"))


def test_one_file_brings_network_planes_and_logger_to_the_command(tmp_path: Path) -> None:
    settings = tmp_path / "my.toml"
    settings.write_text(
        '[board]\nwidth = 6\nheight = 6\nk = 4\n[network]\nkind = "pebble"\nencoding = "own-view"\nchannels = 4\n'
        "[selfplay]\ngames = 4\nslots = 4\nsims_first = 4\nsims_last = 4\n[learn]\nbatch = 16\nmax_steps = 2\n"
        "[budget]\niterations = 1\n"
    )
    words = ["train", str(settings), "--import", str(EXAMPLE), "--log", "table", "--workers", "1", "--plain"]
    done = subprocess.run([sys.executable, "-m", "tengen", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "runs/my/table.txt").read_text().startswith("1 4 ")
    assert json.loads((tmp_path / "runs/my/run.json").read_text())["imports"] == [str(EXAMPLE)]
    words = ["export", "my", "--name", "mine", "--hub", "hub"]  # the run remembers its file
    done = subprocess.run([sys.executable, "-m", "tengen", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "hub/mine").iterdir()} == {
        "README.md", "mine.json", "mine.onnx", "model.safetensors"
    }  # fmt: skip
    model = load_model("mine")
    assert model.path == tmp_path / "data/models/mine.onnx" and model.encoding == "shapes"
    assert model.card["revision"] and model.card["processor"]
    page = (tmp_path / "hub/mine/README.md").read_text()
    assert page.startswith("---\n") and "4 in a row" in page


def test_the_file_of_a_network_says_what_goes_in_and_comes_out(tmp_path: Path) -> None:
    plugins.use_files([EXAMPLE])
    run = tengen.train("quick", runs=tmp_path, network=PEBBLE, show=False, **TINY)
    path = run.export("mine").path
    said = {item.key: item.value for item in onnx.load(path).metadata_props}
    assert said["tengen.encoding"] == "shapes" and said["tengen.policy"].startswith("log-probabilities")
    planes = np.ones((3, 16, 6, 6), np.float32)
    policy, _ = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, {"planes": planes})
    assert np.allclose(np.exp(policy).sum(1), 1, atol=1e-5)


def test_a_run_from_python_can_be_read_resumed_and_played(tmp_path: Path) -> None:
    run = tengen.train("quick", runs=tmp_path, name="mine", seed=3, show=False, **TINY)
    assert run.config["seed"] == 3 and run.metrics[-1]["games"] == 4 and "mine" in repr(run)
    run.resume(budget={"iterations": 2}, show=False)
    assert tengen.Run("mine", tmp_path).curve("games") == ([4.0, 8.0], [4.0, 8.0])
    with pytest.raises(TengenError, match="has no metric 'elo'; it has"):
        run.curve("elo")
    board = tengen.Board(tengen.Variant(6, k=4))
    assert board.is_legal(run.player(sims=4).choose(board, tengen.Limit()).move)


WRONG = """
import torch, tengen
from tengen.nets.body import Options, Prediction

@tengen.network("wrong")
class Wrong(torch.nn.Module):
    size_free, encodings, options = False, ("stones",), Options
    features = 2
    def __init__(self, planes, width, height, options):
        super().__init__()
        self.conv = torch.nn.Conv2d(planes, 2, 3, padding=1)
    def forward(self, planes):
        x = self.conv(planes)
        %s
"""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("return Prediction(x[:, 0].flatten(1)[:, :5], x[:, 1].mean((1, 2)).tanh(), x)", r"policy has shape \(2, 5\)"),
        ("return x.no_such_thing", r"AttributeError at .*wrong\.py:14"),
        ("return Prediction(x[:, 0].flatten(1), 5 + x[:, 1].mean((1, 2)), x)", "a value is outside"),
    ],
)
def test_a_network_that_does_not_fit_is_named_before_a_run_exists(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "wrong.py").write_text(WRONG % line)
    plugins.use_files([tmp_path / "wrong.py"])
    with pytest.raises(PluginError, match=rf"network 'wrong' \(.*wrong\.py:5\).*{reason}"):
        tengen.train("quick", runs=tmp_path / "runs", network={"kind": "wrong", "blocks": None, "channels": None})
    assert not (tmp_path / "runs").exists()


def test_a_logger_that_fails_is_named_and_the_run_goes_on() -> None:
    class Bad:
        def write(self, iteration, metrics):
            raise RuntimeError("disk full")

    log = GuardedLog("bad", "here", Bad())
    log.progress("play", 0, 1)
    with pytest.warns(UserWarning, match=r"'bad' of here .*test_toolkit.py:\d+: disk full; it is left out"):
        log.write(1, {})
    log.write(2, {})


def test_what_does_not_exist_is_answered_with_what_does(tmp_path: Path) -> None:
    with pytest.raises(TengenError, match=r"choose auto or one of .*cpu"):
        providers("abacus")
    assert providers("cpu") == ["CPUExecutionProvider"]
    missing = next(name for name in ("cuda", "mps") if name not in available())
    with pytest.raises(TengenError, match=f'learn.device = "{missing}" is not available here; choose auto or'):
        chosen(missing)
    for experiment in ("quick", "ppo-6", "dqn-7"):
        with pytest.raises(TengenError, match="is not available here"):
            tengen.train(experiment, runs=tmp_path, learn={"device": missing})
    assert chosen("auto").type == available()[0]
    with pytest.raises(TengenError, match="unknown logger 'none'"):
        tengen.train("quick", runs=tmp_path, log=["none"], **TINY)


def test_a_ladder_shows_the_untrained_control_and_the_tactics_probe(tmp_path: Path) -> None:
    ladder = {"opponents": ["random"], "games": 2, "every": 1, "sims": 4, "control": True, "probe": 2}
    run = tengen.train("quick", runs=tmp_path, show=False, **(TINY | {"ladder": ladder}))
    run.resume(budget={"iterations": 2}, show=False)
    first, second = run.metrics
    assert 0 <= first["control/random"] <= 100 and "control/random" not in second
    for row in run.metrics:
        assert {f"{how}/{kind}" for how in ("policy", "search") for kind in KINDS} <= row.keys()
    assert run.export("mine").card["tactics"]["search/five"] == second["search/five"]
