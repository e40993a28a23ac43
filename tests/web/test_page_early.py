"""What is pressed while a page opens or a search waits for its turn is neither lost nor unseen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tests.web.conftest import PHONE, Room, Server
from tests.web.pages import click_cell, moves, stones, tap_cell, until, wait_stones

OpenPage = Callable[..., Any]

HOLD_SOCKETS = """{
  const Real = WebSocket, held = [];
  window.openSockets = () => held.splice(0).forEach((open) => open());
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 0;
    constructor(url) {
      held.push(() => {
        this.real = new Real(url);
        this.real.onopen = (event) => { this.readyState = 1; this.onopen(event); };
        this.real.onmessage = (event) => this.onmessage(event);
        this.real.onclose = (event) => { this.readyState = 3; this.onclose(event); };
      });
    }
    send(text) { this.real.send(text); }
    close() { this.real?.close(); }
  };
}"""
"""Sockets stay closed until the test opens them, as they do while a server is busy with others."""


@contextmanager
def opening(open_page: OpenPage, hash: str, **options: Any) -> Iterator[Any]:
    """A page whose game has not come in yet; it comes at the end of the block."""
    page = open_page(hash, **options)
    page.add_init_script(HOLD_SOCKETS)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    yield page
    page.evaluate("openSockets()")


@pytest.mark.parametrize(("lang", "search"), [("en", "Search"), ("zh", "搜索")])
def test_a_search_asked_for_before_the_game_is_there_is_made(
    open_page: OpenPage, server: Server, lang: str, search: str
) -> None:
    id = server.new_game(moves=moves("h8h9i8i9j8j9"))
    with opening(open_page, f"#/analyse/{id}", lang=lang) as page:
        page.get_by_role("button", name=search).click()
        assert page.locator(".toast").count() == 0
    page.locator(".forced-line.own").wait_for()


def test_a_key_pressed_before_the_game_is_there_counts(open_page: OpenPage, server: Server) -> None:
    with opening(open_page, f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}") as page:
        page.keyboard.press(" ")
    page.wait_for_selector(".candidate.best")


def test_a_game_is_saved_once_it_is_there(open_page: OpenPage, server: Server) -> None:
    with opening(open_page, f"#/play/{server.new_game(moves=moves('h8i9'))}") as page:
        page.get_by_role("button", name="Save").click()
        assert page.locator("dialog[open]").count() == 0
    assert page.get_by_label("Moves as text", exact=True).input_value() == "h8i9"


def test_a_position_is_set_up_from_the_stones_of_the_game(open_page: OpenPage, server: Server) -> None:
    with opening(open_page, f"#/play/{server.new_game(moves=moves('h8i9'))}") as page:
        page.get_by_role("button", name="Set up").click()
        assert page.locator(".panel.setup").count() == 0
    page.locator(".panel.setup").wait_for()
    assert stones(page) == 2


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_board_that_is_not_there_yet_takes_no_stone(
    open_page: OpenPage, server: Server, options: dict[str, Any]
) -> None:
    with opening(open_page, f"#/play/{server.new_game(moves=moves('h8i9'))}", **options) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for _ in range(2):  # a guarded board asks first
            tap_cell(page, "a1") if options else click_cell(page, "a1")
        page.wait_for_timeout(300)
    wait_stones(page, 2)
    assert stones(page) == 2 and not [url for url in asked if url.endswith("/api/games")]


@pytest.mark.parametrize(
    ("lang", "search", "waiting"), [("en", "Search", "Waiting for a free processor"), ("zh", "搜索", "正在排队")]
)
def test_a_search_that_waits_for_its_turn_says_so(
    open_page: OpenPage, server: Server, lang: str, search: str, waiting: str
) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8h9i8i9j8j9'))}", lang=lang)
    wait_stones(page, 6)
    with ExitStack() as stack:
        games = [server.new_game(moves=moves("h8i9j7")) for _ in range(4)]
        rooms = [Room(stack.enter_context(server.socket(game))) for game in games]
        for room in rooms:
            room.say("analyse", specs=["alphabeta", "alphabeta"], lines=3)
        page.get_by_role("button", name=search).click()
        page.get_by_test_id("forced").get_by_text(waiting).wait_for()
        for room in rooms:
            room.say("analyse", specs=[])
        page.locator(".forced-line.own").wait_for()
    until(page, lambda: page.get_by_test_id("forced").get_by_text(waiting).count() == 0)


CUT_OFF = """() => {
  const Real = WebSocket, { send } = Real.prototype;
  Real.prototype.send = function () { Real.prototype.send = send; this.close(); };
  window.WebSocket = class {
    static OPEN = 1;
    constructor() { setTimeout(() => this.onclose({ code: 1006 })); }
  };
  window.comeBack = () => { window.WebSocket = Real; };
}"""
"""The next thing the page says ends its socket, and no other opens until the server comes back."""


@pytest.mark.parametrize("view", ["analyse", "review", "play"])
@pytest.mark.parametrize(("lang", "lost"), [("en", "The server cannot be reached"), ("zh", "无法连接服务器")])
def test_every_view_of_a_game_says_that_the_server_is_gone(
    open_page: OpenPage, server: Server, view: str, lang: str, lost: str
) -> None:
    page = open_page(f"#/{view}/{server.new_game(moves=moves('h8i9j7'))}", lang=lang)
    wait_stones(page, 3)
    said = page.locator(".side").get_by_text(lost)
    assert said.count() == 0
    page.evaluate(CUT_OFF)
    page.keyboard.press("ArrowLeft")
    until(page, lambda: said.count() == 1)
    page.evaluate("comeBack()")
    until(page, lambda: said.count() == 0)


def test_nothing_pasted_is_nothing_to_open(open_page: OpenPage) -> None:
    page = open_page("#/play")
    page.get_by_role("button", name="Open").click()
    text, load = page.get_by_label("Paste an SGF"), page.get_by_role("dialog").get_by_role("button", name="Open")
    assert not load.is_enabled()
    text.fill("  \n ")
    assert not load.is_enabled()
    text.fill("h8")
    load.click()
    wait_stones(page, 1)
