"""The page offers what can work and says what is so: evaluation bar, threats, networks, lost servers, double clicks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tengen.inference.models import load_model
from tests.web.conftest import DESKTOP, PHONE, Server
from tests.web.pages import click_cell, moves, open_view, until, visit, wait_stones

OpenPage = Callable[..., Any]


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_evaluation_bar_stands_beside_the_board(open_page: OpenPage, server: Server, screen: dict[str, Any]) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8h9i8i9j8j9k8a1'))}", **screen)
    page.get_by_role("switch", name="Live analysis").click()
    until(page, lambda: page.get_by_test_id("eval").inner_text() == "#1")
    assert "wins at once" in page.get_by_test_id("eval").get_attribute("title")
    open_view(page, "play")
    until(page, lambda: not page.get_by_test_id("eval").is_visible())


def test_standing_threats_are_drawn_and_can_be_switched_off(open_page: OpenPage, server: Server) -> None:
    id = server.new_game(moves=moves("h8h9i8i9j8g8k8a1a3"))
    page = open_page(f"#/analyse/{id}")
    page.wait_for_selector(".threat.five.black", state="attached")
    assert page.locator(".threat.five").count() == 1
    page = open_page(f"#/analyse/{id}", prefs={"threats": False})
    wait_stones(page, 9)
    assert page.locator(".threat").count() == 0


def test_a_proof_outlives_stepping_about_and_a_reload(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8h9i8i9j8j9'))}")
    page.get_by_role("switch", name="Live analysis").click()
    until(page, lambda: page.get_by_test_id("eval").inner_text().startswith("#"))
    proof = page.get_by_test_id("eval").inner_text()
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 5)
    page.keyboard.press("ArrowRight")
    wait_stones(page, 6)
    assert page.get_by_test_id("eval").inner_text() == proof
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_timeout(600)
    page.reload()
    wait_stones(page, 6)
    until(page, lambda: page.get_by_test_id("eval").inner_text() == proof)
    assert "Black wins by force" in page.get_by_test_id("forced").inner_text()


def test_a_proof_is_known_on_both_sides_of_a_move(open_page: OpenPage, server: Server) -> None:
    """What is proven after a move holds before it too, and goes on along its line."""
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8h9i8i9j8j9k8'))}")
    page.get_by_role("switch", name="Live analysis").click()
    until(page, lambda: page.get_by_test_id("eval").inner_text() == "#1")
    page.get_by_role("switch", name="Live analysis").click()
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 6)
    assert page.get_by_test_id("eval").inner_text() == "#2"
    until(page, lambda: page.locator(".graph-value").inner_text() == "Black: win in 2")


@pytest.mark.parametrize(
    ("lang", "name", "screen"), [("en", "Review", DESKTOP), ("zh", "复盘", PHONE)], ids=["desk-en", "phone-zh"]
)
def test_a_finished_game_fills_the_bar_and_is_reviewed_with_one_press(
    open_page: OpenPage, server: Server, lang: str, name: str, screen: dict[str, Any]
) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8h9i8i9j8j9k8a1l8'))}", lang=lang, **screen)
    wait_stones(page, 9)
    page.locator(".actions .accent").filter(has_text=name).click()
    page.wait_for_selector("[data-testid=accuracy]")
    assert page.get_by_test_id("eval").inner_text() == "100"
    until(page, lambda: page.get_by_test_id("turning").count() == 1)
    assert page.get_by_test_id("turning").inner_text().endswith("j9")


def test_an_empty_board_analyses(open_page: OpenPage) -> None:
    page = open_page("#/analyse")
    page.wait_for_selector(".candidate.best")
    click_cell(page, "h8")
    wait_stones(page, 1)
    page.wait_for_selector(".candidate.best")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector("text=Turn on live analysis")


def test_a_double_click_starts_one_game(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if request.url.endswith("/api/games") else None)
    page.get_by_role("button", name="Play", exact=True).dblclick()
    page.wait_for_selector("[data-testid=state]")
    page.wait_for_timeout(500)
    assert asked.count("POST") == 1


@pytest.mark.parametrize(
    ("lang", "size", "none", "card"),
    [
        ("en", "other board size", "no network for this board", ["First choice", "Search", "Untrained"]),
        ("zh", "棋盘尺寸不符", "没有适合此棋盘的网络", ["首选", "加搜索", "未训练"]),
    ],
)
def test_networks_that_cannot_play_are_grey_with_the_reason(
    open_page: OpenPage, lang: str, size: str, none: str, card: list[str]
) -> None:
    measured = load_model("base-15").card["tactics"]
    five = [f"{measured[f'{way}/five']:.0f} %" for way in ("policy", "search", "untrained")]
    page = open_page(lang=lang)
    page.select_option("#opponent", "player:alphazero")
    assert page.locator("select.model option[value=tengen]").is_enabled()
    small = page.locator("select.model option[value=base-9]")
    assert not small.is_enabled() and size in (small.text_content() or "")
    page.locator("select.model").select_option("base-15")
    page.get_by_test_id("model-card").locator("summary").click()
    columns = page.locator(".tactics thead th").all_inner_texts()
    assert columns == card and page.locator(".tactics tbody tr").first.locator("td").all_inner_texts() == five
    until(page, lambda: page.locator("input.spec").input_value() == "alphazero:model=base-15")
    page.locator("select", has=page.locator("option[value=renju]")).select_option("caro")
    unfit = page.locator("#opponent option[value='player:alphazero']")
    until(page, lambda: not unfit.is_enabled())
    assert none in (unfit.text_content() or "")
    assert page.locator("#opponent").input_value().startswith("level:")


def test_a_page_whose_server_is_slow_to_come_is_not_blank(open_page: OpenPage, server: Server) -> None:
    page = open_page()
    page.route("**/api/about", lambda route: route.abort())
    page.reload()
    page.wait_for_selector("text=The server cannot be reached")
    page.unroute("**/api/about")
    page.wait_for_selector("text=New game", timeout=10_000)


def test_a_malformed_address_is_not_a_blank_page(open_page: OpenPage, server: Server) -> None:
    page = open_page("#/%E0%A4%A")
    page.wait_for_selector("[data-testid=board]")
    for hash in ("#/nothing/at/all", "#//", "#/play/%"):
        page.goto(f"{server.url}/{hash}")
        page.reload()
        page.wait_for_selector("[data-testid=board]")


def test_lists_recover_when_the_server_comes_back(open_page: OpenPage) -> None:
    page = open_page(alone=True)
    page.clock.install()
    for view, path in (("tournaments", "**/api/tournaments"), ("train", "**/api/runs")):
        visit(page, view)
        page.locator("form").wait_for()
        page.route(path, lambda route: route.abort())
        page.clock.fast_forward(5_000)
        page.wait_for_selector(".fault >> text=The server cannot be reached.")
        assert page.locator("form").count() == 1  # what was there stays
        page.unroute(path)
        page.clock.fast_forward(5_000)
        page.locator(".fault").first.wait_for(state="hidden")


def test_an_analysis_in_a_hidden_tab_rests_until_somebody_looks(open_page: OpenPage, server: Server) -> None:
    page = open_page(alone=True)
    page.clock.install()
    page.goto(f"{server.url}/#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    switch = page.locator(".live-row input")

    def show(hidden: bool) -> None:
        page.evaluate(
            "hidden => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });"
            "document.dispatchEvent(new Event('visibilitychange')); }",
            hidden,
        )

    page.locator(".live-row .toggle").click()
    page.wait_for_selector(".opinions td")
    show(hidden=True)
    page.clock.fast_forward(30_000)
    assert switch.is_checked()
    page.clock.fast_forward(31_000)
    until(page, lambda: not switch.is_checked())
    show(hidden=False)
    until(page, switch.is_checked)
