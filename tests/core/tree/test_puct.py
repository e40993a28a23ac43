"""The search tree: its proofs are those of brute force, its statistics add up, its targets are what they claim."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tengen import Board, Color, _core
from tengen.inference.search_options import SearchOptions
from tengen.rules import Rule, Variant, parse_moves

PLAIN = SearchOptions(gumbel=False, noise_fraction=0.0)


def run(board: Board, sims: int, options: SearchOptions = PLAIN, batch: int = 1, seed: int = 0) -> _core.Search:
    """A search with a network that always says: all moves alike, value 0."""
    config = options.to_dict() | {"sims": sims}
    search = _core.Search(board.core, "stones", config, seed)
    planes = np.zeros((batch, 4, board.height, board.width), np.float32)
    while search.done < sims and not search.proven:
        n = search.select(planes, sims - search.done)
        search.expand(np.zeros((n, board.cells), np.float32), np.zeros(n, np.float32))
    return search


def solve(board: Board) -> int:
    """The result for the side to move with best play, by brute force."""

    @cache
    def value(key: int) -> int:
        outcome = board.outcome()
        if outcome is not None:
            return 0 if outcome.winner is None else -1
        best = -1
        for move in board.legal_moves():
            board.play(move)
            best = max(best, -value(board.key))
            board.undo()
            if best == 1:
                break
        return best

    return value(board.key)


def random_board(draw: random.Random, size: int, k: int, rule: str, empties: int) -> Board:
    """An unfinished position with so many empty cells, reached by random moves."""
    while True:
        board = Board(Variant(size, k=k, rule=rule))
        while board.outcome() is None and board.cells - board.stones > empties:
            board.play(draw.choice(board.legal_moves()))
        if board.outcome() is None:
            return board


GAMES = [
    (3, 3, "freestyle", 7), (4, 3, "freestyle", 7), (4, 4, "freestyle", 6), (5, 4, "freestyle", 8),
    (5, 4, "standard", 8), (5, 4, "caro", 8), (4, 3, "caro", 8), (5, 3, "standard", 8), (6, 5, "renju", 8),
]  # fmt: skip


@pytest.mark.parametrize(("size", "k", "rule", "empties"), GAMES)
@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize("gumbel", [True, False])
def test_proofs_are_exact(size: int, k: int, rule: str, empties: int, solver: bool, gumbel: bool) -> None:
    draw = random.Random(size * 100 + k)
    values = {"win": 1, "loss": -1, "draw": 0}
    options = SearchOptions(gumbel=gumbel, solver=solver, noise_fraction=0.0, vcf_nodes=100 * solver)
    proven = 0
    for _ in range(12):
        board = random_board(draw, size, k, rule, empties)
        search = run(board, 20_000, options)
        expected = solve(board)
        if not search.proven:  # a drawn move goes on getting visits, so only a draw may stay open
            assert (expected, search.value) == (0, pytest.approx(0, abs=0.2))
            continue
        proven += 1
        assert values[search.proven] == expected == search.value
        board.play(search.best_move())
        assert -solve(board) == expected
    assert proven >= 3


@pytest.mark.parametrize(("size", "k", "rule", "empties"), [(5, 4, "freestyle", 9), (5, 4, "standard", 9),
                                                           (5, 4, "caro", 8), (6, 5, "renju", 8)])  # fmt: skip
def test_moves_the_solver_leaves_out_lose(size: int, k: int, rule: str, empties: int) -> None:
    draw = random.Random(7)
    restricted = 0
    for _ in range(80):
        board = random_board(draw, size, k, rule, empties)
        search = _core.Search(board.core, "stones", PLAIN.to_dict(), 0)
        n = search.select(np.zeros((1, 4, size, size), np.float32), 1)
        if search.proven:
            continue
        search.expand(np.zeros((n, board.cells), np.float32), np.zeros(n, np.float32))
        left_out = [m for m in board.legal_moves() if search.policy()[m] == 0]
        restricted += bool(left_out)
        for move in left_out:
            board.play(move)
            assert solve(board) == 1
            board.undo()
    assert restricted >= 5


def test_caro_saves_itself_from_two_fives_by_a_stone_at_their_open_end() -> None:
    """The row e5 to h5 is closed behind i5 by j5: a stone on d5 takes both fives away."""
    black, white = (parse_moves(text, 15, 15) for text in ("e5f5g5h5", "j5a1o15"))
    board = Board.from_stones(black, white, Color.WHITE, Variant(15, rule=Rule.CARO))
    search = _core.Search(board.core, "stones", PLAIN.to_dict(), 0)
    n = search.select(np.zeros((1, 4, 15, 15), np.float32), 1)
    assert not search.proven
    search.expand(np.zeros((n, board.cells), np.float32), np.zeros(n, np.float32))
    assert [board.name(m) for m in board.legal_moves() if search.policy()[m] > 0] == ["d5"]


def test_tic_tac_toe_is_level_from_the_start() -> None:
    search = run(Board(Variant(3, k=3)), 20_000)
    assert search.proven in {"", "draw"}
    assert search.value == pytest.approx(0, abs=0.1)


def test_visits_add_up_and_the_best_is_most_visited() -> None:
    board = Board.from_text("d4e5d5", Variant(7))
    search = run(board, 500, PLAIN, batch=8)
    rows = search.candidates(49)
    assert sum(row["visits"] for row in rows) == search.done == 500
    assert search.best_move() == max(rows, key=lambda row: row["visits"])["move"]
    assert sum(row["prior"] for row in rows) <= 1.001
    np.testing.assert_allclose(search.policy().sum(), 1, atol=1e-5)
    for row in rows:
        assert search.policy()[row["move"]] == pytest.approx(row["visits"] / 500, abs=1e-5)


def test_value_is_for_the_side_to_move() -> None:
    """A network that likes black's side: black's root is good, white's is bad."""
    for text, sign in (("d4e5", 1), ("d4e5d5", -1)):
        board = Board.from_text(text, Variant(7))
        search = _core.Search(board.core, "stones", PLAIN.to_dict() | {"solver": False}, 0)
        planes = np.zeros((1, 4, 7, 7), np.float32)
        while search.done < 50:
            n = search.select(planes, 50 - search.done)
            black_to_move = planes[:n, 3, 0, 0] > 0
            value = np.where(black_to_move, 0.6, -0.6).astype(np.float32)
            search.expand(np.zeros((n, 49), np.float32), value)
        assert search.value == pytest.approx(sign * 0.6, abs=1e-4)


