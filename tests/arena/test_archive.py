"""Readers that look at a growing record file again and again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tengen.arena.archive as archive
from tengen.arena.archive import RecordCache, tournament_state
from tengen.errors import TengenError
from tengen.records import GameRecord, append_record, parse_records
from tests.helpers.simulated import simulate

GAMES = simulate({"a": 100, "b": 0, "c": -50}, 10)


def write(path: Path, games: list[GameRecord]) -> None:
    for game in games:
        append_record(path, game)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each call of the parser was given."""
    sizes: list[int] = []

    def spy(data: bytes, path: Path, first: int = 1) -> list[GameRecord]:
        sizes.append(len(data))
        return list(parse_records(data, path, first))

    monkeypatch.setattr(archive, "parse_records", spy)
    return sizes


def test_only_new_lines_are_parsed(tmp_path: Path, parsed: list[int]) -> None:
    path, cache = tmp_path / "games.jsonl", RecordCache()
    assert cache.records(path) == () and cache.count(path) == 0
    write(path, GAMES[:20])
    before = path.stat().st_size
    assert cache.records(path) == tuple(GAMES[:20]) == cache.records(path)
    write(path, GAMES[20:])
    assert cache.records(path) == tuple(GAMES) and cache.count(path) == len(GAMES)
    assert parsed == [before, path.stat().st_size - before]


def test_a_line_still_being_written_is_left_out_and_read_when_whole(tmp_path: Path) -> None:
    path, cache = tmp_path / "games.jsonl", RecordCache()
    write(path, GAMES[:2])
    line = GAMES[2].to_json() + "\n"
    with path.open("a") as file:
        file.write(line[:50])
        file.flush()
        assert cache.records(path) == tuple(GAMES[:2])
        file.write(line[50:])
    assert cache.records(path) == tuple(GAMES[:3])


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    path, cache = tmp_path / "games.jsonl", RecordCache()
    write(path, GAMES[:10])
    cache.state(path)
    path.unlink()
    write(path, GAMES[10:25])
    assert cache.records(path) == tuple(GAMES[10:25])
    os.truncate(path, 0)
    assert cache.records(path) == ()


def test_the_state_is_computed_once_for_each_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "games.jsonl", RecordCache()
    write(path, GAMES[:30])
    state = cache.state(path)
    assert state == tournament_state(GAMES[:30]) and state.ratings and len(state.standings) == 3
    monkeypatch.setattr(archive, "tournament_state", lambda records: pytest.fail("computed again"))
    assert cache.state(path) is state
    monkeypatch.undo()
    write(path, GAMES[30:])
    assert cache.state(path) == tournament_state(GAMES)


def test_players_that_no_game_connects_have_no_ratings() -> None:
    apart = [game for game in simulate({"a": 0, "b": 0, "c": 0, "d": 0}, 2) if {game.black, game.white} in
             ({"a", "b"}, {"c", "d"})]  # fmt: skip
    assert tournament_state(apart).ratings is None and tournament_state([]).ratings is None


def test_a_bad_line_is_named_by_its_number(tmp_path: Path) -> None:
    path, cache = tmp_path / "games.jsonl", RecordCache()
    write(path, GAMES[:3])
    cache.records(path)
    with path.open("a") as file:
        file.write("nonsense\n")
    with pytest.raises(TengenError, match=r"games\.jsonl, line 4 is not a game record"):
        cache.records(path)


def test_only_the_files_used_last_are_kept(tmp_path: Path, parsed: list[int]) -> None:
    cache = RecordCache(files=2)
    for name in "abca":
        if not (path := tmp_path / name).exists():
            write(path, GAMES[:1])
        cache.records(path)
    assert len(parsed) == 4
