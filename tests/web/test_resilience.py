"""What must not bring a game down: dead processes, a killed server, pages that go and come, everything at once."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.rules import parse_moves
from tests.web.conftest import Room, Server, eventually, running_server

OpenRoom = Callable[..., Room]
LINE = tuple(parse_moves("h8g8i8g9j8g10k8a1", 15, 15))


def search_processes(server: Server) -> list[int]:
    """The searching children of a server."""
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True, check=False)
    pids = [int(pid) for pid in children.stdout.split()]
    return [pid for pid in pids if "tengen.web.search_process" in Path(f"/proc/{pid}/cmdline").read_text()]


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks for processes in /proc")
def test_a_killed_search_is_told_and_replaced(tmp_path: Path) -> None:
    with running_server(tmp_path, workers=1) as server:
        with server.socket(server.new_game(white="mcts:playouts=0", seconds=30.0)) as socket:
            t = Room(socket)
            t.say("play", node=0, move=112)
            t.wait_thinking()
            before = search_processes(server)
            for pid in before:
                os.kill(pid, signal.SIGKILL)
            assert t.wait("error")["code"] == "died"
            t.say("seats", black="human", white="weight")
            assert t.wait_turn("black")["cursor"] == 2
        assert search_processes(server) and not set(before) & set(search_processes(server))


def saved_moves(server: Server, id: str) -> int:
    file = server.state / "games" / f"{id}.json"
    return len(json.loads(file.read_text(encoding="utf-8"))["nodes"]) - 1 if file.exists() else 0


def test_a_server_killed_in_mid_thought_loses_nothing(tmp_path: Path) -> None:
    """The last move is told and the server killed at once, long before the game is written."""
    with running_server(tmp_path, workers=1) as server:
        told = server.new_game(width=9, height=9)
        id = server.new_game(white="mcts:playouts=0", seconds=30.0, moves=LINE)
        with server.socket(id) as socket:
            t = Room(socket)
            t.say("play", node=len(LINE), move=0)
            t.wait_thinking()
            eventually(lambda: saved_moves(server, id) == len(LINE) + 1, "the last move is saved")
        with server.socket(told) as socket:
            t = Room(socket)
            for node, move in enumerate((40, 41, 30)):
                t.say("play", node=node, move=move)
                t.wait("update", lambda e, move=move: e["added"] and e["added"][0][2] == move)
            server.process.kill()
        server.process.wait(10)
    with running_server(tmp_path, workers=1) as server, server.socket(id) as socket:
        t = Room(socket)
        assert t.start["status"]["cursor"] == len(LINE) + 1
        game = server.http.get(f"/api/games/{told}").json()
        assert [row[2] for row in game["game"]["nodes"]] == [-1, 40, 41, 30] and game["status"]["cursor"] == 3
        t.wait_thinking()  # the machine takes up its thought
        t.say("stop")
        t.wait("update", lambda e: e["status"]["thinking"] is None)


def test_a_review_outlives_a_reload(tmp_path: Path) -> None:
    with running_server(tmp_path, workers=1, leave_grace=60.0) as server:
        id = server.new_game(moves=LINE)
        with server.socket(id) as socket:
            t = Room(socket)
            t.say("review")
            t.wait("review", lambda e: e["done"] >= 1)
        with server.socket(id) as socket:
            t = Room(socket)
            swept = t.start["review"]
            assert 1 <= swept["done"] < swept["total"] == len(LINE) + 1
            t.wait("review", lambda e: e["done"] > swept["done"])
            t.say("stop-study")
            assert t.wait("study", lambda e: e["slot"] == "review")["state"] == "stopped"


def test_searches_end_when_nobody_comes_back(tmp_path: Path) -> None:
    with running_server(tmp_path, workers=1, leave_grace=0.0) as server:
        id = server.new_game(moves=LINE)
        with server.socket(id) as socket:
            t = Room(socket)
            t.say("review")
            t.wait("review")

        def ended() -> bool:
            with server.socket(id) as socket:
                return Room(socket).start["review"] is None

        eventually(ended, "the review ends", seconds=20)


def test_an_endless_analysis_ends_with_the_last_page(tmp_path: Path) -> None:
    """With one process for study, another game's analysis can only run once the first has ended."""
    with running_server(tmp_path, workers=1) as server:
        with server.socket(server.new_game(moves=LINE)) as socket:
            t = Room(socket)
            t.say("analyse", specs=["alphabeta"])
            t.wait("analysis")
        with server.socket(server.new_game(moves=LINE[:4])) as socket:
            t = Room(socket)
            t.say("analyse", specs=["alphabeta"])
            for _ in range(20):  # by turns of two seconds it would stand still between
                t.wait("analysis", seconds=10)


