"""A page that has a server may search in the browser, so that its analysis does not load the server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.conftest import Server, open_page, server
from tests.web.pages import open_view, wait_stones

__all__ = ["open_page", "server"]


def test_analysis_in_the_browser_of_a_page_with_a_server(site: Path, open_page: Callable[..., Any]) -> None:
    page = open_page("#/open/15x15-5-freestyle/h8i9j7", alone=True)
    wait_stones(page, 3)
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda ws: ws.on("framesent", lambda text: sent.append(json.loads(text))))
    fetched: list[str] = []
    page.on("response", lambda answer: fetched.append(answer.url) if answer.ok and "/networks/" in answer.url else None)
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
    assert [re.sub("-[0-9a-f]{8}[.]", ".", url.split("/")[-1]) for url in fetched] == ["lines.safetensors"]
    page.keyboard.press("Escape")
    page.wait_for_selector("text=Turn on live analysis")


def test_networks_for_browsers(server: Server) -> None:
    about = server.http.get("/api/about").json()
    files = {one["name"]: one["file"] for one in about["networks"] if one["file"]}
    assert set(about["engine_networks"].values()) <= files.keys()
    for name in files.values():
        answer = server.http.get(f"/static/networks/{name}")
        assert (
            answer.status_code == 200
            and "immutable" in answer.headers["cache-control"]
            and b"tengen-lines" in answer.content
        )
    assert server.http.get("/static/networks/lines.safetensors").status_code == 404
