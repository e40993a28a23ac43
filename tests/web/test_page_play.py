"""Playing on the page in a real browser: starting, moving, undoing, openings, endings, set-up."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import DESKTOP, PHONE, Server
from tests.web.pages import (
    cell_of,
    click_cell,
    game_id,
    hear_new_sockets,
    moves,
    stones,
    tap_cell,
    until,
    wait_my_turn,
    wait_stones,
)

OpenPage = Callable[..., Any]


@pytest.mark.parametrize(
    ("lang", "play", "turn", "screen"),
    [("en", "Play", "Your move", DESKTOP), ("zh", "开始", "轮到你走", PHONE)], ids=["desktop-en", "phone-zh"],
)  # fmt: skip
def test_one_click_starts_a_game(open_page: OpenPage, lang: str, play: str, turn: str, screen: dict[str, Any]) -> None:
    page = open_page(lang=lang, **screen)
    page.get_by_role("button", name=play, exact=True).click()
    wait_my_turn(page, turn)
    place = tap_cell if screen is PHONE else click_cell
    place(page, "h8")
    if screen is PHONE:  # the first tap only asks
        assert stones(page) == 0
        place(page, "h8")
    wait_stones(page, 2)
    wait_my_turn(page, turn)
    assert page.locator(".last-move").count() == 1


def test_a_click_on_the_empty_board_starts_a_game_too(open_page: OpenPage) -> None:
    page = open_page()
    click_cell(page, "h8")
    wait_stones(page, 2)


def test_the_guard_button_places_the_stone(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game()}", **PHONE)
    tap_cell(page, "c3")
    page.get_by_role("button", name="Place at c3").click()
    wait_stones(page, 1)
    page = open_page(f"#/play/{server.new_game()}", prefs={"guard": "off"}, **PHONE)
    tap_cell(page, "c3")
    wait_stones(page, 1)


def test_the_form_offers_colour_board_rule_clock_and_opening(open_page: OpenPage) -> None:
    page = open_page()
    page.select_option("#opponent", "player:random")
    page.get_by_role("radio", name="White").check()
    page.get_by_role("radio", name="9", exact=True).check()
    page.get_by_label("Rule").select_option("standard")
    page.get_by_text("More options").click()
    page.get_by_label("Clock").select_option("5+5")
    assert "9 × 9 · Standard" in page.get_by_test_id("rule").inner_text()
    page.get_by_role("button", name="Play", exact=True).click()
    wait_stones(page, 1)  # the machine has black and opens
    wait_my_turn(page)
    assert page.locator(".clock").first.inner_text().startswith("5:0")
    click_cell(page, "a1", 9, 9)
    wait_stones(page, 3)


def test_other_sizes_are_drawn(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("radio", name="Other").check()
    page.get_by_label("Width").fill("7")
    page.get_by_label("Width").press("Tab")
    page.get_by_label("Height").fill("10")
    page.get_by_label("Height").press("Tab")
    assert "7 × 10" in page.get_by_test_id("rule").inner_text()
    assert page.locator(".coordinate").count() == 34


def test_undo_redo_and_branches(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='random')}")
    click_cell(page, "h8")
    wait_stones(page, 2)
    wait_my_turn(page)
    page.keyboard.press("z")
    wait_stones(page, 0)
    page.keyboard.press("x")
    wait_stones(page, 2)
    page.keyboard.press("z")
    wait_stones(page, 0)
    click_cell(page, "a1")
    wait_stones(page, 2)
    assert page.locator(".tree-node:not(.root)").count() == 4
    page.locator(".tree-node[data-node='2']").click()
    wait_stones(page, 2)
    assert "white" in page.locator(".stones .stone").nth(1).get_attribute("class")
    page.keyboard.press("Delete")
    until(page, lambda: page.locator(".tree-node:not(.root)").count() == 3)


def test_the_arrows_walk_through_the_game(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9j7a1b2'))}")
    wait_stones(page, 5)
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 4)
    page.keyboard.press("Home")
    wait_stones(page, 0)
    page.keyboard.press("End")
    wait_stones(page, 5)
    page.keyboard.press("m")
    assert page.locator(".stones .number").all_text_contents() == ["1", "2", "3", "4", "5"]


def test_a_click_on_a_stone_says_so_and_changes_nothing(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='random', moves=moves('h8i9'))}")
    wait_stones(page, 2)
    click_cell(page, "h8")
    page.wait_for_selector(".toast >> text=There is already a stone there.")
    assert stones(page) == 2


def test_the_winning_line_is_shown_and_play_stops(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='random', moves=moves('a1a15b1b15c1c15d1d14'))}")
    wait_stones(page, 8)
    click_cell(page, "e1")
    page.wait_for_selector(".winning-line", state="attached")
    page.wait_for_selector("text=You win!")
    click_cell(page, "h8")
    page.wait_for_selector(".toast >> text=The game is over.")
    assert stones(page) == 9


def test_stop_and_place_the_machines_stone_yourself(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='mcts:playouts=0', seconds=30.0)}")
    click_cell(page, "h8")
    page.wait_for_selector("text=is thinking")
    page.get_by_test_id("stop").click()
    page.wait_for_selector("text=Paused")
    click_cell(page, "i9")
    wait_stones(page, 2)
    wait_my_turn(page)


def test_hint_and_resign(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='random', moves=moves('h8h9i8i9j8j9k8a1'))}")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint-ring")
    assert re.search(r"Try (g8|l8)", page.locator(".notice").inner_text())
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    page.wait_for_selector("text=White wins by resignation")


def test_swap2_asks_for_a_colour(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(opening='swap2', black='random')}")
    page.get_by_role("button", name="Place two more").click()
    page.wait_for_selector("text=Opening: place two more stones")
    wait_stones(page, 3)
    assert page.locator(".opening button").count() == 0


def test_forbidden_points_are_drawn_with_their_reason(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(rule='renju', moves=moves('f8a1g8a15h6o1h7o15'))}", lang="zh")
    mark = page.locator(f".forbidden[data-cell='{cell_of('h8')}']")
    mark.wait_for()
    assert "三三" in mark.locator("title").text_content()
    click_cell(page, "h8")
    page.wait_for_selector(".toast")
    assert stones(page) == 8


def test_setting_up_a_position(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game()}")
    page.get_by_role("button", name="Set up").click()
    for name in ("a1", "b1", "c1", "d1", "h8"):
        click_cell(page, name)
    click_cell(page, "h8")
    page.get_by_role("radio", name="White stone").check()
    click_cell(page, "a15")
    wait_stones(page, 5)
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.wait_for_url(re.compile("#/analyse/"))
    wait_stones(page, 5)
    click_cell(page, "e1")
    page.wait_for_selector(".winning-line", state="attached")


def test_a_reload_keeps_the_game(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game()}")
    click_cell(page, "h8")
    wait_stones(page, 1)
    page.reload()
    wait_stones(page, 1)
    page.goto(f"{server.url}/")
    wait_stones(page, 1)


def test_a_lost_server_is_told_and_found_again(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8'))}")
    wait_stones(page, 1)
    heard = hear_new_sockets(page)
    page.evaluate("""() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function () { this.close(); WebSocket.prototype.send = send; };
    }""")
    click_cell(page, "i9")
    until(page, lambda: "game" in heard)  # by a second socket
    wait_my_turn(page, "White to move")
    click_cell(page, "i9")
    wait_stones(page, 2)
    assert game_id(page)


def test_a_level_shows_its_measured_strength(open_page: OpenPage, server: Server) -> None:
    about = server.http.get("/api/about").json()
    name = about["levels"]["15"][0]["name"]
    about["levels"]["15"][0] |= {"elo": 812.4, "error": 37.2}
    about["levels"]["15"][1] |= {"elo": None, "error": None}
    page = open_page()
    page.route("**/api/about", lambda route: route.fulfill(json=about))
    page.reload()
    page.select_option("#opponent", f"level:{name}")
    page.wait_for_selector("text=Elo 812 ± 37")
    page.select_option("#opponent", f"level:{about['levels']['15'][1]['name']}")
    page.wait_for_selector("text=not rated")


def test_a_seat_changes_hands(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8'))}")
    wait_my_turn(page, "White to move")
    page.get_by_role("button", name="Who plays White?").click()
    page.get_by_role("dialog").get_by_role("combobox").select_option("player:weight")
    page.get_by_role("button", name="Apply").click()
    wait_stones(page, 2)  # the new player answers at once
    wait_my_turn(page)
    assert "weight" in page.locator(".player[data-color=white]").inner_text()
    click_cell(page, "a1")
    wait_stones(page, 4)


def test_whoever_thinks_is_named(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(white='mcts:playouts=0', seconds=20.0)}")
    page.get_by_role("button", name="Let the AI move here").click()  # for the person, whose turn it is
    page.wait_for_selector("text=mcts:playouts=0 is thinking")
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-testid=stop]", state="detached")


@pytest.mark.parametrize(("lang", "back"), [("en", "Previous move"), ("zh", "上一手")])
def test_a_game_is_walked_through_by_touch(open_page: OpenPage, server: Server, lang: str, back: str) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9j7'))}", lang=lang, **PHONE)
    wait_stones(page, 3)
    first, previous, following, last = page.get_by_test_id("steps").get_by_role("button").all()
    assert previous.get_attribute("aria-label") == back
    previous.tap()
    wait_stones(page, 2)
    first.tap()
    wait_stones(page, 0)
    assert first.is_disabled() and previous.is_disabled()
    following.tap()
    wait_stones(page, 1)
    last.tap()
    wait_stones(page, 3)


def test_a_branch_is_deleted_after_a_question(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9j7'))}")
    wait_stones(page, 3)
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 2)
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="No").click()
    assert stones(page) == 2
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Yes").click()
    wait_stones(page, 1)
    assert page.locator(".tree-node:not(.root)").count() == 1


def test_a_game_that_is_gone_is_told_at_once(open_page: OpenPage) -> None:
    page = open_page("#/play/nosuchgame12")
    page.wait_for_selector(".toast >> text=This game is no longer on the server.")
    page.wait_for_selector("text=New game")