@pytest.mark.parametrize("message", [{"type": "think", "spec": "human"}, {"type": "analyse", "specs": ["human"]}])
def test_people_cannot_be_told_to_search(room: OpenRoom, message: dict[str, Any]) -> None:
    t = room(moves=(112,))
    t.say(**message)
    assert t.wait("error")["code"] == "bad-player"


@pytest.mark.parametrize("text", ["a" * 390_000, "h8" + "(" * 300_000, "(;GM[4]SZ[" + "9" * 300_000 + "])"])
def test_a_refusal_does_not_repeat_a_huge_text(server: Server, text: str) -> None:
    answer = server.http.post("/api/records", json={"text": text})
    assert answer.status_code == 422
    assert len(answer.text) < 400 and "\n" not in answer.json()["detail"].strip()


COMMANDS: dict[str, Callable[[random.Random], dict[str, Any]]] = {
    "undo": lambda r: {}, "redo": lambda r: {}, "think": lambda r: {}, "stop": lambda r: {}, "hint": lambda r: {},
    "threats": lambda r: {"seconds": 0.1}, "stop-study": lambda r: {}, "review": lambda r: {},
    "analyse": lambda r: {"specs": r.choice([[], ["alphabeta"], ["alphabeta", "weight"]])},
    "go": lambda r: {"node": r.randrange(20)}, "delete": lambda r: {"node": r.randrange(20)},
    "play": lambda r: {"node": r.randrange(20), "move": r.randrange(81)},
    "retry": lambda r: {"node": r.randrange(9), "move": r.randrange(81)},
    "seats": lambda r: {"black": r.choice(["human", "weight"]), "white": r.choice(["human", "alphabeta"])},
}  # fmt: skip


def press_everything(server: Server, id: str, seed: int) -> None:
    rng = random.Random(seed)
    with server.socket(id) as socket:
        for _ in range(50):
            name = rng.choice(list(COMMANDS))
            socket.send(json.dumps({"type": name, **COMMANDS[name](rng)}))
            time.sleep(0.03)


def test_four_pages_press_everything_at_once(server: Server) -> None:
    id = server.new_game(white="alphabeta", seconds=0.1, width=9, height=9)
    pages = [threading.Thread(target=press_everything, args=(server, id, seed)) for seed in range(4)]
    for page in pages:
        page.start()
    for page in pages:
        page.join(60)
    with server.socket(id) as socket:
        t = Room(socket)
        nodes = {row[0]: row for row in t.start["game"]["nodes"]}
        assert all(row[1] in nodes for row in nodes.values() if row[0])
        t.say("stop")
        t.say("seats", black="human", white="human")
        t.say("go", node=0)
        t.wait("update", lambda e: e["status"]["cursor"] == 0 and not e["status"]["thinking"])
        t.say("play", node=0, move=40)
        assert t.wait("update", lambda e: e["status"]["cursor"])["status"]["turn"] == "white"


def test_of_two_pages_that_move_at_once_one_is_refused(server: Server) -> None:
    id = server.new_game()
    with server.socket(id) as one, server.socket(id) as two:
        a, b = Room(one), Room(two)
        a.say("play", node=0, move=112)
        b.say("play", node=0, move=113)
        a.wait("update", lambda e: e["added"])
        b.wait("update", lambda e: e["added"])
        time.sleep(0.2)
        shown = server.http.get(f"/api/games/{id}").json()["game"]
    assert len(shown["nodes"]) == 2
