"""The swap2 opening: three stones, then the other side picks a colour or places two more and lets the first
pick.

Stones keep alternating black, white, black ...; what the opening decides is which seat plays which colour.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Player
from tengen.rules import Limit, Move
from tengen.web.events import Chosen, OpeningShown
from tengen.web.messages import Settings

Choice = Literal["black", "white", "more"]
Stage = Literal["place3", "choose", "place2", "choose2", "done"]
LEVEL = 0.1
"""A value nearer to 0 than this names no better colour: a fast search cannot tell it from an even position."""


@dataclass(slots=True)
class Swap2:
    """`first` and `second` are seats: who places three stones, and who answers."""

    first: str
    second: str
    stage: Stage = "place3"
    placed: int = 0

    @classmethod
    def start(cls, settings: Settings) -> Swap2:
        """The seat of black in the settings goes first."""
        return cls(settings.black, settings.white)

    @property
    def done(self) -> bool:
        return self.stage == "done"

    @property
    def mover(self) -> str:
        """The seat that has to act in this stage."""
        return self.first if self.stage in ("place3", "choose2") else self.second

    @property
    def mover_is_human(self) -> bool:
        return self.mover == "human"

    @property
    def choosing(self) -> bool:
        return self.stage in ("choose", "choose2")

    def stone_placed(self) -> None:
        self.placed += 1
        if self.stage == "place3" and self.placed == 3:
            self.stage = "choose"
        elif self.stage == "place2" and self.placed == 5:
            self.stage = "choose2"

    def choose(self, choice: str) -> tuple[str, str] | None:
        """Returns the seats (black, white) once the colours are settled, None when two more stones come."""
        if not self.choosing or (choice == "more" and self.stage == "choose2"):
            raise TengenError(f"'{choice}' cannot be chosen now")
        if choice == "more":
            self.stage = "place2"
            return None
        chooser, other = (self.second, self.first) if self.stage == "choose" else (self.first, self.second)
        self.stage = "done"
        return (chooser, other) if choice == "black" else (other, chooser)

    def shown(self) -> OpeningShown:
        return OpeningShown(stage=self.stage, mover=self.mover, placed=self.placed)


def swap2_answer(stage: Stage, board: Board, agent: Player, seconds: float) -> Chosen:
    """What a machine does in a stage: a move while stones are placed, a choice when a colour is to be picked."""
    if stage in ("choose", "choose2"):
        value = agent.choose(board, Limit(seconds=seconds)).value
        return Chosen(choice=_choice(stage, value), value=value)
    return Chosen(move=_level_stone(board, agent, seconds))


def _choice(stage: Stage, value: float | None) -> Choice:
    """White is to move whenever a colour is picked, so a position good for the side to move is taken as white. One
    that is good for nobody is handed back with two more stones, so that the other side has to judge it. A player
    without an opinion takes black.
    """
    if value is None:
        return "black"
    if stage == "choose" and abs(value) < LEVEL:
        return "more"
    return "white" if value > 0 else "black"


def _level_stone(board: Board, agent: Player, seconds: float) -> Move:
    """A stone near the others; the last one before a choice is the one of a few that leaves the position most
    level.
    """
    tries = random.sample(near := _near(board), min(6, len(near)))
    if board.stones not in (2, 4):
        return tries[0]
    return min(tries, key=lambda move: _lopsided(board, move, agent, seconds / len(tries)))


def _lopsided(board: Board, move: Move, agent: Player, seconds: float) -> float:
    after = board.copy()
    after.play(move)
    if after.outcome():
        return 2.0
    return abs(agent.choose(after, Limit(seconds=seconds)).value or 0.0)


def _near(board: Board) -> list[Move]:
    """Legal cells within two of a stone, or the middle of an empty board."""
    width, height = board.width, board.height
    stones = [m for m in range(board.cells) if board.at(m) is not None] or [height // 2 * width + width // 2]

    def close(move: Move) -> bool:
        row, col = divmod(move, width)
        return any(max(abs(row - s // width), abs(col - s % width)) <= 2 for s in stones)

    return [move for move in board.legal_moves() if close(move)] or board.legal_moves()
