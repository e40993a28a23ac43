"""Driving other engines: good ones are understood, bad ones are caught, named and killed."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import pytest

from tengen import create
from tengen.board import Board
from tengen.gomocup.errors import EngineCrash, EngineError, EngineIllegal, EngineMemory, EngineTimeout
from tengen.gomocup.external import ExternalPlayer, Terms
from tengen.play.game import play_game
from tengen.rules import Limit, Variant
from tests.helpers.paths import DATA, SOURCE
from tests.helpers.timing import within

RIVAL = DATA / "engines" / "rival.py"
SHORT = Limit(seconds=0.2)


def rival(mode: str, *args: str, **terms: object) -> ExternalPlayer:
    command = " ".join([f"'{sys.executable}'", f"'{RIVAL}'", mode, *args])
    return ExternalPlayer(command, Terms(**({"tolerance": 3.0, "start_seconds": 20.0} | terms)))


def state(pid: int) -> str:
    """R, S, T (stopped), Z (dead); empty when there is no such process or the system does not tell."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def alive(pid: int) -> bool:
    return state(pid) not in ("Z", "")


def test_it_plays_a_game_and_hears_only_what_is_new(tmp_path: Path):
    log = tmp_path / "log"
    player = rival("good", f"'{log}'")
    board = Board(Variant(9))
    for _ in range(3):
        board.play(player.choose(board, SHORT).move)
        board.play(board.legal_moves()[-1])
    player.close()
    said = [line for line in log.read_text().splitlines() if not line.startswith("INFO")]
    assert said == ["START 9", "BEGIN", "TURN 8,8", "TURN 7,8", "END"]
    assert "INFO timeout_turn 200" in log.read_text() and "INFO rule 0" in log.read_text()


def test_another_position_is_sent_whole(tmp_path: Path):
    log = tmp_path / "log"
    player = rival("good", f"'{log}'")
    board = Board.from_text("a9c7b9", Variant(9, rule="renju"))
    assert board.name(player.choose(board, SHORT).move) == "c9"
    other = Board.from_text("b9", Variant(9, rule="renju"))
    assert other.name(player.choose(other, SHORT).move) == "a9"
    player.close()
    said = [line for line in log.read_text().splitlines() if not line.startswith("INFO")]
    assert said == [
        *("START 9", "BOARD", "0,0,2", "2,2,1", "1,0,2", "DONE"),
        *("RESTART", "BOARD", "1,0,2", "DONE", "END"),
    ]
    assert "INFO rule 4" in log.read_text()


def test_stones_set_up_are_sent_too():
    player = rival("good")
    board = Board.from_stones([0, 2], [1], 1, Variant(9))
    assert player.choose(board, SHORT).move == 3
    player.close()


def test_starting_is_not_thinking():
    def slowest_move() -> float:
        player = rival("slow-start")
        record = play_game(player, create("random"), Board(Variant(9)), SHORT, move_limit=4, grace=1.3)
        player.close()
        return max(record.seconds) if record.termination == "move-limit" else math.inf

    within(1.5, slowest_move)


def test_suggestions_are_accepted():
    player = rival("suggest")
    assert player.choose(Board(Variant(9)), SHORT).move == 0
    player.close()


BAD = {
    "crash": (EngineCrash, r"exit code 3.*out of ideas"),
    "signal": (EngineCrash, r"killed by SIGSEGV"),
    "stillborn": (EngineCrash, r"exit code 1|no longer reads"),
    "refuse": (EngineCrash, r"refused START: ERROR size not supported"),
    "deaf": (EngineCrash, r"closed its output but still runs"),
    "hang": (EngineTimeout, r"did not answer a move within 0.2 s"),
    "chatter": (EngineTimeout, r"did not answer a move"),
    "endless": (EngineTimeout, r"did not answer a move"),
    "confused": (EngineTimeout, r"it said: ERROR what board\?"),
    "occupied": (EngineIllegal, r"played h8, which is occupied"),
    "outside": (EngineIllegal, r"played 15,0, which is off the board"),
    "memory": (EngineMemory, r"used \d+ MB of memory; 100 MB are allowed"),
    "child-memory": (EngineMemory, r"used \d+ MB of memory; 100 MB are allowed"),
}


