"""A page that has a server may search in the browser, so that its analysis does not load the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.conftest import open_page, server
from tests.web.pages import open_view, wait_stones

__all__ = ["open_page", "server"]


def test_analysis_in_the_browser_of_a_page_with_a_server(site: Path, open_page: Callable[..., Any]) -> None:
    page = open_page("#/open/15x15-5-freestyle/h8i9j7", alone=True)
    wait_stones(page, 3)
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda ws: ws.on("framesent", lambda text: sent.append(json.loads(text))))
    open_view(page, "analyse")
    page.get_by_role("switch", name="Search in this browser").click()
    page.wait_for_timeout(600)  # it connects again
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")
    page.keyboard.press("ArrowLeft")
    wait_stones(page, 2)
    page.wait_for_selector(".candidate.best")
    asked = [command["specs"] for command in sent if command["type"] == "analyse"]
    assert asked and not any(asked), "the server was asked to analyse"
    page.keyboard.press("Escape")
    page.wait_for_selector("text=Turn on live analysis")
