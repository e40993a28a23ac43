"""What the server says to pages. Every event is one of these objects; numbers that are not finite become null."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tengen.rules import Move
from tengen.study.proofs import Proof
from tengen.study.verdicts import Verdict

ColorName = Literal["black", "white"]
NodeRow = tuple[int, int, Move, Any]
"""Id, parent, move, note: short, for trees of thousands of moves."""


class Wire(BaseModel):
    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null")


class OutcomeShown(Wire):
    winner: ColorName | None
    termination: str
    line: tuple[Move, ...]


class ClockShown(Wire):
    black: float
    white: float
    increment: float
    running: ColorName | None


class OpeningShown(Wire):
    stage: str
    mover: str
    placed: int


class SeatsShown(Wire):
    black: str
    white: str
    seconds: float


class EndingShown(Wire):
    node: int
    winner: ColorName | None
    termination: str


class Thinking(Wire):
    """Who thinks, for how long at most, and how many searches are before it."""

    seat: str
    seconds: float
    ahead: int
    queued: bool
    color: ColorName


class SideThreats(Wire):
    """What stands on the board for one side: cells that make five next, and cells that make an open four next."""

    five: tuple[Move, ...] = ()
    open_four: tuple[Move, ...] = ()


class Status(Wire):
    """What is true at the cursor: turn, legality, outcome, clock, who thinks."""

    cursor: int
    turn: ColorName
    outcome: OutcomeShown | None
    forbidden: dict[Move, str]
    threats: dict[ColorName, SideThreats] = Field(default_factory=dict)
    clock: ClockShown | None
    swap2: OpeningShown | None
    seats: SeatsShown
    ending: EndingShown | None
    thinking: Thinking | None = None
    paused: bool = False
    takebacks: int = 0


class GameShown(Wire):
    """Everything a page needs to draw a game, except what `Status` tells about the cursor."""

    id: str
    settings: dict[str, Any]
    setup: dict[str, Any] | None
    names: dict[ColorName, str]
    nodes: list[NodeRow]
    cursor: int
    created: float
    proofs: dict[int, Proof] = Field(default_factory=dict)


class Chosen(Wire):
    """A player's answer: a move, or a colour in a swap2 opening. `value` is for the side that was to move."""

    move: Move | None = None
    choice: Literal["black", "white", "more"] | None = None
    value: float | None = None
    pv: tuple[Move, ...] = ()
    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0


class LineShown(Wire):
    """A candidate move; `value` is for the side to move, `proof` says what is certain."""

    move: Move
    value: float
    visits: int = 0
    prior: float | None = None
    pv: tuple[Move, ...] = ()
    proof: Proof | None = None


class AnalysisFrame(Wire):
    """A snapshot of a live analysis. `values` covers the board for players that value every cell without a search."""

    candidates: tuple[LineShown, ...] = ()
    value: float = 0.0
    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0
    policy: dict[Move, float] = Field(default_factory=dict)
    values: dict[Move, float] = Field(default_factory=dict)
    proof: Proof | None = None
    live: bool = True


class Event(Wire):
    type: str


class Opened(Event):
    type: Literal["game"] = "game"
    game: GameShown
    status: Status
    review: ReviewNews | None = None


class Update(Event):
    """All that a command or an answer changed, in one message."""

    type: Literal["update"] = "update"
    added: list[NodeRow] = Field(default_factory=list)
    removed: list[int] = Field(default_factory=list)
    status: Status
    decision: Chosen | None = None


class ThinkingNews(Event):
    """A search moved up in the queue, began or failed while nothing else changed."""

    type: Literal["thinking"] = "thinking"
    thinking: Thinking | None
    paused: bool


class AnalysisNews(Event):
    type: Literal["analysis"] = "analysis"
    slot: str
    node: int
    frame: AnalysisFrame


class HintNews(Event):
    type: Literal["hint"] = "hint"
    node: int
    move: Move
    pv: tuple[Move, ...] = ()


class ThreatsNews(Event):
    """Forced wins: what the side to move has, and what it would face if it passed."""

    type: Literal["threats"] = "threats"
    node: int
    own: Proof | None = None
    opponent: Proof | None = None


class ReviewNews(Event):
    """How far a review has come (`done` of `total` positions in sweep `sweep`), and what is new about one node."""

    type: Literal["review"] = "review"
    done: int
    total: int
    sweep: int = 0
    line: list[int] | None = None
    node: int | None = None
    note: Any = None
    finished: bool = False


class NotesNews(Event):
    """What is known of some nodes has changed, without a review: a proof was found."""

    type: Literal["notes"] = "notes"
    notes: dict[int, Any]


class RetryNews(Event):
    type: Literal["retry"] = "retry"
    node: int
    move: Move
    verdict: Verdict
    ok: bool


class StudyNews(Event):
    type: Literal["study"] = "study"
    slot: str
    state: Literal["queued", "running", "done", "stopped", "failed"]
    """It is told to run only when it had to wait."""
    ahead: int = 0
    code: str = ""
    message: str = ""


class ErrorNews(Event):
    """`code` lets the page say it in the reader's language."""

    type: Literal["error"] = "error"
    code: str
    message: str


Opened.model_rebuild()
