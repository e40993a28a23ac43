"""Hostile, broken and hasty clients get a clear refusal, and no game changes because of them."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import string
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

from tengen.registry import SpecError
from tengen.rules import Variant
from tengen.web.seats import checked_seat
from tests.web.conftest import Room, Server

OpenRoom = Callable[..., Room]


def raw_request(server: Server, text: str) -> str:
    """A request that no HTTP library would let through."""
    where = urlsplit(server.url)
    with socket.create_connection((where.hostname, where.port), timeout=5) as connection:
        connection.sendall(text.encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode(errors="replace")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "[", "localhost@evil.example"])
def test_other_host_names_are_refused(server: Server, host: str) -> None:
    answer = raw_request(server, f"GET /api/about HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert answer.startswith(("HTTP/1.1 403", "HTTP/1.1 400"))


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_other_origins_cannot_change_anything(server: Server, origin: str) -> None:
    assert server.http.post("/api/games", json={}, headers={"origin": origin}).status_code == 403
    id = server.new_game()
    with pytest.raises(InvalidStatus) as error, server.socket(id, origin=origin):  # type: ignore[arg-type]
        pass
    assert error.value.response.status_code == 403


def test_our_own_origin_is_welcome(server: Server) -> None:
    assert server.http.post("/api/games", json={}, headers={"origin": server.url}).status_code == 201


def test_the_page_runs_no_inline_script(server: Server) -> None:
    answer = server.http.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe-inline" not in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", ""), "only the engine in the page is compiled there"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "onclick" not in answer.text and "<style" not in answer.text and "style=" not in answer.text


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"]
)
def test_files_outside_the_page_are_not_served(server: Server, path: str) -> None:
    answer = raw_request(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.startswith("HTTP/1.1 404")


@pytest.mark.parametrize(
    "seat",
    [
        "gomocup:cmd=/bin/sh",
        "gomocup",
        "alphazero:model=../../x",
        "alphazero:model=/etc/passwd",
        "alphabeta:threads=64",
        "alphabeta:hash_mb=100000",
        "nobody",
        "random:x=1",
        "level:nobody",
        "",
        "human:x",
    ],
)
def test_seats_that_could_do_harm_are_refused(server: Server, seat: str) -> None:
    with pytest.raises(SpecError):
        checked_seat(seat, Variant(15))
    answer = server.http.post("/api/games", json={"settings": {"white": seat}})
    assert answer.status_code == 422 and "Traceback" not in answer.text


@pytest.mark.parametrize(
    "body",
    [
        {"settings": {"width": 23}},
        {"settings": {"width": "15"}},
        {"settings": {"width": 2}},
        {"settings": {"k": 9}},
        {"settings": {"rule": "renju", "k": 4}},
        {"settings": {"seconds": 1e9}},
        {"settings": {"surprise": 1}},
        {"moves": [0, 0]},
        {"moves": [-1]},
        {"moves": [5.5]},
        {"moves": [225]},
        {"moves": list(range(484)) * 3},
        {"moves": "h8"},
        [],
        7,
        None,
        {"settings": {"opening": "swap2"}, "moves": [1]},
    ],
)
def test_impossible_games_are_refused(server: Server, body: Any) -> None:
    answer = server.http.post("/api/games", json=body)
    assert answer.status_code in (409, 422), answer.text
    assert isinstance(answer.json()["detail"], str) and "\n" not in answer.json()["detail"]


def test_huge_bodies_are_refused(server: Server) -> None:
    big = b"[" + b"1," * 600_000 + b"1]"
    headers = {"content-type": "application/json"}
    assert server.http.post("/api/games", content=big, headers=headers).status_code == 413

    def pieces() -> Any:
        for _ in range(40):
            yield b"1" * 50_000

    assert server.http.post("/api/games", content=pieces(), headers=headers).status_code == 413
    assert server.http.get("/api/about").status_code == 200


def test_deep_json_is_refused(server: Server, room: OpenRoom) -> None:
    deep = "[" * 3000 + "]" * 3000
    answer = server.http.post("/api/games", content=deep, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422, 500) and "Traceback" not in answer.text
    t = room()
    t.socket.send(deep[:4000])
    assert t.wait("error")["code"] == "bad-message"


def test_a_huge_message_costs_only_its_sender(server: Server, room: OpenRoom) -> None:
    t = room()
    t.socket.send("x" * 10_000)
    assert t.wait("error")["code"] == "bad-message"
    t.socket.send(b"\x00\xff" * 100)
    assert t.wait("error")["code"] == "bad-message"
    t.socket.send("x" * 100_000)
    with pytest.raises(WebSocketException):
        t.wait("never")
    assert server.http.get("/api/about").status_code == 200


def test_hasty_pages_are_slowed_down(room: OpenRoom) -> None:
    t = room()
    for _ in range(200):
        t.say("go", node=0)
    assert t.wait("error")["code"] == "too-fast"
    for _ in range(100):
        t.say("play", node=0, move=3)
        with contextlib.suppress(TimeoutError):  # refused too, or not answered yet
            assert t.wait("update", seconds=0.3)["status"]["cursor"] == 1
            return
    raise AssertionError("a page that slowed down is still refused")


def test_unknown_games_have_no_socket(server: Server) -> None:
    for id in ("../../x", "%2e%2e"):
        with pytest.raises((InvalidStatus, WebSocketException)), server.socket(id) as socket_:
            socket_.recv(timeout=3)
    with pytest.raises(ConnectionClosed) as closed, server.socket("nosuchgame12") as socket_:
        socket_.recv(timeout=3)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1008
    assert "no such game" in closed.value.rcvd.reason


def test_two_pages_on_one_game_see_the_same(server: Server) -> None:
    id = server.new_game(width=9, height=9)
    with server.socket(id) as one, server.socket(id) as two:
        first, second = Room(one), Room(two)
        first.say("play", node=0, move=40)
        second.say("play", node=0, move=41)
        seen = second.wait("update")
        refused = (first if seen["added"][0][2] == 41 else second).wait("error")
        assert refused["code"] == "stale"


WORDS = (
    "play",
    "go",
    "undo",
    "redo",
    "think",
    "stop",
    "hint",
    "resign",
    "choose",
    "delete",
    "seats",
    "analyse",
    "threats",
    "review",
    "retry",
    "stop-study",
    "",
    "__proto__",
    "constructor",
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18), 10**18),
    st.floats(),
    st.text(max_size=30),
    st.lists(st.integers(-5, 500), max_size=4),
    st.sampled_from(["random", "level:x", "gomocup:cmd=x", "black"]),
)
MESSAGES = st.one_of(
    st.builds(
        lambda type, rest: {**rest, "type": type},
        st.sampled_from(WORDS),
        st.dictionaries(
            st.sampled_from(["node", "move", "spec", "specs", "seconds", "choice", "black", "x"]), VALUES, max_size=4
        ),
    ),
    VALUES,
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(messages=st.lists(MESSAGES, min_size=5, max_size=30))
def test_fuzzed_messages_never_break_a_game(server: Server, messages: list[Any]) -> None:
    id = server.new_game(width=7, height=7, white="random")
    with server.socket(id) as opened:
        t = Room(opened)
        for message in messages:
            opened.send(json.dumps(message))
        opened.send("{" + "".join(random.Random(0).choices(string.printable, k=50)))
        assert t.wait("error")["message"]
        t.say("stop")
    game = server.http.get(f"/api/games/{id}").json()
    cells = [row[2] for row in game["game"]["nodes"]]
    assert all(-1 <= cell < 49 for cell in cells)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH"]),
    path=st.sampled_from(
        [
            "/api/games",
            "/api/games/x",
            "/api/games/x/record",
            "/api/records",
            "/api/tournaments",
            "/api/tournaments/x",
            "/api/tournaments/x/games/1",
            "/api/runs",
            "/api/runs/x",
            "/api/runs/x/games/9999999999999999999",
            "/api/nothing",
        ]
    ),
    body=st.one_of(st.binary(max_size=60), st.dictionaries(st.text(max_size=8), VALUES, max_size=5)),
)
def test_fuzzed_requests_get_a_plain_refusal(server: Server, method: str, path: str, body: Any) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = server.http.request(method, path, content=content, headers={"content-type": "application/json"})
    assert answer.status_code < 500
    assert "Traceback" not in answer.text


def test_half_open_connections_do_not_stop_the_server(server: Server) -> None:
    where = urlsplit(server.url)
    idle = [socket.create_connection((where.hostname, where.port)) for _ in range(30)]
    for connection in idle:
        connection.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
    started = time.perf_counter()
    assert httpx.get(f"{server.url}/api/about").status_code == 200
    assert time.perf_counter() - started < 2
    for connection in idle:
        connection.close()


def test_no_socket_without_a_host_we_know(server: Server) -> None:
    id = server.new_game()
    url = f"{server.url.replace('http', 'ws')}/api/games/{id}/socket"
    with pytest.raises(InvalidStatus), connect(url, additional_headers={"Host": "evil.example"}):
        pass
