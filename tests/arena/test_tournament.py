"""Tournaments: who meets whom, resuming, and the kill test."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tengen.arena.schedule import Conditions, record_key
from tengen.arena.tournament import Tournament, cross_table, play_tournament, standings
from tengen.play.entrants import parse_entrant
from tengen.records import read_records
from tengen.rules import Limit, Variant
from tests.helpers.simulated import run_cli, simulate

SMALL = Conditions(Variant(6, 6, 4), seed=3)
NAMES = ("random", "random:seed=2", "greedy")


def _tournament(games: int, names: tuple[str, ...] = NAMES, gauntlet: bool = False) -> Tournament:
    return Tournament(tuple(parse_entrant(name, Limit()) for name in names), SMALL, games, gauntlet)


def test_round_robin_meets_everyone_on_the_same_openings(tmp_path: Path) -> None:
    records = play_tournament(_tournament(4), tmp_path, workers=0)
    meetings = Counter((r.black, r.white) for r in records)
    assert len(records) == 12 and set(meetings.values()) == {2} and len(meetings) == 6
    by_pair: dict[str, set[object]] = {}
    for record in records:
        by_pair.setdefault(record.pair, set()).add(record.moves[: record.opening])
    assert len(by_pair) == 2 and all(len(starts) == 1 for starts in by_pair.values())


def test_gauntlet_and_odd_number_of_games(tmp_path: Path) -> None:
    records = play_tournament(_tournament(3, gauntlet=True), tmp_path, workers=0)
    assert len(records) == 6 and all("random" in (r.black, r.white) for r in records)


def test_more_games_and_players_can_be_added(tmp_path: Path) -> None:
    play_tournament(_tournament(2, NAMES[:2]), tmp_path, workers=0)
    first = (tmp_path / "games.jsonl").read_bytes()
    records = play_tournament(_tournament(4), tmp_path, workers=0)
    assert len(records) == 12 and (tmp_path / "games.jsonl").read_bytes().startswith(first)


def test_stopping_early_and_going_on(tmp_path: Path) -> None:
    asked = iter([False] * 4 + [True] * 99)
    assert len(play_tournament(_tournament(4), tmp_path, workers=0, stop=lambda: next(asked))) == 4
    assert len(play_tournament(_tournament(4), tmp_path, workers=0)) == 12


def test_other_conditions_are_refused(tmp_path: Path) -> None:
    play_tournament(_tournament(2), tmp_path, workers=0)
    other = Tournament(_tournament(2).entrants, Conditions(SMALL.variant, seed=4), 2)
    with pytest.raises(ValueError, match="seed = 3, not 4"):
        play_tournament(other, tmp_path, workers=0)


def test_a_folder_from_before_variants_goes_on(tmp_path: Path) -> None:
    play_tournament(_tournament(2), tmp_path, workers=0)
    settings = json.loads((tmp_path / "tournament.json").read_text())
    del settings["variant"]
    (tmp_path / "tournament.json").write_text(json.dumps(settings | {"ground": "6x6 k=4 freestyle"}))
    assert len(play_tournament(_tournament(4), tmp_path, workers=0)) == 12


@pytest.mark.parametrize(("names", "games", "words"), [
    (("random",), 2, "at least two"), (("random", "random"), 2, "enters twice"), (NAMES, 0, "at least one game"),
])  # fmt: skip
def test_senseless_tournaments_are_refused(names: tuple[str, ...], games: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        _tournament(games, names)


def test_cross_table_and_standings_agree() -> None:
    names = ["a", "b", "c"]
    records = simulate({"a": -300, "b": 0, "c": 300}, 20, nu=1)
    table = cross_table(records, names)
    assert (table["a", "b"].wins, table["a", "b"].losses) == (table["b", "a"].losses, table["b", "a"].wins)
    ranked = standings(records, names)
    assert [name for name, _, _ in ranked] == ["c", "b", "a"]
    for name, points, games in ranked:
        rows = [table[name, other] for other in names if other != name]
        assert points == sum(s.wins + s.draws / 2 for s in rows) and games == sum(s.games for s in rows)


def test_killed_at_any_moment_nothing_is_lost_or_played_twice(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tengen", "tournament", "random", "random:seed=3", "greedy", "--size", "11",
               "--games", "80", "--workers", "2", "--out", str(tmp_path)]  # fmt: skip
    games, kept = tmp_path / "games.jsonl", 0
    for extra in (3, 40):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if games.exists() and games.read_bytes().count(b"\n") >= kept + extra:
                break
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        lines = games.read_bytes().count(b"\n")
        assert lines >= kept + extra
        kept = lines
    subprocess.run(command, capture_output=True, check=True)
    keys = Counter(record_key(record) for record in read_records(games))
    assert len(keys) == 240 and set(keys.values()) == {1}


def test_cli(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["tournament", *NAMES, "--size", "6", "--k", "4", "--games", "2", "--workers", "1", "--out", tmp_path / "t"]
    code, out, _ = run_cli(capsys, *args)
    assert code == 0 and out.splitlines()[1].split()[1] == "greedy" and "first-move advantage" in out
    for args, words in (
        (("random",), "two players"), (("random", "human"), "no terminal"),
        (("random", "greedy", "--game-seconds", "0"), "above zero"),
    ):  # fmt: skip
        code, _, err = run_cli(capsys, "tournament", *args, "--out", tmp_path / "u")
        assert code == 2 and words in err and not (tmp_path / "u").exists()
