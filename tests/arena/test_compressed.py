"""Published records are compressed: every reader takes `.jsonl.gz` as it is, and writers never append to one."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen.arena.collection import collect
from tengen.arena.match import play_match
from tengen.arena.schedule import Conditions
from tengen.errors import TengenError
from tengen.play.entrants import parse_entrant
from tengen.records import GameRecord, append_record, read_records
from tengen.rules import Limit, Variant
from tests.helpers.simulated import run_cli, simulate

A, B = parse_entrant("random", Limit()), parse_entrant("greedy", Limit())
SMALL = Conditions(Variant(6, 6, 4), "balanced", 1)


def compress(path: Path) -> Path:
    """Replaces a file by its compressed copy."""
    copy = path.with_name(path.name + ".gz")
    copy.write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    return copy


def written(path: Path, games: list[GameRecord]) -> Path:
    for game in games:
        append_record(path, game)
    return path


def test_a_compressed_file_holds_the_same_games(tmp_path: Path) -> None:
    games = simulate({"a": 0, "b": 0}, 3)
    copy = compress(written(tmp_path / "games.jsonl", games))
    assert list(read_records(copy)) == games
    assert collect([copy]).records == games and collect([tmp_path]).records == games


def test_a_cut_last_line_is_reported_in_a_compressed_file(tmp_path: Path) -> None:
    path = written(tmp_path / "games.jsonl", simulate({"a": 0, "b": 0}, 1))
    path.write_text(path.read_text() + '{"black":"a"')
    collection = collect([compress(path)])
    assert len(collection.records) == 2 and "cut short" in collection.notes[0]


def test_a_folder_reads_a_plain_file_instead_of_its_copy(tmp_path: Path) -> None:
    games = simulate({"a": 0, "b": 0}, 2)
    compress(written(tmp_path / "games.jsonl", games[:2]))
    compress(written(tmp_path / "other.jsonl", simulate({"a": 0, "b": 0}, 1, seed=2)))
    written(tmp_path / "games.jsonl", games)
    collection = collect([tmp_path])
    assert len(collection.records) == 6 and not collection.notes


Spoil = Callable[[bytes], bytes]


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda _: b"plain text", lambda data: data[:20] + data[30:]])
def test_a_damaged_copy_is_named(tmp_path: Path, spoil: Spoil) -> None:
    copy = compress(written(tmp_path / "games.jsonl", simulate({"a": 0, "b": 0}, 3)))
    copy.write_bytes(spoil(copy.read_bytes()))
    with pytest.raises(TengenError, match=r"games\.jsonl\.gz is not a complete gzip file"):
        collect([copy])


def test_a_match_continues_from_compressed_records(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(A, B, SMALL, 4, workers=0, out=out)
    compress(out)
    assert play_match(A, B, SMALL, 6, workers=0, out=out).played == 2
    assert len(list(read_records(out))) == 6


def test_records_are_not_written_into_a_compressed_file(tmp_path: Path) -> None:
    copy = compress(written(tmp_path / "match.jsonl", simulate({"a": 0, "b": 0}, 1)))
    before = copy.read_bytes()
    with pytest.raises(TengenError, match=re.escape("match.jsonl instead of")):
        play_match(A, B, SMALL, 2, workers=0, out=copy)
    assert copy.read_bytes() == before


def test_the_commands_read_compressed_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = compress(written(tmp_path / "games.jsonl", simulate({"a": 100, "b": 0}, 20)))
    code, out, _ = run_cli(capsys, "rate", copy)
    assert code == 0 and "40 games" in out
