"""Records, links, pictures and comments on the page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.web.conftest import Server
from tests.web.pages import game_id, moves, until, visit, wait_stones

OpenPage = Callable[..., Any]


def test_opening_and_saving_records(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9j7'))}")
    page.get_by_role("button", name="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SGF with analysis").click()
    text = download.value.path().read_text()
    assert text.startswith("(;GM[4]")
    with page.expect_download() as download:
        page.get_by_role("button", name="PNG picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG") and download.value.path().stat().st_size > 50_000
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG picture").click()
    assert "<svg" in download.value.path().read_text()
    link = page.get_by_label("Link to this position", exact=True).input_value()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Paste an SGF").fill(text.replace("]", "]", 1))
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.wait_for_selector("dialog", state="detached")
    wait_stones(page, 3)
    page.goto(link)
    page.wait_for_url(re.compile("#/play/"))
    wait_stones(page, 3)
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Paste an SGF").fill("nonsense")
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.wait_for_selector("dialog .fault >> text=nonsense")


def test_a_bad_link_is_explained(open_page: OpenPage) -> None:
    page = open_page("#/open/15x15-5-freestyle/zz99")
    page.wait_for_selector(".toast >> text=This link does not contain a game.")


def test_text_stays_text(open_page: OpenPage, server: Server) -> None:
    request = {"name": "<img src=x onerror=alert(1)>", "players": ["random", "greedy"], "size": 6, "games": 2}
    id = server.http.post("/api/tournaments", json=request).json()["id"]
    page = open_page(f"#/tournaments/{id}")
    page.wait_for_selector("text=<img src=x")
    assert page.locator("img").count() == 0


COMMENTED = "(;GM[4]SZ[15]PB[Alice]PW[<b>Bob</b>]C[Two friends];B[hh]C[<img src=x> the centre];W[ii])"


def test_comments_and_names_of_a_record_are_shown_as_text(open_page: OpenPage, server: Server) -> None:
    id = server.http.post("/api/records", json={"text": COMMENTED}).json()["id"]
    page = open_page(f"#/play/{id}")
    wait_stones(page, 2)
    assert page.locator(".player-name").all_inner_texts() == ["Alice", "<b>Bob</b>"]
    comment = page.get_by_test_id("comment")
    for view in ("play", "analyse", "review"):
        visit(page, view)
        page.keyboard.press("End")
        wait_stones(page, 2)
        until(page, comment.is_hidden)
        page.keyboard.press("ArrowLeft")
        until(page, lambda: comment.inner_text() == "<img src=x> the centre")
        page.keyboard.press("Home")
        until(page, lambda: comment.inner_text() == "Two friends")
        assert page.locator("img").count() == 0, view


def test_a_record_is_opened_before_any_game(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Paste an SGF").fill("h8i9j7")
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    wait_stones(page, 3)


def test_a_reviewed_game_comes_back_with_its_marks(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/review/{server.new_game(moves=moves('h8g8i8g9j8g10k8a1'))}")
    page.get_by_role("button", name="Review this game").click()
    page.get_by_role("button", name="Review again").wait_for(timeout=60_000)
    marked = page.locator(".tree-node[class*=mark-]").count()
    assert marked > 0
    text = server.http.get(f"/api/games/{game_id(page)}/record").json()["text"]
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Paste an SGF").fill(text)
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.wait_for_selector("dialog", state="detached")
    until(page, lambda: page.locator(".tree-node[class*=mark-]").count() == marked)
    page.get_by_role("button", name="Next mistake").click()
    page.get_by_role("button", name="Try again").wait_for()
