"""What comes in is bounded and what goes out is as promised: tokens, sites, slots, numbers, settings, signals."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tengen.registry import SpecError
from tengen.rules import Variant
from tengen.web import tasks as tasks_module
from tengen.web.answers import MEANING
from tengen.web.search_pool import Refused
from tengen.web.seats import checked_seat
from tengen.web.security import kept_token
from tengen.web.tasks import MAX_RUNNING, Tasks
from tengen.web.training import NewRun, Training
from tests.web.conftest import Room, Server, eventually, running_server

OpenRoom = Callable[..., Room]
LINUX = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks for processes in /proc")


# The token


def address_in(greeting: str) -> str:
    return next(word for word in greeting.split() if word.startswith("http"))


def test_changes_need_the_token(server: Server) -> None:
    stranger = httpx.Client(base_url=server.url)
    assert stranger.get("/").status_code == 200 and stranger.get("/api/about").status_code == 200
    refused = stranger.post("/api/games", json={})
    assert refused.status_code == 403 and "address" in refused.json()["detail"]
    for token in ("", "x", server.token + "x"):
        assert stranger.post("/api/games", json={}, headers={"x-tengen-token": token}).status_code == 403
    url = f"{server.url.replace('http', 'ws')}/api/games/{server.new_game()}/socket"
    with pytest.raises(InvalidStatus), connect(url):
        pass


def test_the_opened_address_gives_the_page_its_token(server: Server) -> None:
    person = httpx.Client(base_url=server.url)
    answer = person.get(f"/?token={server.token}")
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert person.post("/api/games", json={}).status_code == 201
    assert person.get("/?token=wrong").status_code == 200  # the page itself may be seen by anybody


def test_a_token_is_kept_and_is_only_ours_to_read(tmp_path: Path) -> None:
    token = kept_token(tmp_path)
    assert len(token) >= 30 and kept_token(tmp_path) == token
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0
    (tmp_path / "token").write_text("short")
    assert kept_token(tmp_path) not in ("short", token)


def test_a_server_without_a_token_says_so_in_its_address(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tengen", "serve", "--port", "0", "--workers", "1", "--no-token",
               "--state", str(tmp_path / "state")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = address_in(process.stdout.readline())
    try:
        assert "token" not in address
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), base_url=address) as http:
            assert http.post("/api/games", json={}).status_code == 201
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


# Other sites


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_cannot_change_anything(server: Server, site: str) -> None:
    assert server.http.post("/api/games", json={}, headers={"sec-fetch-site": site}).status_code == 403
    for ours in ("same-origin", "none"):
        assert server.http.post("/api/games", json={}, headers={"sec-fetch-site": ours}).status_code == 201


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "http://[x]:y"])
def test_an_origin_that_is_none_is_refused(server: Server, origin: str) -> None:
    assert server.http.post("/api/games", json={}, headers={"origin": origin}).status_code == 403


def test_no_other_site_may_load_what_we_serve(server: Server) -> None:
    assert server.http.get("/static/icon.svg").headers["cross-origin-resource-policy"] == "same-origin"


# Slots for tournaments and trainings


@pytest.fixture
def sleepers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks that do nothing, in place of `tengen` commands."""

    async def sleep(args: list[str], log: Path) -> asyncio.subprocess.Process:
        await asyncio.sleep(0.02)  # as slow as a real start, so that requests overlap
        return await asyncio.create_subprocess_exec("sleep", "60", start_new_session=True)

    monkeypatch.setattr(tasks_module, "_spawn", sleep)


def test_requests_that_come_at_once_cannot_share_a_slot(sleepers: None, tmp_path: Path) -> None:
    async def test() -> None:
        tasks, prepared = Tasks(), []
        starts = [tasks.start(str(i), [], tmp_path / "log", lambda i=i: prepared.append(i)) for i in range(12)]
        done = await asyncio.gather(*starts, return_exceptions=True)
        assert sum(result is None for result in done) == MAX_RUNNING
        assert all(isinstance(result, Refused) for result in done if result is not None)
        assert len(prepared) == MAX_RUNNING  # the refused left nothing behind
        await tasks.close()

    asyncio.run(test())


