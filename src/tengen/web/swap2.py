"""The swap2 opening: three stones, then the other side picks a colour or places two more and lets the first
pick.

Stones keep alternating black, white, black ...; what the opening decides is which seat plays which colour. How a player
decides is in tengen.players.swap2.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Decision, Player
from tengen.players.swap2 import choose, next_stone
from tengen.rules import Limit
from tengen.web.events import Chosen, OpeningShown
from tengen.web.messages import Settings

Stage = Literal["place3", "choose", "place2", "choose2", "done"]


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


def swap2_answer(stage: Stage, board: Board, player: Player, seconds: float) -> Chosen:
    """What a machine does in a stage: a move while stones are placed, a choice when a colour is to be picked."""

    def think(position: Board, share: float) -> Decision:
        return player.choose(position, Limit(seconds=seconds * share))

    if stage in ("choose", "choose2"):
        value = think(board, 1.0).value
        return Chosen(choice=choose(3 if stage == "choose" else 5, value).value, value=value)
    return Chosen(move=next_stone(board, think, random.Random()))
