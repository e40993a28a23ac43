"""How fast the page is, measured on a real server and a real browser. Used by the tests and by benchmarks/page.py."""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed

from tengen.board import Board
from tengen.rules import Variant, move_name
from tests.web.conftest import DESKTOP, Room, Server
from tests.web.pages import click_cell, stones, until, wait_stones


@contextmanager
def new_page(browser: Any, server: Server, hash: str = "") -> Iterator[Any]:
    """A page with nothing in its cache."""
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    page.goto(server.address(hash))
    page.wait_for_selector("html[data-ready]")
    yield page
    context.close()


def first_paint(browser: Any, server: Server) -> float:
    """Milliseconds from the request to the first text or picture on the screen."""
    with new_page(browser, server) as page:
        return float(page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime"))


def board_shown(browser: Any, server: Server) -> float:
    """Milliseconds from the request to a page that can be played on."""
    with new_page(browser, server) as page:
        return float(page.evaluate("() => performance.getEntriesByName('ready')[0].startTime"))


def ready_work(browser: Any, server: Server) -> float:
    """Milliseconds of processor time that the page's own thread takes until the page can be played on."""
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    events = traced(browser, page, lambda: (page.goto(server.address()), page.wait_for_selector("html[data-ready]")))
    context.close()
    return main_thread_work(events)


def main_thread_work(events: list[dict[str, Any]]) -> float:
    """Milliseconds of processor time in a trace that the pages' own threads took."""
    return sum(event["tdur"] for event in _tasks(events) if "tdur" in event) / 1000


def traced(browser: Any, page: Any, action: Callable[[], object]) -> list[dict[str, Any]]:
    """The browser's own trace of what an action made it do."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        browser.start_tracing(page=page, path=trace, categories=["toplevel"])
        action()
        browser.stop_tracing()
        events: list[dict[str, Any]] = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
        return events


def easiest_level(server: Server) -> dict[str, Any]:
    level: dict[str, Any] = server.http.get("/api/about").json()["levels"]["15"][0]
    return level


def first_answer(server: Server) -> float:
    """Milliseconds from a move to the answer of the easiest level, in a new game."""
    id = server.new_game(white=f"level:{easiest_level(server)['name']}")
    with server.socket(id) as socket:
        t = Room(socket)
        started = time.perf_counter()
        t.say("play", node=0, move=112)
        t.wait_turn("black")
        return 1000 * (time.perf_counter() - started)


def stop_time(server: Server) -> float:
    """Milliseconds from the stop button to a board that is free again, in the middle of a long search."""
    with server.socket(server.new_game(white="mcts:playouts=0", seconds=30.0)) as socket:
        t = Room(socket)
        t.say("play", node=0, move=112)
        t.wait_thinking()
        time.sleep(0.3)
        started = time.perf_counter()
        t.say("stop")
        t.wait("update", lambda e: e["status"]["thinking"] is None)
        return 1000 * (time.perf_counter() - started)


def frame_rate(server: Server, seconds: float = 3.0) -> float:
    """Frames of a live analysis in a second."""
    with server.socket(server.new_game(moves=(112, 113, 98))) as socket:
        t = Room(socket)
        t.say("analyse", specs=["alphabeta"])
        t.wait("analysis")
        started, frames = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            t.wait("analysis")
            frames += 1
        return frames / (time.perf_counter() - started)


@dataclass(frozen=True, slots=True)
class Answer:
    """Seconds that a move waited in the queue and was thought about, and the place it was told."""

    waited: float
    thought: float
    place: int


def play_moves(server: Server, level: str, gate: threading.Barrier) -> list[Answer]:
    """Two moves of one of many games that begin together."""
    answers = []
    with server.socket(server.new_game(white=f"level:{level}")) as socket:
        t = Room(socket)
        gate.wait(60)
        for node, cell in ((0, 0), (2, 224)):
            asked = time.perf_counter()
            t.say("play", node=node, move=cell)
            place = t.wait("update", lambda e: e["status"]["thinking"])["status"]["thinking"]
            if place["queued"]:
                t.wait_thinking()
            begun = time.perf_counter()
            assert t.wait_turn("black")["cursor"] == node + 2
            answers.append(Answer(begun - asked, time.perf_counter() - begun, place["ahead"]))
    return answers


def many_games(server: Server, level: str, games: int = 50) -> list[Answer]:
    """All games at once; an error in any of them is raised here."""
    gate = threading.Barrier(games)
    with ThreadPoolExecutor(games) as people:
        played = [people.submit(play_moves, server, level, gate) for _ in range(games)]
        return [answer for game in played for answer in game.result(120)]


@contextmanager
def endless_analyses(server: Server, count: int) -> Iterator[Callable[[], list[int]]]:
    """So many analyses without end, each with a reader; gives a function that says how many frames each has shown."""
    frames = [0] * count
    sockets = [server.socket(server.new_game(moves=(112, 113, 98, 30 + i))) for i in range(count)]

    def read(i: int) -> None:
        room = Room(sockets[i])
        room.say("analyse", specs=["alphabeta"])
        with suppress(ConnectionClosed):
            while True:
                room.wait("analysis", seconds=600)
                frames[i] += 1

    readers = [threading.Thread(target=read, args=(i,), daemon=True) for i in range(count)]
    for reader in readers:
        reader.start()
    try:
        yield lambda: frames[:]
    finally:
        for socket in sockets:
            socket.close()
        for reader in readers:
            reader.join(10)


def big_record(nodes: int = 5000, branches: int = 24) -> str:
    """An SGF with a long main line and many branches at each move."""
    board, rng, steps = Board(Variant(20)), random.Random(4), []
    while len(steps) * (branches + 1) < nodes:
        legal = board.legal_moves()
        move = rng.choice(legal)
        board.play(move)
        if board.outcome():
            board.undo()
        else:
            others = [m for m in rng.sample(legal, branches + 1) if m != move][:branches]
            steps.append((move, others))
    text = ""
    for depth, (move, others) in reversed(list(enumerate(steps))):
        main, *leaves = [f";{'BW'[depth % 2]}[{move_name(m, 20, 20)}]" for m in (move, *others)]
        text = f"({main}{text})" + "".join(f"({leaf})" for leaf in leaves)
    return f"(;GM[4]SZ[20]{text})"


@dataclass(frozen=True, slots=True)
class LongTask:
    """Milliseconds of the page's longest task: of processor time, and by the clock on the wall."""

    processor: float
    wall: float


def longest_task(browser: Any, server: Server, record: str) -> LongTask:
    """A game is opened, walked through, played on and shown in each view, under the browser's own tracing."""
    id = server.http.post("/api/records", json={"text": record}).json()["id"]
    with new_page(browser, server) as page:
        tasks = _tasks(traced(browser, page, lambda: use_big_game(page, id)))
    timed = [e["tdur"] for e in tasks if "tdur" in e]  # a task that began before the trace has none
    assert len(timed) > 100, "the browser's trace holds no processor times"
    return LongTask(max(timed) / 1000, max(e["dur"] for e in tasks) / 1000)


def use_big_game(page: Any, id: str) -> None:
    page.evaluate("hash => { location.hash = hash; }", f"#/play/{id}")
    until(page, lambda: stones(page) > 100)
    before = stones(page)
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    wait_stones(page, before - 12)
    click_cell(page, "a1", 20, 20)
    wait_stones(page, before - 11)
    for view in ("analyse", "review", "play"):
        page.click(f"nav [data-view={view}]")
        page.wait_for_timeout(200)


def _tasks(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the main thread of the page; the browser names its threads in the trace."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    ours = [e for e in events if names.get((e["pid"], e["tid"])) == "CrRendererMain"]
    return [e for e in ours if e["name"].endswith("RunTask") and e["ph"] == "X"]
