"""The command line as a whole: its overview, mistakes, bugs, interrupts, and output that always arrives."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tengen
from tengen.cli.app import COMMANDS, GROUPS, main
from tengen.rules import Rule
from tests.helpers.signals import heed_ctrl_c
from tests.helpers.simulated import run_cli, simulate

ENV = os.environ | {"PYTHONPATH": str(Path(tengen.__file__).parents[1])}
FULL = Path("/dev/full")


def run(*args: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tengen", *args]
    defaults: dict[str, object] = {"stdout": subprocess.PIPE, "env": ENV}
    return subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=120, **(defaults | options))  # type: ignore[call-overload, no-any-return]


def test_the_overview_lists_every_command_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run_cli(capsys, "--help")
    assert [line[:-1] for line in out.splitlines() if line.endswith(":")] == list(GROUPS)
    assert all(f"\n  {name:12}{text}" in out for name, text in COMMANDS.items())
    modules = {path.stem for path in (Path(tengen.__file__).parent / "cli").glob("*.py")
               if "\ndef command(" in path.read_text(encoding="utf-8")}  # fmt: skip
    assert modules == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_idiomatic(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capsys, name, "--help")
    words = " ".join(out.split())
    assert code == 0
    for odd in ("time a move", "nodes a move", "a core", " told", "so many", "come along", "goes on", "shall"):
        assert odd not in words, f"tengen {name} --help says '{odd}'"
    if "--rule" in words:
        assert f"--rule <{'|'.join(Rule)}>" in words


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["nothing"], "unknown command 'nothing'; choose one of play, terminal"),
        (["match"], "missing argument"),
        (["match", "random", "random", "--nothing"], "no such option"),
        (["match", "random", "random", "--games", "many"], "invalid value for '--games'"),
        (["match", "random", "random", "--rule", "chess"], "not one of 'freestyle', 'standard', 'renju', 'caro'"),
        (["match", "random", "random", "--out", "."], "is a directory"),
        (["sprt", "random", "greedy", "--out", "."], "is a directory"),
        (["tournament", "random", "greedy", "--out", __file__], "is a file"),
        (["rate", "nowhere.jsonl"], "there is no record file nowhere.jsonl"),
        (["plot", ""], "no run ''"),
        (["export", "", "--name", "x"], "no run ''"),
        (["puzzles", "list", os.devnull], "holds no puzzles"),
        (["puzzles", "list", "."], "is a directory"),
        (["bench", "--seconds", "0"], "invalid value for '--seconds'"),
        (["calibrate", "--size", "big"], "board size"),
        (["reproduce", "c-evaluation", "--budget", "soon"], "'soon' is not a time; write 90s, 30m or 2h"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(capsys: pytest.CaptureFixture[str], args: list[str], words: str) -> None:
    code, out, err = run_cli(capsys, *args)
    assert (code, out) == (2, "") and err.startswith("tengen: ") and err.count("\n") == 1
    assert words.lower() in err.lower()


def test_a_bug_shows_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.cli.players.players", lambda: {"broken": None})
    with pytest.raises(AttributeError):
        main(["players"])


def test_an_argument_that_is_not_text_is_one_line() -> None:
    done = subprocess.run([sys.executable, "-m", "tengen", "match", b"random\xff", "random"], env=ENV,
                          capture_output=True, timeout=60)  # fmt: skip
    assert done.returncode == 2 and b"not valid UTF-8" in done.stderr and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [(["solve", "-"], 2, b"line 1: not JSON"), (["terminal", "--player", "human"], 0, b"is not a cell")],
)
def test_input_that_is_not_text_is_a_mistake(args: list[str], code: int, words: bytes) -> None:
    command = [sys.executable, "-m", "tengen", *args]
    done = subprocess.run(command, input=b"\xff\xfe\n", env=ENV, capture_output=True, timeout=60)
    assert done.returncode == code and words in done.stdout + done.stderr and b"Traceback" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("args", [["players"], ["--help"], ["train", "--keys"]])
def test_a_full_disk_is_one_line(args: list[str]) -> None:
    with FULL.open("w") as full:
        done = run(*args, stdout=full)
    assert done.returncode == 2 and done.stderr == "tengen: cannot write the output: No space left on device\n"


def test_a_failed_write_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The system does not say which file a full disk has no room for."""

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tengen.files.os.fsync", full)
    args = "match random random --size 6 --games 1 --workers 1 --out games.jsonl"
    code, _, err = run_cli(capsys, *args.split())
    assert (code, err) == (2, "tengen: games.jsonl: No space left on device\n")


def test_a_closed_pipe_is_quiet() -> None:
    process = subprocess.Popen([sys.executable, "-m", "tengen", "train", "--keys"], env=ENV, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)  # fmt: skip
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.stderr.read() == b"" and process.wait(60) == 1


def test_an_ascii_terminal_gets_the_whole_result() -> None:
    env = ENV | {"PYTHONIOENCODING": "ascii"}
    args = ["match", "random", "random", "--size", "6", "--k", "4", "--games", "2", "--workers", "1"]
    done = run(*args, env=env)
    assert done.returncode == 0 and "pairs by points 0, 1/2, 1, 11/2, 2:" in done.stdout
    assert "Elo difference" in done.stdout and done.stdout.isascii()


def test_a_name_the_encoding_lacks_is_printed_as_far_as_it_goes(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    games = simulate({"天元": 100, "random": 0}, 10)
    file.write_text("".join(game.to_json() + "\n" for game in games), encoding="utf-8")
    done = run("rate", str(file), "--bootstrap", "0", env=ENV | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "\n??  " in done.stdout and "first-move advantage" in done.stdout
    as_json = run("rate", str(file), "--bootstrap", "0", "--json", env=ENV | {"PYTHONIOENCODING": "ascii"})
    assert {row["player"] for row in json.loads(as_json.stdout)["ratings"]} == {"天元", "random"}


def test_almost_nothing_is_imported_before_ctrl_c_is_handled() -> None:
    code = "import sys; before = set(sys.modules); import tengen.cli; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.startswith("tengen")}
    assert ours == {"tengen", "tengen.cli", "tengen.cli.interrupts"} and "typing" not in done.stdout.split()


@pytest.mark.parametrize("delay", [0.0, 0.03, 0.08, 0.15, 0.25, 0.5, 1.0])
def test_ctrl_c_at_any_moment_is_quiet(delay: float) -> None:
    """From the first thing that `main` does, which is to take care of Ctrl-C."""
    ready = ("import sys; from tengen.cli import leave_on_interrupt, main; leave_on_interrupt(); print(flush=True); "
             "main(sys.argv[1:])")  # fmt: skip
    args = ["match", "minimax", "minimax", "--games", "1000", "--workers", "1"]
    process = subprocess.Popen([sys.executable, "-c", ready, *args], env=ENV, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c)  # fmt: skip
    assert process.stdout and process.stdout.readline() == "\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err == ""
