"""Smaller things that people stumbled over once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Server
from tests.web.pages import click_cell, game_id, moves, open_view, until, wait_stones

OpenPage = Callable[..., Any]


def test_elo_is_shown_only_where_it_was_measured(open_page: OpenPage) -> None:
    page = open_page()
    level = page.locator("#opponent option[value='level:beginner']")
    assert re.fullmatch(r"Beginner · \d+", level.text_content() or "")
    page.wait_for_selector("text=The weakest level is 400 by definition")
    page.get_by_label("Rule").select_option("renju")
    until(page, lambda: level.text_content() == "Beginner")
    page.get_by_label("Rule").select_option("freestyle")
    page.get_by_role("radio", name="13", exact=True).check()
    until(page, lambda: level.text_content() == "Beginner")
    page.wait_for_selector("text=not rated")


def test_more_options_stay_open_and_say_what_they_do_not_change(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_text("More options").click()
    page.select_option("#opponent", "level:easy")
    assert page.locator("details.more").get_attribute("open") is not None
    page.wait_for_selector("text=Levels keep to their own time")


@pytest.mark.parametrize(("lang", "none"), [("en", "Play or open a game first"), ("zh", "请先下一局或打开棋谱")])
def test_a_review_without_a_game_says_what_to_do(open_page: OpenPage, lang: str, none: str) -> None:
    page = open_page("#/review", lang=lang)
    page.wait_for_selector(f"text={none}")
    assert page.locator(".new-game").count() == 0


def test_the_title_calls_and_the_address_keeps_the_game(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='random', moves=moves('h8i9'))}")
    wait_stones(page, 2)
    until(page, lambda: page.title() == "Your move · Tengen")
    game = game_id(page)
    for view in ("analyse", "review", "play"):
        open_view(page, view)
        until(page, lambda view=view: page.url.endswith(f"#/{view}/{game}"))


def test_a_forbidden_point_says_why_when_it_is_tried(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(rule='renju', moves=moves('f8a1g8a15h6o1h7o15'))}")
    page.locator(".forbidden").first.wait_for()
    click_cell(page, "h8")
    page.wait_for_selector(".toast >> text=double three")


def test_cells_are_written_alike_everywhere(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9'))}")
    wait_stones(page, 2)
    assert "h" in page.locator(".coordinate").all_text_contents()
    assert not re.search(r"\b[A-T]\d{1,2}\b", page.locator("body").inner_text())


def test_lines_lie_below_the_candidates(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9'))}")
    wait_stones(page, 2)
    layers = page.evaluate("() => [...document.querySelectorAll('[class^=layer-]')].map((e) => e.classList[0])")
    assert layers.index("layer-ghosts") < layers.index("layer-candidates")


def test_a_link_says_where_it_works_and_offers_the_text(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9'))}")
    page.get_by_role("button", name="Save").click()
    assert page.get_by_label("Link to this position", exact=True).input_value().startswith(server.url)
    page.wait_for_selector("text=This link opens on this computer only")
    assert page.get_by_label("Moves as text", exact=True).input_value() == "h8i9"


@pytest.mark.parametrize(("lang", "text"), [("en", "Moves as text"), ("zh", "文字棋谱")])
def test_the_text_of_a_game_opens_as_the_same_game(open_page: OpenPage, server: Server, lang: str, text: str) -> None:
    page = open_page(f"#/play/{server.new_game(moves=(0, 1), width=9, height=9, k=4, rule='caro')}", lang=lang)
    wait_stones(page, 2)
    rule = page.get_by_test_id("rule").inner_text()
    page.locator(".record-bar button").nth(1).click()
    copied = page.get_by_label(text, exact=True).input_value()
    page = open_page(lang=lang)
    page.locator(".record-bar button").first.click()
    page.locator("textarea").fill(copied)
    page.locator("dialog button.primary").click()
    wait_stones(page, 2)
    assert copied == "9x9 k=4 caro a9b9" and page.get_by_test_id("rule").inner_text() == rule


def test_placed_stones_are_not_sent_as_moves(open_page: OpenPage, server: Server) -> None:
    setup = {"black": [112], "white": [], "turn": "white"}
    page = open_page(f"#/play/{server.new_game(setup=setup)}")
    wait_stones(page, 1)
    page.get_by_role("button", name="Save").click()
    page.wait_for_selector("text=Send others the SGF file")
    assert page.get_by_label("Moves as text", exact=True).count() == 0
