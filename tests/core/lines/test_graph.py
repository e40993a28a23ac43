"""Different orders of moves share the position they reach: statistics, proofs, memory, the move on with the game."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tengen import _core
from tengen.board import Board
from tengen.rules import Color, Rule, Variant
from tests.helpers.lines import VARIANTS, random_board, random_network, shape_for

NET = random_network(shape_for(VARIANTS[0]))
SMALL = [Variant(4, 4, 3), Variant(5, 5, 4), Variant(5, 3, 3, Rule.STANDARD)]


def begin(board: Board, net: _core.LineNetwork = NET, **config: Any) -> _core.LineSearch:
    return _core.LineSearch(net, board.core, {"memory_mb": 16} | config)


def crossings(search: _core.LineSearch, width: int = 8) -> list[tuple[Any, Any]]:
    """What is known after a, x, b and after b, x, a, wherever both orders were opened."""
    firsts = [row["move"] for row in search.candidates(width)]
    found = []
    for a, b in combinations(firsts, 2):
        for x, visits in search.visits_after([a]):
            one, two = search.visits_after([a, x, b]), search.visits_after([b, x, a])
            if visits and one and two:
                found.append((one, two))
    return found


@pytest.mark.parametrize("solver", [False, True])
def test_two_orders_of_moves_share_what_is_known(solver: bool) -> None:
    board = random_board(VARIANTS[0], 6, 5)
    shared, apart = (begin(board, graph=graph, solver=solver) for graph in (True, False))
    for search in (shared, apart):
        search.think(6000)
    assert crossings(shared) and all(one == two for one, two in crossings(shared))
    assert any(one != two for one, two in crossings(apart))


def test_positions_stay_shared_when_the_game_moves_on() -> None:
    search = begin(random_board(VARIANTS[0], 6, 5), solver=False, children=8)
    search.think(20_000)
    for _ in range(2):
        search.advance([search.best_move()])
        assert search.visits > sum(n for _, n in search.visits_after([]))
        assert crossings(search) and all(one == two for one, two in crossings(search))
        search.think(2000)


@pytest.mark.parametrize("solver", [False, True])
def test_one_thread_repeats_itself(solver: bool) -> None:
    runs = []
    for _ in range(2):
        search = begin(random_board(VARIANTS[0], 10, 1), solver=solver)
        search.think(3000)
        search.advance([search.best_move()])
        search.think(1000)
        runs.append((search.candidates(225), search.value, search.bytes))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("graph", [False, True])
def test_memory_is_bounded_and_moves_on(graph: bool) -> None:
    search = begin(random_board(VARIANTS[0], 8, 2), memory_mb=1, graph=graph, solver=False)
    for _ in range(3):
        assert search.think(20_000) == 20_000
        assert search.bytes <= 1 << 20
        search.advance([search.best_move()])


def test_two_threads_search_one_graph() -> None:
    search = begin(random_board(VARIANTS[0], 6, 5))
    assert search.think(8000, 0, 2) == 8000
    assert sum(row["visits"] for row in search.candidates(225)) == pytest.approx(8000, abs=2)
    assert all(-1 <= row["value"] <= 1 for row in search.candidates(225))


@cache
def solved(variant: Variant, black: frozenset[int], white: frozenset[int]) -> str:
    """Plain minimax for the side to move."""
    turn = Color.BLACK if len(black) == len(white) else Color.WHITE
    board = Board.from_stones(sorted(black), sorted(white), turn, variant)
    results = {after(board, move, variant, black, white) for move in board.legal_moves()}
    return next(result for result in ("win", "draw", "loss") if result in results)


def after(board: Board, move: int, variant: Variant, black: frozenset[int], white: frozenset[int]) -> str:
    """What a move is worth for the side that makes it."""
    mover = board.turn
    board.play(move)
    outcome = board.outcome()
    board.undo()
    if outcome is not None:
        return "draw" if outcome.winner is None else "win"
    stones = (black | {move}, white) if mover == Color.BLACK else (black, white | {move})
    return {"win": "loss", "loss": "win", "draw": "draw"}[solved(variant, *stones)]


@pytest.mark.parametrize("variant", SMALL, ids=str)
@pytest.mark.parametrize("solver", [False, True])
def test_proofs_are_those_of_minimax(variant: Variant, solver: bool) -> None:
    net, proven = random_network(shape_for(variant)), 0
    for seed in range(12):
        board = random_board(variant, variant.width * variant.height - 10, seed)
        search = begin(board, net, solver=solver)
        search.think(60_000)
        stones = frozenset(board.moves[::2]), frozenset(board.moves[1::2])
        assert search.proven in ("", solved(variant, *stones))  # a draw may stay open
        for row in search.candidates(variant.width * variant.height):
            if row["proven"]:
                proven += 1
                assert row["proven"] == after(board, row["move"], variant, *stones)
    assert proven >= 8
