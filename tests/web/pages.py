"""What a person does on the page, in the words of the tests."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

from tengen.rules import parse_moves

VIEWS = ("play", "analyse", "review", "watch", "tournaments", "train", "study")

CELL_SCRIPT = """(svg, [cell, width]) => {
  const margin = svg.querySelector('.coordinate') ? 46 : 30;
  const place = new DOMPoint(margin + 40 * (cell % width), margin + 40 * Math.floor(cell / width));
  const point = place.matrixTransform(svg.getScreenCTM());
  return [point.x, point.y];
}"""


def moves(text: str) -> tuple[int, ...]:
    return tuple(parse_moves(text, 15, 15))


def cell_of(name: str, width: int = 15, height: int = 15) -> int:
    return (height - int(name[1:])) * width + ord(name[0]) - ord("a")


def board(page: Any) -> Any:
    return page.get_by_test_id("board")


def pixel_of(page: Any, name: str, width: int = 15, height: int = 15) -> list[float]:
    found: list[float] = board(page).evaluate(CELL_SCRIPT, [cell_of(name, width, height), width])
    return found


def click_cell(page: Any, name: str, width: int = 15, height: int = 15) -> None:
    page.mouse.click(*pixel_of(page, name, width, height))


def tap_cell(page: Any, name: str) -> None:
    page.touchscreen.tap(*pixel_of(page, name))


def stones(page: Any, color: str = "") -> int:
    return int(page.locator(f".stones .stone{'.' + color if color else ''}").count())


def until(page: Any, true: Callable[[], bool], seconds: float = 20) -> None:
    """Waits from outside: the page's own policy forbids scripts made of strings."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        page.wait_for_timeout(40)


def wait_stones(page: Any, count: int) -> None:
    until(page, lambda: stones(page) == count)


def hear_new_sockets(page: Any) -> list[str]:
    """The types of all events that come in by sockets opened from now on; the list grows."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: heard.append(json.loads(text)["type"])))
    return heard


def announced(page: Any) -> str:
    return str(page.locator("#announcer").text_content())


def wait_my_turn(page: Any, text: str = "Your move") -> None:
    page.wait_for_selector(f"[data-testid=state] >> text={text}")


def game_id(page: Any) -> str:
    found = re.search(r"#/\w+/([\w-]+)", page.url)
    assert found, page.url
    return found[1]


def open_view(page: Any, name: str) -> None:
    page.click(f"nav [data-view={name}]")


def visit(page: Any, view: str) -> None:
    """Goes to a view without loading the page again."""
    page.evaluate("hash => { location.hash = hash; }", f"#/{view}")
    page.wait_for_selector(f"nav [data-view={view}][aria-current=page]")
    page.wait_for_timeout(150)
