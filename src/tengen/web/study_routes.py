"""Routes of the study room: puzzles, lessons, teaching in play. Handlers run on threads, never on the event loop."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Query
from pydantic import BaseModel, Field

from tengen.errors import TengenError
from tengen.rules import Color, Move, Rule
from tengen.study.lessons import Lesson, Step, Text, load_lessons
from tengen.study.progress import Standing, Wish
from tengen.study.puzzles import Kind, Puzzle
from tengen.study.trainer import Hint, State, idea_of
from tengen.web.answers import refusals
from tengen.web.hub import Hub
from tengen.web.messages import Cell, Cells, Message, OfVariant, Position, SetUp
from tengen.web.study_room import StudyRoom

PuzzleId = Annotated[str, Path(max_length=40)]
MAX_PUZZLE_FILE = 400_000


class PuzzleShown(BaseModel):
    """A puzzle without its answer."""

    id: str
    width: int
    height: int
    k: int
    rule: str
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    turn: str
    kind: Kind
    rating: int
    themes: tuple[str, ...]
    attacks: int
    """How many attacking moves the known line takes."""

    @classmethod
    def of(cls, puzzle: Puzzle) -> PuzzleShown:
        v = puzzle.variant
        return cls(id=puzzle.id, width=v.width, height=v.height, k=v.k, rule=v.rule, black=puzzle.black,
                   white=puzzle.white, turn=puzzle.turn.name.lower(), kind=puzzle.kind, rating=puzzle.rating,
                   themes=puzzle.themes, attacks=(len(puzzle.line) + 1) // 2)  # fmt: skip


class StandingShown(BaseModel):
    rating: float
    deviation: float
    streak: int
    tried: int
    solved: int
    due: int
    curve: list[tuple[float, float]]

    @classmethod
    def of(cls, s: Standing) -> StandingShown:
        return cls(rating=s.rating.value, deviation=s.rating.deviation, streak=s.streak, tried=s.tried, solved=s.solved,
                   due=s.due, curve=list(s.curve))  # fmt: skip


class Attempt(Message):
    moves: Cells
    hints: int = Field(0, ge=0, le=100)
    counts: bool = True


class Answered(BaseModel):
    state: State
    reply: Move | None
    refutation: tuple[Move, ...]
    loses: bool
    standing: StandingShown | None


class AskHint(Message):
    moves: Cells = ()
    step: Hint = Field(Hint.AREA, strict=False)


class Clued(BaseModel):
    cells: tuple[Move, ...]
    idea: str


class Solved(BaseModel):
    solutions: tuple[Move, ...]
    line: tuple[Move, ...]


class PuzzleFile(OfVariant):
    text: str = Field(min_length=1, max_length=MAX_PUZZLE_FILE)


class TakenIn(BaseModel):
    added: int
    bad: list[str]


class OfGame(Message):
    game: str = Field(max_length=40)


class Asked(OfVariant):
    """A move that somebody means to play in a position."""

    setup: SetUp | None = None
    moves: Cells = ()
    move: Cell
    game: str = Field("", max_length=40, description="the game it is asked for, which then counts as one with help")

    def position(self) -> Position:
        return Position(variant=self.variant, setup=self.setup, moves=self.moves)


class Warned(BaseModel):
    """`by`: five, vcf or vct; empty when the move does not lose by force."""

    by: str
    line: tuple[Move, ...]


class Idea(BaseModel):
    idea: str


def add_study(app: FastAPI, hub: Hub, room: StudyRoom) -> None:
    _add_puzzles(app, room)
    _add_tries(app, room)
    _add_own_puzzles(app, hub, room)
    _add_lessons(app, room)
    _add_teaching(app, hub, room)


def _add_puzzles(app: FastAPI, room: StudyRoom) -> None:
    @app.get("/api/study/standing")
    def standing() -> StandingShown:
        """Rating, streak, and how many puzzles are due."""
        return StandingShown.of(room.standing())

    @app.get("/api/study/puzzles/next", responses=refusals(404, 422))
    def next_puzzle(
        kind: Kind | None = None,
        rule: Rule | None = None,
        source: Literal["", "own"] = "",
        avoid: Annotated[str, Query(max_length=40)] = "",
    ) -> PuzzleShown:
        """The next puzzle for this person."""
        wish = Wish(frozenset([kind]) if kind else frozenset(Kind), rule, source)
        return PuzzleShown.of(room.next(wish, avoid))

    @app.get("/api/study/puzzles/{id}", responses=refusals(404, 422))
    def one_puzzle(id: PuzzleId) -> PuzzleShown:
        """A puzzle without its answer."""
        return PuzzleShown.of(room.puzzle(id))

    @app.get("/api/study/puzzles/{id}/solution", responses=refusals(404, 422))
    def solution(id: PuzzleId) -> Solved:
        """Every first move that solves a puzzle, and how it goes on."""
        puzzle = room.puzzle(id)
        return Solved(solutions=puzzle.solutions, line=puzzle.line)


def _add_tries(app: FastAPI, room: StudyRoom) -> None:
    @app.post("/api/study/puzzles/{id}/answer", responses=refusals(404, 422))
    def answer(id: PuzzleId, attempt: Attempt) -> Answered:
        """Judges the last move and answers it; the end of a first try is counted."""
        found, standing = room.answer(id, attempt.moves, attempt.hints, attempt.counts)
        return Answered(state=found.state, reply=found.reply, refutation=found.refutation, loses=found.loses,
                        standing=StandingShown.of(standing) if standing else None)  # fmt: skip

    @app.post("/api/study/puzzles/{id}/give-up", responses=refusals(404, 422))
    def give_up(id: PuzzleId) -> StandingShown:
        """Counts as a failed try."""
        return StandingShown.of(room.give_up(id))

    @app.post("/api/study/puzzles/{id}/hint", responses=refusals(404, 422))
    def hint(id: PuzzleId, ask: AskHint) -> Clued:
        """Where to look, what to look for, or the move."""
        clue = room.clue(id, ask.moves, ask.step)
        return Clued(cells=clue.cells, idea=clue.idea)


def _add_own_puzzles(app: FastAPI, hub: Hub, room: StudyRoom) -> None:
    @app.post("/api/study/puzzles", responses=refusals(422))
    def take_in(file: PuzzleFile) -> TakenIn:
        """Proves and keeps the puzzles of a file; lines with wrong claims are refused one by one."""
        added, bad = room.take_in(file.text, Position(variant=file.variant))
        return TakenIn(added=added, bad=[line[:300] for line in bad])

    @app.post("/api/study/mistakes", responses=refusals(404, 422, 503))
    async def from_mistakes(request: OfGame) -> TakenIn:
        """Makes puzzles of the faults in a game that was reviewed."""
        game = hub.find(request.game).game
        return TakenIn(added=await asyncio.to_thread(room.from_mistakes, game), bad=[])


class StepShown(BaseModel):
    text: Text
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    turn: str
    rule: str
    accept: tuple[Move, ...]
    done: Text
    wrong: Text
    answer: Move | None
    forbidden: dict[Move, str]


class LessonShown(BaseModel):
    id: str
    title: Text
    minutes: int
    steps: list[StepShown]


class LessonsShown(BaseModel):
    lessons: list[LessonShown]
    finished: list[str]


def _add_lessons(app: FastAPI, room: StudyRoom) -> None:
    @app.get("/api/study/lessons")
    def lessons() -> LessonsShown:
        """All lessons in both languages, and which of them are finished."""
        return LessonsShown(lessons=[_lesson(lesson) for lesson in load_lessons()],
                            finished=room.progress.finished_lessons())  # fmt: skip

    @app.post("/api/study/lessons/{id}/done", status_code=204, responses=refusals(404, 422))
    def done(id: PuzzleId) -> None:
        """Notes that a lesson was finished."""
        if id not in {lesson.id for lesson in load_lessons()}:
            raise LookupError("there is no such lesson")
        room.progress.finished_lesson(id, time.time())


def _lesson(lesson: Lesson) -> LessonShown:
    return LessonShown(
        id=lesson.id, title=lesson.title, minutes=lesson.minutes, steps=[_step(step) for step in lesson.steps]
    )


def _step(step: Step) -> StepShown:
    board = step.board
    black, white = (tuple(m for m in range(board.cells) if board.at(m) == side) for side in Color)
    forbidden: dict[Move, Any] = {} if step.goal == "forbidden" else dict(board.forbidden())
    return StepShown(text=step.text, black=black, white=white, turn=board.turn.name.lower(), rule=board.rule,
                     accept=step.accept, done=step.done, wrong=step.wrong, answer=step.answer,
                     forbidden=forbidden)  # fmt: skip


def _add_teaching(app: FastAPI, hub: Hub, room: StudyRoom) -> None:
    @app.post("/api/study/warning", responses=refusals(422))
    def warning(asked: Asked) -> Warned:
        """Does the opponent win by force after this move?"""
        if asked.game in hub.rooms:
            hub.rooms[asked.game].game.helped += 1
        proof = room.warning(*_legal(asked))
        return Warned(by=str(proof.force) if proof else "", line=proof.line if proof else ())

    @app.post("/api/study/idea", responses=refusals(422))
    def idea(asked: Asked) -> Idea:
        """What a move does, as the word of a hint."""
        return Idea(idea=idea_of(*_legal(asked)))


def _legal(asked: Asked) -> tuple[Any, Move]:
    board = asked.position().board()
    if board.outcome() is not None or asked.move >= board.cells or not board.is_legal(asked.move):
        raise TengenError("that move cannot be played there")
    return board, asked.move
