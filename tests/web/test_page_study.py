"""Analysis and review on the page in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Server
from tests.web.pages import click_cell, hear_new_sockets, moves, stones, until, wait_stones

OpenPage = Callable[..., Any]


def test_live_analysis_on_the_board(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    page.get_by_label("Engine", exact=True).select_option("player:alphabeta")
    page.keyboard.press("Escape")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")
    row = page.locator(".candidates tbody tr").first
    row.hover()
    page.wait_for_selector(".layer-ghosts .ghost")
    page.mouse.move(5, 5)
    page.get_by_label("Second opinion").select_option("player:weight")
    until(page, lambda: page.locator(".opinion .candidates").count() == 2)
    page.keyboard.press("Escape")
    page.wait_for_selector("text=Turn on live analysis")


def test_keys_drive_the_analysis(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    page.wait_for_selector("text=Turn on live analysis")
    page.keyboard.press(" ")
    page.wait_for_selector(".candidate.best")
    page.keyboard.press("1")
    wait_stones(page, 4)
    page.wait_for_selector(".candidate.best")
    page.get_by_role("radio", name="Nothing").check()
    until(page, lambda: page.locator(".candidate").count() == 0)


def test_forced_wins_are_shown(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8h9i8i9j8j9'))}")
    page.get_by_role("button", name="Search").click()
    line = page.locator(".forced-line.own")
    line.wait_for()
    assert "Black wins by force" in line.inner_text()
    line.hover()
    page.wait_for_selector(".layer-ghosts .ghost")
    assert page.locator(".forced-line.opponent").count() == 1


@pytest.mark.parametrize(
    ("lang", "start", "again", "reveal", "why", "accuracy"),
    [
        ("en", "Review this game", "Try again", "Show the answer", "Leaves the four h8–k8 open: Black wins at l8.",
         "how well the moves kept the winning chances"),
        ("zh", "复盘本局", "重试这一手", "查看答案", "没有挡住 h8–k8 的冲四：黑棋走 l8 即成五。", "保住了多少胜算"),
    ],
)  # fmt: skip
def test_a_review_says_why_and_hides_the_answer_until_asked(
    open_page: OpenPage, server: Server, lang: str, start: str, again: str, reveal: str, why: str, accuracy: str
) -> None:
    page = open_page(f"#/review/{server.new_game(moves=moves('h8g8i8g9j8g10k8a1'))}", lang=lang)
    page.get_by_role("button", name=start).click()
    page.wait_for_selector(".tree-node.mark-allowed-win")
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("n")
        if page.locator(".verdict-line.mark-allowed-win").count():
            break
    assert page.get_by_test_id("why").inner_text() == why
    page.locator(".verdict .row button:not(.primary)").first.click()
    page.wait_for_selector(".layer-ghosts .ghost")
    assert page.get_by_test_id("line").inner_text() == "l8"
    assert page.get_by_test_id("turning").inner_text().endswith("a1")
    assert "%" in page.get_by_test_id("accuracy").inner_text()
    assert accuracy in page.get_by_test_id("summary").inner_text()
    page.get_by_role("button", name=again).click()
    wait_stones(page, 7)
    assert page.locator(".hint-ring, .candidate, .tag").count() == 0
    click_cell(page, "o15")
    page.wait_for_selector(".retry-bad")
    assert page.locator(".hint-ring").count() == 0
    page.get_by_role("button", name=reveal).click()
    page.wait_for_selector(".hint-ring")
    assert stones(page) == 7


def test_the_graph_leads_to_a_move(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/review/{server.new_game(moves=moves('h8i9j7a1b2c3'))}")
    page.get_by_role("button", name="Review this game").click()
    page.wait_for_selector(".graph-black")
    box = page.locator(".win-graph").bounding_box()
    page.mouse.click(box["x"] + 8, box["y"] + 40)
    wait_stones(page, 0)


def test_a_q_network_shows_its_values(open_page: OpenPage, server: Server) -> None:
    models = [row for row in server.http.get("/api/about").json()["networks"] if row["player"] == "dqn"]
    if not models:
        pytest.skip("no Q-network is bundled")
    id = server.new_game(width=7, height=7, moves=(24,))
    page = open_page(f"#/analyse/{id}")
    page.get_by_label("Engine", exact=True).select_option("player:dqn")
    page.get_by_role("switch", name="Live analysis").click()
    page.get_by_role("radio", name="Heat map").check()
    until(page, lambda: page.locator(".heat").count() > 40)


def test_a_press_is_not_lost_between_two_frames(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    heard = hear_new_sockets(page)
    page.reload()
    wait_stones(page, 3)
    page.keyboard.press(" ")
    page.wait_for_selector(".candidate.best")
    page.get_by_role("switch", name="Live analysis").hover()
    page.mouse.down()
    before = heard.count("analysis")
    until(page, lambda: heard.count("analysis") >= before + 3)
    page.mouse.up()
    page.wait_for_selector("text=Turn on live analysis")


def test_the_line_of_a_move_stays_while_frames_come_in(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    page.keyboard.press(" ")
    page.locator(".candidates tbody tr").first.hover()
    page.wait_for_selector(".layer-ghosts .ghost")
    gaps = page.evaluate("""async () => {
      let gaps = 0;
      for (let i = 0; i < 40; i++) {
        await new Promise((done) => requestAnimationFrame(done));
        gaps += document.querySelector('.layer-ghosts .ghost') ? 0 : 1;
      }
      return gaps;
    }""")
    assert gaps == 0
    page.mouse.move(5, 5)
    until(page, lambda: page.locator(".layer-ghosts .ghost").count() == 0)


def test_a_player_without_a_map_says_so(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    page.get_by_label("Engine", exact=True).select_option("player:alphabeta")
    page.get_by_role("switch", name="Live analysis").click()
    page.get_by_role("radio", name="Heat map").check()
    page.wait_for_selector("text=does not evaluate the whole board")
    assert page.locator(".candidate").count() > 0
    page.get_by_label("Engine", exact=True).select_option("player:alphazero")
    page.wait_for_selector(".heat", timeout=60_000)


def test_a_review_goes_on_when_the_page_is_loaded_again(open_page: OpenPage, server: Server) -> None:
    quiet = "i11g5j5k6h10e10g11g9h7e6i9j8h11f11a1o15a15o1"
    page = open_page(f"#/review/{server.new_game(moves=moves(quiet))}")
    page.get_by_role("button", name="Review this game").click()
    page.wait_for_selector("progress")
    page.reload()
    page.wait_for_selector("progress")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Review this game").or_(page.get_by_role("button", name="Review again")).wait_for()
