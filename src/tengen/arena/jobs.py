"""Games to be played, and which of them a file of records already holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tengen.board import Board
from tengen.errors import TengenError
from tengen.play.entrants import Entrant, limit_text
from tengen.play.game import GRACE_SECONDS, OnTurn, play_game
from tengen.play.openings import Opening
from tengen.players.base import close_player
from tengen.records import GameRecord
from tengen.registry import create
from tengen.rules import Move, Result, Termination, Variant

Key = tuple[str, str, str, str]
"""Which game of a match a job or a record is: pair, leg, black, white."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What all games of a match or tournament share."""

    variant: Variant = field(default_factory=Variant)
    openings: str = "balanced"
    seed: int = 0
    game_seconds: float | None = None
    grace: float = GRACE_SECONDS

    def __post_init__(self) -> None:
        if self.game_seconds is not None and not 0 < self.game_seconds < 1e12:
            raise TengenError(f"game-seconds = {self.game_seconds:g} is not a limit; it must be above zero")


@dataclass(frozen=True, slots=True)
class Job:
    """One game. The two legs of a pair share `pair`, which names players' pairing, seed and opening."""

    black: Entrant
    white: Entrant
    conditions: Conditions
    opening: Opening
    pair: str
    leg: int

    @property
    def key(self) -> Key:
        return self.pair, str(self.leg), self.black.name, self.white.name

    @property
    def seed(self) -> int:
        return derived_seed(self.conditions.seed, self.pair, self.leg)

    def tags(self) -> dict[str, str]:
        return {"leg": str(self.leg)} | limit_tags(self.black, self.white, self.conditions)


def limit_tags(black: Entrant, white: Entrant, conditions: Conditions) -> dict[str, str]:
    """What a record tells about the limits its players had. The game's clock is named only where there was one."""
    tags = {"black_limit": limit_text(black.limit), "white_limit": limit_text(white.limit)}
    clock = conditions.game_seconds
    return tags if clock is None else tags | {"game_seconds": f"{clock:g}"}


def same_limits(record: GameRecord, tags: dict[str, str]) -> bool:
    return all(record.tags.get(key) == tags.get(key) for key in ("black_limit", "white_limit", "game_seconds"))


def derived_seed(*parts: object) -> int:
    """A seed that depends on all parts and on nothing else."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def pair_jobs(a: Entrant, b: Entrant, conditions: Conditions, starts: Iterable[Opening]) -> Iterator[Job]:
    """Every opening with both colours; `a` has black in leg 0."""
    for number, opening in enumerate(starts):
        pair = f"{conditions.seed}.{number}"
        yield Job(a, b, conditions, opening, pair, 0)
        yield Job(b, a, conditions, opening, pair, 1)


def play(job: Job, on_turn: OnTurn | None = None) -> GameRecord:
    """Plays one game with fresh players, seeded by the job alone."""
    seed, conditions = job.seed, job.conditions
    black = create(job.black.spec, seed=seed)
    white = create(job.white.spec, seed=derived_seed(seed, "white"))
    try:
        return play_game(
            black, white, Board(conditions.variant, job.opening), (job.black.limit, job.white.limit),
            names=(job.black.name, job.white.name), game_seconds=conditions.game_seconds,
            grace=conditions.grace, pair=job.pair, seed=seed, tags=job.tags(),
            on_turn=on_turn,
        )  # fmt: skip
    finally:
        close_player(black)
        close_player(white)


def record_key(record: GameRecord) -> Key:
    return record.pair, record.tags.get("leg", ""), record.black, record.white


def forfeit(job: Job, moves: tuple[Move, ...], kind: Termination, detail: str) -> GameRecord:
    """The record of a game whose player to move took the whole process down with it."""
    variant = job.conditions.variant
    board = Board(variant, moves)
    return GameRecord(
        black=job.black.name, white=job.white.name, variant=variant, moves=moves,
        result=Result.of(board.turn.other), termination=kind, opening=len(job.opening),
        pair=job.pair, seed=job.seed, detail=detail, tags=job.tags(),
    )  # fmt: skip


def check_variant(records: Iterable[GameRecord], variant: Variant) -> None:
    for record in records:
        if (theirs := record.variant) != variant:
            raise TengenError(f"the file holds games on {theirs}, not on {variant}; choose another --out")


def pending(jobs: Iterable[Job], records: Iterable[GameRecord]) -> Iterator[Job]:
    """The jobs that no record answers. Raises at a job whose record was made under other conditions."""
    done = {record_key(record): record for record in records}
    return (job for job in jobs if not _answered(job, done.get(job.key)))


def _answered(job: Job, record: GameRecord | None) -> bool:
    if record is None:
        return False
    _check_same(job, record)
    return True


def _check_same(job: Job, record: GameRecord) -> None:
    if record.moves[: record.opening] != job.opening:
        raise TengenError(f"game {record.pair} in the file began from another opening; choose another --out")
    if not same_limits(record, job.tags()):
        raise TengenError(f"game {record.pair} in the file was played under other limits; choose another --out")
