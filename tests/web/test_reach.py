"""The page is as fast as promised. The bounds hold for most of several tries."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.web import reach
from tests.web.conftest import Room, Server, eventually

OpenRoom = Callable[..., Room]
TRIES = 3


def reached(measure: Callable[[], float], good: Callable[[float], bool]) -> None:
    """Most of several tries are good: one that another program held up does not count, nor a lucky one."""
    seen: list[float] = []
    while sum(map(good, seen)) <= TRIES // 2:
        assert len(seen) < TRIES, f"most of {seen} are not good enough"
        seen.append(measure())


def test_first_paint_within_a_second(chromium: Any, server: Server) -> None:
    reached(lambda: reach.first_paint(chromium, server), lambda ms: ms < 1000)


def test_ready_to_play_within_800_ms(chromium: Any, server: Server) -> None:
    reached(lambda: reach.board_shown(chromium, server), lambda ms: ms < 800)


def test_ready_to_play_after_400_ms_of_work(chromium: Any, server: Server) -> None:
    """Of the page's own thread; on a machine that has nothing else to do the rest runs beside it."""
    reached(lambda: reach.ready_work(chromium, server), lambda ms: 20 < ms < 400)


def test_the_easiest_level_answers_within_300_ms(server: Server) -> None:
    reached(lambda: reach.first_answer(server), lambda ms: ms < 300)


def test_a_search_stops_within_200_ms(server: Server) -> None:
    reached(lambda: reach.stop_time(server), lambda ms: ms < 200)


def test_analysis_comes_4_to_20_times_a_second(server: Server) -> None:
    def rate() -> float:
        found = reach.frame_rate(server, 1.5)
        assert found <= 20  # whatever else the machine does
        return found

    reached(rate, lambda frames: frames >= 4)


def test_fifty_games_at_once(server: Server) -> None:
    """Each is answered within its level's time, once its turn has come; until then it knows its place."""
    level = reach.easiest_level(server)

    def longest_thought() -> float:
        answers = reach.many_games(server, level["name"], 50)
        assert len(answers) == 100 and max(a.place for a in answers) > 0
        return max(a.thought for a in answers)

    reached(longest_thought, lambda seconds: seconds < level["seconds"])


def test_games_go_on_beside_endless_analyses_and_none_of_those_starves(server: Server) -> None:
    """In small what benchmarks/page.py measures with 50 games and 10 analyses."""
    level = reach.easiest_level(server)
    with reach.endless_analyses(server, 4) as frames:
        eventually(lambda: min(frames()) >= 1, "every analysis has its turn", seconds=90)
        reached(
            lambda: max(a.waited + a.thought for a in reach.many_games(server, level["name"], 10)),
            lambda seconds: seconds < 2 * level["seconds"],
        )
        before = frames()
        eventually(lambda: all(b > a for a, b in zip(before, frames(), strict=True)), "all go on", seconds=90)


def test_five_thousand_moves_do_not_slow_the_page(chromium: Any, server: Server) -> None:
    """Processor time, not wall time: a task that another program pushed aside is no fault of the page."""
    record = reach.big_record(5000)
    assert record.count(";") > 5000
    reached(lambda: reach.longest_task(chromium, server, record).processor, lambda ms: ms < 50)


def test_a_page_that_does_not_read_costs_only_itself(server: Server, room: OpenRoom) -> None:
    deaf = server.socket(server.new_game(moves=(112,)))
    deaf.send(json.dumps({"type": "analyse", "specs": ["alphabeta"], "seconds": 10.0}))
    t = room(white="random", width=9, height=9)
    t.say("play", node=0, move=40)
    t.wait_turn("black")
    deaf.close()


def test_a_visit_asks_for_few_files(chromium: Any, server: Server) -> None:
    """Page, script, style sheet, icon and what can be chosen, each once and without waiting for another's answer."""
    with reach.new_page(chromium, server, "#/train") as page:
        page.wait_for_selector("form select")
        asked = page.evaluate("() => performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname)")
    static = sorted(path.rpartition("/")[2] for path in asked if path.startswith("/static/"))
    assert static == ["app.js", "icon.svg", "style.css"] and asked.count("/api/about") == 1
