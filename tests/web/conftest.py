"""A real server and a real browser for the tests of the page."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect


@dataclass
class Server:
    url: str
    state: Path
    runs: Path
    process: subprocess.Popen[str]
    token: str

    @cached_property
    def http(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=90, headers=self.key)

    @property
    def key(self) -> dict[str, str]:
        return {"x-tengen-token": self.token}

    def address(self, hash: str = "") -> str:
        """What the server prints and a browser opens."""
        return f"{self.url}/?token={self.token}{hash}"

    def new_game(self, moves: tuple[int, ...] = (), setup: dict[str, Any] | None = None, **settings: Any) -> str:
        body = {"settings": settings, "moves": list(moves), "setup": setup}
        answer = self.http.post("/api/games", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def socket(self, id: str, **options: Any) -> ClientConnection:
        url = f"{self.url.replace('http', 'ws')}/api/games/{id}/socket"
        headers = {**self.key, **options.pop("additional_headers", {})}
        return connect(url, max_size=None, additional_headers=headers, **options).__enter__()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


WITH_GRACE = """
import functools, tengen.cli.app, tengen.web.app as web
web.create_app = functools.partial(web.create_app, leave_grace={grace})
tengen.cli.app.main()
"""


@contextmanager
def running_server(folder: Path, workers: int = 2, leave_grace: float | None = None) -> Iterator[Server]:
    """`tengen serve` on a free port of loopback, with a leave grace of its own where a test needs one."""
    program = ["-m", "tengen"] if leave_grace is None else ["-c", WITH_GRACE.format(grace=leave_grace)]
    command = [sys.executable, *program, "serve", "--port", "0", "--workers", str(workers),
               "--state", str(folder / "state"), "--runs", str(folder / "runs")]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    first_line = process.stdout.readline()
    found = re.search(r":(\d+)/\?token=(\S+)", first_line)
    assert found, first_line
    server = Server(f"http://127.0.0.1:{found[1]}", folder / "state", folder / "runs", process, found[2])
    try:
        with httpx.Client(transport=httpx.HTTPTransport(retries=20), base_url=server.url, timeout=20) as http:
            http.get("/api/about").raise_for_status()
        yield server
    finally:
        if process.poll() is None:
            server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("web")) as server:
        yield server


def eventually(true: Callable[[], bool], what: str, seconds: float = 60) -> None:
    """Looks again and again until it is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.05)


class Room:
    """The socket of one game, for tests: say something, wait for an event."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.last_update: Any = None
        self.start = self.wait("game")

    def shown(self) -> Any:
        """The newest update."""
        return self.last_update

    def say(self, type: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type, **fields}))

    def wait(self, type: str, where: Callable[[dict[str, Any]], bool] = lambda e: True, seconds: float = 30) -> Any:
        while True:
            event = json.loads(self.socket.recv(timeout=seconds))
            if event["type"] == "update":
                self.last_update = event
            if event["type"] == type and where(event):
                return event

    def wait_thinking(self) -> Any:
        """Who thinks, once a player is at it and not only in the queue."""
        while True:
            event = json.loads(self.socket.recv(timeout=30))
            said = event.get("status", event) if event["type"] in ("update", "thinking") else {}
            if (thinking := said.get("thinking")) and not thinking["queued"]:
                return thinking

    def wait_turn(self, color: str) -> Any:
        """The status once `color` is to move and nobody thinks."""
        return self.wait("update", lambda e: e["status"]["turn"] == color and not e["status"]["thinking"])["status"]


@pytest.fixture
def room(server: Server) -> Iterator[Callable[..., Room]]:
    """Opens a new game and its socket: room(white="random", moves=(112,))."""
    sockets = []

    def open_room(**settings: Any) -> Room:
        sockets.append(server.socket(server.new_game(**settings)))
        return Room(sockets[-1])

    yield open_room
    for socket in sockets:
        socket.close()


class SharedBrowser:
    """One browser for all tests that follow each other: the system's Chromium, else Playwright's own, else a skip.

    A page that is opened like an earlier one finds the page's files in the browser's cache.
    """

    def __init__(self) -> None:
        self._playwright: Any = None
        self._browser: Any = None
        self._contexts: dict[str, Any] = {}

    def open(self) -> Any:
        if self._browser is None:
            sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
            found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
            self._playwright = sync_api.sync_playwright().start()
            try:
                self._browser = self._playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
            except sync_api.Error:
                self.close()
                pytest.skip("no Chromium: install one, or run `playwright install chromium`")
        return self._browser

    def context(self, options: dict[str, Any]) -> Any:
        key = json.dumps(options, sort_keys=True)
        if key not in self._contexts:
            self._contexts[key] = self.open().new_context(**options)
        return self._contexts[key]

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = self._browser = None
        self._contexts.clear()


BROWSER = SharedBrowser()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """While Playwright is open its event loop keeps other tests from running theirs."""
    if "chromium" not in getattr(nextitem, "fixturenames", ()):
        BROWSER.close()


@pytest.fixture
def chromium() -> Any:
    return BROWSER.open()


DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
BEGIN = """if (!sessionStorage.getItem('begun')) {
  sessionStorage.setItem('begun', 'yes');
  localStorage.clear();
  localStorage.setItem('tengen.prefs', '%s');
}"""
"""A new page finds nothing of an earlier test, but keeps its own preferences over a reload."""


@pytest.fixture
def open_page(chromium: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """open_page("#/play", lang="zh", **PHONE): a page that fails the test on any error in its console.

    A page that changes more than itself, such as the clock of its browser, must be `alone`.
    """
    pages, faults = [], []

    def opened(hash: str = "", lang: str = "en", prefs: dict[str, Any] | None = None, alone: bool = False,
               **options: Any) -> Any:  # fmt: skip
        look = DESKTOP | options
        page = (chromium.new_context(**look) if alone else BROWSER.context(look)).new_page()
        pages.append(page)
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        refusal = "Failed to load resource"  # the browser's own note of an answer such as 422, which tests provoke
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" and refusal not in m.text else None)
        page.add_init_script(BEGIN % json.dumps({"lang": lang, "theme": "light"} | (prefs or {})))
        page.goto(server.address(hash))
        page.wait_for_selector("html[data-ready]")
        return page

    yield opened
    for page in pages:
        page.close()
    assert not faults, faults
