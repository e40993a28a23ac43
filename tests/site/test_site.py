"""Playing, analysing and reviewing on the static site, with the engine in the browser and no server behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.rules import move_name
from tests.site.conftest import Quiet
from tests.web.conftest import PHONE
from tests.web.pages import click_cell, open_view, stones, until, wait_stones

OpenSite = Callable[..., Any]
GAME = "#/open/15x15-5-freestyle/h8h9i8i9j8g8k8a1a3l8"
"""White leaves a four open, and black does not play its fifth stone."""


ASK_ALPHABETA = "localStorage.setItem('tengen.analyse', JSON.stringify({ a: 'alphabeta' }))"
"""Live analysis by the engine with its network, from the next visit on."""


def start_game(page: Any, level: int) -> None:
    """Starts a game against the level of this number."""
    levels = page.locator("#opponent optgroup").first.locator("option")
    page.locator("#opponent").select_option(levels.nth(level).get_attribute("value"))
    page.locator("button.primary.big").click()
    page.wait_for_url("**#/play/*")


@pytest.mark.parametrize("level", [0, 4, -1])
def test_a_game_at_a_level(open_site: OpenSite, site_url: str, level: int) -> None:
    page = open_site(site_url)
    count = page.locator("#opponent optgroup").first.locator("option").count()
    start_game(page, level % count)
    for number, cell in enumerate(("h8", "a1"), 1):
        until(page, lambda: page.locator("[data-testid=stop]").count() == 0)
        click_cell(page, cell)
        wait_stones(page, 2 * number)
    page.keyboard.press("z")
    wait_stones(page, 2)


def test_the_one_file_plays_on_a_phone_in_chinese(open_site: OpenSite, site: Path) -> None:
    page = open_site((site / "tengen.html").as_uri(), lang="zh", **PHONE)
    start_game(page, 0)
    click_cell(page, "h8")
    wait_stones(page, 2)
    page.wait_for_selector("[data-testid=state] >> text=轮到你走")


def depth(page: Any) -> int:
    """How far the live analysis has looked ahead."""
    found = re.search(r"depth (\d+)", page.locator("aside").inner_text())
    return int(found[1]) if found else 0


def test_a_hint(open_site: OpenSite, address: str) -> None:
    page = open_site(address, "#/open/15x15-5-freestyle/h8h9i8i9j8j9k8a1")
    wait_stones(page, 8)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint-ring")
    assert re.search(r"Try (g8|l8)", page.locator(".notice").inner_text())


def test_an_endless_analysis_is_stopped_at_once(open_site: OpenSite, address: str) -> None:
    page = open_site(address, "#/open/15x15-5-renju/h8i9j7")
    wait_stones(page, 3)
    open_view(page, "analyse")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")
    for _ in range(2):  # it goes on
        before = depth(page)
        until(page, lambda least=before: depth(page) > least)
    page.keyboard.press("Escape")
    page.wait_for_selector("text=Turn on live analysis", timeout=1000)
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 2)


def test_a_line_network_plays_and_analyses(open_site: OpenSite, address: str) -> None:
    page = open_site(address)
    page.evaluate("localStorage.setItem('tengen.analyse', JSON.stringify({ a: 'alphazero:model=lines' }))")
    page.locator("#opponent").select_option(label="alphazero")
    page.locator("button.primary.big").click()
    page.wait_for_url("**#/play/*")
    click_cell(page, "h8")
    wait_stones(page, 2)
    open_view(page, "analyse")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")


def test_forced_wins_are_proven(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, "#/open/15x15-5-freestyle/h8h9i8i9j8j9")
    open_view(page, "analyse")
    page.get_by_role("button", name="Search").click()
    line = page.locator(".forced-line.own")
    line.wait_for()
    assert "Black wins by force" in line.inner_text()


def test_a_proof_is_known_on_both_sides_of_a_move(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, "#/open/15x15-5-freestyle/h8h9i8i9j8j9k8")
    wait_stones(page, 7)
    open_view(page, "analyse")
    page.get_by_role("switch", name="Live analysis").click()
    until(page, lambda: page.get_by_test_id("eval").inner_text() == "#1", 60)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 6)
    assert page.get_by_test_id("eval").inner_text() == "#2"


@pytest.mark.parametrize(("lang", "start"), [("en", "Review this game"), ("zh", "复盘本局")])
def test_a_review(open_site: OpenSite, address: str, lang: str, start: str) -> None:
    page = open_site(address, GAME, lang=lang)
    wait_stones(page, 10)
    open_view(page, "review")
    page.get_by_role("button", name=start).click()
    page.locator("aside").get_by_text("a3").first.wait_for(timeout=40_000)  # the turning point


def test_puzzles_of_ones_own_mistakes(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, "#/open/15x15-5-freestyle/h8a1i8o1j8a15c3")
    wait_stones(page, 7)
    open_view(page, "review")
    page.get_by_role("button", name="Review this game").click()
    page.get_by_role("button", name="Practise my mistakes").click(timeout=40_000)
    page.wait_for_url("**#/study/puzzles*")
    until(page, lambda: stones(page) in (5, 6))  # the open three that white did not stop, or black did not use


def test_what_needs_the_server_says_so(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, "#/train")
    page.wait_for_selector("h1 >> text=This needs the Tengen server.")
    open_view(page, "tournaments")
    page.wait_for_selector("h1 >> text=This needs the Tengen server.")
    assert page.locator("h1").count() == 1


def test_games_are_kept_and_the_site_opens_without_a_network(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, "#/open/15x15-5-freestyle/h8i9j7")
    wait_stones(page, 3)
    click_cell(page, "a1")
    wait_stones(page, 4)
    until(page, lambda: bool(page.evaluate("() => navigator.serviceWorker.ready.then((r) => Boolean(r.active))")))
    page.wait_for_timeout(600)
    Quiet.cut_off = True
    page.evaluate(ASK_ALPHABETA)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    wait_stones(page, 4)
    assert stones(page, "white") == 2
    answered: list[str] = []
    page.on("response", lambda answer: answered.append(answer.url) if answer.ok else None)
    open_view(page, "analyse")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")
    assert any("/networks/" in url for url in answered), "the engine's network was kept with the site"


def a_puzzle(site: Path) -> dict[str, Any]:
    """A win by fours in two or three moves."""
    puzzles = json.loads((site / "data" / "puzzles.json").read_text(encoding="utf-8"))
    short = [one for one in puzzles if one["kind"] == "vcf" and one["attacks"] <= 3 and one["width"] == 15]
    return dict(min(short, key=lambda one: one["attacks"]))


def test_a_puzzle_is_solved_and_counted(open_site: OpenSite, site: Path, address: str) -> None:
    puzzle = a_puzzle(site)
    page = open_site(address, f"#/study/puzzles/{puzzle['id']}")
    before = len(puzzle["black"]) + len(puzzle["white"])
    wait_stones(page, before)
    for number, move in enumerate(puzzle["line"][::2]):
        click_cell(page, move_name(move, 15, 15))
        until(page, lambda n=number: stones(page) >= before + 2 * n + 1)
        page.wait_for_timeout(300)
        if page.locator("text=Solved").count():
            break
    page.wait_for_selector("text=Solved")


def test_lessons_are_there_in_chinese(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, "#/study/lessons", lang="zh", **PHONE)
    until(page, lambda: page.locator("main button, main a").count() >= 10)
