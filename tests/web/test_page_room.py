"""The study room on the page in a real browser: puzzles and lessons."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from typing import Any

import pytest

from tengen.rules import move_name
from tests.web.conftest import PHONE, Server
from tests.web.pages import click_cell, pixel_of, until

OpenPage = Callable[..., Any]


def puzzle_on(page: Any, server: Server) -> tuple[dict[str, Any], dict[str, Any]]:
    """The puzzle on the page, and what solves it."""
    until(page, lambda: page.url.rsplit("/", 1)[1] not in ("puzzles", "study"))
    id = page.url.rsplit("/", 1)[1]
    shown = server.http.get(f"/api/study/puzzles/{id}").json()
    return shown, server.http.get(f"/api/study/puzzles/{id}/solution").json()


def name_of(puzzle: dict[str, Any], cell: int) -> str:
    return move_name(cell, puzzle["width"], puzzle["height"])


def place(page: Any, puzzle: dict[str, Any], cell: int, phone: bool = False) -> None:
    if phone:
        page.touchscreen.tap(*pixel_of(page, name_of(puzzle, cell), puzzle["width"], puzzle["height"]))
        page.locator("button.confirm").tap()
    else:
        click_cell(page, name_of(puzzle, cell), puzzle["width"], puzzle["height"])


def wrong_cell(puzzle: dict[str, Any], solution: dict[str, Any]) -> int:
    taken = {*puzzle["black"], *puzzle["white"], *solution["solutions"]}
    return next(cell for cell in range(puzzle["width"] * puzzle["height"]) if cell not in taken)


def wait_numbers(page: Any, count: int) -> None:
    until(page, lambda: page.locator(".stones .number").count() == count)


def choose_kind(page: Any, kind: str) -> None:
    """Chooses and waits for the next puzzle, which is never the one on show."""
    until(page, lambda: page.url.rsplit("/", 1)[1] not in ("puzzles", "study"))
    before = page.url
    page.locator(".puzzle-filters select").first.select_option(kind)
    until(page, lambda: page.url != before)


@pytest.mark.parametrize(
    ("lang", "phone", "solved", "again"),
    [("en", False, "Solved. That holds.", "Try again"), ("zh", True, "解出！守住了。", "再试一次")],
)
def test_a_puzzle_is_failed_repeated_and_solved(
    open_page: OpenPage, server: Server, lang: str, phone: bool, solved: str, again: str
) -> None:
    page = open_page("#/study/puzzles", lang=lang, prefs={"coordinates": True}, **(PHONE if phone else {}))
    page.locator(".puzzle-task h2").wait_for()
    choose_kind(page, "defence")
    puzzle, solution = puzzle_on(page, server)
    place(page, puzzle, wrong_cell(puzzle, solution), phone)
    page.wait_for_selector("[data-phase=wrong]")
    page.wait_for_selector(".layer-ghosts .ghost")
    page.get_by_role("button", name=again).click()
    place(page, puzzle, solution["solutions"][0], phone)
    page.wait_for_selector("[data-phase=solved]")
    assert page.get_by_test_id("says").inner_text() == solved
    # Tomorrow it comes back.
    with sqlite3.connect(server.state / "study.sqlite") as db:
        db.execute("update reviews set due = 1 where puzzle = ?", (puzzle["id"],))
    page.reload()
    page.locator(".puzzle-task h2").wait_for()
    choose_kind(page, "")
    choose_kind(page, "defence")
    assert page.url.endswith(puzzle["id"])
    place(page, puzzle, solution["solutions"][0], phone)
    page.wait_for_selector("[data-phase=solved]")
    with sqlite3.connect(server.state / "study.sqlite") as db:
        assert db.execute("select step from reviews where puzzle = ?", (puzzle["id"],)).fetchone() == (1,)


def test_a_win_is_played_out_with_hints(open_page: OpenPage, server: Server) -> None:
    page = open_page("#/study/puzzles")
    page.locator(".puzzle-task h2").wait_for()
    choose_kind(page, "vcf")
    puzzle, _ = puzzle_on(page, server)
    hint = page.get_by_role("button", name="Hint")
    hint.click()
    page.wait_for_selector(".hint-area")
    hint.click()
    until(page, lambda: page.locator(".hint-area").count() == 0)
    hint.click()
    page.wait_for_selector(".hint-ring")
    moves: list[int] = []
    for _ in range(20):
        clue = server.http.post(f"/api/study/puzzles/{puzzle['id']}/hint", json={"moves": moves, "step": "move"}).json()
        place(page, puzzle, clue["cells"][0])
        answer = server.http.post(f"/api/study/puzzles/{puzzle['id']}/answer",
                                  json={"moves": [*moves, clue["cells"][0]], "counts": False}).json()  # fmt: skip
        if answer["state"] == "solved":
            break
        moves += [clue["cells"][0], answer["reply"]]
        wait_numbers(page, len(moves))
    page.wait_for_selector("[data-phase=solved]")
    assert "1200" not in page.get_by_test_id("standing").inner_text().split("±")[0]


def test_puzzles_are_imported_and_lies_refused(open_page: OpenPage, server: Server) -> None:
    page = open_page("#/study/puzzles")
    page.get_by_role("button", name="Import puzzles").click()
    stones = {"side": "B", "black": [[7, 7], [8, 7], [9, 7]], "white": [[0, 0], [2, 0], [14, 3]]}
    page.get_by_role("textbox", name="Import puzzles").fill(f"nonsense\n{str(stones).replace(chr(39), chr(34))}")
    page.get_by_role("button", name="Import", exact=True).click()
    page.wait_for_selector("text=1 new puzzle")
    assert "line 1" in page.get_by_test_id("import-report").inner_text()


NO_SERVER = """export const openPort = async () => ({
  hasServer: false, started() {},
  request: async (method, path) => (await fetch(path, { method })).json(),
});"""
"""A port that answers as the static site does: what needs the server is not there."""


def test_importing_puzzles_is_not_offered_without_a_server(open_page: OpenPage, server: Server) -> None:
    page = open_page("#/study/puzzles")
    page.get_by_role("button", name="Import puzzles").wait_for()
    meta = '<meta name="tengen-port" content="/static/no-server.js">'
    index = re.sub(
        r"/static/[^/]+/app.js", "/static/js/main.js", server.http.get("/").text.replace("<title>", f"{meta}<title>")
    )
    page.route(server.url + "/", lambda route: route.fulfill(body=index, content_type="text/html"))
    page.route("**/no-server.js", lambda route: route.fulfill(body=NO_SERVER, content_type="text/javascript"))
    page.goto(f"{server.url}/#/study/puzzles")
    page.reload()
    page.locator(".puzzle-filters select").first.wait_for()
    assert page.get_by_role("button", name="Import puzzles").count() == 0


@pytest.mark.parametrize(("lang", "phone", "following"), [("en", False, "Next lesson"), ("zh", True, "下一课")])
def test_two_lessons_are_taken(open_page: OpenPage, server: Server, lang: str, phone: bool, following: str) -> None:
    page = open_page("#/study/lessons", lang=lang, **(PHONE if phone else {}))
    lessons = server.http.get("/api/study/lessons").json()["lessons"]
    page.locator(".lesson-list a").first.click()
    for lesson in lessons[:2]:
        for number, step in enumerate(lesson["steps"]):
            page.get_by_test_id("lesson-text").get_by_text(step["text"][lang], exact=True).wait_for()
            shape = {"width": 15, "height": 15}
            if step["accept"]:
                if number == 0:
                    taken = {*step["black"], *step["white"], *step["accept"]}
                    place(page, shape, next(c for c in range(225) if c not in taken), phone)
                    page.wait_for_selector(".puzzle-says.bad")
                place(page, shape, step["accept"][0], phone)
                page.wait_for_selector(".puzzle-says.good")
                assert page.get_by_test_id("says").inner_text() == step["done"][lang]
            page.locator("aside button.primary").click()
        page.locator("aside a.primary", has_text=following).click()
    assert set(server.http.get("/api/study/lessons").json()["finished"]) >= {lesson["id"] for lesson in lessons[:2]}
