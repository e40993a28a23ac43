"""What a search process can be asked to do. A job comes as JSON and is answered in JSON; in between all is typed."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tengen.players.base import Player
from tengen.registry import create
from tengen.rules import Limit, Move
from tengen.study.proofs import Effort, Proof, Prover
from tengen.study.review import Review, second_try
from tengen.study.verdicts import Look, Verdict
from tengen.web.events import AnalysisFrame, Chosen
from tengen.web.live_analysis import analyse, finite
from tengen.web.messages import ImportRecord, Position
from tengen.web.swap2 import Stage, swap2_answer

Json = dict[str, Any]
Say = Callable[[BaseModel], None]
MAX_PLAYERS = 3
FIRST_LOOK = 2_000
"""Nodes of the first search for forced wins."""


class Job(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChooseJob(Job):
    """A move, or the answer in a stage of a swap2 opening."""

    kind: Literal["choose"] = "choose"
    spec: str
    seconds: float
    position: Position
    swap2: Stage | None = None


class AnalyseJob(Job):
    """Frames until it is stopped. `proof` is what is known already."""

    kind: Literal["analyse"] = "analyse"
    spec: str
    position: Position
    lines: int = 5
    proof: Proof | None = None


class ThreatsJob(Job):
    kind: Literal["threats"] = "threats"
    spec: str = "solver"
    seconds: float
    position: Position


class ReviewJob(Job):
    """`known` is what was proven already, by the number of moves played."""

    kind: Literal["review"] = "review"
    spec: str
    position: Position
    known: dict[int, Proof] = {}


class RetryJob(Job):
    """Is `move` good enough at the position, of which `before` is known?"""

    kind: Literal["retry"] = "retry"
    spec: str
    position: Position
    move: Move
    before: Look


class ImportJob(Job):
    """A record read away from the server: a text can be made to take long."""

    kind: Literal["import"] = "import"
    spec: str = "import"
    record: ImportRecord


AnyJob = ChooseJob | AnalyseJob | ThreatsJob | ReviewJob | RetryJob | ImportJob
JOB: TypeAdapter[AnyJob] = TypeAdapter(Annotated[AnyJob, Field(discriminator="kind")])


class ThreatsFound(BaseModel):
    own: Proof | None
    opponent: Proof | None


class Reviewed(BaseModel):
    """One finding of a review; `done` positions of this sweep are behind it."""

    ply: int
    look: Look
    verdict: Verdict | None
    sweep: int


class Retried(BaseModel):
    verdict: Verdict


class Imported(BaseModel):
    """The form in which the state folder keeps a game."""

    stored: Json
    cut: bool = False
    """Moves after the end of the game were left out."""


class Done(BaseModel):
    pass


def run_job(data: Json, say: Say, stop: threading.Event) -> BaseModel:
    job = JOB.validate_python(data)
    handlers: dict[type[Job], Callable[[Any, Say, threading.Event], BaseModel]] = {
        ChooseJob: _choose, AnalyseJob: _analyse, ThreatsJob: _threats, ReviewJob: _review, RetryJob: _retry,
        ImportJob: _import,
    }  # fmt: skip
    return handlers[type(job)](job, say, stop)


_players: OrderedDict[str, Player] = OrderedDict()


def _player(spec: str) -> Player:
    """Players are kept between jobs: loading a network costs more than a move."""
    if spec in _players:
        _players.move_to_end(spec)
        return _players[spec]
    _players[spec] = create(spec, seed=int.from_bytes(os.urandom(4)) >> 1)
    if len(_players) > MAX_PLAYERS:
        _players.popitem(last=False)
    return _players[spec]


def _choose(job: ChooseJob, say: Say, stop: threading.Event) -> Chosen:
    board, player = job.position.board(), _player(job.spec)
    if job.swap2:
        return swap2_answer(job.swap2, board, player, job.seconds)
    started = time.perf_counter()
    decision = player.choose(board, Limit(seconds=job.seconds))
    return Chosen(move=decision.move, value=finite(decision.value), pv=decision.pv, nodes=decision.nodes,
                  depth=decision.depth, seconds=time.perf_counter() - started)  # fmt: skip


def _analyse(job: AnalyseJob, say: Say, stop: threading.Event) -> AnalysisFrame:
    return analyse(_player(_unbounded(job.spec)), job.position.board(), job.lines, job.proof, say, stop)


EFFORT = {"alphazero": ("sims", "sims_max"), "mcts": ("playouts",), "alphabeta": ("nodes", "depth", "hash_mb")}
"""The options of a player that bound its effort; the first of them is off at 0."""


def _unbounded(spec: str) -> str:
    """The player without its own limit: an analysis goes on until it is stopped."""
    name, _, rest = spec.partition(":")
    if name not in EFFORT:
        return spec
    kept = [item for item in rest.split(",") if item and item.partition("=")[0] not in EFFORT[name]]
    return f"{name}:{','.join([*kept, f'{EFFORT[name][0]}=0'])}"


def _threats(job: ThreatsJob, say: Say, stop: threading.Event) -> ThreatsFound:
    """Forced wins of both sides: what the side to move has, and what it would face if it passed. The first look is
    taken however late it is: "none found" must not mean that nobody has looked.
    """
    board, prover = job.position.board(), Prover(1 << 18)
    deadline = time.perf_counter() + job.seconds
    found: dict[str, Proof | None] = {"own": None, "opponent": None}
    for nodes in (FIRST_LOOK, 20_000, 200_000, 2_000_000):
        for name, side in (("own", board.turn), ("opponent", board.turn.other)):
            in_time = nodes == FIRST_LOOK or time.perf_counter() < deadline
            if not found[name] and in_time and not stop.is_set():
                found[name] = prover.win(board, Effort(nodes, nodes), side)
    return ThreatsFound(own=found["own"], opponent=found["opponent"])


def _review(job: ReviewJob, say: Say, stop: threading.Event) -> Done:
    start = job.position.model_copy(update={"moves": ()}).board()
    player = create(job.spec, seed=1)  # fresh: two reviews agree
    review = Review(start, job.position.moves, player, job.known)
    for finding in review.run(stop.is_set):
        say(Reviewed(ply=finding.ply, look=finding.look, verdict=finding.verdict, sweep=finding.sweep))
    return Done()


def _retry(job: RetryJob, say: Say, stop: threading.Event) -> Retried:
    return Retried(verdict=second_try(job.position.board(), job.move, job.before, _player(job.spec), stop.is_set))


def _import(job: ImportJob, say: Say, stop: threading.Event) -> Imported:
    from tengen.web.record_io import import_game
    from tengen.web.snapshot import stored

    game = import_game(job.record)
    return Imported(stored=stored(game), cut=game.went_on)
