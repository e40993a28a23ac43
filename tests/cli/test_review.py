"""`tengen review`: the page's review at the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tengen.cli.app import main

GAME = "h8h9i8i9j8g8k8a1a3l8"


def run(*args: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["review", *args])
    return int(end.value.code or 0)


def test_each_move_comes_with_class_value_proof_and_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.pos"
    file.write_text(GAME, encoding="utf-8")
    assert run(str(file), "--json") == 0
    *rows, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [row["move"] for row in rows] == ["h8", "h9", "i8", "i9", "j8", "g8", "k8", "a1", "a3", "l8"]
    blunder = rows[7]
    assert blunder["class"] == "allowed-win" and blunder["value_after"] == -1.0
    assert blunder["reason"] == "leaves the four h8-k8 open: Black wins at l8"
    assert blunder["proof"] == {"winner": "black", "moves": 1, "by": "five", "line": "l8"}
    assert blunder["line"] == "l8" and blunder["line_from"] == "after"
    assert rows[8]["class"] == "missed-win" and rows[8]["line_from"] == "before"
    assert summary["turning_point"] == 9 and 0 < summary["accuracy"]["white"] < 100


def test_people_read_sentences(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a1a15b1b15c1c15d1d14e1"))
    assert run("-") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 12 and "makes five in a row" in lines[8]
    assert "leaves the four a1-d1 open: Black wins at e1" in lines[7]
    assert lines[-1] == "Turning point: move 8, d14"


@pytest.mark.parametrize("text", ["", "nonsense", "(;GM[4])"])
def test_what_holds_no_game_is_one_line(text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / ("game.sgf" if text.startswith("(") else "game.txt")
    file.write_text(text, encoding="utf-8")
    assert run(str(file)) == 2
    assert capsys.readouterr().err.count("\n") == 1
