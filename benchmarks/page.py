"""How fast the page is on this machine: python benchmarks/page.py [--tries 7] [--json FILE]

Starts a server of its own and drives Chromium (playwright is needed). Each figure is measured several times; the median
counts, the best and the worst show how quiet the machine was. Bounds are those of docs/web.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import sync_playwright

from tests.web import reach
from tests.web.conftest import Server, eventually, running_server

GAMES = 50
NODES = 5000
ANALYSES = 10
TURNS_SECONDS = 30.0
"""In which every analysis must have had its turn."""


@contextmanager
def page_and_server(workers: int) -> Iterator[tuple[Any, Server]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(Path(folder), workers) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser, server
        browser.close()


def figures(browser: Any, server: Server) -> dict[str, tuple[Callable[[], float], str]]:
    """What is measured, in the order of the table, with its bound."""
    record, level = reach.big_record(NODES), reach.easiest_level(server)["name"]
    answers: list[reach.Answer] = []

    def slowest_of_many() -> float:
        answers[:] = reach.many_games(server, level, GAMES)
        return 1000 * max(a.thought for a in answers)

    beside: list[reach.Answer] = []
    shown: list[int] = []

    def slowest_beside_analyses() -> float:
        with reach.endless_analyses(server, ANALYSES) as frames:
            eventually(lambda: min(frames()) >= 1, "every analysis begins", seconds=300)
            before, started = frames(), time.perf_counter()
            beside[:] = reach.many_games(server, level, GAMES)
            time.sleep(max(0.0, TURNS_SECONDS - (time.perf_counter() - started)))
            shown[:] = [b - a for a, b in zip(before, frames(), strict=True)]
        return 1000 * max(a.thought for a in beside)

    return {
        "first paint, ms": (lambda: reach.first_paint(browser, server), "< 1000"),
        "page ready to play, ms": (lambda: reach.board_shown(browser, server), "< 800"),
        "of it processor time of the page, ms": (lambda: reach.ready_work(browser, server), "< 400"),
        "answer of the easiest level, ms": (lambda: reach.first_answer(server), "< 300"),
        "stop of a search, ms": (lambda: reach.stop_time(server), "< 200"),
        "analysis frames per second": (lambda: reach.frame_rate(server), "4 to 20"),
        f"longest task with {NODES} moves, ms": (lambda: reach.longest_task(browser, server, record).wall, "< 50"),
        "of it processor time, ms": (lambda: reach.longest_task(browser, server, record).processor, "< 50"),
        f"{GAMES} games at once, slowest thought, ms": (slowest_of_many, "< 1000"),
        f"{GAMES} games at once, longest queue, ms": (lambda: 1000 * max(a.waited for a in answers), ""),
        f"the same beside {ANALYSES} analyses, thought, ms": (slowest_beside_analyses, "< 1000"),
        f"the same beside {ANALYSES} analyses, queue, ms": (lambda: 1000 * max(a.waited for a in beside), ""),
        f"fewest frames of one in {TURNS_SECONDS:.0f} s": (lambda: float(min(shown)), "> 0"),
    }


def measure(take: Callable[[], float], tries: int) -> dict[str, float]:
    seen = sorted(take() for _ in range(tries))
    return {"median": median(seen), "lowest": seen[0], "highest": seen[-1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tries", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2, help="processes that search for play, and for study")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    args = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {args.tries} tries")
    print(f"{'':44}{'median':>8}{'lowest':>8}{'highest':>8}  bound")
    found = {}
    with page_and_server(args.workers) as (browser, server):
        for name, (take, bound) in figures(browser, server).items():
            found[name] = row = measure(take, args.tries)
            print(f"{name:44}{row['median']:8.1f}{row['lowest']:8.1f}{row['highest']:8.1f}  {bound}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
