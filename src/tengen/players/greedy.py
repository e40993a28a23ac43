"""The greedy rule of the DQN course report: win, stop a five, make a four, stop a four, make a three, make a two."""

from __future__ import annotations

import random

from tengen import _core
from tengen.board import Board
from tengen.players.base import Decision, refuse_finished
from tengen.rules import Limit


class GreedyPlayer:
    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, board: Board, limit: Limit) -> Decision:
        refuse_finished(board)
        return Decision(random.Random(self._seed ^ board.key).choice(_core.greedy_moves(board.core)), nodes=1)
