"""Watching, tournaments and training on the page in a real browser."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.experiments import experiment_names
from tengen.training.run.loop import RunFolder
from tests.web.conftest import Server
from tests.web.pages import click_cell, open_view, stones, until, wait_stones
from tests.web.test_api_tasks import write_run

OpenPage = Callable[..., Any]


def test_two_machines_are_watched(open_page: OpenPage) -> None:
    page = open_page("#/watch")
    page.get_by_label("Black", exact=True).select_option("player:alphabeta")
    page.get_by_label("White", exact=True).select_option("player:mcts")
    page.get_by_label("Board", exact=True).select_option("15")
    page.get_by_label("Seconds per move").fill("0.1")
    page.get_by_role("button", name="Start the game").click()
    until(page, lambda: page.locator(".graph-opinion").count() == 2)  # what each of them thinks, as a line of its own
    assert page.locator(".graph-legend").inner_text().count("opinion") == 2
    page.get_by_role("button", name="Pause").click()
    page.wait_for_selector("text=Paused")
    before = stones(page)
    page.wait_for_timeout(600)
    assert stones(page) == before
    page.get_by_role("button", name="Resume").click()
    until(page, lambda: stones(page) > before)


def test_opinions_outlive_a_reload(open_page: OpenPage, server: Server) -> None:
    def opinions() -> int:
        lines = page.locator(".graph-opinion").evaluate_all("lines => lines.map((line) => line.getAttribute('d'))")
        return sum(line.count("L") + 1 for line in lines)

    id = server.new_game(black="alphabeta:nodes=400", white="alphabeta:nodes=500", seconds=0.1)
    page = open_page(f"#/watch/{id}")
    until(page, lambda: opinions() >= 6)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    before = opinions()
    page.reload()
    until(page, lambda: opinions() >= before)


def test_an_opponent_keeps_its_opinion_to_itself(open_page: OpenPage, server: Server) -> None:
    id = server.new_game(white="alphabeta:nodes=400")
    page = open_page(f"#/play/{id}")
    click_cell(page, "h8")
    wait_stones(page, 2)
    assert [row[3] for row in server.http.get(f"/api/games/{id}").json()["game"]["nodes"]] == [None] * 3


def test_a_tournament_from_form_to_table(open_page: OpenPage) -> None:
    page = open_page("#/tournaments")
    page.get_by_label("Name").fill("A spring cup whose name is far too long for one line of a phone " + "x" * 60)
    page.get_by_label("Games per pairing").fill("2")
    for i, seat in enumerate(("level:first-steps", "level:beginner", "player:weight"), 1):
        page.get_by_label(f"Player {i}", exact=True).select_option(seat)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".cross td.ahead", timeout=40_000)
    page.wait_for_selector("text=finished · 6 of 6 games", timeout=40_000)
    page.wait_for_selector(".rating-dot")
    page.wait_for_selector("text=Elo on the levels’ scale")
    assert {"Beginner", "First steps"} <= set(re.split(r"[\n\t]|\d\. ", page.locator(".cross").inner_text()))
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".game-list button").first.click()
    page.wait_for_selector(".stones .stone")


def test_a_slow_answer_is_waited_for_in_words(open_page: OpenPage) -> None:
    page = open_page("#/play")
    page.route("**/api/tournaments", lambda route: None)  # never answered
    open_view(page, "tournaments")
    page.wait_for_selector(".tournaments .help >> text=Loading")


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


def test_the_first_measurement_of_strength_shows_its_interval_too(open_page: OpenPage, server: Server) -> None:
    write_run(server.runs, "one-point", 1)
    page = open_page("#/train/one-point")
    band = page.locator(".charts.first .chart-band")
    band.wait_for()
    box = band.bounding_box()
    assert box["width"] > 4 and box["height"] > 20


def test_a_sweep_shows_its_curves_with_bands(open_page: OpenPage, server: Server) -> None:
    folder = server.runs / "sweeps" / "rates"
    folder.mkdir(parents=True)
    runs = [f"{variant}-s{seed}" for variant in ("slow", "fast") for seed in (1, 2, 3)]
    (folder / "sweep.json").write_text(json.dumps({"experiment": "quick", "runs": {run: {} for run in runs}}))
    for number, run in enumerate(runs[:-1]):
        rows = [{"iteration": i, "games": 10 * i, "ladder/greedy": 10.0 * i + number} for i in (1, 2)]
        (folder / f"{run}.metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    page = open_page("#/train")
    page.wait_for_selector("[data-testid=sweeps] .chart-line")
    sweeps = page.get_by_test_id("sweeps")
    assert "Sweep rates: 5 of 6 runs" in sweeps.inner_text() and {"slow", "fast"} <= set(sweeps.inner_text().split())
    assert sweeps.locator(".chart-line").count() == sweeps.locator(".chart-band").count() == 2


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
    if page.locator("text=More experiments with extra packages").count():
        pytest.skip("the training extra is not installed")
    page.get_by_label("Experiment").select_option("quick")
    cost = page.get_by_test_id("cost").inner_text()
    for said in ("6 × 6 · 4 in a row · Freestyle", "30 iterations", "4.5 min", "greedy"):
        assert said in cost
    assert "tengen train" not in page.get_by_test_id("about").inner_text()


SHORT = "budget.iterations=2 selfplay.games=24 selfplay.games_first=24 ladder.every=2 ladder.games=2"
"""A line network on 9x9 learns from 48 games in about a second."""


def start_run(page: Any, settings: str) -> None:
    """Presses the button and waits for the first curve."""
    page.get_by_label("Experiment").select_option("lines-9")
    page.get_by_label("Other settings").fill(settings.replace(" ", "\n"))
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("#/train/lines-9-"))
    page.wait_for_selector("[data-testid=charts] .chart-dot", timeout=60_000)


def processor_seconds(server: Server) -> float:
    """Of the training that the server runs. Wall time would measure what else the machine does."""
    found = subprocess.run(["pgrep", "-f", "-P", str(server.process.pid), " train "], capture_output=True, check=True)
    times = Path(f"/proc/{int(found.stdout)}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def test_a_real_run_is_started_watched_and_its_network_played(open_page: OpenPage, server: Server) -> None:
    page = open_page("#/train")
    start_run(page, SHORT)
    if Path("/proc/self/stat").exists():
        assert processor_seconds(server) < 4, "with a second for the page the first curve is there after five"
    until(page, lambda: "finished · 2 iterations · 48 games" in page.get_by_test_id("run-state").inner_text(), 60)
    page.get_by_role("button", name="Play its network").click()
    page.wait_for_url(re.compile("#/play/"), timeout=60_000)
    assert "lines-9-" in page.locator(".player[data-color=white]").inner_text()
    click_cell(page, "e5", 9, 9)
    wait_stones(page, 2)


def test_a_run_is_stopped(open_page: OpenPage) -> None:
    page = open_page("#/train")
    start_run(page, "selfplay.games=2000 selfplay.games_first=2000")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=60_000)


@pytest.mark.parametrize(("lang", "reason"), [("en", "make runs/base-9 first"), ("zh", "需先生成 runs/base-9")])
def test_what_cannot_be_trained_yet_is_grey_and_the_rest_described(open_page: OpenPage, lang: str, reason: str) -> None:
    page = open_page("#/train", lang=lang)
    choice = page.locator("form select")
    grey = choice.locator("option[value=enhanced-9]")
    assert not grey.is_enabled() and reason in (grey.text_content() or "")
    choice.select_option("dqn-7")
    assert "7 × 7" in page.get_by_test_id("cost").inner_text()
    about = page.get_by_test_id("about").inner_text()
    assert ("即内置网络 dqn-7" in about) == (lang == "zh") and "tengen train" not in about


def test_every_experiment_is_described_in_chinese(open_page: OpenPage) -> None:
    described = open_page().evaluate(
        "async () => Object.keys((await import('/static/js/lang/experiments-zh.js')).default)"
    )
    assert sorted(described) == sorted(experiment_names(reproductions=False))
