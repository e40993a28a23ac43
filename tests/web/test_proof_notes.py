"""Proofs in the tree of a game: what one of them says of its neighbours, and of the moves between them."""

from __future__ import annotations

from tengen.rules import Color, Value, parse_moves
from tengen.study.proofs import Force, Proof
from tengen.study.verdicts import Look, Mark, Verdict
from tengen.web.game import ROOT, Game
from tengen.web.messages import Settings
from tengen.web.proof_notes import keep_proof, known_proof


def played(text: str) -> Game:
    game = Game("game", Settings())
    for move in parse_moves(text, 15, 15):
        game.play(move)
    return game


def cells(text: str) -> tuple[int, ...]:
    return tuple(parse_moves(text, 15, 15))


def test_a_move_into_a_win_proves_the_position_before_it() -> None:
    game = played("h8h9i8i9")
    game.play(cells("j8")[0])  # node 5: black has moved into a win
    proof = Proof(Color.BLACK, cells("g8k8l8"), Force.THREATS, 2)
    assert keep_proof(game, 5, proof) == {4, 5}
    before = game.nodes[4].note
    assert before.proof == Proof(Color.BLACK, cells("j8g8k8l8"), Force.THREATS, 3)
    assert before.value == Value(1.0, Color.BLACK)
    assert game.nodes[3].note.proof is None  # white went wrong there, so black's win says nothing of it


def test_a_win_goes_on_along_its_line() -> None:
    game = played("h8h9i8i9j8")
    keep_proof(game, 4, Proof(Color.BLACK, cells("j8g8k8"), Force.THREATS, 2))
    assert known_proof(game, 5) == Proof(Color.BLACK, cells("g8k8"), Force.THREATS, 1)
    game.go(4)
    game.play(cells("a1")[0])
    assert known_proof(game, game.cursor) is None and known_proof(game, ROOT) is None


def test_a_proof_that_is_there_is_not_replaced() -> None:
    game = played("h8h9i8i9j8")
    first = Proof(Color.BLACK, cells("k8g8l8"), Force.THREATS, 2)
    keep_proof(game, 4, first)
    assert keep_proof(game, 5, Proof(Color.BLACK, cells("g8k8l8"), Force.THREATS, 2)) == {5}
    assert game.nodes[4].note.proof == first


def test_a_verdict_follows_what_is_proven_later() -> None:
    """A move that a review called good allows a win that a long analysis finds."""
    game = played("h8h9i8i9")
    for node, number in ((3, 0.0), (4, 0.05)):
        game.nodes[node].note.look = Look(Value(number, Color.BLACK), cells("a1")[0])
    game.nodes[4].note.verdict = Verdict(Mark.GOOD, 0.05)
    assert keep_proof(game, 4, Proof(Color.BLACK, cells("j8k8g8"), Force.THREATS, 2)) == {4}
    verdict, look = game.nodes[4].note.verdict, game.nodes[4].note.look
    assert verdict and verdict.mark == Mark.ALLOWED_WIN
    assert look and look.proof and look.best == cells("j8")[0]


def test_a_move_that_was_not_judged_stays_so() -> None:
    game = played("h8h9i8i9")
    keep_proof(game, 4, Proof(Color.BLACK, cells("j8k8g8"), Force.THREATS, 2))
    assert game.nodes[4].note.verdict is None