@pytest.mark.parametrize("formula", ["puct", "printed"])
def test_puct_follows_its_formula(formula: str) -> None:
    """Every choice at the root, recomputed in Python from the statistics before it."""
    board = Board(Variant(5, k=5))
    draw = np.random.default_rng(1)
    priors = draw.dirichlet(np.ones(25))
    options = SearchOptions(gumbel=False, noise_fraction=0.0, solver=False, fpu_zero=True, c_puct=1.5, formula=formula)
    search = _core.Search(board.core, "stones", options.to_dict(), 0)
    planes = np.zeros((1, 4, 5, 5), np.float32)
    search.select(planes, 1)
    search.expand(np.log(priors)[None].astype(np.float32), np.zeros(1, np.float32))
    for done in range(200):
        visits, mean = np.zeros(25), np.zeros(25)
        for row in search.candidates(25):
            visits[row["move"]], mean[row["move"]] = row["visits"], row["value"]
        n = search.select(planes, 1)
        search.expand(draw.normal(size=(n, 25)).astype(np.float32), draw.uniform(-1, 1, n).astype(np.float32))
        chosen = next(row["move"] for row in search.candidates(25) if row["visits"] > visits[row["move"]])
        total = 1 + done
        spread = np.sqrt(total) / (1 + visits) if formula == "puct" else np.sqrt(total / (1 + visits))
        score = mean + 1.5 * priors * spread
        assert score[chosen] == pytest.approx(score.max(), abs=2e-3)


def test_gumbel_spends_exactly_its_simulations_on_the_considered_moves() -> None:
    board = Board.from_text("d4", Variant(7))
    search = run(board, 32, SearchOptions(gumbel_considered=8, solver=False))
    rows = search.candidates(49)
    assert len(rows) == 8
    assert sum(row["visits"] for row in rows) == 32
    most = max(row["visits"] for row in rows)
    best = next(row for row in rows if row["move"] == search.best_move())
    assert best["visits"] >= most - 1  # the survivor of the last halving
    assert (search.policy() > 0).sum() == 48  # completed values give every legal move its share


def test_gumbel_never_plays_a_refuted_move_while_others_are_open() -> None:
    """With two simulations on must-block positions, considered moves are often refuted by the last one."""
    draw = random.Random(3)
    options = SearchOptions(gumbel_considered=2, solver=False)
    seen = 0
    for seed in range(300):
        board = random_board(draw, 5, 4, "freestyle", 12)
        search = run(board, 12, options, seed=seed)
        rows = {row["move"]: row["proven"] for row in search.candidates(25)}
        seen += -1 in rows.values()
        if not search.proven:
            assert rows.get(search.best_move(), 0) != -1
    assert seen > 10


