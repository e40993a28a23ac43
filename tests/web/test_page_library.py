"""Teaching in play, the library and the opening explorer on the page in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import PHONE, Server, eventually
from tests.web.pages import click_cell, game_id, moves, pixel_of, until, wait_stones

OpenPage = Callable[..., Any]


def teach(page: Any, server: Server) -> None:
    page.locator(".teaching-box .toggle").click()
    page.get_by_test_id("takebacks").wait_for()


def tap_cell(page: Any, cell: str) -> None:
    page.touchscreen.tap(*pixel_of(page, cell))
    page.locator("button.confirm").tap()


def test_teaching_warns_hints_and_counts(open_page: OpenPage, server: Server) -> None:
    id = server.new_game(moves=moves("h8a1i8a3j8"), black="random", white="human")
    page = open_page(f"#/play/{id}")
    wait_stones(page, 5)
    teach(page, server)
    click_cell(page, "o1")
    dialog = page.get_by_role("alertdialog")
    dialog.wait_for()
    assert "Black then wins" in dialog.inner_text()
    page.get_by_role("button", name="Take it back").click()
    wait_stones(page, 5)
    hint = page.get_by_role("button", name="Hint", exact=True)
    hint.click()
    page.locator(".hint-area").first.wait_for()
    hint.click()
    until(page, lambda: page.locator(".hint-area").count() == 0)
    hint.click()
    page.locator(".hint-ring").wait_for()
    page.get_by_role("button", name="Threats").click()
    page.get_by_test_id("teacher").get_by_text("Black threatens to win").wait_for()
    click_cell(page, "o1")
    page.get_by_role("button", name="Play it anyway").click()
    wait_stones(page, 7)
    page.keyboard.press("z")
    page.get_by_text("Take-backs: 1").wait_for()


def test_teaching_on_a_phone_in_chinese(open_page: OpenPage, server: Server) -> None:
    """A move that loses is asked about; one that does not is played at once."""
    id = server.new_game(moves=moves("h8a1i8a3j8"), black="random", white="human")
    page = open_page(f"#/play/{id}", lang="zh", **PHONE)
    wait_stones(page, 5)
    teach(page, server)
    tap_cell(page, "o1")
    dialog = page.get_by_role("alertdialog")
    dialog.wait_for()
    assert "之后黑棋" in dialog.inner_text()
    page.get_by_role("button", name="收回").tap()
    wait_stones(page, 5)
    tap_cell(page, "k8")
    wait_stones(page, 7)


def test_newcomers_are_offered_the_first_lesson(open_page: OpenPage) -> None:
    page = open_page("#/play")
    page.get_by_test_id("newcomer").get_by_role("link").click()
    page.get_by_test_id("lesson-text").wait_for()
    page.goto(page.url.split("#")[0] + "#/play")
    page.reload()
    page.locator(".new-game").wait_for()
    assert page.get_by_test_id("newcomer").count() == 0


@pytest.mark.parametrize(("lang", "phone", "count"), [("en", False, "2 games"), ("zh", True, "共 2 局")])
def test_the_library_imports_finds_tags_and_opens(
    open_page: OpenPage, server: Server, tmp_path: Path, lang: str, phone: bool, count: str
) -> None:
    white = f"Bo-{lang}"
    games = tmp_path / "games.sgf"
    good = [f"(;GM[4]SZ[15]PB[Ann {n}]PW[{white}]RE[B+];B[hh];W[ii];B[{cell}])" for n, cell in ((1, "jg"), (2, "hg"))]
    games.write_text("\n".join([good[0], "(;GM[4]SZ[15];B[hh];W[hh])", good[1], good[0]]))
    page = open_page("#/study/library", lang=lang, **(PHONE if phone else {}))
    page.locator(".library button").first.click()
    page.locator("dialog input[type=file]").set_input_files(games)
    page.get_by_test_id("import-report").locator("pre").wait_for()
    assert "game 2" in page.get_by_test_id("import-report").inner_text()
    page.keyboard.press("Escape")
    page.locator(".library-search input").first.fill(white.lower())
    until(page, lambda: page.get_by_test_id("count").inner_text() == count)
    row = page.locator("tr[data-game]", has_text="Ann 2")
    row.locator("button").last.click()
    page.locator("dialog input").fill("nice")
    page.locator("dialog button.primary").click()
    row.locator(".tag-chip").wait_for()
    row.locator(".open-game").click()
    page.wait_for_url("**/#/play/*")
    wait_stones(page, 3)


def test_played_games_are_kept_and_counted(open_page: OpenPage, server: Server) -> None:
    level = server.http.get("/api/about").json()["levels"]["15"][0]["name"]
    id = server.new_game(moves=moves("h8"), black="human", white=f"level:{level}")
    page = open_page(f"#/play/{id}")
    wait_stones(page, 2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    eventually(
        lambda: any(row["level"] == level for row in server.http.get("/api/library/results").json()["levels"]),
        "the game is counted",
    )
    page.evaluate("location.hash = '#/study/library'")
    page.get_by_test_id("results").locator("td").first.wait_for()
    page.locator(f"tr[data-game='{id}']").wait_for()


@pytest.mark.parametrize(("lang", "phone", "name"), [("en", False, "D4 Kagetsu"), ("zh", True, "D4 花月")])
def test_the_explorer_walks_and_judges(open_page: OpenPage, server: Server, lang: str, phone: bool, name: str) -> None:
    page = open_page("#/study/openings", lang=lang, **(PHONE if phone else {}))
    page.locator("[data-testid=explorer] tr[data-move]").first.wait_for()
    for cell in ("h8", "h9", "i9"):
        (tap_cell if phone else click_cell)(page, cell)
        page.locator(f".stones .stone >> nth={('h8', 'h9', 'i9').index(cell)}").wait_for()
    until(page, lambda: page.get_by_test_id("opening").inner_text() == name)
    page.locator("aside .row button").nth(2).click()
    until(page, lambda: "%" in page.get_by_test_id("judgement").inner_text())
    page.locator("aside .row button").nth(3).click()
    page.wait_for_url("**/#/play/*")
    wait_stones(page, 3)
    assert game_id(page)


@pytest.mark.parametrize(("lang", "variant"), [("en", "15 × 15 · Freestyle"), ("zh", "15 × 15 · 无禁手")])
def test_the_library_names_boards_and_rules_in_the_reader_s_language(
    open_page: OpenPage, server: Server, lang: str, variant: str
) -> None:
    server.new_game(moves=moves("h8i9"), white="random")
    page = open_page("#/study/library", lang=lang)
    page.get_by_text(variant).first.wait_for()
