"""Pure MCTS: its random games are fair under every rule, its search is reproducible and can be stopped."""

from __future__ import annotations

import random
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import _core
from tengen.board import Board
from tengen.players.base import Analyser
from tengen.players.mcts import MctsPlayer
from tengen.registry import create
from tengen.rules import Color, Limit, Rule, Variant
from tests.helpers.timing import within


def exact_mean(board: Board, left: int) -> float:
    """Mean result for the side to move over all random games of at most `left` moves, by trying every move."""
    if board.outcome() or not left:
        return -1.0 if board.core.won else 0.0
    results = []
    for move in board.legal_moves():
        board.play(move)
        results.append(-exact_mean(board, left - 1))
        board.undo()
    return sum(results) / len(results)


def nearly_full(rule: Rule, k: int, seed: int, empty: int) -> Board:
    """A crowded undecided board, found by playing at random and taking back fives."""
    draw = random.Random(seed)
    while True:
        board = Board(Variant(k + 2, k + 1, k, rule))
        cells = draw.sample(range(board.cells), board.cells)
        for move in cells:
            if board.cells - board.stones == empty:
                return board
            if board.is_legal(move):
                board.play(move)
                if board.core.won:
                    board.undo()


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("seed", range(6))
def test_random_games_end_as_all_games_do_on_average(rule: Rule, seed: int) -> None:
    k = 5 if rule == Rule.RENJU else 3 + seed % 4
    board = nearly_full(rule, k, seed, empty=5)
    samples = 4000
    mean = sum(_core.rollout(board.core, s, 484) for s in range(samples)) / samples
    assert mean == pytest.approx(exact_mean(board, 99), abs=4.5 / samples**0.5)


def test_random_games_stop_at_their_limit() -> None:
    board = nearly_full(Rule.FREESTYLE, 4, 11, empty=6)
    for limit in (1, 2, 3):
        mean = sum(_core.rollout(board.core, s, limit) for s in range(4000)) / 4000
        assert mean == pytest.approx(exact_mean(board, limit), abs=4.5 / 4000**0.5)


@given(st.sampled_from(list(Rule)), st.integers(0, 2**32), st.integers(5, 22), st.integers(5, 22))
@settings(max_examples=40, deadline=None)
def test_long_games_of_every_size(rule: Rule, seed: int, width: int, height: int) -> None:
    board = Board(Variant(width, height, 5, rule))
    results = {_core.rollout(board.core, seed + i, 484) for i in range(20)}
    assert results <= {-1, 0, 1}
    assert _core.rollout(board.core, seed, 8) == 0, "nobody makes five in eight moves"


def test_first_player_is_favoured_in_random_games() -> None:
    board = Board(Variant(15))
    results = [_core.rollout(board.core, s, 484) for s in range(20_000)]
    assert 0.005 < sum(results) / len(results) < 0.08


def test_a_sure_five_is_found_by_the_random_games() -> None:
    # Only the centre is empty and it wins for black: the value must be exactly 1.
    board = Board.from_stones([0, 8], [1, 2, 3, 5, 6, 7], Color.BLACK, Variant(3, k=3))
    assert {_core.rollout(board.core, s, 484) for s in range(50)} == {1}
    assert MctsPlayer(50).choose(board, Limit()).value == 1.0


@pytest.mark.parametrize("rule", list(Rule))
def test_same_seed_and_playouts_give_the_same_tree(rule: Rule) -> None:
    board = Board.from_text("h8i9g7", Variant(rule=rule))
    runs = []
    for cut in (2000, 700):  # in one go, or in two
        search = _core.Mcts(board.core, 1.4, 0, 42)
        search.run(cut, 0)
        search.run(2000, 0)
        runs.append((search.candidates(), search.pv(), search.playouts))
    assert runs[0] == runs[1] and runs[0][2] == 2000
    other = _core.Mcts(board.core, 1.4, 0, 43)
    other.run(2000, 0)
    assert other.candidates() != runs[0][0]


def test_visits_add_up_and_values_are_those_of_the_side_to_move() -> None:
    board = Board.from_text("h8g8i8a2j8o15k8")  # black threatens l8, white must stop it
    decision = MctsPlayer(60_000).choose(board, Limit())
    assert sum((decision.policy or {}).values()) == pytest.approx(1)
    assert board.name(decision.move) == "l8"
    board.undo()  # black is to move again: with three in a row it must think itself ahead
    ahead = MctsPlayer(60_000).choose(board, Limit()).value
    assert decision.value is not None and ahead is not None and decision.value < 0 < ahead
    assert decision.nodes == 60_000 and decision.pv[0] == decision.move


def test_number_of_playouts_is_drawn_from_its_range() -> None:
    agent = MctsPlayer(100, playouts_max=200)
    counts = {agent.choose(Board(Variant(9), [move]), Limit()).nodes for move in range(20)}
    assert len(counts) > 10 and min(counts) >= 100 and max(counts) <= 200


def test_limits_cut_the_search_short() -> None:
    board = Board(Variant(15))
    assert MctsPlayer(1000).choose(board, Limit(nodes=70)).nodes == 70

    def thought() -> float:
        start = time.perf_counter()
        assert MctsPlayer(0).choose(board, Limit(seconds=0.1)).nodes > 0
        return time.perf_counter() - start

    within(1, thought)
    assert MctsPlayer(0).choose(board, Limit(seconds=0.0)).nodes >= 1


def test_search_goes_on_when_its_memory_is_full() -> None:
    board = Board(Variant(9))
    small, large = (_core.Mcts(board.core, 1.4, 0, 5, max_edges) for max_edges in (500, 100_000))
    for search in (small, large):
        search.run(20_000, 0)
        assert search.playouts == sum(visits for _, visits, _ in search.candidates()) == 20_000
    assert len(small.pv()) < len(large.pv())


def test_stop_from_another_thread() -> None:
    agent = MctsPlayer(0)
    timer = threading.Timer(0.1, agent.stop)
    timer.start()
    start = time.perf_counter()
    agent.choose(Board(Variant(9)), Limit(seconds=30))
    assert time.perf_counter() - start < 10


def test_analysis_streams_and_can_be_closed() -> None:
    agent = MctsPlayer(0)
    assert isinstance(agent, Analyser)
    stream = agent.analyse(Board(Variant(9)), Limit())
    first, second = next(stream), next(stream)
    stream.close()
    assert second.nodes > first.nodes and len(second.candidates) == 81
    assert second.candidates[0].visits == max(c.visits for c in second.candidates)
    *_, last = agent.analyse(Board(Variant(9)), Limit(nodes=500))
    assert last.nodes == 500


def test_a_full_tree_grows_no_more_and_the_search_goes_on() -> None:
    small, large = (create(f"mcts:playouts=20000,memory_mb={mb}") for mb in (1, 78))
    board = Board(Variant(15))
    first, second = small.choose(board, Limit()), large.choose(board, Limit())
    assert first.nodes == second.nodes == 20_000
    assert len(first.pv) <= len(second.pv)