def test_gumbel_noise_is_new_for_every_seed_and_none_at_scale_zero() -> None:
    board = Board(Variant(9))
    noisy = {run(board, 4, SearchOptions(gumbel_considered=4), seed=seed).best_move() for seed in range(10)}
    still = {run(board, 4, SearchOptions(gumbel_scale=0.0), seed=seed).best_move() for seed in range(10)}
    assert len(noisy) > 4
    assert len(still) == 1


@pytest.mark.parametrize("gumbel", [True, False])
def test_target_of_a_proven_win_is_the_winning_move(gumbel: bool) -> None:
    board = Board.from_text("a1a7b1b7c1c7d1d7", Variant(7))
    search = run(board, 100, SearchOptions(gumbel=gumbel))
    assert (search.proven, search.done) == ("win", 0)
    assert board.name(int(search.policy().argmax())) == "e1"
    assert search.policy().max() == 1


def test_advance_keeps_the_subtree() -> None:
    board = Board.from_text("d4", Variant(7))
    search = run(board, 400)
    best = search.best_move()
    visits = search.candidates(1)[0]["visits"]
    search.advance([best])
    board.play(best)
    assert (search.visits, search.key, search.done) == (visits, board.key, 0)
    assert search.candidates(1)[0]["visits"] > 0
    with pytest.raises(ValueError, match="not legal"):
        search.advance([best])


def test_abandoned_leaves_change_nothing() -> None:
    board = Board.from_text("d4", Variant(7))
    search = run(board, 50)
    before = search.candidates(49)
    assert search.select(np.zeros((8, 4, 7, 7), np.float32), 8) == 8
    with pytest.raises(ValueError, match="expand or abandon"):
        search.select(np.zeros((8, 4, 7, 7), np.float32), 8)
    search.abandon()
    assert [row["visits"] for row in search.candidates(49)] == [row["visits"] for row in before]


def test_evaluations_are_remembered() -> None:
    options = SearchOptions(gumbel=False, noise_fraction=0.0, solver=False, cache_size=10_000)
    board = random_board(random.Random(1), 4, 4, "freestyle", 8)
    assert run(board, 5000, options).evaluations < 0.7 * run(board, 5000, replace(options, cache_size=0)).evaluations


def test_hundred_thousand_simulations_fit_in_memory() -> None:
    speed = _core.tree_speed(Board(Variant(15)).core, 100_000, {"solver": False})
    assert speed["bytes"] < 400e6


@pytest.mark.parametrize(
    ("config", "words"),
    [({"simz": 3}, "unknown search option 'simz'"), ({"sims": "many"}, "wrong type"), ({"sims": 0}, "at least 1"),
     ({"formula": "ucb"}, "unknown formula")],
)  # fmt: skip
def test_bad_options(config: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        _core.Search(Board(Variant(7)).core, "stones", config, 0)


def test_bad_arrays() -> None:
    search = _core.Search(Board(Variant(7)).core, "stones", {}, 0)
    with pytest.raises(ValueError, match="planes must have shape"):
        search.select(np.zeros((1, 4, 8, 7), np.float32), 1)
    assert search.select(np.zeros((1, 4, 7, 7), np.float32), 1) == 1
    with pytest.raises(ValueError, match="expected policy"):
        search.expand(np.zeros((1, 48), np.float32), np.zeros(1, np.float32))


def five_possible(board: Board, color: Color) -> bool:
    """Some row of k cells holds no stone of the other side and at least one empty cell."""
    n, k = board.width, board.k
    for row in range(n):
        for col in range(n):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if not (row + dr * (k - 1) < n and 0 <= col + dc * (k - 1) < n):
                    continue
                cells = [board.at((row + i * dr) * n + col + i * dc) for i in range(k)]
                if color.other not in cells and None in cells:
                    return True
    return False


@pytest.mark.parametrize(("size", "k"), [(6, 5), (7, 5), (8, 6)])
def test_dead_boards_are_drawn_at_once_and_others_are_not(size: int, k: int) -> None:
    draw = random.Random(5)
    dead = 0
    for _ in range(60):
        board = random_board(draw, size, k, "freestyle", draw.randrange(2, 9))
        over = not any(five_possible(board, color) for color in Color)
        search = _core.Search(board.core, "stones", PLAIN.to_dict(), 0)
        search.select(np.zeros((1, 4, size, size), np.float32), 1)
        at_once = search.proven == "draw" and search.done == 0
        assert at_once == (over and k <= 5) or (k > 5 and not at_once)
        dead += over
    assert 3 <= dead < 60
    assert run(Board(Variant(8, k=6)), 1).proven == ""
