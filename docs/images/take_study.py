"""Takes the pictures of the study room again: python docs/images/take_study.py, with Chromium and playwright."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from tengen.study.library import Library  # noqa: E402
from tengen.study.library_files import import_files  # noqa: E402
from tengen.study.store import NAME, Store  # noqa: E402
from tests.web.conftest import DESKTOP, Server, running_server  # noqa: E402
from tests.web.pages import click_cell, moves  # noqa: E402

HERE = Path(__file__).parent
RECORDS = ROOT / "results" / "matches" / "tengen-minimax-15.jsonl.gz"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        store = Store(Path(folder) / "state" / NAME)
        import_files(Library(store), [RECORDS])
        store.close()
        with running_server(Path(folder)) as server:
            browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_context(**DESKTOP, color_scheme="light").new_page()
            for take in (puzzles, lesson, library, explorer, teaching):
                take(page, server)
                page.mouse.move(3, 3)
                page.wait_for_timeout(300)
                page.screenshot(path=HERE / f"{take.__name__}.png")
            browser.close()


def show(page: Any, server: Server, hash: str, wait: str) -> None:
    page.goto(server.address(hash))
    page.reload()
    page.wait_for_selector(wait)
    page.wait_for_timeout(400)


def puzzles(page: Any, server: Server) -> None:
    show(page, server, "#/study/puzzles", ".puzzle-task h2")
    for number in range(8):
        address = f"/api/study/puzzles/{page.url.rsplit('/', 1)[1]}"
        solutions = server.http.get(f"{address}/solution").json()["solutions"]
        server.http.post(f"{address}/{'answer' if number % 3 else 'give-up'}", json={"moves": solutions[:1]})
        show(page, server, "#/study/puzzles", ".puzzle-task h2")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint-area")


def lesson(page: Any, server: Server) -> None:
    show(page, server, "#/study/lessons/five", ".lesson-text")
    click_cell(page, "i8")
    page.wait_for_selector(".puzzle-says.good")


def library(page: Any, server: Server) -> None:
    show(page, server, "#/study/library", "tr[data-game]")


def explorer(page: Any, server: Server) -> None:
    show(page, server, "#/study/openings/h8h9", "tr[data-move]")


def teaching(page: Any, server: Server) -> None:
    id = server.new_game(moves=moves("h8a1i8a3j8"), black="random", white="human")
    show(page, server, f"#/play/{id}", ".teaching-box .toggle")
    page.locator(".teaching-box .toggle").click()
    page.get_by_test_id("takebacks").wait_for()
    click_cell(page, "o1")
    page.get_by_role("alertdialog").wait_for()


if __name__ == "__main__":
    main()
