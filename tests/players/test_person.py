"""A player that errs as people do: what it overlooks, where it plays, and that knobs turn its strength."""

from __future__ import annotations

import pytest

from tengen.board import Board
from tengen.registry import create
from tengen.rules import Limit, Move, Rule, Variant, parse_moves

SEEDS = range(200)


def chosen(text: str, spec: str, variant: Variant | None = None) -> list[Move]:
    """What 200 such people play."""
    board = Board.from_text(text, variant or Variant())
    return [create(spec, seed=seed).choose(board, Limit()).move for seed in SEEDS]


def share(text: str, answers: str, sees: float) -> float:
    wanted = set(parse_moves(answers, 15, 15))
    found = chosen(text, f"person:sees={sees}")
    return sum(move in wanted for move in found) / len(found)


FOUR = "h8h9i8i9j8g8k8"
"""White must play l8."""
THREE = "h8a15i8a13j8"
"""White must answer at one of four cells."""
DOUBLE = "h8a15i8a13j6c15j7e15"
"""Black makes two threes at j8."""


def test_a_four_is_overlooked_rarely_a_three_sometimes_a_double_threat_often() -> None:
    fours, threes = share(FOUR, "l8", 0.3), share(THREE, "f8g8k8l8", 0.3)
    double = share(DOUBLE, "j8", 0.3)
    assert 0.85 < fours < 1 and 0.5 < threes < fours and double < threes


@pytest.mark.parametrize(("text", "answers"), [(FOUR, "l8"), (THREE, "f8g8k8l8"), (DOUBLE, "j8")])
def test_who_sees_everything_overlooks_nothing(text: str, answers: str) -> None:
    assert share(text, answers, 1) == 1


def test_own_five_is_taken_and_seen_more_often_by_better_eyes() -> None:
    own = FOUR + "a1"
    assert share(own, "l8", 1) == 1 and share(own, "l8", 0.5) > share(own, "l8", 0) > 0.6


@pytest.mark.parametrize("sees", [0, 0.5, 1])
def test_it_plays_near_the_action(sees: float) -> None:
    stones = parse_moves("h8i9j7", 15, 15)
    for move in chosen("h8i9j7", f"person:sees={sees}"):
        away = min(max(abs(move // 15 - s // 15), abs(move % 15 - s % 15)) for s in stones)
        assert away <= 2


def test_people_differ_and_each_is_the_same_again() -> None:
    first, second = (chosen("h8i9j7", "person:sees=0.2") for _ in range(2))
    assert first == second and len(set(first)) > 8


def test_it_never_plays_a_forbidden_point() -> None:
    """Double three for black at h8."""
    variant = Variant(rule=Rule.RENJU)
    text = "h7a15h6c15g8e15f8g15"
    board = Board.from_text(text, variant)
    assert not board.is_legal(parse_moves("h8", 15, 15)[0])
    assert all(board.is_legal(move) for move in chosen(text, "person:sees=1", variant))


def test_thinking_ahead_counts_its_nodes_and_obeys_the_limit() -> None:
    board = Board.from_text("h8i9j7", Variant())
    thinker = create("person:sees=1,reads=1,nodes=300", seed=1)
    assert 100 < thinker.choose(board, Limit()).nodes <= 310
    assert thinker.choose(board, Limit(nodes=50)).nodes <= 60
    assert create("person:sees=1", seed=1).choose(board, Limit()).nodes == 1


def test_better_eyes_win() -> None:
    score = 0
    for game in range(20):
        board = Board(Variant(9))
        players = [create(f"person:sees={sees}", seed=game) for sees in ((0.9, 0.1) if game % 2 else (0.1, 0.9))]
        while not (outcome := board.outcome()):
            board.play(players[board.turn].choose(board, Limit()).move)
        score += outcome.winner is not None and (outcome.winner == 0) == bool(game % 2)
    assert score >= 17
