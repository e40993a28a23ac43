"""The static site, built once, behind a plain file server and as one file."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tengen.web
from tests.helpers.builds import built
from tests.web.conftest import DESKTOP, chromium, pytest_runtest_teardown

__all__ = ["chromium", "pytest_runtest_teardown"]
ROOT = Path(__file__).resolve().parents[2]
STATIC = Path(tengen.web.__file__).parent / "static"


@pytest.fixture(scope="session")
def site() -> Path:
    """The site, built once for all workers, and again only where a source has changed."""
    if importlib.util.find_spec("ziglang") is None:
        missing = "ziglang is not installed (pip install ziglang): the static site is not tested"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    return built(ROOT / "tools" / "site" / "build.py", ROOT / "build" / "site")


@pytest.fixture
def sources(site: Path, tmp_path: Path) -> Path:
    """The modules of the page beside the engine, as they import each other."""
    (tmp_path / "static").symlink_to(STATIC)
    (tmp_path / "engine").symlink_to(site / "engine")
    return tmp_path


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A plain file server that can be cut off."""

    cut_off = False

    def log_message(self, *words: Any) -> None:
        pass

    def do_GET(self) -> None:
        if Quiet.cut_off:
            self.close_connection = True
        else:
            super().do_GET()


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(params=["server", "file"])
def address(request: pytest.FixtureRequest, site: Path, site_url: str) -> str:
    """The site from a file server, and the one file from a disk."""
    return site_url if request.param == "server" else (site / "tengen.html").as_uri()


@pytest.fixture
def open_site(chromium: Any) -> Iterator[Callable[..., Any]]:
    """open_site(address, "#/play", lang="zh", script="", **PHONE): a page that fails the test on errors it logs."""
    contexts, faults = [], []

    def opened(address: str, hash: str = "", lang: str = "en", script: str = "", **options: Any) -> Any:
        context = chromium.new_context(**(DESKTOP | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda m: faults.append(m.text) if m.type == "error" else None)
        wishes = json.dumps({"lang": lang, "theme": "light", "guard": "off"})
        page.add_init_script(
            f"localStorage.getItem('tengen.prefs') ?? localStorage.setItem('tengen.prefs', '{wishes}')"
        )
        if script:
            page.add_init_script(script)
        page.goto(address + hash)
        page.wait_for_selector("html[data-ready]")
        return page

    yield opened
    Quiet.cut_off = False
    for context in contexts:
        context.close()
    assert not faults, faults
