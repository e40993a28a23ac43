"""What the page and the server say to each other. Every message from the page is checked here, at
the border, and nowhere else; what the server says is in events.py.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from tengen.board import Board
from tengen.rules import MAX_K, MAX_SIZE, MIN_K, Color, Rule, Variant

MAX_CELLS = MAX_SIZE * MAX_SIZE
MAX_SECONDS = 60.0
MAX_RECORD = 400_000

Cell = Annotated[int, Field(ge=0, lt=MAX_CELLS)]
Cells = Annotated[tuple[Cell, ...], Field(strict=False, max_length=MAX_CELLS)]
"""Lists count as tuples; what is in them is still checked strictly."""
NodeId = Annotated[int, Field(ge=0, lt=1_000_000)]
Spec = Annotated[str, Field(max_length=200)]


class Message(BaseModel):
    """Unknown keys are refused and types are not guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SetUp(Message):
    """Stones placed before the first move."""

    black: Cells = ()
    white: Cells = ()
    turn: Literal["black", "white"] = "black"

    @property
    def color(self) -> Color:
        return Color[self.turn.upper()]


class Clock(Message):
    """Time for the whole game and what each move adds to it, for both sides."""

    seconds: float = Field(300.0, ge=5, le=36_000)
    increment: float = Field(0.0, ge=0, le=600)


class OfVariant(Message):
    """What is played, as flat fields; `variant` is the one object that everything behind the border speaks of."""

    width: int = Field(15, ge=MIN_K, le=MAX_SIZE)
    height: int = Field(15, ge=MIN_K, le=MAX_SIZE)
    k: int = Field(5, ge=MIN_K, le=MAX_K)
    rule: Rule = Field(Rule.FREESTYLE, strict=False)

    @model_validator(mode="after")
    def _variant_exists(self) -> Self:
        assert self.variant
        return self

    @property
    def variant(self) -> Variant:
        return Variant(self.width, self.height, self.k, self.rule)


class Settings(OfVariant):
    """How a game is played. A seat is `human`, `level:NAME` or a player spec."""

    black: Spec = "human"
    white: Spec = "human"
    seconds: float = Field(1.0, ge=0.02, le=MAX_SECONDS, description="thinking time per move of a player spec")
    clock: Clock | None = None
    opening: Literal["free", "swap2"] = "free"

    @classmethod
    def of(cls, variant: Variant) -> Self:
        return cls(width=variant.width, height=variant.height, k=variant.k, rule=variant.rule)


class Position(BaseModel):
    """A position as it travels to a search process."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    variant: Variant
    setup: SetUp | None = None
    moves: Cells = ()

    def board(self) -> Board:
        if self.setup is None:
            return Board(self.variant, self.moves)
        s = self.setup
        board = Board.from_stones(s.black, s.white, s.color, self.variant)
        for move in self.moves:
            board.play(move)
        return board


class NewGame(Message):
    """A game to create: from nothing, from given moves or from placed stones."""

    settings: Settings = Field(default_factory=lambda: Settings.model_validate({}))
    moves: Cells = ()
    setup: SetUp | None = None


class ImportRecord(OfVariant):
    """A record pasted or opened by a person. The format is found out from the text; the variant fills in the rest."""

    text: str = Field(min_length=1, max_length=MAX_RECORD)


# What a page may say on the socket of a game.


class Play(Message):
    type: Literal["play"]
    node: NodeId = Field(description="the node the person was looking at; a stale one is refused")
    move: Cell


class Go(Message):
    type: Literal["go"]
    node: NodeId


class Undo(Message):
    type: Literal["undo"]


class Redo(Message):
    type: Literal["redo"]


class Think(Message):
    """Let the player of the side to move, or `spec`, choose here."""

    type: Literal["think"]
    spec: Spec = ""


class Stop(Message):
    type: Literal["stop"]


class Hint(Message):
    type: Literal["hint"]


class Resign(Message):
    type: Literal["resign"]


class Choose(Message):
    """The answer a person gives in a swap2 opening."""

    type: Literal["choose"]
    choice: Literal["black", "white", "more"]


class Delete(Message):
    type: Literal["delete"]
    node: NodeId


class Seats(Message):
    """Changes who plays which colour in a running game."""

    type: Literal["seats"]
    black: Spec
    white: Spec
    seconds: float = Field(1.0, ge=0.02, le=MAX_SECONDS)


class Analyse(Message):
    """Live analysis of the position on show by one or two players, until it is stopped; an empty list stops it."""

    type: Literal["analyse"]
    specs: tuple[Spec, ...] = Field((), max_length=2)
    lines: int = Field(5, ge=1, le=10)


class Threats(Message):
    type: Literal["threats"]
    seconds: float = Field(2.0, ge=0.05, le=20)


class Review(Message):
    """Sweeps the line on show, first move to last, and again where it matters."""

    type: Literal["review"]


class Retry(Message):
    """A person's second try at a mistake: is `move` good enough at `node`?"""

    type: Literal["retry"]
    node: NodeId
    move: Cell


class StopStudy(Message):
    """Stops review, hint and threats, not the game."""

    type: Literal["stop-study"]


Command = (
    Play | Go | Undo | Redo | Think | Stop | Hint | Resign | Choose | Delete | Seats | Analyse | Threats |
    Review
    | Retry | StopStudy
)  # fmt: skip
COMMAND: TypeAdapter[Command] = TypeAdapter(Annotated[Command, Field(discriminator="type")])
