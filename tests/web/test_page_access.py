"""Everybody can use the page: axe-core finds nothing to complain of, and every view has one main heading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.web.conftest import PHONE, Server
from tests.web.pages import click_cell, moves, until, wait_stones
from tests.web.test_api_tasks import write_run

OpenPage = Callable[..., Any]
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}}
LOST = "h8h9i8i9j8g8k8a1"
"""White leaves a four open."""


def faults(page: Any) -> list[str]:
    found = Axe().run(page, options=RULES).response["violations"]
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
    return {"new": "#/play", "play": f"#/play/{game}", "analyse": f"#/analyse/{game}", "review": f"#/review/{game}",
            "watch": "#/watch", "tournaments": "#/tournaments", "train": "#/train/seen"}  # fmt: skip


@pytest.mark.parametrize(("lang", "theme", "size"), [("en", "light", (1280, 800)), ("zh", "dark", (390, 844))])
def test_axe_finds_no_violation(
    open_page: OpenPage, server: Server, places: dict[str, str], lang: str, theme: str, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = open_page(lang=lang, prefs={"theme": theme}, viewport=viewport, reduced_motion="reduce")
    found = []
    for view, place in places.items():
        page.goto(f"{server.url}/{place}")
        page.wait_for_timeout(400)
        if view == "review":
            page.get_by_role("button", name="Review this game" if lang == "en" else "复盘").first.click()
            page.wait_for_selector(".verdict, .counts", timeout=30_000)
        if view == "analyse":
            page.keyboard.press("Space")
            page.wait_for_selector(".opinions td", timeout=20_000)
            page.keyboard.press("Space")
        assert page.locator("h1").count() == 1, view
        found += [f"{view}: {fault}" for fault in faults(page)]
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


def test_a_phone_on_its_side_gives_the_board_its_height(open_page: OpenPage, server: Server) -> None:
    game = server.new_game(moves=moves("h8i9i7"))
    page = open_page(f"#/play/{game}", **(PHONE | {"viewport": {"width": 844, "height": 390}}))
    board, side = box(page, ".board-frame"), box(page, ".side")
    assert board["height"] > 0.9 * 390 and board["y"] + board["height"] <= 390
    assert side["x"] >= board["x"] + board["width"] and page.evaluate("document.documentElement.scrollWidth") <= 844


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
