"""A person at a keyboard. Where the questions are shown and answered is the caller's choice."""

from __future__ import annotations

from collections.abc import Callable

from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Decision
from tengen.rules import Limit, Move, parse_move

LEAVING = {"resign", "quit", "exit"}


class Resigned(Exception):
    """The person gave the game up, or went away."""


class HumanPlayer:
    """`ask` shows a question and returns the answer; it raises EOFError when nobody is there any more."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask

    def choose(self, board: Board, limit: Limit) -> Decision:
        """Asks until the answer is a legal move. People are not held to the limit."""
        question = f"{board}\n{board.turn.name.lower()} to move (such as {board.name(board.legal_moves()[0])}): "
        while True:
            try:
                answer = self._ask(question).strip()
            except EOFError:
                raise Resigned("the input ended") from None
            if answer.lower() in LEAVING:
                raise Resigned("resigned")
            try:
                return Decision(checked_move(board, answer))
            except TengenError as error:
                question = f"{error}\nyour move: "


def checked_move(board: Board, text: str) -> Move:
    """A legal move from text such as h8. Raises ValueError saying what is wrong with it."""
    move = parse_move(text, board.width, board.height)
    if not board.is_legal(move):
        after = board.copy()
        after.play(move)  # says why not
    return move