def test_one_task_is_not_started_twice(sleepers: None, tmp_path: Path) -> None:
    async def test() -> None:
        tasks = Tasks()
        done = await asyncio.gather(*(tasks.start("x", [], tmp_path / "log") for _ in range(6)), return_exceptions=True)
        assert sum(result is None for result in done) == 1
        tasks.stop("x")
        while tasks.running("x"):
            await asyncio.sleep(0.02)
        assert not tasks.failed("x")

    asyncio.run(test())


def test_runs_of_one_second_have_names_of_their_own(sleepers: None, tmp_path: Path) -> None:
    async def test() -> None:
        training = Training(tmp_path, Tasks(), tmp_path / "networks")
        names = await asyncio.gather(*(training.start(NewRun(experiment="quick")) for _ in range(2)))
        assert len(set(names)) == 2
        with pytest.raises(Refused):
            await training.start(NewRun(experiment="quick"))
        assert len(list(tmp_path.glob("*.log"))) == 2  # none for the one that was refused
        await training.tasks.close()

    asyncio.run(test())


def test_a_refused_tournament_leaves_no_trace(server: Server) -> None:
    request = {"players": ["random", "mcts:playouts=0"], "size": 9, "games": 50, "seconds": 0.5}
    with ThreadPoolExecutor(6) as people:
        answers = list(people.map(lambda _: server.http.post("/api/tournaments", json=request), range(6)))
    started = [a.json()["id"] for a in answers if a.status_code == 201]
    assert len(started) <= MAX_RUNNING and {a.status_code for a in answers} <= {201, 503}
    listed = [row["id"] for row in server.http.get("/api/tournaments").json()]
    for id in started:
        server.http.post(f"/api/tournaments/{id}/stop").raise_for_status()
    unknown = [p.name for p in (server.state / "tournaments").iterdir() if p.name not in listed]
    assert unknown == []
    eventually(lambda: not any(
        row["state"] == "running" for row in server.http.get("/api/tournaments").json() if row["id"] in started
    ), "they stop")  # fmt: skip


# Numbers, records, players, settings


@pytest.mark.parametrize("number", ["1e999", "-1e999", "nan", "7", "-3.5"])
def test_a_record_with_absurd_numbers_can_be_opened(server: Server, number: str) -> None:
    text = f"(;GM[4]SZ[15];B[hh]V[{number}]TGS[ii {number} 1])"
    answer = server.http.post("/api/records", json={"text": text})
    assert answer.status_code in (201, 422)
    if answer.status_code == 201:
        id = answer.json()["id"]
        with server.socket(id) as opened:
            start = Room(opened).start
        numbers = json.dumps(start["game"]["nodes"])
        assert "Infinity" not in numbers and "NaN" not in numbers
        assert server.http.get(f"/api/games/{id}").status_code == 200


def test_a_record_that_takes_too_long_costs_only_itself(server: Server) -> None:
    """392 kB of set-up stones: refused or opened within the time, and the server answers meanwhile."""
    text = f"(;GM[4]SZ[22]{'AB[aa:vv]' * 43_000};B[hh])"[:399_000]
    with ThreadPoolExecutor(1) as other:
        started = time.monotonic()
        slow = other.submit(server.http.post, "/api/records", json={"text": text})
        assert httpx.get(f"{server.url}/api/about").status_code == 200
        assert slow.result(90).status_code in (201, 422)
    assert time.monotonic() - started < 60


@pytest.mark.parametrize(
    "seat",
    ["alphabeta:depth=99999", "mcts:c=nan", "mcts:playouts=-1", "alphazero:batch=-1", "alphazero:formula=puct@9999s",
     "alphazero:model=base-9", "dqn", "minimax:depth=99"],
)  # fmt: skip
def test_seats_that_could_never_play_are_refused(server: Server, seat: str) -> None:
    with pytest.raises(SpecError):
        checked_seat(seat, Variant(15))
    assert server.http.post("/api/games", json={"settings": {"white": seat}}).status_code == 422


def test_a_network_plays_only_the_board_and_rule_it_learned() -> None:
    assert checked_seat("alphazero:model=base-9", Variant(9))
    for variant in (Variant(15), Variant.parse("9x9 renju"), Variant.parse("9x9 k=4")):
        with pytest.raises(SpecError):
            checked_seat("alphazero:model=base-9", variant)


