"""Languages, appearance, keyboard, names and small screens in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.web.conftest import PHONE, Server
from tests.web.pages import VIEWS, announced, board, moves, open_view, pixel_of, until, visit, wait_my_turn, wait_stones

OpenPage = Callable[..., Any]


def test_nothing_sticks_out_on_a_phone(open_page: OpenPage, server: Server) -> None:
    page = open_page(f"#/play/{server.new_game(moves=moves('h8i9j7'))}", **PHONE)
    wait_stones(page, 3)
    for view in VIEWS:
        visit(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


def test_language_theme_and_settings(open_page: OpenPage) -> None:
    page = open_page()
    page.get_by_role("button", name="切换到中文").click()
    page.wait_for_selector("text=新对局")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.get_by_role("button", name="切换深色与浅色").click()
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
