"""`tengen library`, `tengen book` and `pbrain-tengen --book` from the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(*args: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *args], capture_output=True, text=True, input=text, timeout=120, check=False
    )


def test_the_library_from_the_command_line(tmp_path: Path) -> None:
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[4]SZ[15]PB[Ann]PW[Bo]RE[B+];B[hh];W[hg];B[ig])(;GM[4]SZ[15];B[hh];W[hh])")
    state = ("--state", str(tmp_path / "state"))
    done = run("tengen", "library", "import", str(games), *state)
    assert done.stdout == "1 new, 0 already there, 1 refused\n" and "games.sgf, game 2" in done.stderr
    listed = run("tengen", "library", "list", "--opening", "d4", *state)
    assert "Ann - Bo  black  3 moves" in listed.stdout and listed.stdout.endswith("1 games\n")
    assert "PB[Ann]" in run("tengen", "library", "export", *state).stdout
    (tmp_path / "state" / "study.sqlite").write_bytes(b"damaged" * 1000)
    broken = run("tengen", "library", "list", *state)
    assert "set aside" in broken.stderr and broken.stdout == "0 games\n"
    assert list((tmp_path / "state").glob("study-damaged-*"))


def test_the_book_is_shown_and_played_from() -> None:
    shown = run("tengen", "book", "show", "h8h9i9").stdout
    assert "Kagetsu" in shown and "for black" in shown
    assert run("tengen", "book", "make").returncode == 2
    talk = run("tengen.cli.pbrain", "--book", "random", text="START 15\nBOARD\n7,7,1\n7,6,2\nDONE\n").stdout
    assert any("," in line and line[0].isdigit() for line in talk.splitlines())