@pytest.mark.parametrize(
    "setting",
    ["ladder.openings=secret.txt", "ladder.openings=5", "teacher.games=1", "warm.games=7", "ladder.opponents=1",
     "name=x", "learn.batch=/etc/passwd", "learn.batch=secret", "search.sims=1,2", "method=dqn"],
)  # fmt: skip
def test_settings_that_name_files_cannot_be_set_from_the_page(server: Server, setting: str) -> None:
    answer = server.http.post("/api/runs", json={"experiment": "quick", "settings": [setting]})
    assert answer.status_code == 422 and "cannot be set here" in answer.json()["detail"]


# What is documented is what is sent


def test_every_refusal_is_documented(server: Server) -> None:
    paths = server.http.get("/api/openapi.json").json()["paths"]

    def check(method: str, path: str, answer: httpx.Response) -> None:
        documented = paths[path][method]["responses"]
        assert str(answer.status_code) in documented, (method, path, answer.status_code)
        schema = documented[str(answer.status_code)]["content"]["application/json"]["schema"]
        assert schema["$ref"].endswith("/Refusal") and set(answer.json()) == {"detail", "code"}

    check("post", "/api/games", server.http.post("/api/games", json={"settings": {"k": 99}}))
    check("post", "/api/games", server.http.post("/api/games", content=b"x" * 600_000))
    check("post", "/api/games", httpx.post(f"{server.url}/api/games", json={}))
    check("get", "/api/games/{id}", server.http.get("/api/games/nosuchgame12"))
    check("get", "/api/games/{id}/record", server.http.get(f"/api/games/{server.new_game()}/record?format=x"))
    check("post", "/api/tournaments/{id}/resume", server.http.post("/api/tournaments/x/resume"))
    id = server.new_game()
    with server.socket(id):
        check("delete", "/api/games/{id}", server.http.delete(f"/api/games/{id}"))
    for path in paths.values():
        for operation in path.values():
            assert {int(status) for status in operation["responses"] if int(status) >= 400} <= set(MEANING)


# One message for one thing


def test_a_click_and_its_answer_are_two_messages(server: Server) -> None:
    """And neither of them is wrong: the first says who thinks, the second has the move and nobody thinking."""
    with server.socket(server.new_game(white="greedy", width=9, height=9)) as opened:
        t = Room(opened)
        t.say("play", node=0, move=40)
        heard = [json.loads(opened.recv(timeout=30)) for _ in range(2)]
        with pytest.raises(TimeoutError):
            opened.recv(timeout=1.0)
    mine, answer = heard
    assert mine["type"] == answer["type"] == "update"
    assert [row[2] for row in mine["added"]] == [40] and mine["status"]["thinking"]["color"] == "white"
    assert len(answer["added"]) == 1 and answer["decision"]["move"] == answer["added"][0][2]
    assert answer["status"]["thinking"] is None and answer["status"]["turn"] == "black"


# Signals and slow clients


def children(server: Server) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True, check=False)
    return [int(pid) for pid in found.stdout.split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@LINUX
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_a_server_that_ends_leaves_no_searches(tmp_path: Path, sign: signal.Signals) -> None:
    with running_server(tmp_path, workers=2) as server:
        with server.socket(server.new_game(white="mcts:playouts=0", seconds=30.0)) as opened:
            t = Room(opened)
            t.say("play", node=0, move=112)
            t.wait_thinking()
            searches = children(server)
            assert len(searches) == 4
            os.kill(server.process.pid, sign)
            eventually(lambda: not any(map(alive, searches)), "the searches end", seconds=5)
        server.process.wait(30)


IMPATIENT = """
import tengen.web.server as server
server.HEADER_SECONDS = 0.5
import tengen.cli.app
tengen.cli.app.main()
"""


def test_connections_that_say_nothing_are_closed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", IMPATIENT, "serve", "--port", "0", "--workers", "1", "--no-token",
               "--state", str(tmp_path / "state")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    where = urlsplit(address_in(process.stdout.readline()))
    try:
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), base_url=where.geturl()) as http:
            http.get("/api/about").raise_for_status()
            half_open: list[Any] = []
            for _ in range(450):
                connection = socket.create_connection(("127.0.0.1", int(where.port or 0)))
                connection.sendall(b"GET /api/about HTTP/1.1\r\nHost: localhost\r\n")
                half_open.append(connection)
            eventually(lambda: _answers(where.geturl()), "the server answers again", seconds=15)
        for connection in half_open:
            connection.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}api/about", timeout=5).status_code == 200
    except httpx.TransportError:
        return False
