"""How much memory the static site takes on a phone: two players analyse and a proof is searched for.

    python benchmarks/site_memory.py [SITE] [--seconds 25]

SITE is a folder that `make site` wrote, by default build/site. Prints the most that the page's process held of its own
(its proportional set size), in megabytes. Needs Chromium, as the tests of the page do; Linux only.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import re
import shutil
import threading
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2,
}  # fmt: skip
START = """Object.defineProperty(navigator, "deviceMemory", { get: () => 2 });
localStorage.setItem("tengen.prefs", JSON.stringify({ lang: "en", guard: "off" }));"""
GAME = "#/open/15x15-5-freestyle/h8i9j7g9"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words: Any) -> None:
        pass


def megabytes(pid: int) -> float:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.M)
    return int(found[1]) / 1000 if found else 0.0


def renderers(browser: int) -> list[int]:
    """The processes of pages below a browser's own."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue  # it has ended
    below = {browser}
    for _ in range(4):
        below |= {pid for pid, parent in parents.items() if parent in below}
    return [pid for pid in below if "--type=renderer" in command_of(pid)]


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def analyse(page: Page) -> None:
    page.click("nav [data-view=analyse]")
    page.get_by_label("Second opinion").select_option("player:alphazero")
    page.get_by_role("switch", name="Live analysis").click()
    page.wait_for_selector(".candidate.best")


def most(pids: list[int], seconds: float) -> float:
    peak, end = 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        peak = max(peak, *map(megabytes, pids))
        time.sleep(0.5)
    return peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("site", type=Path, nargs="?", default=ROOT / "build" / "site")
    parser.add_argument("--seconds", type=float, default=25)
    args = parser.parse_args()
    handler = functools.partial(Quiet, directory=str(args.site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(**PHONE).new_page()
        page.add_init_script(START)
        page.goto(f"http://127.0.0.1:{server.server_port}/{GAME}")
        page.wait_for_selector("html[data-ready]")
        analyse(page)
        about = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        pid = next(one["id"] for one in about["processInfo"] if one["type"] == "browser")
        print(f"{most(renderers(pid), args.seconds):.0f} MB")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
