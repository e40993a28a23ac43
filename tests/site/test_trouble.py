"""What goes wrong in a browser is said and survived: no storage, a full disk, a worker that dies, other versions."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.site.conftest import Quiet
from tests.site.test_site import ASK_ALPHABETA, GAME, start_game
from tests.web.pages import click_cell, open_view, until, wait_stones

OpenSite = Callable[..., Any]
LINK = "#/open/15x15-5-freestyle/h8i9j7"
DENIED = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } })"
FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }"
NO_NETWORKS = """
  const real = window.fetch;
  const missing = () => Promise.reject(new TypeError("gone"));
  window.fetch = (url) => (String(url).includes("/networks/") ? missing() : real(url));
"""
DYING = """
  const Real = Worker;
  let left = 1;
  window.Worker = class extends Real {
    postMessage(...words) {
      if (left-- > 0) setTimeout(() => this.onerror?.(new ErrorEvent("error", { message: "out of memory" })), 50);
      else super.postMessage(...words);
    }
  };
"""
NEWER = """new Promise((done, failed) => {
  const request = indexedDB.open("tengen", 9);
  request.onupgradeneeded = () => request.result.createObjectStore("later").put("precious", "thing");
  request.onsuccess = () => { request.result.close(); done(); };
  request.onerror = failed;
})"""
KEPT = """new Promise((done) => {
  const request = indexedDB.open("tengen");
  request.onsuccess = () => {
    const asked = request.result.transaction("later").objectStore("later").get("thing");
    asked.onsuccess = () => done([request.result.version, asked.result]);
  };
})"""


@pytest.mark.parametrize("script", [DENIED, FULL], ids=["denied", "full"])
def test_games_live_as_long_as_the_page_where_nothing_is_kept(open_site: OpenSite, address: str, script: str) -> None:
    page = open_site(address, LINK, script=script)
    page.wait_for_selector("#toasts >> text=keep")
    wait_stones(page, 3)
    click_cell(page, "a1")
    wait_stones(page, 4)
    page.evaluate("location.hash = '#/study/library'")
    page.wait_for_selector(".library")
    page.go_back()
    wait_stones(page, 4)


def test_the_engine_plays_on_without_its_network(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, GAME, script=NO_NETWORKS + ASK_ALPHABETA)
    wait_stones(page, 10)
    open_view(page, "review")
    page.get_by_role("button", name="Review this game").click()
    page.locator("aside").get_by_text("Turning point").wait_for(timeout=40_000)
    open_view(page, "analyse")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")


def test_a_worker_that_dies_is_replaced(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, script=DYING)
    start_game(page, 0)
    click_cell(page, "h8")
    page.wait_for_selector("#toasts >> text=out of memory")
    page.keyboard.press("Enter")
    wait_stones(page, 2)


def test_a_library_of_a_newer_version_is_left_alone(open_site: OpenSite, site_url: str) -> None:
    page = open_site(site_url, LINK)
    page.evaluate(NEWER)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.evaluate(f"location.hash = '{LINK}'")
    page.wait_for_selector("#toasts >> text=keep")
    wait_stones(page, 3)
    assert page.evaluate(KEPT) == [9, "precious"]


def test_an_update_is_announced_and_loses_nothing(open_site: OpenSite, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder, ignore=shutil.ignore_patterns("networks", "tengen.html"))
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = open_site(f"http://127.0.0.1:{server.server_port}/", LINK)
        wait_stones(page, 3)
        until(page, lambda: bool(page.evaluate("() => navigator.serviceWorker.ready.then((r) => Boolean(r.active))")))
        page.wait_for_timeout(600)
        for name, old, new in (
            ("index.html", "<title>Tengen", "<title>New"),
            ("sw.js", 'VERSION = "', 'VERSION = "new-'),  # last: it may be looked for at any moment
        ):
            text = (folder / name).read_text(encoding="utf-8")
            (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        page.reload()
        assert page.title() == "Tengen"  # never in the middle of a game
        page.get_by_role("button", name="Reload").click()
        until(page, lambda: page.title() == "New")
        wait_stones(page, 3)
        page.close()
        server.shutdown()
