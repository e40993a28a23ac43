"""Takes the pictures of docs/web.md again: python docs/images/take.py [NAME ...], with Chromium and playwright."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tengen.rules import parse_moves  # noqa: E402
from tests.web.conftest import DESKTOP, PHONE, Server, running_server  # noqa: E402
from tests.web.pages import click_cell, stones, tap_cell, until  # noqa: E402

HERE = Path(__file__).parent
OPENING = "h8i10g6h10g9g10f10i7i6i8h6f6h5"
PLIES = 22
EVEN = "g5h5e7f6i6i7f7g8e9h8g7d7f8h6h7g9f10g11g10e10f11f9j8j9h9i8"
"""Of the engine against itself from a balanced opening: nothing is proven yet, so all moves have values."""


def main() -> None:
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as server, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        desk = browser.new_context(**DESKTOP, color_scheme="light").new_page()
        game = played_game(desk, server)
        small = browser.new_context(**PHONE, color_scheme="light").new_page()
        takes = {analyse: desk, play: desk, review: desk, watch: desk, tournament: desk, train: desk, phone: small}
        takes[dark] = browser.new_context(**DESKTOP, color_scheme="dark", locale="zh-CN").new_page()
        for take, page in takes.items():
            if not wanted or take.__name__ in wanted:
                take(page, server, game)
        browser.close()


def show(page: Any, server: Server, hash: str) -> None:
    page.goto(server.address(hash))
    page.wait_for_selector("html[data-ready]")
    page.wait_for_timeout(500)


def shoot(page: Any, name: str) -> None:
    page.mouse.move(3, 3)
    page.wait_for_timeout(300)
    page.screenshot(path=HERE / f"{name}.png")


def played_game(page: Any, server: Server) -> str:
    """A game of the strong engine against itself, stopped in the middle."""
    opening = tuple(parse_moves(OPENING, 15, 15))
    id = server.new_game(moves=opening, black="alphabeta", white="alphabeta", seconds=0.5)
    show(page, server, f"#/play/{id}")
    until(page, lambda: stones(page) >= PLIES or page.locator(".state.over").count() > 0, 240)
    page.keyboard.press("Escape")
    shown = server.http.get(f"/api/games/{id}").json()["game"]
    moves = [row[2] for row in shown["nodes"][1:]][:PLIES]
    return server.new_game(moves=tuple(moves), white="level:master")


def reviewed(page: Any, server: Server, game: str) -> None:
    show(page, server, f"#/review/{game}")
    if page.get_by_role("button", name="Review this game").count():
        page.get_by_role("button", name="Review this game").click()
    until(page, lambda: page.get_by_role("button", name="Review again").count() > 0, 600)


def analyse(page: Any, server: Server, game: str) -> None:
    even = server.new_game(moves=tuple(parse_moves(EVEN, 15, 15)))
    reviewed(page, server, even)
    show(page, server, f"#/analyse/{even}")
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    page.wait_for_selector(".candidate.best")
    page.wait_for_timeout(6000)
    shoot(page, "analyse")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.wait_for_timeout(400)


def play(page: Any, server: Server, game: str) -> None:
    show(page, server, "#/play")
    moves = tuple(parse_moves("h8i9j7g9h10h6g7i7", 15, 15))
    clock = {"seconds": 300.0, "increment": 5.0}
    id = server.new_game(moves=moves, white="level:intermediate", rule="renju", clock=clock)
    show(page, server, f"#/play/{id}")
    page.keyboard.press("h")
    page.wait_for_selector(".hint-ring", timeout=60_000)
    shoot(page, "play")


def review(page: Any, server: Server, game: str) -> None:
    reviewed(page, server, game)
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("n")
        page.wait_for_timeout(200)
    shoot(page, "review")


def watch(page: Any, server: Server, game: str) -> None:
    show(page, server, "#/watch")
    page.get_by_role("button", name="Start the game").click()
    until(page, lambda: stones(page) >= 12, 120)
    shoot(page, "watch")


def tournament(page: Any, server: Server, game: str) -> None:
    players = ["level:beginner", "level:casual", "level:club", "weight", "minimax:depth=2"]
    request = {"name": "Levels and classical players, 9 × 9", "players": players, "size": 9, "games": 6, "seconds": 0.1}
    id = server.http.post("/api/tournaments", json=request).json()["id"]
    show(page, server, f"#/tournaments/{id}")
    page.wait_for_selector("text=finished", timeout=400_000)
    shoot(page, "tournament")


def train(page: Any, server: Server, game: str) -> None:
    request = {"experiment": "quick", "minutes": 4.0, "settings": ["ladder.every=3", "ladder.games=6"]}
    name = server.http.post("/api/runs", json=request).json()["name"]
    until(page, lambda: iterations(server, name) >= 9, 900)
    show(page, server, f"#/train/{name}")
    page.wait_for_selector(".chart-line", state="attached")
    shoot(page, "training")
    server.http.post(f"/api/runs/{name}/stop")


def iterations(server: Server, name: str) -> int:
    answer = server.http.get(f"/api/runs/{name}")
    return int(answer.json()["last"].get("iteration", 0)) if answer.status_code == 200 else 0


def phone(page: Any, server: Server, game: str) -> None:
    show(page, server, f"#/play/{game}")
    page.keyboard.press("Home")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400)
    tap_cell(page, "d10")
    page.wait_for_timeout(300)
    page.screenshot(path=HERE / "phone.png")


def dark(page: Any, server: Server, game: str) -> None:
    page.add_init_script('localStorage.setItem(\'tengen.prefs\', \'{"lang": "zh", "theme": "dark", "numbers": true}\')')
    show(page, server, f"#/play/{game}")
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    click_cell(page, "k11")
    page.wait_for_timeout(2500)
    shoot(page, "dark-zh")


if __name__ == "__main__":
    main()
