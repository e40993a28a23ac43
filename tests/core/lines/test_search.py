"""Tree search on a line network: proofs, limits, reuse, threads, memory, and games against itself."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import LineShape
from tengen.rules import Color, Rule, Variant, parse_moves
from tests.helpers.lines import VARIANTS, random_board, random_network, shape_for
from tests.helpers.paths import DATA

NET = random_network(LineShape(5, "freestyle", 16, 16))


def board_of(text: str, variant: Variant = VARIANTS[0]) -> Board:
    return Board(variant, parse_moves(text, variant.width, variant.height))


def search(board: Board, sims: int, net: _core.LineNetwork = NET, threads: int = 1, **config: Any) -> _core.LineSearch:
    found = _core.LineSearch(net, board.core, {"memory_mb": 16} | config)
    found.think(sims, 0, threads)
    return found


FIVE = "h8a1i8a3j8a5k8c1"
BLOCK = "a1h8b4i8c7j8g8k8"
OPEN_FOUR = "h8a1i8a3j8c1"


@pytest.mark.parametrize("solver", [False, True])
def test_a_five_at_hand_is_proven_and_taken(solver: bool) -> None:
    board = board_of(FIVE)
    found = search(board, 4000, solver=solver)
    assert found.proven == "win"
    assert found.best_move() in parse_moves("g8l8", 15, 15)
    assert found.value == 1


def test_the_solver_sees_an_open_four_at_once() -> None:
    found = search(board_of(OPEN_FOUR), 50, solver=True)
    assert found.proven == "win"
    assert found.best_move() in parse_moves("g8k8", 15, 15)


def test_a_five_is_blocked() -> None:
    assert search(board_of(BLOCK), 20, solver=True).best_move() == parse_moves("l8", 15, 15)[0]


def test_a_lost_position_is_proven_lost_and_still_answered() -> None:
    board = board_of("a1h8b4i8c7j8o1k8")  # black to move; white has an open four
    found = search(board, 2000, solver=True)
    assert found.proven == "loss"
    assert board.is_legal(found.best_move())


def test_one_thread_gives_the_same_search_again() -> None:
    board = random_board(VARIANTS[0], 12, 1)
    a, b = search(board, 500), search(board, 500)
    assert a.candidates(20) == b.candidates(20)
    assert a.done == 500 == b.done


def test_two_threads_make_exactly_the_simulations_asked_for() -> None:
    found = search(random_board(VARIANTS[0], 12, 1), 3000, threads=2, solver=False)
    assert found.done == 3000
    assert sum(row["visits"] for row in found.candidates(225)) == pytest.approx(3000, abs=2)


def test_memory_is_bounded() -> None:
    found = search(random_board(VARIANTS[0], 8, 2), 40_000, memory_mb=1, solver=False)
    assert found.done == 40_000
    assert found.bytes <= 1 << 20


def test_the_tree_moves_on_with_the_game() -> None:
    board = random_board(VARIANTS[0], 10, 3)
    found = search(board, 1000, solver=False)
    best = found.best_move()
    kept = next(row["visits"] for row in found.candidates(225) if row["move"] == best)
    found.advance([best])
    board.play(best)
    assert found.key == board.core.key
    assert found.visits == kept > 1
    found.think(200)
    assert found.done == 200
    assert board.is_legal(found.best_move())


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("solver", [False, True])
def test_every_variant_is_played_to_its_end(variant: Variant, solver: bool) -> None:
    net = random_network(shape_for(variant))
    board = Board(variant)
    while board.outcome() is None and len(board.moves) < 40:
        found = search(board, 30, net, solver=solver)
        move = found.best_move()
        assert board.is_legal(move)
        board.play(move)


def test_a_network_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="another game"):
        _core.LineSearch(NET, Board(Variant(15, rule=Rule.RENJU)).core)
    with pytest.raises(ValueError, match="unknown option 'sims'"):
        _core.LineSearch(NET, Board(Variant(15)).core, {"sims": 3})


def games(threads: int = 1, **config: Any) -> dict[str, Any]:
    return _core.line_games(NET, 9, 9, 12, 7, {"visits": 24, "solver": False, "memory_mb": 2} | config, threads)


def test_self_play_is_the_same_on_any_number_of_threads() -> None:
    one, two = games(1), games(2)
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_self_play_can_be_stopped() -> None:
    heard: list[int] = []

    def progress(done: int) -> bool:
        heard.append(done)
        return False

    played = _core.line_games(NET, 9, 9, 40, 7, {"visits": 8, "solver": False, "memory_mb": 2}, 1, progress)
    assert heard == [8]
    assert len(played["lengths"]) == 0


@pytest.mark.parametrize("solver", [False, True])
def test_self_play_gives_whole_legal_games(solver: bool) -> None:
    played = games(solver=solver, fast_fraction=0.5, fast_visits=8)
    ends = np.cumsum(played["lengths"])
    for end, length, winner in zip(ends, played["lengths"], played["winners"], strict=True):
        board = Board(Variant(9), [int(m) for m in played["moves"][end - length : end]])
        outcome = board.outcome()
        assert outcome is not None
        assert winner == (-1 if outcome.winner is None else int(outcome.winner))
    rows = int((played["lengths"] - played["openings"]).sum())
    assert len(played["values"]) == len(played["weights"]) == len(played["counts"]) == rows
    assert np.mean(played["weights"] == 0) == pytest.approx(0.5, abs=0.1), "moves made quickly are not learned from"
    sums = np.add.reduceat(
        played["policy_shares"], np.cumsum(played["counts"])[:-1][np.diff(played["counts"]) >= 0][:5]
    )
    assert np.isfinite(sums).all()


def test_long_threats_are_found_at_busy_positions() -> None:
    """Wins by threes and fours are too far for the solver at the leaves; the tree looks for them where it is busy."""
    variant = Variant(15, rule=Rule.RENJU)
    net = random_network(shape_for(variant))
    found = 0
    for line in (DATA / "renju15-vct.jsonl").read_text(encoding="utf-8").splitlines()[:8]:
        data = json.loads(line)
        black, white = ([y * 15 + x for x, y in data[color]] for color in ("black", "white"))
        board = Board.from_stones(black, white, Color.BLACK if data["side"] == "B" else Color.WHITE, variant)
        with_threats = search(board, 500, net, vct_nodes=20_000, vcf_nodes=0)
        if with_threats.proven == "win":
            found += 1
            board.play(with_threats.best_move())
            reply = _core.Vct().solve(board.core, 1 - int(board.turn), 200_000)
            assert reply.win or board.outcome() is not None
    assert found >= 4
