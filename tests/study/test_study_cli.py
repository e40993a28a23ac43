"""`tengen library`, `tengen book` and `pbrain-tengen --book` from the command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tengen.cli.app import main


@dataclass(frozen=True, slots=True)
class Done:
    code: object
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """In this process, which has loaded everything already."""

    def tengen(*args: str) -> Done:
        with pytest.raises(SystemExit) as end:
            main(list(args))
        said = capsys.readouterr()
        return Done(end.value.code, said.out, said.err)

    return tengen


def test_the_library_from_the_command_line(tmp_path: Path, run: Run) -> None:
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[4]SZ[15]PB[Ann]PW[Bo]RE[B+];B[hh];W[hg];B[ig])(;GM[4]SZ[15];B[hh];W[hh])")
    state = ("--state", str(tmp_path / "state"))
    done = run("library", "import", str(games), *state)
    assert done.out == "1 new, 0 already in the library, 1 rejected\n" and "games.sgf, game 2" in done.err
    listed = run("library", "list", "--opening", "d4", *state)
    assert "Ann - Bo  black  3 moves" in listed.out and listed.out.endswith("1 game\n")
    assert "PB[Ann]" in run("library", "export", *state).out
    for path in (tmp_path / "state").iterdir():
        path.write_bytes(b"damaged" * 1000)
    broken = run("library", "list", *state)
    assert "was moved to" in broken.err and broken.out == "0 games\n"
    assert list((tmp_path / "state").glob("study-damaged-*"))


def test_the_book_is_shown(run: Run) -> None:
    shown = run("book", "show", "h8h9i9").out
    assert "Kagetsu" in shown and "for black" in shown
    assert run("book", "make").code == 2


def test_a_damaged_log_of_a_book_is_set_aside(tmp_path: Path, run: Run) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "book.npz"
    good = '{"moves":"","value":0.1,"winner":null,"tries":[["h8",0.1]],"cost":0.0}'
    log.write_text(f'{good}\n{{"moves":"h8","val{good}\n')
    packed = run("book", "pack", "--log", str(log), "--out", str(out))
    assert packed.code == 0 and "1 damaged lines left out" in packed.err
    assert log.read_text() == good + "\n" and (tmp_path / "log.jsonl.damaged").stat().st_size > len(good)
    log.write_text("no log at all\n")
    assert "is not the log of a book" in run("book", "pack", "--log", str(log), "--out", str(out)).err


def test_pbrain_plays_from_the_book() -> None:
    command = [sys.executable, "-m", "tengen.cli.pbrain", "--book", "random"]
    talk = subprocess.run(
        command, capture_output=True, text=True, input="START 15\nBOARD\n7,7,1\n7,6,2\nDONE\n", timeout=120, check=False
    ).stdout
    assert any("," in line and line[0].isdigit() for line in talk.splitlines())
