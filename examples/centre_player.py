"""A player in one file: it prefers the centre. Try it without installing anything:

tengen match centre random --games 10 --size 9 --import examples/centre_player.py
"""

from __future__ import annotations

import random

import tengen
from tengen import Board, Limit, Move
from tengen.players.base import Decision


@tengen.player("centre")
class CentrePlayer:
    """the legal cell nearest to the centre, drawn among equals"""

    def __init__(self, seed: int = 0, noise: float = 0.0) -> None:
        self._seed, self._noise = seed, noise

    def choose(self, board: Board, limit: Limit) -> Decision:
        draw = random.Random(self._seed ^ board.key)  # the same seed on the same board gives the same move

        def distance(move: Move) -> float:
            row, column = divmod(move, board.width)
            away = max(abs(2 * row - board.height + 1), abs(2 * column - board.width + 1))
            return away + self._noise * draw.random()

        distances = {move: distance(move) for move in board.legal_moves()}
        nearest = [move for move, away in distances.items() if away == min(distances.values())]
        return Decision(draw.choice(nearest), nodes=1)
