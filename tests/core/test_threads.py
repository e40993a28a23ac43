"""Searches that share memory between threads. The thread sanitizer runs these too: a data race ends them."""

from __future__ import annotations

import threading
import time

import pytest

from tengen import _core
from tengen.board import Board
from tengen.lab.signature import FOURS, MIDDLE_GAMES, set_up
from tengen.rules import Rule, Variant


@pytest.mark.parametrize("rule", list(Rule))
def test_threads_of_one_search_share_its_table(rule: Rule) -> None:
    engine = _core.AlphaBeta(4, 4, 0)
    for text in MIDDLE_GAMES[:3]:
        board = Board.from_text(text, Variant(15, rule=rule))
        engine.arm()
        report = engine.run(board.core, 0.0, 20_000, 0, 2)
        assert report.nodes >= 5000 and all(board.is_legal(line.move) for line in report.lines)


def test_a_search_is_watched_and_stopped_from_outside() -> None:
    engine = _core.AlphaBeta(3, 4, 0)
    board = Board.from_text(MIDDLE_GAMES[4])
    engine.arm()
    search = threading.Thread(target=engine.run, args=(board.core, 0.0, 0, 0, 1))
    search.start()
    while engine.snapshot().nodes < 20_000:
        time.sleep(0.01)
    engine.stop()
    search.join(60)
    assert not search.is_alive() and engine.snapshot().nodes >= 20_000


def test_searches_beside_each_other_share_only_tables_that_do_not_change() -> None:
    """The first use of a rule builds its tables: here several threads want them at once."""
    found: dict[int, list[object]] = {}

    def solve(index: int) -> None:
        boards = [set_up(*position, rule) for position in FOURS for rule in Rule]
        vct, seen = _core.Vct(4096, 4096), list[object]()
        for board in boards:
            seen.append(vct.solve(board.core, board.core.turn, 300).nodes)
            seen.append(_core.Mcts(board.core, 1.4, 50, 1).run(20, 0.0))
        found[index] = seen

    threads = [threading.Thread(target=solve, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(seen == found[0] for seen in found.values())