@pytest.mark.parametrize("mode", BAD)
def test_misbehaviour_is_named_and_ended(mode: str):
    kind, message = BAD[mode]
    if kind is EngineMemory and not Path("/proc/self/statm").exists():
        pytest.skip("the system does not tell a process's memory")
    player = rival(mode, memory_mb=100, tolerance=0.3 if kind is EngineTimeout else 3.0)
    limit = Limit(seconds=20) if kind is EngineMemory else SHORT
    pids: list[int] = []
    launch = player._launch
    player._launch = lambda game: (launch(game), pids.append(player._process.pid))  # type: ignore[method-assign]
    began = time.monotonic()
    with pytest.raises(kind, match=message) as caught:
        player.choose(Board.from_text("h8"), limit)
    assert "\n" not in str(caught.value) and time.monotonic() - began < 15
    assert not any(alive(pid) for pid in pids)


def test_children_die_with_it():
    player = rival("child-memory", memory_mb=100)
    with pytest.raises(EngineMemory):
        player.choose(Board.from_text("h8"), Limit(seconds=20))
    left = [p for p in Path("/proc").glob("[0-9]*/cmdline") if b"bytearray(300 << 20)" in _bytes(p)]
    assert not [p for p in left if alive(int(p.parent.name))]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_forbidden_moves_are_illegal():
    """The first free cell, e15, would give black six in a row."""
    board = Board.from_stones([1, 2, 3, 5, 6, 34], [0, 15, 17, 19, 21, 23], 0, Variant(rule="renju"))
    assert not board.is_legal(4)
    with pytest.raises(EngineIllegal, match="e15, which is forbidden"):
        rival("good").choose(board, SHORT)


def test_after_a_kill_it_starts_afresh():
    player = rival("hang", tolerance=0.1)
    with pytest.raises(EngineTimeout):
        player.choose(Board(Variant(15)), SHORT)
    with pytest.raises(EngineTimeout):
        player.choose(Board(Variant(15)), SHORT)


def test_a_stubborn_engine_is_not_waited_for():
    player = rival("stubborn")
    player.choose(Board(Variant(15)), SHORT)
    pid = player._process.pid
    began = time.monotonic()
    player.close()
    assert time.monotonic() - began < 5 and not alive(pid)


def test_it_is_suspended_while_the_opponent_thinks():
    player = rival("good", suspend=True)
    board = Board(Variant(9))
    board.play(player.choose(board, SHORT).move)
    assert any(state(player._process.pid) in ("T", "") or time.sleep(0.02) for _ in range(100))
    board.play(80)
    assert player.choose(board, SHORT).move == 1
    player.close()


def test_files_it_keeps_are_counted(tmp_path: Path):
    player = rival("good", folder_mb=1)
    board = Board(Variant(9))
    board.play(player.choose(board, SHORT).move)
    (player._folder / "book.db").write_bytes(b"x" * (3 << 20))
    board.play(80)
    with pytest.raises(EngineMemory, match="stored 3 MB of files; 1 MB are allowed"):
        player.choose(board, SHORT)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gomocup", "needs a command"),
        ("gomocup:cmd=no-such-program", "'no-such-program' is not a program"),
        ("gomocup:cmd='unclosed", "cannot read the command"),
        ("gomocup:path=x", "has no option 'path'"),
        ("gomocup:cmd=x,memory=many", "whole number"),
    ],
)
def test_bad_specs(spec: str, message: str):
    with pytest.raises(ValueError, match=message):
        create(spec)


def test_only_five_in_a_row():
    with pytest.raises(ValueError, match="five in a row, not 4"):
        rival("good").choose(Board(Variant(6, k=4)), SHORT)


def test_our_own_engine_against_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONPATH", str(SOURCE))
    player = create(f"gomocup:cmd={sys.executable} -m tengen.cli.pbrain greedy:seed=2,memory=200")
    local = create("greedy:seed=2")
    for rule in ("freestyle", "standard", "renju", "caro"):
        board = Board(Variant(11, 9, rule=rule))
        for _ in range(6):
            move = player.choose(board, Limit(seconds=1)).move
            assert move == local.choose(board, Limit(seconds=1)).move
            board.play(move)
    player.close()
    assert issubclass(EngineCrash, EngineError)


@pytest.mark.parametrize(("mode", "termination"), [("crash", "crash"), ("hang", "time"), ("outside", "illegal")])
def test_the_referee_counts_each_fault_as_what_it_is(mode: str, termination: str):
    record = play_game(create("random"), rival(mode, tolerance=0.5), Board(Variant(15)), SHORT)
    assert (record.winner, record.termination) == ("black", termination)
    assert "rival" in record.detail or "python" in record.detail
