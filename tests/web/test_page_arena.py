"""Watching, tournaments and training on the page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Server
from tests.web.pages import stones, until
from tests.web.test_api_tasks import write_run

OpenPage = Callable[..., Any]


def test_two_machines_are_watched(open_page: OpenPage) -> None:
    page = open_page("#/watch")
    page.get_by_label("Black", exact=True).select_option("player:greedy")
    page.get_by_label("White", exact=True).select_option("player:weight")
    page.get_by_label("Board", exact=True).select_option("9")
    page.get_by_role("button", name="Start the game").click()
    until(page, lambda: stones(page) >= 4)
    page.get_by_role("button", name="Pause").click()
    page.wait_for_selector("text=Paused")
    before = stones(page)
    page.wait_for_timeout(600)
    assert stones(page) == before
    page.get_by_role("button", name="Resume").click()
    until(page, lambda: stones(page) > before)


def test_a_tournament_from_form_to_table(open_page: OpenPage) -> None:
    page = open_page("#/tournaments")
    page.get_by_label("Name").fill("Spring cup")
    page.get_by_label("Games per pairing").fill("2")
    for i, name in enumerate(("random", "greedy", "weight"), 1):
        page.get_by_label(f"Player {i}", exact=True).select_option(f"player:{name}")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".cross td.ahead", timeout=40_000)
    page.wait_for_selector("text=finished · 6 of 6 games", timeout=40_000)
    page.wait_for_selector(".rating-dot")
    page.locator(".game-list button").first.click()
    page.wait_for_selector(".stones .stone")


def test_a_run_shows_its_curves_and_games(open_page: OpenPage, server: Server) -> None:
    if not (server.runs / "curves").exists():
        write_run(server.runs, "curves", 30)
        write_run(server.runs, "other-run", 20)
    page = open_page("#/train", lang="zh")
    page.locator(".card", has_text="curves").click()
    page.wait_for_selector("[data-testid=charts] .chart-line")
    titles = page.locator(".chart-box strong").all_inner_texts()
    assert {"损失", "对固定对手的胜率", "学习率", "KL 散度"} <= set(titles)
    page.get_by_role("button", name="other-run").click()
    until(page, lambda: page.locator(".chart-box").first.locator(".chart-line").count() == 2)
    page.locator(".chart").first.hover()
    page.wait_for_selector(".chart-mark")
    page.locator(".game-list button").first.click()
    page.wait_for_selector(".winning-line", state="attached")


def test_an_experiment_is_started_and_stopped(open_page: OpenPage) -> None:
    page = open_page("#/train")
    if page.locator("text=Training needs extra packages").count():
        pytest.skip("the training extra is not installed")
    page.get_by_label("Experiment").select_option("quick")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("#/train/quick-"))
    page.get_by_role("button", name="Stop").click(timeout=40_000)
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=120_000)
