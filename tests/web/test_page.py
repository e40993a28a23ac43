"""The page in a real browser: every feature a person has, in both languages, on a desk and on a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tengen.rules import parse_moves
from tests.web.conftest import DESKTOP, PHONE, Server
from tests.web.pages import (
    announced,
    board,
    cell_of,
    click_cell,
    game_id,
    open_view,
    pixel_of,
    stones,
    tap_cell,
    until,
    wait_my_turn,
    wait_stones,
)
from tests.web.test_api import write_run

OpenPage = Callable[..., Any]


def moves(text: str) -> tuple[int, ...]:
    return tuple(parse_moves(text, 15, 15))


@pytest.mark.parametrize(("lang", "play", "turn"), [("en", "Play", "Your move"), ("zh", "开始", "轮到你走")])
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
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


VIEWS = ("play", "analyse", "review", "watch", "tournaments", "train")


def visit(page: Any, view: str) -> None:
    """Goes to a view without loading the page again."""
    page.evaluate("hash => { location.hash = hash; }", f"#/{view}")
    page.wait_for_selector(f"nav [data-view={view}][aria-current=page]")
    page.wait_for_timeout(150)


def test_nothing_sticks_out_on_a_phone(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9j7'))}", **PHONE)
    wait_stones(page, 3)
    for view in VIEWS:
        visit(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


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
    page.get_by_text("More choices").click()
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
    page.wait_for_selector(".toast >> text=There is a stone already.")
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
    page.wait_for_selector("text=White wins: the other side resigned")


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


def test_live_analysis_on_the_board(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/analyse/{server.new_game(moves=moves('h8i9j7'))}")
    page.get_by_label("Player", exact=True).select_option("player:alphabeta")
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
    ("lang", "start", "again", "reveal"),
    [("en", "Review this game", "Try again", "Show the answer"), ("zh", "复盘这一局", "再试一次", "显示答案")],
)
def test_a_review_hides_the_answer_until_asked(
    open_page: OpenPage, server: Server, lang: str, start: str, again: str, reveal: str
) -> None:
    page = open_page(f"#/review/{server.new_game(moves=moves('h8g8i8g9j8g10k8a1'))}", lang=lang)
    page.get_by_role("button", name=start).click()
    page.wait_for_selector(".tree-node.mark-allowed-win")
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("n")
        if page.locator(".verdict-line.mark-allowed-win").count():
            break
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


def test_two_machines_are_watched(open_page: OpenPage) -> None:
    page = open_page("#/watch")
    page.get_by_label("Black").select_option("player:greedy")
    page.get_by_label("White").select_option("player:weight")
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
    page.get_by_label("Games a pair").fill("2")
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
    page = open_page("#/train", lang="zh")
    page.locator(".card", has_text="curves").click()
    page.wait_for_selector("[data-testid=charts] .chart-line")
    titles = page.locator(".chart-box strong").all_inner_texts()
    assert {"loss", "ladder", "learning rate", "KL"} <= set(titles)
    page.locator(".chart").first.hover()
    page.wait_for_selector(".chart-mark")
    page.locator(".game-list button").first.click()
    page.wait_for_selector(".winning-line", state="attached")


def test_an_experiment_is_started_and_stopped(open_page: OpenPage) -> None:
    page = open_page("#/train")
    if page.locator("text=Training needs the extra packages").count():
        pytest.skip("the training extra is not installed")
    page.get_by_label("Experiment").select_option("quick")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(re.compile("#/train/quick-"))
    page.get_by_role("button", name="Stop").click(timeout=40_000)
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=20_000)


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
    link = page.get_by_label("Link to this position").input_value()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Paste SGF").fill(text.replace("]", "]", 1))
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.wait_for_selector("dialog", state="detached")
    wait_stones(page, 3)
    page.goto(link)
    page.wait_for_url(re.compile("#/play/"))
    wait_stones(page, 3)
    page.get_by_role("button", name="Open").click()
    page.get_by_label("Paste SGF").fill("nonsense")
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    page.wait_for_selector("dialog .fault >> text=nonsense")


def test_a_bad_link_is_explained(open_page: OpenPage) -> None:
    page = open_page("#/open/15x15-5-freestyle/zz99")
    page.wait_for_selector(".toast >> text=That link does not hold a game.")


def test_text_stays_text(open_page: OpenPage, server: Server) -> None:
    request = {"name": "<img src=x onerror=alert(1)>", "players": ["random", "greedy"], "size": 6, "games": 2}
    id = server.http.post("/api/tournaments", json=request).json()["id"]
    page = open_page(f"#/tournaments/{id}")
    page.wait_for_selector("text=<img src=x")
    assert page.locator("img").count() == 0


def test_language_theme_and_settings(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="切换到中文").click()
    page.wait_for_selector("text=新对局")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.get_by_role("button", name="深色或浅色").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_role("button", name="设置").click()
    page.get_by_role("switch", name="坐标").click()
    page.keyboard.press("Escape")
    assert page.locator(".coordinate").count() == 0
    page.reload()
    page.wait_for_selector("text=新对局")
    assert page.locator(".coordinate").count() == 0
    page.keyboard.press("?")
    page.wait_for_selector("text=快捷键")


def test_both_languages_say_the_same_things(open_page: OpenPage) -> None:
    page = open_page()
    missing = page.evaluate("""async () => {
      const load = async (name) => (await import(`/static/js/lang/${name}.js`)).default;
      const [en, zh] = [await load('en'), await load('zh')];
      const holes = (text) => (text?.match(/\\{\\w+\\}/g) ?? []).sort().join();
      const keys = new Set([...Object.keys(en), ...Object.keys(zh)]);
      return [...keys].filter((key) => !en[key] || !zh[key] || holes(en[key]) !== holes(zh[key]));
    }""")
    assert missing == []


def test_the_keyboard_alone_is_enough(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game()}")
    wait_my_turn(page, "Black to move")
    page.keyboard.press("b")
    page.keyboard.press("ArrowUp")
    until(page, lambda: announced(page) == "h9, empty")
    page.keyboard.press("Enter")
    wait_stones(page, 1)
    until(page, lambda: announced(page) == "Black h9")
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    wait_stones(page, 0)


def test_everything_has_a_name(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9'), white='random')}")
    wait_stones(page, 2)
    for view in VIEWS:
        visit(page, view)
        nameless = page.evaluate("""() => [...document.querySelectorAll(
          'button:not([hidden]), a, select, input, textarea, [role]')].filter((e) => {
          const label = e.labels?.length ? e.labels[0].textContent : '';
          return !(e.getAttribute('aria-label') || e.textContent.trim() || label || e.title || e.type === 'hidden'
            || ['status', 'alert', 'tooltip'].includes(e.getAttribute('role')));
        }).map((e) => e.outerHTML.slice(0, 120))""")
        assert nameless == [], view


def test_a_lost_server_is_told_and_found_again(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8'))}")
    wait_stones(page, 1)
    page.evaluate("""() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function () { this.close(); WebSocket.prototype.send = send; };
    }""")
    click_cell(page, "i9")
    page.wait_for_timeout(800)
    click_cell(page, "i9")
    wait_stones(page, 2)
    assert game_id(page)


def test_a_pixel_is_where_the_cell_is(open_page: OpenPage) -> None:
    page = open_page()
    a1, o15 = pixel_of(page, "a1"), pixel_of(page, "o15")
    assert a1[0] < o15[0] and a1[1] > o15[1]
    assert json.dumps(board(page).get_attribute("role")) == '"application"'


def test_every_view_opens_from_the_bar(open_page: OpenPage) -> None:
    page = open_page()
    for name in ("watch", "tournaments", "train", "play"):
        open_view(page, name)
        page.wait_for_selector(f"nav [data-view={name}][aria-current=page]")


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
    page.wait_for_selector("text=not measured yet")


def test_a_q_network_shows_its_values(open_page: OpenPage, server: Server) -> None:
    models = [name for name in server.http.get("/api/about").json()["models"] if name.startswith("dqn")]
    if not models:
        pytest.skip("no Q-network is bundled")
    id = server.new_game(width=7, height=7, moves=(24,))
    page = open_page(f"#/analyse/{id}")
    page.get_by_label("Player", exact=True).select_option("player:dqn")
    page.get_by_role("switch", name="Live analysis").click()
    page.get_by_role("radio", name="Heat map").check()
    until(page, lambda: page.locator(".heat").count() > 40)
