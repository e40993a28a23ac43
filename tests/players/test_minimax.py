"""The minimax player: its evaluation, its sight and its limits."""

from __future__ import annotations

import itertools

import pytest

from tengen import _core, registry
from tengen.board import Board
from tengen.players.minimax import MinimaxPlayer, value_of
from tengen.rules import Color, Limit, Rule, Variant, parse_move


def setup(black: str, white: str, size: int = 9, turn: Color = Color.BLACK, rule: Rule = Rule.FREESTYLE) -> Board:
    def cells(names: str) -> list[int]:
        return [parse_move(name, size, size) for name in names.split()]

    return Board.from_stones(cells(black), cells(white), turn, Variant(size, rule=rule))


def near_stones(board: Board) -> set[int]:
    stones = [divmod(m, board.width) for m in range(board.cells) if board.at(m) is not None]
    return {
        r * board.width + c
        for row, col in stones
        for r, c in itertools.product(range(row - 2, row + 3), range(col - 2, col + 3))
        if 0 <= r < board.height and 0 <= c < board.width
    }


def plain_minimax(board: Board, depth: int, ply: int = 0) -> int:
    """Every candidate to the full depth, without cuts or ordering, on the native evaluation."""
    if board.outcome():
        return -(10_000 - ply) if board.core.won else 0
    if depth == 0:
        return _core.minimax_evaluate(board.core)
    best = -100_000
    for move in near_stones(board).intersection(board.legal_moves()):
        board.play(move)
        best = max(best, -plain_minimax(board, depth - 1, ply + 1))
        board.undo()
    return best


@pytest.mark.parametrize(
    ("black", "white", "score"),
    [
        ("e5", "", 0),
        ("d5 e5 f5", "", 500),
        ("d5 e5 f5", "c5", 30),
        ("d5 e5 f5", "c5 g5", 0),
        ("c5 d5 e5 f5", "", 5000),
        ("c5 d5 e5 f5", "b5", 400),
        ("c5 d5 e5 f5", "b5 g5", 0),
        ("a1 b2 c3 d4", "", 400),
        ("c5 d5 f5", "", 500),
        ("d5 e5 f5", "a9 b9 c9 d9", 100),
        ("d5 e5 f5 e4 e6", "", 1000),
    ],
)
def test_evaluation_counts_shapes_with_blocked_ends_and_edges(black: str, white: str, score: int) -> None:
    assert _core.minimax_evaluate(setup(black, white).core) == score
    assert _core.minimax_evaluate(setup(black, white, turn=Color.WHITE).core) == -score


@pytest.mark.parametrize("text", ["e5d4e6e4f5", "c3d4c4d5d3e3", "b2c3b3c4"])
def test_alpha_beta_finds_the_score_of_plain_minimax(text: str) -> None:
    board = Board.from_text(text, Variant(6))
    for depth in (1, 2, 3):
        found = _core.Minimax(board.core, 7).run(0.0, 0, depth)
        assert found.score == plain_minimax(board, found.depth)
        board.play(found.move)
        assert found.score == -plain_minimax(board, found.depth - 1, 1)
        board.undo()


@pytest.mark.parametrize("rule", list(Rule))
def test_wins_at_once_and_blocks_a_four(rule: Rule) -> None:
    win = setup("b5 c5 d5 e5", "f5 a2 b2 c2 d2", rule=rule)
    assert MinimaxPlayer(2).choose(win, Limit()).move == parse_move("a5", 9, 9)
    assert MinimaxPlayer(2).choose(win, Limit()).value == 1.0
    block = setup("f5 a2 b2 c2", "b5 c5 d5 e5", rule=rule)
    assert MinimaxPlayer(2).choose(block, Limit()).move == parse_move("a5", 9, 9)


def test_depth_three_sees_the_open_four_coming() -> None:
    board = setup("a1 i9 h2", "d5 e5 f5")
    found = MinimaxPlayer(3).choose(board, Limit())
    assert board.name(found.move) in {"b5", "c5", "g5", "h5"}


def test_same_seed_same_game_and_other_seed_may_differ() -> None:
    def first_moves(seed: int) -> list[int]:
        board = Board(Variant(9))
        for _ in range(8):
            board.play(registry.create("minimax:depth=2", seed=seed).choose(board, Limit()).move)
        return list(board.moves)

    assert first_moves(1) == first_moves(1)
    assert len({tuple(first_moves(seed)) for seed in range(6)}) > 1


def test_random_depth_draws_two_or_three() -> None:
    board = Board.from_text("e5d4e6")
    depths = {MinimaxPlayer(8, True, seed).choose(board, Limit()).depth for seed in range(12)}
    assert depths == {2, 3}


def test_limits_are_obeyed() -> None:
    board = Board.from_text("h8i9h9h7i8")
    agent = MinimaxPlayer(6)
    assert agent.choose(board, Limit(nodes=500)).nodes <= 501
    assert agent.choose(board, Limit(nodes=1)).move in board.legal_moves()
    assert agent.choose(board, Limit(depth=2)).depth == 2
    assert agent.choose(board, Limit(seconds=0.05)).depth < 6


def test_never_plays_a_forbidden_point() -> None:
    # d5 would make black two open threes; it is also where every line of black meets.
    board = setup("e5 f5 d6 d7", "a1 a9 i1 i9", rule=Rule.RENJU)
    assert "d5" in {board.name(m) for m in board.forbidden()}
    assert board.name(MinimaxPlayer(2).choose(board, Limit()).move) != "d5"


def test_bad_depth_names_the_choices() -> None:
    with pytest.raises(ValueError, match="1 to 8"):
        registry.create("minimax:depth=0")


def test_value_is_one_only_for_a_proven_end() -> None:
    assert value_of(9_990) == 1.0 and value_of(-9_990) == -1.0
    assert -1.0 < value_of(-9_000) < value_of(0) == 0.0 < value_of(9_000) < 1.0
