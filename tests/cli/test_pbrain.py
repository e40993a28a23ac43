"""The engine as a process: start-up, framing, ends, and what it does not import."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tengen import registry
from tengen.cli.pbrain import BASE_MEMORY, NETWORK_MEMORY, build, megabytes, split_lines
from tengen.gomocup.session import Resources
from tests.helpers.paths import SOURCE
from tests.helpers.timing import within


def start(*args: str) -> subprocess.Popen[bytes]:
    env = os.environ | {"PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "tengen.cli.pbrain", *args]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)


def converse(script: bytes, *args: str, timeout: float = 20) -> tuple[list[str], int]:
    engine = start(*args)
    try:
        out, err = engine.communicate(script, timeout)
    finally:
        engine.kill()
    assert not err, err.decode()
    return out.decode().splitlines(), engine.returncode


def test_a_whole_game_opening_with_each_line_ending():
    for ending in (b"\n", b"\r\n", b"\r"):
        lines = [b"START 15", b"INFO timeout_turn 1000", b"BEGIN", b"", b"TURN 0,0", b"what"]
        said, code = converse(ending.join(lines) + ending, "greedy")
        said = [line for line in said if not line.startswith("MESSAGE")]
        assert said[0] == "OK" and code == 0
        assert re.fullmatch(r"\d+,\d+", said[1]) and re.fullmatch(r"\d+,\d+", said[2])
        assert said[3].startswith("UNKNOWN")


def test_starts_fast():
    """0.35 s is the aim on an idle core; the bound is loose because test machines are not idle."""
    best = 9.0
    for _ in range(3):
        began = time.monotonic()
        engine = start("greedy")
        engine.stdin.write(b"START 20\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"OK\n"
        best = min(best, time.monotonic() - began)
        engine.communicate(b"END\n", 5)
    assert best < 2.0


def test_imports_nothing_heavy():
    code = (
        "import sys, tengen.cli.pbrain, tengen.registry as r; r.create('greedy');"
        "print([m for m in ('torch', 'numpy', 'onnxruntime', 'pydantic', 'typer', 'rich') if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(SOURCE)}
    )
    assert out.stdout.strip() == "[]", out.stdout + out.stderr


def test_a_lone_carriage_return_ends_a_line_at_once():
    engine = start("random")
    engine.stdin.write(b"START 15\r")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"OK\n"
    engine.communicate(b"END\r", 5)


def test_end_leaves_within_the_managers_patience():
    engine = start("random")
    engine.stdin.write(b"START 15\nEND\n")
    engine.stdin.flush()
    assert engine.wait(5) == 0
    assert engine.stdout.read() == b"OK\n"


def test_closed_output_ends_the_engine_quietly():
    engine = start("random")
    engine.stdout.close()
    engine.stdin.write(b"ABOUT\nABOUT\n")
    engine.stdin.flush()
    assert engine.wait(5) == 0 and engine.stderr.read() == b""


def test_noise_and_endless_lines():
    noise = bytes(range(256)) * 40 + b"\n" + b"A" * 300_000 + b"\nSTART 15\nABOUT\n"
    said, code = converse(noise, "random")
    assert code == 0 and said[-2] == "OK" and said[-1].startswith('name="Tengen"')
    assert all(re.match(r"UNKNOWN|ERROR|OK|name=", line) for line in said)


def test_bad_spec_is_one_line_and_code_2():
    engine = start("nobody:x=1")
    _, err = engine.communicate(b"", 10)
    assert engine.returncode == 2 and err.count(b"\n") == 1 and b"unknown player 'nobody'" in err


def test_engine_command_is_the_same():
    env = os.environ | {"PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-m", "tengen", "engine", "random:seed=3"]
    out = subprocess.run(command, input=b"START 15\nBEGIN\n", capture_output=True, env=env, timeout=20)
    assert re.fullmatch(rb"OK\n\d+,\d+\n", out.stdout) and out.returncode == 0


class TestAlphaBeta:
    """The engine as it is shipped."""

    def ready(self, *settings: str) -> subprocess.Popen[bytes]:
        engine = start()
        engine.stdin.write("\n".join(["START 15", *settings, ""]).encode())
        engine.stdin.flush()
        assert engine.stdout.readline() == b"OK\n"
        return engine

    def answer(self, engine: subprocess.Popen[bytes], *lines: str) -> str:
        engine.stdin.write("\n".join([*lines, ""]).encode())
        engine.stdin.flush()
        while (line := engine.stdout.readline().decode().strip()).startswith(("MESSAGE", "INFO")):
            pass
        return line

    def test_takes_the_win(self):
        # h8h9i8i9j8j9k8k9: four in a row with both ends open, black to move
        stones = [f"{x},{y},{2 - (y == 7)}" for x in (7, 8, 9, 10) for y in (7, 6)]
        engine = self.ready("INFO timeout_turn 500")
        assert self.answer(engine, "BOARD", *stones, "DONE") in ("6,7", "11,7")
        engine.communicate(b"END\n", 5)

    def seconds(self, engine: subprocess.Popen[bytes], *lines: str) -> float:
        began = time.monotonic()
        self.answer(engine, *lines)
        return time.monotonic() - began

    def test_keeps_to_the_turn_and_answers_at_once_when_asked(self):
        engine = self.ready("INFO timeout_turn 300")

        def turn() -> float:
            assert self.answer(engine, "RESTART") == "OK"
            taken = self.seconds(engine, "TURN 7,7")
            assert taken > 0.1
            return taken

        within(1.3, turn)  # what a referee forgives
        corners = iter(("0,0", "0,14", "14,0", "14,14", "7,0"))
        within(1.0, lambda: self.seconds(engine, "INFO timeout_turn 0", f"TURN {next(corners)}"))
        engine.communicate(b"END\n", 5)

    def test_nodes_are_reproducible(self):
        engine = self.ready("INFO max_node 3000")
        first = self.answer(engine, "TURN 7,7")
        assert self.answer(engine, "YXHASHCLEAR", "RESTART") == "OK"
        assert self.answer(engine, "TURN 7,7") == first
        engine.communicate(b"END\n", 5)

    def test_stop_and_end_while_it_thinks(self):
        engine = self.ready("INFO timeout_turn 60000")
        engine.stdin.write(b"TURN 7,7\n")
        engine.stdin.flush()
        time.sleep(0.3)
        began = time.monotonic()
        assert re.fullmatch(r"\d+,\d+", self.answer(engine, "YXSTOP"))
        engine.stdin.write(b"TURN 0,0\n")
        engine.stdin.flush()
        time.sleep(0.2)
        engine.stdin.write(b"END\n")
        engine.stdin.flush()
        assert engine.wait(5) == 0 and time.monotonic() - began < 5

    def test_best_moves_are_told_to_programs(self):
        engine = self.ready("INFO timeout_turn 400")
        out, _ = engine.communicate(b"YXBOARD\n7,7,2\nDONE\nYXNBEST 3\n", 10)
        assert out.count(b"INFO PV 2\n") >= 1 and re.search(rb"^INFO BESTLINE (\d+,\d+ ?)+$", out, re.M)
        assert re.search(rb"^\d+,\d+$", out, re.M)

    def test_memory_stays_under_the_managers_limit(self):
        engine = self.ready("INFO max_memory 104857600", "INFO hash_size 4000000", "INFO timeout_turn 400")
        self.answer(engine, "TURN 7,7")
        status = Path(f"/proc/{engine.pid}/status")
        if status.exists():
            peak = int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1])
            assert peak < 100 * 1024
        engine.communicate(b"END\n", 5)


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="needs POSIX signals")
def test_being_suspended_between_moves_does_no_harm():
    engine = start("greedy")
    engine.stdin.write(b"START 15\nINFO timeout_turn 200\nBEGIN\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"OK\n" and engine.stdout.readline()
    engine.send_signal(signal.SIGSTOP)
    time.sleep(0.5)
    engine.send_signal(signal.SIGCONT)
    out, _ = engine.communicate(b"TURN 0,0\n", 10)
    assert re.search(rb"^\d+,\d+$", out, re.M) and b"ERROR" not in out


def test_lines_split_across_reads():
    chunks = [b"STA", b"RT 15\r", b"\nTUR", b"N 1,2", b"\r\r\n", b"END", b""]
    assert list(split_lines(iter(chunks).__next__)) == ["START 15", "TURN 1,2", "END"]


MB = 1 << 20


def test_tables_and_trees_fit_the_memory_limit(monkeypatch):
    assert megabytes(256, Resources(), BASE_MEMORY) == 256
    assert megabytes(512, Resources(memory_bytes=350 * MB), BASE_MEMORY) == 350 - BASE_MEMORY // MB
    assert megabytes(64, Resources(memory_bytes=10 * MB), BASE_MEMORY) == 1
    made = {}
    for name in ("alphabeta", "mcts", "alphazero"):
        entry = registry.PLAYERS[name]
        seen = made.setdefault(name, {})
        monkeypatch.setitem(
            registry.PLAYERS, name, replace(entry, make=lambda seen=seen, **values: seen.update(values))
        )
    build("alphabeta", {}, Resources(hash_kb=131072))
    assert made["alphabeta"]["hash_mb"] == 128
    build("alphabeta", {}, Resources(hash_kb=1 << 30, memory_bytes=350 * MB))
    assert made["alphabeta"]["hash_mb"] == 350 - BASE_MEMORY // MB
    build("alphabeta", {}, Resources(memory_bytes=350 * MB))
    assert made["alphabeta"]["hash_mb"] == (350 - BASE_MEMORY // MB) * 3 // 4
    build("alphabeta", {}, Resources(memory_bytes=4096 * MB))
    assert made["alphabeta"]["hash_mb"] == 256
    build("alphabeta", {"hash_mb": 16}, Resources(memory_bytes=350 * MB))
    assert made["alphabeta"]["hash_mb"] == 16
    build("alphazero", {}, Resources(memory_bytes=350 * MB))
    assert made["alphazero"]["memory_mb"] == 350 - (BASE_MEMORY + NETWORK_MEMORY) // MB
    build("mcts", {"memory_mb": 2000}, Resources(memory_bytes=350 * MB))
    assert made["mcts"]["memory_mb"] == 350 - BASE_MEMORY // MB


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the kernel's account of a process")
@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta:hash_mb=4096", "mcts:playouts=0,memory_mb=4096", "minimax",
                                  "weight", "alphazero:sims=0,memory_mb=4096"])  # fmt: skip
def test_a_player_stays_inside_the_memory_limit(spec: str):
    limit = 200 * MB
    engine = start(spec)
    try:
        engine.stdin.write(f"INFO max_memory {limit}\nINFO timeout_turn 1500\nSTART 15\nBEGIN\n".encode())
        engine.stdin.flush()
        said = [engine.stdout.readline().decode()]
        while not re.fullmatch(r"\d+,\d+\n", said[-1]):
            assert said[-1] and not said[-1].startswith("ERROR"), said
            said.append(engine.stdout.readline().decode())
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{engine.pid}/status").read_text())
        assert peak and int(peak[1]) * 1024 < limit
    finally:
        engine.kill()
        engine.communicate()
