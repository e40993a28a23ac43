"""Reviews against positions whose verdict is known: verdicts.json, made by make_verdicts.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.board import Board
from tengen.players.alphabeta import AlphaBetaPlayer
from tengen.rules import Color, Value, Variant, parse_moves
from tengen.study.proofs import DEEP, QUICK, THOROUGH, Force, Proof, Prover, carried_back, carried_on
from tengen.study.review import PASSES, Review
from tengen.study.sentences import ends, reason_text
from tengen.study.verdicts import Look, Mark, Reason, Swing, Verdict, Why, accuracy, judge, turning_point

CASES = json.loads((Path(__file__).parent / "verdicts.json").read_text(encoding="utf-8"))
EXPECTED: dict[str, set[Mark]] = {
    "makes-five": {Mark.BEST},
    "wins": {Mark.BEST},
    "misses-five": {Mark.MISSED_WIN},
    "misses-vcf": {Mark.MISSED_WIN},
    "misses-vct": {Mark.MISSED_WIN},
    "leaves-four": {Mark.ALLOWED_WIN},
    "leaves-three": {Mark.ALLOWED_WIN},
    "allows-vcf": {Mark.ALLOWED_WIN},
    "allows-vct": {Mark.ALLOWED_WIN},
    "lost": {Mark.LOST},
    "gives-in-to-a-four": {Mark.BLUNDER},
    "quiet": {Mark.BEST, Mark.GOOD},
}


def review_of_last_move(case: dict[str, str]) -> Review:
    """The default review of a line that ends with the move in question, from one move before it."""
    variant = Variant.parse(case["variant"])
    *before, move = parse_moves(case["moves"], variant.width, variant.height)
    review = Review(Board(variant, before), (move,), AlphaBetaPlayer(hash_mb=16))
    for _ in review.run():
        pass
    return review


def test_the_set_is_large_and_varied() -> None:
    assert len(CASES) >= 60
    assert {case["kind"] for case in CASES} == set(EXPECTED)
    assert len({case["variant"] for case in CASES}) >= 5


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['variant'].replace(' ', '-')}")
def test_the_default_review_gets_every_known_verdict_right(case: dict[str, str]) -> None:
    verdict = review_of_last_move(case).verdicts[-1]
    assert verdict and verdict.mark in EXPECTED[case["kind"]], verdict


GAME = "h8i9i7g9h9h7j8h6g8f8i8j9i10k10h11"


def marks(text: str) -> list[Mark | None]:
    review = Review(Board(), parse_moves(text, 15, 15), AlphaBetaPlayer(hash_mb=16))
    for _ in review.run():
        pass
    return [verdict and verdict.mark for verdict in review.verdicts]


def test_two_reviews_of_a_game_agree() -> None:
    assert marks(GAME) == marks(GAME)


@pytest.mark.parametrize("game", [GAME, "h8h10i9i10j10g7i8g6j8l12e5f8j9j7j11g5k8l8g8"])
def test_a_review_after_a_review_agrees_on_95_of_100_moves(game: str) -> None:
    """The second begins with the proofs of the first, as on the page, and keeps them."""
    moves = parse_moves(game, 15, 15)
    first = Review(Board(), moves, AlphaBetaPlayer(seed=1))
    list(first.run())
    known = {ply: look.proof for ply, look in enumerate(first.looks) if look and look.proof and look.proof.line}
    second = Review(Board(), moves, AlphaBetaPlayer(seed=1), known)
    list(second.run())
    assert all((look := second.looks[ply]) and look.proof == proof for ply, proof in known.items())
    pairs = [(a.mark, b.mark) for a, b in zip(first.verdicts, second.verdicts, strict=True) if a and b]
    assert len(pairs) == len(moves) and sum(a == b for a, b in pairs) >= 0.95 * len(pairs)


def test_a_proof_never_goes_away() -> None:
    review = Review(Board(), parse_moves(GAME, 15, 15), AlphaBetaPlayer(hash_mb=16))
    proven: dict[int, Proof] = {}
    for finding in review.run():
        if finding.ply in proven:
            assert finding.look.proof == proven[finding.ply]
        elif finding.look.proof:
            proven[finding.ply] = finding.look.proof
    assert proven


def test_a_review_can_be_stopped() -> None:
    review = Review(Board(), parse_moves(GAME, 15, 15), AlphaBetaPlayer(hash_mb=16))
    assert len(list(zip(review.run(lambda: review.looks[3] is not None), range(100), strict=False))) < 12


# The examples of D1: a four that was not blocked, and the move that makes five


def test_an_open_four_is_named_with_its_stones_and_the_winning_cell() -> None:
    review = Review(Board(), parse_moves("h8h9i8i9j8g8k8a1a3l8", 15, 15), AlphaBetaPlayer(hash_mb=16))
    for _ in review.run():
        pass
    verdict = review.verdicts[8]
    assert verdict and verdict.mark == Mark.ALLOWED_WIN and verdict.reason
    assert verdict.reason.why == Why.LEAVES_FOUR
    assert verdict.reason.shape == tuple(parse_moves("h8i8j8k8", 15, 15))
    assert verdict.reason.line == tuple(parse_moves("l8", 15, 15))
    missed = review.verdicts[9]
    assert missed and missed.mark == Mark.MISSED_WIN and missed.reason and missed.reason.why == Why.MISSES_FIVE


def test_five_is_the_best_move() -> None:
    review = Review(Board(), parse_moves("a1a15b1b15c1c15d1d14e1", 15, 15), AlphaBetaPlayer(hash_mb=16))
    for _ in review.run(passes=PASSES[:1]):
        pass
    verdict = review.verdicts[-1]
    assert verdict and verdict.mark == Mark.BEST and verdict.reason and verdict.reason.why == Why.MAKES_FIVE


# Judging from given looks, without a search


def quiet(value: float, best: int = 5) -> Look:
    return Look(Value(value, Color.BLACK), best)


@pytest.mark.parametrize(
    ("after", "mark"),
    [(-0.05, Mark.GOOD), (-0.2, Mark.INACCURACY), (-0.4, Mark.MISTAKE), (-0.9, Mark.BLUNDER)],
)
def test_moves_are_judged_by_what_they_cost(after: float, mark: Mark) -> None:
    assert judge(Board(), 7, quiet(0.0), quiet(after)).mark == mark
    white = Board(moves=(0,))
    assert judge(white, 7, quiet(0.0), quiet(-after)).mark == mark


def test_the_best_move_is_never_a_fault() -> None:
    assert judge(Board(), 5, quiet(0.0), quiet(-0.9)) == Verdict(Mark.BEST)


WIN = Proof(Color.BLACK, (7, 8, 9), Force.FOURS, 2)
LOSS = Proof(Color.WHITE, (20, 21, 22, 23, 24), Force.THREATS, 3)
LOST = Look(Value(1.0, Color.WHITE), 20, LOSS.line, LOSS)


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [
        (Look(Value(1.0, Color.BLACK), 7, WIN.line, WIN), quiet(0.9), Mark.MISSED_WIN),
        (quiet(0.2), Look(Value(1.0, Color.WHITE), 20, LOSS.line, LOSS), Mark.ALLOWED_WIN),
        (quiet(-0.95), Look(Value(1.0, Color.WHITE), 20, LOSS.line, LOSS), Mark.ALLOWED_WIN),
        (LOST, LOST, Mark.LOST),
        (quiet(0.2), Look(Value(1.0, Color.BLACK), 8, WIN.line[1:], WIN), Mark.BEST),
    ],
)  # fmt: skip
def test_wins_that_come_and_go_are_classes_of_their_own(before: Look, after: Look, mark: Mark) -> None:
    """Whatever the value was: a player who stood badly can still allow a win."""
    assert judge(Board(), 6, before, after).mark == mark


def test_a_lost_position_is_proven_by_trying_every_move() -> None:
    # Black has an open four, h8 to k8: white blocks one end and loses at the other
    board = Board.from_text("h8h10i8i10j8a1k8")
    proof = Prover().prove(board, QUICK)
    assert proof and proof.winner == Color.BLACK and proof.moves == 1 and len(proof.line) == 2
    assert Prover().prove(Board.from_text("h8h9i8i9j8g8k8"), DEEP) is None  # one end is closed: white blocks
    assert Prover().prove(Board.from_text("h8i9"), THOROUGH) is None


def test_accuracy_falls_with_what_moves_cost() -> None:
    assert accuracy([]) is None
    free, mistake = Verdict(Mark.BEST), Verdict(Mark.MISTAKE, 0.4)
    best, middling, bad = accuracy([free, free]), accuracy([free, mistake]), accuracy([Verdict(Mark.ALLOWED_WIN, 2.0)])
    assert best == pytest.approx(100.0, abs=0.01) and bad is not None and bad < 1
    assert middling is not None and 60 < middling < 90


def test_accuracy_leaves_out_what_no_move_could_change_and_no_gross_fault_is_free() -> None:
    best, mistake, lost = Verdict(Mark.BEST), Verdict(Mark.MISTAKE, 0.4), Verdict(Mark.LOST)
    assert accuracy([lost, lost]) is None
    assert accuracy([best, mistake, lost, lost]) == accuracy([best, mistake])
    for mark in (Mark.BLUNDER, Mark.MISSED_WIN, Mark.ALLOWED_WIN):
        share = accuracy([Verdict(mark, 0.05)])
        assert share is not None and share < 35


def turning(*moves: tuple[Verdict, float, float]) -> int | None:
    return turning_point(Swing(ply, *move) for ply, move in enumerate(moves, 1))


def test_the_turning_point_is_the_last_fault_that_turned_the_game() -> None:
    good, fault = Verdict(Mark.GOOD), Verdict(Mark.MISTAKE, 0.4)
    given = Verdict(Mark.ALLOWED_WIN, 0.1, Reason(Why.ALLOWS))
    assert turning((good, 0.1, 0.0), (good, 0.0, -0.1)) is None
    assert turning((good, 0.1, 0.1), (fault, 0.9, 0.5), (good, 0.2, 0.2)) == 2
    assert turning((fault, 0.9, 0.5), (given, -0.9, -1.0), (good, 0.1, 0.1), (fault, 0.9, 0.5)) == 2
    assert turning((fault, 0.2, -0.2), (given, -0.9, -1.0)) == 1
    assert turning((fault, 0.2, -0.2), (given, -0.3, -1.0)) == 2


# What one proof says of neighbouring positions


def test_a_proof_goes_on_along_its_line_and_back_to_the_position_before() -> None:
    after = Proof(Color.BLACK, (8, 9), Force.FOURS, 1)
    assert carried_on(WIN, 7, Color.BLACK) == after
    assert carried_on(WIN, 6, Color.BLACK) is None
    assert carried_on(after, 8, Color.WHITE) == Proof(Color.BLACK, (9,), Force.FIVE, 1)
    assert carried_back(after, 7, Color.BLACK) == Proof(Color.BLACK, (7, 8, 9), Force.THREATS, 2)
    assert carried_back(after, 7, Color.WHITE) is None


def test_a_quiet_winning_move_is_a_win_to_be_missed() -> None:
    """k9 threatens nothing yet, so no solver begins with it; but the player claims it, and every answer loses."""
    board = Board.from_text("h8h10i9i10j10g7")
    assert Prover().win(board, DEEP) is None
    review = Review(board, parse_moves("i8", 15, 15), AlphaBetaPlayer(hash_mb=16, seed=1))
    for _ in review.run():
        pass
    verdict = review.verdicts[1]
    assert verdict and verdict.mark == Mark.MISSED_WIN and verdict.reason
    assert verdict.reason.line[0] == parse_moves("k9", 15, 15)[0]


def test_what_was_proven_before_is_heeded() -> None:
    """A win that this review would not find itself makes its loss a missed win."""
    board, moves = Board.from_text("h8i9"), parse_moves("a1", 15, 15)
    proof = Proof(Color.BLACK, tuple(parse_moves("i8j8k8", 15, 15)), Force.THREATS, 2)
    review = Review(board, moves, AlphaBetaPlayer(hash_mb=16), {0: proof})
    findings = list(review.run(passes=PASSES[:1]))
    assert findings[0].look.proof == proof
    verdict = review.verdicts[1]
    assert verdict and verdict.mark == Mark.MISSED_WIN


def test_rows_are_named_with_letters_and_numbers_rising() -> None:
    variant = Variant()
    assert ends(parse_moves("h8j8i8", 15, 15), variant) == "h8-j8"
    assert ends(parse_moves("j8j9j10j11", 15, 15), variant) == "j8-j11"
    assert ends(parse_moves("k8j9i10", 15, 15), variant) == "i10-k8"


def test_a_win_that_could_have_been_five_says_so() -> None:
    reason, variant = Reason(Why.WINS, (7, 8), moves=2), Variant()
    five = Proof(Color.BLACK, (9,), Force.FIVE, 1)
    assert reason_text(reason, Color.BLACK, variant, five) == "wins by force in 2, but five in a row was there at once"
    assert reason_text(reason, Color.BLACK, variant, WIN) == "wins by force in 2"
