"""Everybody can use the page: axe-core finds nothing to complain of, and every view has one main heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.web.conftest import PHONE, Server
from tests.web.pages import click_cell, moves, until, visit, wait_stones
from tests.web.test_api_tasks import write_run

OpenPage = Callable[..., Any]
Size = tuple[int, int]
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]},
    "resultTypes": ["violations"],
}
AXE = Axe().axe_script
LOST = "h8h9i8i9j8g8k8a1"
"""White leaves a four open."""


def screen(size: Size) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def faults(page: Any, within: str | None = None) -> list[str]:
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate("([part, options]) => axe.run(part ?? document, options)", [within, RULES])["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][-120:]}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.fixture(scope="module")
def places(server: Server) -> dict[str, str]:
    """Every view with something in it."""
    if not (server.runs / "seen").exists():
        write_run(server.runs, "seen", 20)
    game = server.new_game(moves=moves(LOST))
    rooms = {tab: f"#/study/{tab}" for tab in ("puzzles", "lessons", "library", "openings")}
    return {"new": "#/play", "play": f"#/play/{game}", "analyse": f"#/analyse/{game}", "review": f"#/review/{game}",
            "watch": "#/watch", "tournaments": "#/tournaments", "train": "#/train/seen", **rooms,
            "lesson": "#/study/lessons/five"}  # fmt: skip


SHOWN = {"play": ".stones .stone", "analyse": ".live-row", "review": ".review-top button", "watch": ".watch select",
         "tournaments": "form select", "train": ".chart-line", "puzzles": ".puzzle-task h2",
         "lessons": ".lesson-list a", "library": ".library-search input", "openings": "tr[data-move]",
         "lesson": "[data-testid=lesson-text]", "new": ".new-game .primary"}  # fmt: skip
"""What stands in a view once it is there."""


def fill(page: Any, view: str) -> None:
    """Shows what a view has to say of its game."""
    if view == "review":
        page.locator(".review-top button").first.click()
        page.wait_for_selector(".verdict, .counts", timeout=30_000)
    if view == "analyse":
        page.keyboard.press("Space")
        page.wait_for_selector(".opinions td", timeout=20_000)
        page.keyboard.press("Space")


DIALOGS = {
    "play": {"open": ".record-bar button >> nth=0", "save": ".record-bar button >> nth=1",
             "keys": ".tools button >> nth=2", "settings": ".tools button >> nth=3",
             "seat": ".player[data-color=white] button", "resign": ".actions button >> nth=4"},
    "library": {"import": ".library button >> nth=0"},
}  # fmt: skip
"""The dialogs of a view and the buttons that open them."""


def dialogs(page: Any, view: str) -> Iterator[str]:
    """Opens every dialog of a view in turn."""
    for name, opener in DIALOGS.get(view, {}).items():
        page.locator(opener).first.click()
        page.wait_for_selector("dialog[open]")
        yield name
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


@pytest.mark.parametrize(
    ("lang", "theme", "size", "side"),
    [("en", "light", (1280, 800), None), ("zh", "dark", (390, 844), (844, 390))], ids=["desk-en", "phone-zh"]
)  # fmt: skip
def test_axe_finds_no_violation(
    open_page: OpenPage, places: dict[str, str], lang: str, theme: str, size: Size, side: Size | None
) -> None:
    page = open_page(lang=lang, prefs={"theme": theme}, viewport=screen(size), reduced_motion="reduce")
    found = []
    for view, place in places.items():
        page.evaluate("hash => { location.hash = hash; }", place)
        page.locator(SHOWN[view]).first.wait_for()
        fill(page, view)
        assert page.locator("h1").count() == 1, view
        found += [f"{view}: {fault}" for fault in faults(page)]
        found += [f"{name}: {fault}" for name in dialogs(page, view) for fault in faults(page, "dialog")]
        if side and view in ("play", "analyse", "puzzles"):
            page.set_viewport_size(screen(side))
            found += [f"{view} on its side: {fault}" for fault in faults(page)]
            page.set_viewport_size(screen(size))
    assert not found, "\n".join(found)


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.bounding_box()
    return found


def test_a_phone_has_the_board_from_edge_to_edge_and_numbers_to_read(open_page: OpenPage, server: Server) -> None:
    game = server.new_game(moves=moves("h8i9i7g9h9h7j8h6g8f8"))
    page = open_page(f"#/analyse/{game}", **PHONE)
    page.locator(".live-row .toggle").click()
    page.wait_for_selector(".candidate-value")
    board = box(page, ".board-frame")
    assert (board["x"], board["width"]) == (0, 390)
    script = "e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a"  # no number while it is redrawn
    until(page, lambda: page.locator(".candidate-value").first.evaluate(script) >= 10)
    page.wait_for_selector(".opinions td")
    assert box(page, ".opinions tbody tr")["y"] < 844 - 60, "the best move is seen without scrolling"


def test_a_phone_shows_why_a_move_is_bad_without_scrolling(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/review/{server.new_game(moves=moves('h8g8i8g9j8g10k8a1'))}", **PHONE)
    page.get_by_role("button", name="Review this game").click()
    page.get_by_role("button", name="Review again").wait_for(timeout=60_000)
    page.keyboard.press("End")
    why, tabs = box(page, "[data-testid=why]"), box(page, "#header nav")
    assert why["y"] + why["height"] <= tabs["y"]


def test_a_phone_on_its_side_gives_the_board_its_height(open_page: OpenPage, server: Server) -> None:
    game = server.new_game(moves=moves("h8i9i7"))
    page = open_page(f"#/play/{game}", **(PHONE | {"viewport": {"width": 844, "height": 390}}))
    board, side = box(page, ".board-frame"), box(page, ".side")
    assert board["height"] > 0.9 * 390 and board["y"] + board["height"] <= 390
    assert side["x"] >= board["x"] + board["width"] and page.evaluate("document.documentElement.scrollWidth") <= 844
    visit(page, "study")
    page.locator(".puzzle-task h2").wait_for()
    board = box(page, ".study .board-frame")
    assert board["height"] > 0.8 * 390 and board["y"] + board["height"] <= 390
    assert box(page, ".study .side")["x"] >= board["x"] + board["width"]


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_nothing_jumps_while_the_machine_thinks(open_page: OpenPage, server: Server, options: dict[str, Any]) -> None:
    game = server.new_game(white="mcts:playouts=0", seconds=0.8)
    page = open_page(f"#/play/{game}", prefs={"guard": "off"}, **options)
    page.wait_for_selector(".actions button")
    before = box(page, ".actions"), box(page, ".board-frame")
    click_cell(page, "h8")
    until(page, lambda: page.locator(".dots").count() > 0)
    assert (box(page, ".actions"), box(page, ".board-frame")) == before
    wait_stones(page, 2)
    assert (box(page, ".actions"), box(page, ".board-frame")) == before


@pytest.mark.parametrize("size", [(568, 320), (640, 480), (667, 375), (740, 360), (844, 390), (1024, 480)], ids=str)
def test_the_bar_never_lies_on_the_board_of_a_low_window(
    open_page: OpenPage, server: Server, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}", viewport=viewport)
    wait_stones(page, 3)
    over = page.evaluate("""() => {
      const board = document.querySelector('[data-testid=board]').getBoundingClientRect();
      const lies = ({ left, right, top, bottom, width }) => width > 2 && left < board.right && right > board.left
        && top < board.bottom && bottom > board.top;
      const all = [...document.querySelectorAll('#header a, #header button')];
      return all.filter((e) => lies(e.getBoundingClientRect())).length;
    }""")
    side = page.locator(".side").bounding_box()
    assert over == 0 and side["width"] >= 190 and page.evaluate("document.documentElement.scrollWidth") <= size[0]
