"""Matches: pairs, seeds, resuming, faults, kills."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tengen import registry
from tengen.arena.match import play_match
from tengen.arena.schedule import Conditions, record_key, schedule_pairs
from tengen.arena.store import RecordStore
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.models import load_model
from tengen.play.entrants import limit_text, parse_entrant, parse_limit
from tengen.players.base import Decision
from tengen.provenance import processor, revision
from tengen.records import read_records
from tengen.rules import Limit, Variant
from tests.helpers.networks import write_network
from tests.helpers.paths import ROOT
from tests.helpers.simulated import run_cli

SMALL = Conditions(Variant(6, 6, 4), seed=5)
RANDOM = parse_entrant("random", Limit())
SEEDED = parse_entrant("random:seed=9@1n", Limit())


class Weird:
    """Does what its name says after a few moves."""

    def __init__(self, how: str) -> None:
        self._how = how

    def choose(self, board: Board, limit: Limit) -> Decision:
        if board.stones > 6 and self._how == "die":
            os.kill(os.getpid(), signal.SIGSEGV)
        if board.stones > 6 and self._how == "hang":
            time.sleep(60)
        return Decision(board.legal_moves()[0])


@pytest.fixture
def weird(monkeypatch: pytest.MonkeyPatch) -> None:
    option = {"how": registry.Option("none", "what to do")}
    monkeypatch.setitem(registry.PLAYERS, "weird", registry.PlayerEntry("for tests", Weird, option))


def test_entrants_carry_their_own_limit() -> None:
    entrant = parse_entrant("random:seed=3@0.5s+200n", Limit(depth=2))
    assert (entrant.spec, entrant.limit) == ("random:seed=3", Limit(0.5, 200))
    assert parse_entrant("random", Limit(depth=2)).limit == Limit(depth=2)
    assert limit_text(parse_limit("0.5s+200n+3d")) == "0.5s+200n+3d"
    with pytest.raises(ValueError, match="unknown player"):
        parse_entrant("nobody@1s", Limit())
    for text in ("1.5n", "xx", "", "1s+2s"):
        with pytest.raises(ValueError, match="not a limit"):
            parse_limit(text)


def test_every_opening_is_played_with_both_colours() -> None:
    result = play_match(RANDOM, SEEDED, SMALL, 10, workers=0)
    pairs = Counter(record.pair for record in result.records)
    assert set(pairs.values()) == {2} and len(pairs) == 5
    for pair in pairs:
        one, two = (record for record in result.records if record.pair == pair)
        assert (one.black, one.white) == (two.white, two.black)
        assert one.moves[: one.opening] == two.moves[: two.opening] and one.opening
    assert result.score.games == 10 == result.score.wins + result.score.draws + result.score.losses


def test_records_say_what_made_them() -> None:
    entrants = parse_entrant("alphazero:model=base-9,sims=1", Limit()), RANDOM
    first, _ = schedule_pairs(*entrants, Conditions(Variant(9), "empty"), [()])
    tags = first.tags()
    assert tags["black_model"] == load_model("base-9").card["onnx_sha256"][:16] and "white_model" not in tags
    assert tags["code"] == revision() and tags["processor"] == processor() and "onnxruntime" in tags["versions"]


def test_same_seed_same_games_on_any_number_of_workers() -> None:
    def moves(workers: int, seed: int) -> dict[object, object]:
        conditions = Conditions(SMALL.variant, seed=seed)
        records = play_match(RANDOM, SEEDED, conditions, 8, workers=workers).records
        return {record_key(record): record.moves for record in records}

    assert moves(0, 1) == moves(2, 1) != moves(0, 2)


def test_a_match_goes_on_from_its_file(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    whole = play_match(RANDOM, SEEDED, SMALL, 12, workers=0).records
    play_match(RANDOM, SEEDED, SMALL, 5, workers=0, out=out)
    with out.open("a") as file:
        file.write('{"black":"random","whi')
    result = play_match(RANDOM, SEEDED, SMALL, 12, workers=0, out=out)
    assert result.played == 7
    assert {record_key(r): r.moves for r in read_records(out)} == {record_key(r): r.moves for r in whole}


def test_a_whole_last_line_without_newline_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(RANDOM, SEEDED, SMALL, 4, workers=0, out=out)
    out.write_bytes(out.read_bytes().rstrip(b"\n"))
    assert play_match(RANDOM, SEEDED, SMALL, 5, workers=0, out=out).played == 1
    assert len(list(read_records(out))) == 5


@pytest.mark.parametrize("notes", [b"my notes", b"\n\nmy notes", b'{"name":"x"}', b"\xff\xfe\x00"])
def test_a_file_that_is_not_ours_stays_as_it_is(tmp_path: Path, notes: bytes) -> None:
    out = tmp_path / "notes.txt"
    out.write_bytes(notes)
    with pytest.raises(ValueError, match=r"notes\.txt is not a record file"):
        play_match(RANDOM, SEEDED, SMALL, 2, workers=0, out=out)
    assert out.read_bytes() == notes


@pytest.mark.parametrize("tail", ['{"bl', '{"black":"rand', "\x00\x00"])
def test_a_line_cut_short_after_a_record_is_mended(tmp_path: Path, tail: str) -> None:
    out = tmp_path / "match.jsonl"
    play_match(RANDOM, SEEDED, SMALL, 1, workers=0, out=out)
    out.write_text(out.read_text() + tail)
    assert play_match(RANDOM, SEEDED, SMALL, 2, workers=0, out=out).played == 1
    assert len(list(read_records(out))) == 2


def test_a_first_line_cut_short_is_mended(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    for text in ("{", '{"black":"ran', '{"black":"ü'):
        out.write_bytes(text.encode()[: 12 if "ü" in text else 99])
        assert play_match(RANDOM, SEEDED, SMALL, 1, workers=0, out=out).played == 1


def test_a_file_of_another_ground_is_not_even_mended(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(RANDOM, SEEDED, SMALL, 1, workers=0, out=out)
    out.write_text(before := out.read_text() + '{"black":"ran')
    with pytest.raises(ValueError, match="holds games on 6x6"):
        play_match(RANDOM, SEEDED, Conditions(Variant(7, 7, 4), seed=5), 1, workers=0, out=out)
    assert out.read_text() == before


@pytest.mark.parametrize(
    ("conditions", "a", "words"),
    [
        (Conditions(Variant(7, 7, 4), seed=5), "random", "holds games on 6x6"),
        (Conditions(SMALL.variant, "empty", seed=5), "random", "another opening"),
    ],
)
def test_a_file_of_other_conditions_is_refused(tmp_path: Path, conditions: Conditions, a: str, words: str) -> None:
    out = tmp_path / "match.jsonl"
    play_match(RANDOM, SEEDED, SMALL, 2, workers=0, out=out)
    before = out.read_bytes()
    with pytest.raises(ValueError, match=words):
        play_match(RANDOM, SEEDED, conditions, 4, workers=0, out=out)
    assert out.read_bytes() == before


def test_other_limits_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    play_match(RANDOM, RANDOM, SMALL, 2, workers=0, out=out)
    with pytest.raises(ValueError, match="other limits"):
        play_match(parse_entrant("random", Limit(nodes=3)), RANDOM, SMALL, 2, workers=0, out=out)


def test_another_game_clock_is_refused(tmp_path: Path) -> None:
    clocked = Conditions(SMALL.variant, seed=5, game_seconds=60)
    for first, second in ((SMALL, clocked), (clocked, SMALL), (clocked, Conditions(SMALL.variant, "balanced", 5, 30))):
        out = tmp_path / "match.jsonl"
        out.unlink(missing_ok=True)
        record = play_match(RANDOM, SEEDED, first, 1, workers=0, out=out).records[0]
        assert record.tags.get("game_seconds") == ("60" if first is clocked else None)
        assert play_match(RANDOM, SEEDED, first, 1, workers=0, out=out).played == 0
        with pytest.raises(ValueError, match="other limits"):
            play_match(RANDOM, SEEDED, second, 1, workers=0, out=out)


def test_two_runs_cannot_share_a_file(tmp_path: Path) -> None:
    with RecordStore(tmp_path / "x.jsonl"), pytest.raises(ValueError, match="another run"):
        RecordStore(tmp_path / "x.jsonl")


def test_a_match_of_a_player_with_itself_counts_by_leg() -> None:
    result = play_match(RANDOM, RANDOM, SMALL, 20, workers=0)
    wins = sum(r.winner == ("black" if r.tags["leg"] == "0" else "white") for r in result.records)
    assert result.score.wins == wins and sum(result.score.pairs) == 10


WORKER_TEST = """
import sys
sys.path.insert(0, {folder!r})
from tests.arena.test_match import Weird
from tengen import registry
registry.PLAYERS["weird"] = registry.PlayerEntry("for tests", Weird, {{"how": registry.Option("none", "what")}})
"""


def test_a_dying_process_loses_its_game_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weird: None) -> None:
    """Workers are fresh interpreters, so a sitecustomize teaches them the player of this test."""
    (tmp_path / "sitecustomize.py").write_text(WORKER_TEST.format(folder=str(ROOT)))
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", ""), *sys.path]))
    monkeypatch.setenv("PYTHONPATH", path)
    dying = parse_entrant("weird:how=die", Limit())
    result = play_match(dying, RANDOM, SMALL, 4, workers=2)
    assert result.score.losses == 4 and result.score.faults == {"crash": (4, 0)}
    assert "SIGSEGV" in result.records[0].detail and len(result.records[0].moves) >= 7


def test_a_hanging_process_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weird: None) -> None:
    (tmp_path / "sitecustomize.py").write_text(WORKER_TEST.format(folder=str(ROOT)))
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", ""), *sys.path]))
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setattr("tengen.arena.game_processes.SLACK_SECONDS", 0.3)
    hanging = parse_entrant("weird:how=hang@0.1s", Limit())
    conditions = Conditions(SMALL.variant, seed=5, grace=0.2)
    result = play_match(hanging, RANDOM, conditions, 2, workers=2)
    assert result.score.losses == 2 and result.score.faults == {"time": (2, 0)}


def test_killed_at_any_moment_nothing_is_lost_or_played_twice(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    command = [sys.executable, "-m", "tengen", "match", "random", "random:seed=3", "--size", "12", "--games", "400",
               "--workers", "2", "--seed", "2", "--out", str(out), "--json"]  # fmt: skip
    kept = 0
    for extra in (1, 20, 60):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if out.exists() and out.read_bytes().count(b"\n") >= kept + extra:
                break
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        lines = out.read_bytes().count(b"\n")
        assert lines >= kept + extra
        kept = lines
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 400
    keys = Counter(record_key(record) for record in read_records(out))
    assert len(keys) == 400 and set(keys.values()) == {1}


def children(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line) for line in listed.split()]


def alive(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_the_processes_end_with_their_parent(tmp_path: Path, sign: signal.Signals) -> None:
    """Even in the middle of a native search of a minute."""
    out = tmp_path / "match.jsonl"
    command = [sys.executable, "-m", "tengen", "match", "alphabeta", "mcts:playouts=0", "--seconds", "60",
               "--games", "2", "--workers", "2", "--openings", "balanced-15", "--out", str(out)]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(found := children(process.pid)) < 3 and time.monotonic() < deadline:  # two players, one tracker
        time.sleep(0.05)
    time.sleep(2)  # to begin their search
    assert len(found) == 3
    process.send_signal(sign)
    process.wait()
    deadline = time.monotonic() + 10
    while any(map(alive, found)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(alive, found))


def test_cli_prints_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    args = "match random random --size 6 --k 4 --games 6 --workers 1"
    code, out, _ = run_cli(capsys, *args.split())
    assert code == 0
    assert "6 games" in out and "Elo difference" in out and "lost by time: random 0, random 0" in out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("nobody", "random"), "unknown player 'nobody'"),
        (("random", "random", "--size", "big"), "board size"),
        (("random", "random", "--size", "40"), "40x40"),
        (("random", "random", "--rule", "chess"), "'chess' is not one of 'freestyle'"),
        (("random", "random", "--games", "0"), "at least one game"),
        (("random", "random", "--seconds", "-1"), "above zero"),
        (("random", "random", "--game-seconds", "-1"), "game-seconds = -1 is not a limit"),
        (("random", "random", "--game-seconds", "nan"), "game-seconds = nan is not a limit"),
        (("greedy@xx", "random"), "'xx' is not a limit; write 0.5s"),
        (("greedy@-1s", "random"), "'-1s' is not a limit; write 0.5s"),
        (("minimax:depth=2@.5s", "random"), "'.5s' is not a limit; write 0.5s"),
        (("nobody@xx", "random"), "unknown player 'nobody'"),
        (("human", "random"), "player 'human' cannot play: its games have no terminal"),
        (("random", "random", "--openings", "missing.txt"), "no openings"),
        (("random", "random", "--workers", "0"), "--workers"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str) -> None:
    code, _, err = run_cli(capsys, "match", *args)
    assert code == 2 and words in err and err.count("\n") == 1 and "Traceback" not in err


def test_a_model_of_another_board_is_refused_before_the_first_game(tmp_path: Path) -> None:
    a, b = parse_entrant("alphazero:model=base-9,sims=2", Limit()), parse_entrant("random", Limit())
    with pytest.raises(ValueError, match="model=base-9,sims=2' cannot play: model 'base-9' plays 9x9, not 15x15"):
        play_match(a, b, Conditions(Variant(15, 15), "empty", 1), 2, out=tmp_path / "games.jsonl")
    assert not (tmp_path / "games.jsonl").exists()


@pytest.mark.parametrize(("scale", "words"), [(float("nan"), "not finite"), (float("inf"), "not finite")])
def test_a_model_that_cannot_be_used_is_refused_before_the_first_game(tmp_path: Path, scale: float, words: str) -> None:
    network = write_network(tmp_path, size=7, scale=scale)
    a, b = parse_entrant(f"alphazero:model={network},sims=2", Limit()), parse_entrant("random", Limit())
    with pytest.raises(TengenError, match=words):
        play_match(a, b, Conditions(Variant(7), "empty", 1), 2, out=tmp_path / "games.jsonl")
    assert not (tmp_path / "games.jsonl").exists()


def test_a_model_that_does_not_fit_its_card_is_refused_before_the_first_game(tmp_path: Path) -> None:
    network = write_network(tmp_path, size=7)
    card = json.loads(network.with_suffix(".json").read_text())
    network.with_suffix(".json").write_text(json.dumps(card | {"width": 9, "height": 9}))
    a, b = parse_entrant(f"alphazero:model={network},sims=2", Limit()), parse_entrant("random", Limit())
    with pytest.raises(TengenError, match="does not fit its card"):
        play_match(a, b, Conditions(Variant(9), "empty", 1), 2, out=tmp_path / "games.jsonl")
    assert not (tmp_path / "games.jsonl").exists()
