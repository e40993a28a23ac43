"""`tengen solve` as a user runs it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tengen.cli.app import main

OPEN_THREE = '{"side":"B","black":[[6,7],[7,7],[8,7]],"white":[[0,0],[0,2],[0,4]]}'
NOTHING = '{"side":"W","black":[[6,7],[7,7],[8,7]],"white":[[0,0],[0,2],[0,4]]}'


def run(*args: str) -> int:
    try:
        main(["solve", *args])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def write(folder: Path, *lines: str) -> str:
    file = folder / "positions.jsonl"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


@pytest.mark.parametrize("mode", ["vcf", "vct"])
def test_one_line_each_and_a_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str) -> None:
    assert run(write(tmp_path, OPEN_THREE, "", NOTHING), "--mode", mode, "--nodes", "20000") == 0
    out, err = capsys.readouterr()
    first, second = map(json.loads, out.splitlines())
    assert set(first) == {"solved", "moves", "nodes", "seconds"}
    assert first["solved"] and first["moves"][0] in ([5, 7], [9, 7]) and len(first["moves"]) == 3
    assert not second["solved"] and second["moves"] == []
    assert "2 positions: 1 solved" in err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(OPEN_THREE + "\n"))
    assert run("-", "--rule", "renju", "--seconds", "1") == 0
    assert json.loads(capsys.readouterr().out)["solved"]


BAD_LINES = [
    ("nonsense", "not JSON"),
    ("[1, 2]", "side, black and white"),
    ('{"side":"B","black":[]}', "side, black and white"),
    ('{"side":"X","black":[],"white":[]}', "write B or W"),
    ('{"side":"B","black":7,"white":[]}', "black is not a list"),
    ('{"side":"B","black":[[1]],"white":[]}', "a stone is [x, y]"),
    ('{"side":"B","black":[[1,true]],"white":[]}', "a stone is [x, y]"),
    ('{"side":"B","black":[[1,15]],"white":[]}', "off the board"),
    ('{"side":"B","black":[[1,2]],"white":[[1,2]]}', "share a cell"),
    ('{"side":"B","black":[[0,0],[1,0],[2,0],[3,0],[4,0]],"white":[]}', "holds a five"),
]


@pytest.mark.parametrize("line,message", BAD_LINES)
def test_a_bad_line_stops(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, message: str) -> None:
    assert run(write(tmp_path, OPEN_THREE, line, OPEN_THREE)) == 2
    out, err = capsys.readouterr()
    assert "line 2" in err and message in err
    assert len(out.splitlines()) == 1


def test_bad_lines_are_passed_over_when_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, *(line for line, _ in BAD_LINES), OPEN_THREE)
    assert run(file, "--on-error", "skip") == 0
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == len(BAD_LINES) + 1 and rows[-1]["solved"]
    assert all("error" in row and not row["solved"] for row in rows[:-1])
    assert f"{len(BAD_LINES)} bad lines" in err


@pytest.mark.parametrize(
    "args,message",
    [
        (["missing.jsonl"], "missing.jsonl"),
        (["-", "--rule", "chess"], "'freestyle', 'standard', 'renju', 'caro'"),
        (["-", "--size", "99"], "99x99"),
        (["-", "--seconds", "0"], "seconds = 0"),
    ],
)
def test_bad_options(capsys: pytest.CaptureFixture[str], args: list[str], message: str) -> None:
    assert run(*args) == 2
    assert message in capsys.readouterr().err
