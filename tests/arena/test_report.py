"""Reports: pages that stand alone, pictures that exist, tables that add up."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.archive import RecordCache
from tengen.arena.collection import checked
from tengen.arena.report import charts
from tengen.arena.report.build import current_report
from tengen.arena.report.facts import gather, short_labels
from tengen.arena.report.page import chosen_games, page
from tengen.arena.report.table import COLUMNS, games_csv
from tengen.errors import TengenError
from tengen.records import GameRecord
from tengen.rules import Color, Result, Termination
from tests.helpers.simulated import run_cli, simulate

ELOS = {"random": -300.0, "minimax:depth=2": 0.0, "minimax:depth=3": 100.0}


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    games = simulate(ELOS, 12, nu=0.8, first=50)
    games[5] = replace(games[5], result=Result.WHITE, termination=Termination.CRASH, detail="<b>died</b> </script>")
    return games


@pytest.fixture(scope="module")
def folder(records: list[GameRecord], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records")
    (path / "games.jsonl").write_text("\n".join(game.to_json() for game in records) + "\n")
    return path


def test_report_command_writes_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capsys, "report", folder, "--title", "Three <players>", "--bootstrap", "20")
    assert code == 0 and "72 games" in out
    report = folder / "report"
    svgs = sorted(path.stem for path in report.glob("*.svg"))
    assert svgs == sorted(path.stem for path in report.glob("*.png")) and len(svgs) == 15
    assert sum(name[:2].isdigit() for name in svgs) == 11
    assert all((report / f"{name}.png").read_bytes().startswith(b"\x89PNG") for name in svgs)
    text = (report / "report.html").read_text()
    assert "Three &lt;players&gt;" in text and text.count("data:image/svg+xml;base64") == 15
    assert not re.search(r'(?:src|href)="(?!data:)', text) and "http" not in re.sub(
        r"http://www\.w3\.org/\S+", "", text
    )


def test_the_page_escapes_what_engines_say(records: list[GameRecord]) -> None:
    text = page(gather(checked(records), bootstrap=0), [])
    data = re.search(r'id="games">(.*?)</script>', text, re.DOTALL)
    assert data and "died" in data[1]
    games = json.loads(data[1])
    assert games["games"][0]["detail"] == "<b>died</b> </script>" and len(games["games"]) == 72


@pytest.mark.parametrize("name", ["<!--<script>", "<script>", "</script><!--", "<!--"])
def test_no_name_ends_the_list_of_games(records: list[GameRecord], name: str) -> None:
    renamed = [replace(r, black=name) if r.black == "random" else r for r in records]
    renamed = [replace(r, white=name) if r.white == "random" else r for r in renamed]
    text = page(gather(checked(renamed), bootstrap=0), [])
    data = text.split('id="games">')[1].split("</script>")[0]
    assert "<" not in data
    assert {g["black"] for g in json.loads(data)["games"]} >= {name}


def test_a_report_is_drawn_once_for_the_same_games(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "CHARTS", charts.CHARTS[:1])  # all of them are drawn by the test of the command
    games, out, cache = tmp_path / "games.jsonl", tmp_path / "report", RecordCache()
    with pytest.raises(TengenError, match="no game"):
        current_report(cache, games, out, "One")
    games.write_bytes((folder / "games.jsonl").read_bytes())
    first = current_report(cache, games, out, "One")
    drawn = first.stat().st_mtime_ns
    assert current_report(cache, games, out, "One") == first and first.stat().st_mtime_ns == drawn
    assert current_report(RecordCache(), games, out, "One").stat().st_mtime_ns == drawn
    assert current_report(cache, games, out, "Two").stat().st_mtime_ns > drawn
    with games.open("a") as file:
        file.write(simulate(ELOS, 1, seed=2)[0].to_json() + "\n")
    assert "73 games" in current_report(cache, games, out, "Two").read_text()


def test_facts_add_up(records: list[GameRecord]) -> None:
    facts = gather(checked(records), bootstrap=0)
    assert len(facts.pairings) == 3 and sum(p.score.games for p in facts.pairings) == 72
    for player in facts.players:
        games = [r for r in records if player in (r.black, r.white)]
        assert sum(facts.terminations[player].values()) == len(games)
        black = [r.score(Color.BLACK) for r in games if r.black == player]
        assert facts.by_color[player][0].value == pytest.approx(sum(black) / len(black))
    assert sum(fact.games for fact in facts.openings) == 72
    values = [fact.black_score.value for fact in facts.openings]
    assert values == sorted(values, reverse=True)
    assert sum(ends["lost: crash"] for ends in facts.terminations.values()) == 1


def test_csv_has_one_line_a_game(records: list[GameRecord]) -> None:
    rows = list(csv.DictReader(io.StringIO(games_csv(records))))
    assert tuple(rows[0]) == COLUMNS and len(rows) == 72
    for row, record in zip(rows, records, strict=True):
        assert row["first_player"] == record.black and int(row["moves"]) == len(record.moves)
        assert float(row["duration"]) == pytest.approx(sum(record.seconds), abs=2e-3)
        assert float(row["black_seconds"]) + float(row["white_seconds"]) == pytest.approx(sum(record.seconds), abs=2e-3)
        expected = {"": "draw", row["player1"]: "win", row["player2"]: "loss"}[row["winner"]]
        assert row["result"] == expected


def test_labels_are_short_and_unique() -> None:
    players = ["alphabeta", "alphazero:model=base-9,sims=400", "alphazero:model=big-9,sims=400", "mcts@1s", "mcts@2s"]
    labels = short_labels(players)
    assert list(labels.values()) == ["alphabeta", "alphazero base-9", "alphazero big-9", "mcts @1s", "mcts @2s"]
    long = short_labels([f"gomocup:cmd=/a/very/long/path/to/some/engine/number-{i}" for i in range(3)])
    assert len(set(long.values())) == 3 and max(map(len, long.values())) <= 31


def test_games_of_the_page_come_from_every_pairing(records: list[GameRecord]) -> None:
    games = chosen_games(records, most=10)
    assert games[0].termination == Termination.CRASH and len(games) <= 10
    assert len({frozenset((g.black, g.white)) for g in games}) == 3


def test_ten_thousand_records_are_counted_quickly() -> None:
    """The pictures cost a fixed time; what grows with the records must stay small beside it."""
    games = simulate(dict.fromkeys("abcdefghij", 0.0), 111)
    start = time.process_time()
    facts = gather(checked(games))
    games_csv(games)
    page(facts, [])
    assert len(games) == 9990 and time.process_time() - start < 4
