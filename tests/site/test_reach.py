"""The site is as small and as fast as docs/site.md promises. Times hold for the best of several tries."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import DESKTOP
from tests.web.pages import open_view, wait_stones
from tests.web.reach import main_thread_work, traced

TRIES = 5
PACKED = (".html", ".js", ".css", ".json", ".wasm", ".svg", ".webmanifest", ".bin")
"""What web servers compress."""
WATCH_STOPS = """() => {
  addEventListener("keydown", () => { window.pressed = performance.now(); window.stopped = null; }, true);
  const said = () => document.body.innerText.includes("Turn on live analysis");
  const look = () => { if (said()) window.stopped ??= performance.now(); };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}"""
"""From the key to the page that says so."""


@contextmanager
def first_visit(browser: Any, url: str) -> Iterator[Any]:
    """A page with nothing in its cache, before it goes anywhere."""
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    yield page
    context.close()


def visit(page: Any, url: str) -> None:
    page.goto(url)
    page.wait_for_selector("html[data-ready]")


def best(measure: Callable[[], float], most: float) -> None:
    """One of several tries is within the bound: what other programs of the machine do is no fault of the site."""
    seen: list[float] = []
    while not seen or min(seen) >= most:
        assert len(seen) < TRIES, f"none of {seen} is below {most}"
        seen.append(measure())


def moments(browser: Any, url: str) -> dict[str, float]:
    """Milliseconds from the start of a first visit to what the browser and the page have marked."""
    with first_visit(browser, url) as page:
        visit(page, url)
        entries = page.evaluate("() => performance.getEntries().map(({ name, startTime }) => [name, startTime])")
        return dict(entries)


def test_something_is_seen_within_half_a_second(chromium: Any, site_url: str) -> None:
    best(lambda: moments(chromium, site_url)["first-contentful-paint"], 500)


def test_the_engine_is_ready_300_ms_after_the_first_paint(chromium: Any, site_url: str) -> None:
    def later() -> float:
        seen = moments(chromium, site_url)
        return seen["engine"] - seen["first-contentful-paint"]

    best(later, 300)


def test_the_page_is_ready_after_300_ms_of_work(chromium: Any, site_url: str) -> None:
    """Processor time of its own thread."""

    def work() -> float:
        with first_visit(chromium, site_url) as page:
            return main_thread_work(traced(chromium, page, lambda: visit(page, site_url)))

    best(work, 300)


def test_a_first_visit_is_below_600_kilobytes(chromium: Any, site: Path, site_url: str) -> None:
    """Compressed as servers do it, and with nothing of the puzzles, the book or the networks."""
    with first_visit(chromium, site_url) as page:
        page.route("**/sw.js", lambda route: route.abort())  # what is kept for later comes after the page
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.removeprefix(site_url) or "index.html"))
        visit(page, site_url)
    files = [site / name for name in sorted(set(asked) - {"sw.js"})]
    assert {"index.html", "engine/tengen.wasm", "static/app.js"} <= set(asked)
    assert sum(len(packed(file)) for file in files) < 600_000
    assert not [name for name in asked if name.startswith("networks/") or "puzzles" in name or "book" in name]


def packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), 6) if file.suffix in PACKED else file.read_bytes()


def test_the_one_file_is_below_one_and_a_half_megabytes(site: Path) -> None:
    text = (site / "tengen.html").read_text(encoding="utf-8")
    assert len(text.encode()) < 1_500_000 and 'id="tengen-network"' in text


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_an_endless_analysis_stops_within_150_ms(open_site: Callable[..., Any], site_url: str, rule: str) -> None:
    page = open_site(site_url, f"#/open/15x15-5-{rule}/h8i9j7")
    wait_stones(page, 3)
    open_view(page, "analyse")
    page.evaluate(WATCH_STOPS)

    def stopping() -> float:
        page.get_by_role("switch", name="Live analysis").click()
        page.wait_for_selector(".candidate.best")
        page.keyboard.press("Escape")
        page.wait_for_selector("text=Turn on live analysis")
        return float(page.evaluate("stopped - pressed"))

    best(stopping, 150)
