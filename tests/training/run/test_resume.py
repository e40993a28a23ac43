"""A run killed at any moment, a save included, ends in the same network as one that was left alone."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from tengen.cli.app import main
from tengen.records import read_records
from tengen.training.run.loop import RunFolder
from tests.helpers.signals import heed_ctrl_c

CONFIG = """
seed = 3
[board]
width = 6
height = 6
k = 4
sizes = { 6 = 2, 7 = 1 }
[network]
blocks = 1
channels = 8
heads = { counts = 0.1, soon = 0.1, five = 0.1 }
[selfplay]
games = 12
slots = 4
sims_first = 4
sims_last = 8
sims_iterations = 4
[search]
opening_moves_max = 3
cache_size = 1000
[pool]
window = 60
growth = 0.3
lost_weight = 0.0
spread_wins = true
leaves = 2
surprise = 0.5
[learn]
batch = 32
kl_steps = 5
threads = 1
[ladder]
opponents = ["random"]
games = 2
every = 2
sims = 4
[budget]
iterations = 5
"""

KILLER = """
import os, signal, sys
calls = int(sys.argv.pop(1))
def counted(function):
    def call(*args, **keys):
        global calls
        calls -= 1
        if calls == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **keys)
    return call
os.replace = counted(os.replace)
from tengen.cli.app import main
main(sys.argv[1:])
"""


def begin(tmp_path: Path, *args: str, workers: int = 2, kill_at_rename: int = 0) -> subprocess.Popen[bytes]:
    """The command in a process of its own, which can be killed."""
    script = ["-c", KILLER, str(kill_at_rename)] if kill_at_rename else ["-m", "tengen"]
    command = [sys.executable, *script, "train", "--runs", str(tmp_path), "--workers", str(workers), *args]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=heed_ctrl_c
    )


def train(tmp_path: Path, *args: str) -> None:
    """The command to its end, in this process: much faster than another one that loads torch."""
    try:
        main(["train", "--runs", str(tmp_path), "--workers", "1", *args])
    except SystemExit as end:
        assert not end.code


def state(path: Path) -> dict[str, object]:
    """All that must be the same: weights, optimiser, games, counters, metrics without times, sample games."""
    run = RunFolder.open(path)
    checkpoint = run.checkpoint()
    hashes = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in checkpoint.glob("*.safetensors")}
    games = {p.name: [np.load(p)[key].tobytes() for key in ("moves", "policies")] for p in (path / "games").iterdir()}
    timed = ("seconds", "_per_second")
    metrics = [{k: v for k, v in row.items() if not k.endswith(timed)} for row in run.read_metrics()]
    samples = [(r.moves, r.winner, r.tags) for r in read_records(path / "samples.jsonl")]
    ladder = [(r.moves, r.winner, r.tags) for r in read_records(path / "ladder.jsonl")]
    return {"hashes": hashes, "games": games, "state": (checkpoint / "state.json").read_text(), "metrics": metrics,
            "samples": samples, "ladder": ladder, "checkpoints": run.iterations()}  # fmt: skip


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    (folder / "tiny.toml").write_text(CONFIG)
    train(folder, str(folder / "tiny.toml"))
    assert len(RunFolder.open(folder / "tiny").read_metrics()) == 5
    return folder


def test_killed_anywhere_it_resumes_exactly(undisturbed: Path) -> None:
    """Two kills at random times of the running command, workers included, then a resume to the end."""
    seed = int(time.time())
    print(f"kills by seed {seed}")  # pytest shows it when the test fails
    rng = np.random.default_rng(seed)
    args = [str(undisturbed / "tiny.toml"), "--name", "killed"]
    for _ in range(2):
        process = begin(undisturbed, *args)
        until = time.monotonic() + 60
        while not (undisturbed / "killed" / "run.json").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(float(rng.uniform(0.3, 4.0)))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        args = ["--resume", "killed"]
    train(undisturbed, *args)
    assert state(undisturbed / "killed") == state(undisturbed / "tiny")


@pytest.mark.parametrize("rename", [5, 16])
def test_killed_in_the_middle_of_a_save(undisturbed: Path, rename: int) -> None:
    name = f"save-{rename}"
    process = begin(undisturbed, str(undisturbed / "tiny.toml"), "--name", name, workers=1, kill_at_rename=rename)
    process.communicate(timeout=200)
    assert process.returncode == -signal.SIGKILL
    train(undisturbed, "--resume", name)
    assert state(undisturbed / name) == state(undisturbed / "tiny")


def test_a_longer_budget_goes_on(undisturbed: Path) -> None:
    train(undisturbed, str(undisturbed / "tiny.toml"), "--name", "short", "--set", "budget.iterations=3")
    train(undisturbed, "--resume", "short", "--set", "budget.iterations=5")
    assert state(undisturbed / "short") == state(undisturbed / "tiny")


def test_ctrl_c_ends_at_once_and_says_how_to_go_on(undisturbed: Path) -> None:
    slow = ["--set", "selfplay.sims_first=20000", "--set", "selfplay.sims_last=20000"]
    process = begin(undisturbed, str(undisturbed / "tiny.toml"), "--name", "stopped", *slow)
    until = time.monotonic() + 60
    while _worker_seconds(process.pid) < 1.5 and time.monotonic() < until:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0].decode()
    assert process.returncode == 130 and "resume with: tengen train --resume" in output
    assert "Traceback" not in output


def _worker_seconds(group: int) -> float:
    """Most processor time of a process of the group, its leader aside: above a second or so, games are played."""
    ticks = [0]
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group and file.parent.name != str(group):
            ticks.append(int(fields[11]) + int(fields[12]))
    return max(ticks) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--resume", "nobody"], "no run 'nobody'; runs in"),
        (["--resume", "tiny", "--set", "learn.batch=8"], "may change only budget"),
        (["tiny.toml", "--name", "new", "--workers", "0"], "choose 1 or more"),
        (["tiny.toml", "--name", "tiny"], "exists already"),
        (["nothing.toml"], "nothing.toml"),
        (["tiny.toml", "--set", "learn.bach=8"], "unknown key 'learn.bach'"),
        (["tiny.toml", "--set", "ladder.opponents=['chess']"], "unknown player 'chess'"),
        (["tiny.toml", "--set", "network.kind=base", "--set", "board.sizes={}"], "'base' has no option 'blocks'"),
        (["tiny.toml", "--set", "network.heads={eyes = 1}"], "unknown head 'eyes'"),
        ([], "give an experiment, or a run with --resume"),
    ],
)
def test_a_mistake_costs_one_line(
    undisturbed: Path, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {p.name for p in undisturbed.glob("*") if p.is_dir()}
    paths = [str(undisturbed / a) if a.endswith(".toml") else a for a in args]
    with pytest.raises(SystemExit) as end:
        main(["train", "--runs", str(undisturbed), *paths])
    output = capsys.readouterr().err
    assert end.value.code == 2 and message in output
    assert len(output.strip().splitlines()) == 1
    assert {p.name for p in undisturbed.glob("*") if p.is_dir()} == before
