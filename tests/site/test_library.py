"""The library, the openings and swap2 on the static site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.site.test_site import GAME
from tests.web.conftest import PHONE
from tests.web.pages import click_cell, open_view, stones, until, wait_stones

OpenSite = Callable[..., Any]
RECORDS = "(;GM[4]SZ[15]PB[Ann]PW[Ben];B[hh];W[ii];B[jj])\n(;GM[4]SZ[15]PB[Cy]PW[Di];B[hh];W[hi])\n(;GM[1])\n"


def games(page: Any, count: int) -> None:
    until(page, lambda: page.locator("[data-testid=games] tr[data-game]").count() == count)


def test_games_are_found_imported_exported_and_opened(open_site: OpenSite, address: str, tmp_path: Path) -> None:
    page = open_site(address, GAME)
    wait_stones(page, 10)
    page.wait_for_timeout(600)  # until it is kept
    open_view(page, "study")
    page.locator("[data-tab=library]").click()
    games(page, 1)
    (tmp_path / "games.sgf").write_text(RECORDS, encoding="utf-8")
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "games.sgf")
    page.wait_for_selector("[data-testid=import-report] >> text=GM[1] is another game")
    page.keyboard.press("Escape")
    games(page, 3)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Export").click()
    assert saved.value.path().read_text(encoding="utf-8").count("(;GM[4]") == 3
    page.locator("[data-testid=games] >> text=Ann – Ben").click()
    wait_stones(page, 3)


def test_openings_and_their_names(open_site: OpenSite, address: str) -> None:
    page = open_site(address, "#/study/openings/h8i9", lang="zh", **PHONE)
    until(page, lambda: page.locator("[data-testid=explorer] tbody tr").count() > 5)
    page.locator("[data-testid=explorer] tr", has_text="水月").click()
    page.wait_for_selector("[data-testid=opening] >> text=水月")


def test_swap2_against_a_level(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url)
    wishes = "{ opening: 'swap2', color: 'white', opponent: 'alphabeta', seconds: 0.2 }"
    page.evaluate(f"localStorage.setItem('tengen.newgame', JSON.stringify({wishes}))")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.locator("button.primary.big").click()
    wait_stones(page, 3)  # the engine's
    page.get_by_role("button", name="Place two more").click()
    page.get_by_role("button", name="Place two more").wait_for(state="detached")  # only then the board takes stones
    for number, cell in enumerate(("a1", "o1"), 4):  # corners, where the engine never opens
        click_cell(page, cell)
        until(page, lambda n=number: stones(page) >= n)
    until(page, lambda: "Opening:" not in page.locator("aside").inner_text())  # the engine has chosen
