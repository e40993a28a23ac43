"""A long walk through every view, in English on a desk and in Chinese on a phone; each time the other size is looked at
too. Details have tests of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import DESKTOP, PHONE, Server
from tests.web.pages import click_cell, open_view, stones, tap_cell, until, wait_stones
from tests.web.test_api_tasks import write_run

OpenPage = Callable[..., Any]
UNTRANSLATED = re.compile(
    r"\b(?:nav|top|new|play|over|swap2|record|setup|analyse|review|mark|watch|tour|train|steps)\.[a-z]"
)


@pytest.mark.parametrize(
    ("lang", "screen", "other"), [("en", DESKTOP, PHONE), ("zh", PHONE, DESKTOP)], ids=["desktop-en", "phone-zh"]
)
def test_a_walk_through_everything(
    open_page: OpenPage, server: Server, lang: str, screen: dict[str, Any], other: dict[str, Any]
) -> None:
    page = open_page(lang=lang, **screen)
    for part in (play, save_and_set_up, analyse, review, watch, tournament, training, settings):
        part(page, server, screen is PHONE)
        assert not UNTRANSLATED.search(page.locator("body").inner_text()), part.__name__
        for size in (other["viewport"], screen["viewport"]):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (part.__name__, size)


def put(page: Any, cell: str, phone: bool) -> None:
    """On a touch screen the first tap only asks."""
    if phone:
        tap_cell(page, cell)
        tap_cell(page, cell)
    else:
        click_cell(page, cell)


def play(page: Any, server: Server, phone: bool) -> None:
    page.select_option("#opponent", "player:weight")
    page.locator(".new-game .primary").click()
    page.wait_for_selector("[data-testid=state]")
    put(page, "h8", phone)
    wait_stones(page, 2)
    undo, redo, hint = page.locator(".actions button").all()[:3]
    undo.click()
    wait_stones(page, 0)
    redo.click()
    wait_stones(page, 2)
    hint.click()
    page.wait_for_selector(".hint-ring", timeout=40_000)
    put(page, "a1", phone)
    wait_stones(page, 4)


def save_and_set_up(page: Any, server: Server, phone: bool) -> None:
    page.locator(".record-bar button").nth(1).click()
    assert "#/open/15x15-5-freestyle/h8" in page.locator("dialog input").first.input_value()
    page.locator(".dialog-head button").click()
    page.locator(".record-bar button").nth(2).click()
    page.wait_for_selector(".panel.setup")
    put(page, "o15", phone)
    wait_stones(page, 5)
    page.locator(".setup .quiet").nth(1).click()
    wait_stones(page, 4)


def analyse(page: Any, server: Server, phone: bool) -> None:
    open_view(page, "analyse")
    page.locator(".two-columns select").first.select_option("player:alphabeta")
    page.locator(".live-row input").check()
    page.wait_for_selector(".candidate.best", timeout=40_000)
    point_at_first_row(page, phone)
    page.wait_for_selector(".layer-ghosts .ghost")
    page.locator(".live-row input").uncheck()
    page.locator(".box-head button").click()
    page.locator(".forced > :not(.help), .forced > .help").first.wait_for()


def point_at_first_row(page: Any, phone: bool) -> None:
    """Rows are drawn again with every frame, so they are found by their place."""
    page.get_by_test_id("opinions").scroll_into_view_if_needed()
    point = page.evaluate("""() => {
      const box = document.querySelector('.candidates tbody tr').getBoundingClientRect();
      return [box.x + 40, box.y + box.height / 2];
    }""")
    if phone:
        page.touchscreen.tap(*point)
        assert stones(page) == 4  # the first tap only shows the line
    else:
        page.mouse.move(*point)


def review(page: Any, server: Server, phone: bool) -> None:
    open_view(page, "review")
    page.locator(".review-top .primary").click()
    page.wait_for_selector(".counts", timeout=40_000)
    page.wait_for_selector("progress", state="detached", timeout=60_000)
    assert page.locator(".graph-line").count() == 1
    steps = page.get_by_test_id("steps").get_by_role("button").all()
    steps[0].click()
    wait_stones(page, 0)
    steps[2].click()
    page.wait_for_selector(".tag")


def watch(page: Any, server: Server, phone: bool) -> None:
    open_view(page, "watch")
    seats = page.locator(".watch .seat-picker > select:not(.model)")
    seats.nth(1).wait_for()  # the form comes when the list of players is there
    for select, name in zip(seats.all()[:2], ("weight", "greedy"), strict=True):
        select.select_option(f"player:{name}")
    page.locator(".watch .primary").click()
    until(page, lambda: stones(page) >= 3)
    page.locator(".actions button").first.click()


def tournament(page: Any, server: Server, phone: bool) -> None:
    open_view(page, "tournaments")
    page.locator("form input[type=number]").first.fill("2")
    while page.locator(".entrant button").count():
        page.locator(".entrant button").last.click()
    page.locator(".entrant select:not(.model)").nth(1).wait_for()
    for select, name in zip(page.locator(".entrant select:not(.model)").all(), ("weight", "greedy"), strict=True):
        select.select_option(f"player:{name}")
    page.locator("form [type=submit]").click()
    page.wait_for_selector(".cross td.ahead, .cross td.level", timeout=60_000)
    page.wait_for_selector(".game-list button")


def training(page: Any, server: Server, phone: bool) -> None:
    if not (server.runs / "walk").exists():
        write_run(server.runs, "walk", 12)
    open_view(page, "train")
    page.locator(".card", has_text="walk").click()
    page.wait_for_selector("[data-testid=charts] .chart-line")
    page.locator(".game-list button").first.click()
    page.wait_for_selector(".stones .stone", state="attached")


def settings(page: Any, server: Server, phone: bool) -> None:
    page.locator(".tools button").nth(1).click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.locator(".tools button").nth(2).click()
    assert page.locator("dialog kbd").count() > 10
    page.locator(".dialog-head button").click()
    page.locator(".tools button").nth(3).click()
    page.locator("dialog [role=switch]").nth(1).check()
    page.locator(".dialog-head button").click()
    page.wait_for_selector(".stones .number")
