"""Positions with one good answer, for players that promise to see it: wins, threats and straight fours."""

from __future__ import annotations

from tengen.board import Board
from tengen.rules import Limit, Variant
from tengen.testing import Maker, checked_choice

# (name, position, rule, answers); rows from the bottom, black or white to move as the stones say.
WINS = (
    ("four in a row", "h8a1i8a3j8a5k8c2", "freestyle", "g8l8"),
    ("four with a gap", "h8a1i8a3k8a5l8c2", "freestyle", "j8"),
    ("white's diagonal", "a1h8a3i9a5j10c1k11o1", "standard", "g7l12"),
    ("at the edge", "a1h8a2h9a3h11a4j8", "caro", "a5"),
    ("exactly five, not six", "h8a1i8a3j8a5k8c2m8c4", "standard", "g8"),
    ("renju, black", "h8a1i8a3j8a5k8c2m8c4", "renju", "g8"),
    ("rather than block", "h8a1i8a2j8a3k8a4", "freestyle", "g8l8"),
)
THREATS = (
    ("four with one open end", "h8g8i8a3j8a5k8", "freestyle", "l8"),
    ("four with a gap", "h8a1i8a3k8a5l8", "freestyle", "j8"),
    ("on the diagonal", "h8g7i9a3j10a5k11", "standard", "l12"),
    ("renju, white's five", "a1h8c13i8n3j8g8k8", "renju", "l8"),
)
MATES = (
    ("open three becomes a straight four", "h8a1i8o1j8o15", "freestyle", "g8k8"),
    ("split three becomes a straight four", "h8a1i8o1k8o15", "freestyle", "j8"),
    ("white's open three", "a1h8o1i9o15j10a8", "standard", "g7k11"),
)


def check_takes_a_win_without_thinking(make: Maker) -> None:
    """Even one node is enough for a win that is on the board, with a threat of the opponent beside it."""
    board = Board.from_text("a6c4d2f2c2b2", Variant(6, 7, 3))
    decision = checked_choice(make(12), board, Limit(nodes=1))
    if decision is not None:
        board.play(decision.move)
        assert board.outcome(), f"it had a row of three\n{board}"


def check_answers(make: Maker, text: str, rule: str, answers: str, limit: Limit) -> None:
    board = Board.from_text(text, Variant(rule=rule))
    decision = checked_choice(make(11), board, limit)
    if decision is not None:
        wanted = {board.name(m) for m in Board.from_text(answers).moves}
        assert board.name(decision.move) in wanted, f"played {board.name(decision.move)} on\n{board}"
