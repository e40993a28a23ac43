"""The commands on DQN runs: starts that fail leave nothing, a resume tells its budget, displays show what DQN has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import tengen
from tengen.cli.app import main
from tengen.cli.display import LiveDisplay, PlainDisplay
from tengen.provenance import versions
from tengen.training.run.loop import Budget, RunFolder
from tests.helpers.screen import shown

CONFIG = """
method = "dqn"
[env]
width = 4
height = 4
k = 3
opponent = "random"
[network]
body = "dense"
[play]
boards = 4
steps = 4
first_random = 0
[learn]
batch = 8
fill = 8
memory = 100
threads = 1
[evaluate]
every = 1
games = 4
[budget]
iterations = 1
"""
PLAIN = "[budget]\niterations = 1\n[selfplay]\ngames = 1\n[ladder]\nevery = 1\n"
WARM = 'name = "warm"\n[warm]\niterations = 1\ngames = ["nowhere"]\n'
ROW = {"epsilon": 0.5, "reward": 1.5, "train_win": 0.25, "games": 8.0, "iteration": 1.0, "seconds": 1.0}
MEASURED = {"eval_win": 0.75, "eval_draw": 0.05, "eval_loss": 0.2}


def command(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main([str(arg) for arg in args])
    caught = capsys.readouterr()
    return int(end.value.code or 0), caught.out + caught.err


@pytest.fixture
def runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder with one small run."""
    (tmp_path / "tiny.toml").write_text(CONFIG)
    assert command(capsys, "train", tmp_path / "tiny.toml", "--runs", tmp_path, "--plain")[0] == 0
    return tmp_path


def about(run: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((run / "run.json").read_text())
    return data


def test_a_run_is_listed_goes_on_and_keeps_no_games(
    runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    _, listed = command(capsys, "runs", runs)
    assert "4x4 k=3 freestyle" in listed and "% won, " in listed and "None" not in listed
    more = ("train", "--resume", "tiny", "--runs", runs, "--plain")
    assert "iteration 2" in command(capsys, *more, "--set", "budget.iterations=2")[1]
    assert about(runs / "tiny")["config"]["budget"]["iterations"] == 2, "the card tells what was spent"
    assert command(capsys, *more, "--set", "budget.iterations=-1")[0] == 2
    assert about(runs / "tiny")["config"]["budget"]["iterations"] == 2, "what is refused is not stored"
    code, output = command(capsys, "features", runs / "tiny", "--out", runs / "x.npz")
    assert code == 2 and "is a run of method dqn, which keeps no games" in output


def test_a_run_without_settings_is_one_line(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = about(runs / "tiny")
    del data["config"]
    (runs / "tiny" / "run.json").write_text(json.dumps(data))
    code, output = command(capsys, "train", "--resume", "tiny", "--runs", runs)
    assert code == 2 and "has no settings" in output and len(output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "args", "message"),
    [
        (CONFIG, ["--set", "env.k=9"], "k"),
        (CONFIG, ["--set", "env.opening=12"], "opening = 12 is too many random stones on 4x4"),
        (CONFIG, ["--set", "won={share = 0.2, first = 1, stones = 2}"], "wins no game"),
        (WARM, [], "nowhere holds no games"),
        (PLAIN, ["--set", 'ladder.opponents=["dqn:model=dqn-7"]'], "plays 7x7, not 9x9"),
        (PLAIN, ["--set", 'ladder.opponents=["random"]', "--set", "ladder.openings=none.txt"], "no openings 'none"),
    ],
)
def test_a_start_that_fails_leaves_nothing(
    text: str, args: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new.toml").write_text(text)
    for _ in range(2):
        code, output = command(capsys, "train", tmp_path / "new.toml", "--runs", tmp_path, *args)
        assert code == 2 and message in output and "exists already" not in output
    assert [path.name for path in tmp_path.iterdir()] == ["new.toml"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["dqn:model=dqn-7"], "plays 7x7, not 9x9"),
        (["random", "--openings", "none.txt"], "no openings"),
        (["nobody"], "unknown player"),
    ],
)
def test_games_that_cannot_begin_leave_no_folder(
    args: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        code, output = command(capsys, "games", *args, "--out", tmp_path / "games", "--workers", "1")
        assert code == 2 and message in output
    assert not list(tmp_path.iterdir())


def test_the_live_display_keeps_the_last_evaluation() -> None:
    display = LiveDisplay("small", Budget(iterations=4), [ROW | MEASURED])
    display.write(2, ROW)
    display.progress("won games", 3, 6)
    text = shown(display)
    for part in ("epsilon", "0.500", "reward", "wins in training", "gathering won games"):
        assert part in text
    assert "75% won, 5% drawn, 20% lost" in text
    assert "simulations" not in text


SEEN = {
    "ladder/greedy": 60.0,
    "ladder_wins/greedy": 6.0,
    "control/greedy": 5.0,
    "policy/five": 40.0,
    "search/five": 95.0,
}


def test_a_ladder_stands_beside_the_untrained_network_and_the_probe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = PlainDisplay(Budget(iterations=4))
    plain.write(1, ROW | SEEN)
    plain.write(2, ROW | {"ladder/greedy": 70.0})
    first, second = capsys.readouterr().out.splitlines()
    assert "greedy 60 % (+6 =0 -0) untrained 5 %" in first and "sees five at hand 40/95 %" in first
    assert "greedy 70 %" in second and "untrained 5 %" in second, "the control is measured once"
    monkeypatch.setenv("COLUMNS", "120")
    text = shown(LiveDisplay("small", Budget(iterations=4), [ROW | SEEN]))
    assert "untrained 5 %" in text and "five at hand 40/95" in text and "fraction of exploring moves" in text


def test_plain_lines_tell_an_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    PlainDisplay(Budget(iterations=4)).write(1, ROW | MEASURED)
    PlainDisplay(Budget(iterations=4)).write(2, ROW)
    first, second = capsys.readouterr().out.splitlines()
    assert "epsilon 0.500" in first and "evaluation 75% won" in first and "evaluation" not in second


def test_a_run_that_has_games_is_not_removed(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", "alphazero", {})
    (folder.path / "games" / "000001.npz").touch()
    folder.remove_if_nothing_was_done()
    assert (folder.path / "games" / "000001.npz").exists()


def test_cards_name_our_version(tmp_path: Path) -> None:
    assert versions()["tengen"] == tengen.__version__
    folder = RunFolder.create(tmp_path / "run", "dqn", {"a": 1})
    folder.change({"a": 2})
    assert about(tmp_path / "run")["config"] == {"a": 2} and about(tmp_path / "run")["versions"] == versions()
