"""Watching, tournaments and training on the page in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tengen.training.run.loop import RunFolder
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
    titles = page.locator(".chart-box strong").all_text_contents()
    assert titles[0] == "棋力" and {"损失", "学习率", "KL 散度"} <= set(titles)
    assert page.locator(".charts.first .chart-band").count() == 1  # strength comes with its interval
    assert not page.get_by_text("损失", exact=True).is_visible()
    page.get_by_text("更多曲线").click()
    assert all(text.strip() for text in page.locator(".more-charts .chart-box .help").all_inner_texts())
    page.get_by_role("button", name="other-run").click()
    until(page, lambda: page.locator(".chart-box").first.locator(".chart-line").count() == 2)
    page.locator(".chart").first.hover()
    page.wait_for_selector(".chart-mark")
    page.locator(".game-list button").first.click()
    page.wait_for_selector(".winning-line", state="attached")


def test_a_finished_run_says_so_and_its_network_can_be_played(open_page: OpenPage, server: Server) -> None:
    write_run(server.runs, "over", 30, {"budget": {"iterations": 30}})
    (server.runs / "over" / "checkpoints" / "000030").mkdir(parents=True)
    page = open_page("#/train/over")
    until(page, lambda: "finished · 30 iterations" in page.get_by_test_id("run-state").inner_text())
    network = {"seat": "alphazero:model=base-9", "width": 9, "height": 9, "k": 5, "rule": "freestyle"}
    page.route("**/api/runs/over/network", lambda route: route.fulfill(status=201, json=network))
    page.get_by_role("button", name="Play its network").click()
    page.wait_for_url(re.compile("#/play/"))
    assert "base-9" in page.locator(".player[data-color=white]").inner_text()


def test_a_run_is_seen_to_move_before_its_first_iteration_ends(open_page: OpenPage, server: Server) -> None:
    write_run(server.runs, "fresh", 0)
    stage = {"stage": "play", "total": 128, "points": [[0.5, 3], [1.0, 9]]}
    (server.runs / "fresh" / "progress.json").write_text(json.dumps(stage))
    with RunFolder(server.runs / "fresh").locked():
        page = open_page("#/train/fresh")
        page.wait_for_selector("[data-testid=charts] .chart-line", timeout=5_000)
        assert "Now: playing games" in page.locator(".chart-box").first.inner_text()


def test_an_experiment_says_what_it_does_and_costs(open_page: OpenPage) -> None:
    page = open_page("#/train")
    if page.locator("text=Training needs extra packages").count():
        pytest.skip("the training extra is not installed")
    page.get_by_label("Experiment").select_option("quick")
    cost = page.get_by_test_id("cost").inner_text()
    assert "6x6" in cost and "30 iterations" in cost and "4.5 min" in cost and "greedy" in cost
    assert "tengen train" not in page.get_by_test_id("about").inner_text()


def test_an_experiment_is_started_and_stopped(open_page: OpenPage) -> None:
    page = open_page("#/train")
    if page.locator("text=Training needs extra packages").count():
        pytest.skip("the training extra is not installed")
    page.get_by_label("Experiment").select_option("quick")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("#/train/quick-"))
    page.get_by_role("button", name="Stop").click(timeout=40_000)
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=120_000)
