"""Games to be played, and which of them a file of records already holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tengen.arena.kept_players import KeptPlayers
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.models import load_model
from tengen.play.entrants import Entrant, limit_text
from tengen.play.game import GRACE_SECONDS, OnTurn, play_game
from tengen.play.openings import Opening
from tengen.provenance import processor, revision, versions
from tengen.records import GameRecord
from tengen.registry import entry, parse_spec
from tengen.rules import Move, Result, Termination, Variant

Key = tuple[str, str, str, str]
"""Which game of a match a scheduled game or a record is: pair, leg, black, white."""


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
class ScheduledGame:
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
        limits = limit_tags(self.black, self.white, self.conditions)
        return {"leg": str(self.leg)} | limits | origin_tags(self.black, self.white)


def limit_tags(black: Entrant, white: Entrant, conditions: Conditions) -> dict[str, str]:
    """The tags of a record that state the players' limits. The game's clock is named only if there was one."""
    tags = {"black_limit": limit_text(black.limit), "white_limit": limit_text(white.limit)}
    clock = conditions.game_seconds
    return tags if clock is None else tags | {"game_seconds": f"{clock:g}"}


def origin_tags(black: Entrant, white: Entrant) -> dict[str, str]:
    """What made the game: the code's revision, processor and versions, and the checksum of each network."""
    made = ", ".join(f"{package} {version}" for package, version in versions().items())
    tags = {"code": revision(), "processor": processor(), "versions": made}
    networks = {"black_model": _network(black.spec), "white_model": _network(white.spec)}
    return tags | {key: checksum for key, checksum in networks.items() if checksum}


@lru_cache(maxsize=64)
def _network(spec: str) -> str:
    """The start of a network's checksum; empty for a player without one, or one that is not there."""
    try:
        name, given = parse_spec(spec)
        option = entry(name).options.get("model")
        return load_model(given.get("model", option.default)).checksum[:16] if option else ""
    except TengenError:
        return ""


def same_limits(record: GameRecord, tags: dict[str, str]) -> bool:
    return all(record.tags.get(key) == tags.get(key) for key in ("black_limit", "white_limit", "game_seconds"))


def derived_seed(*parts: object) -> int:
    """A seed that depends on all parts and on nothing else."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def schedule_pairs(
    a: Entrant, b: Entrant, conditions: Conditions, starts: Iterable[Opening]
) -> Iterator[ScheduledGame]:
    """Every opening with both colours; `a` has black in leg 0."""
    for number, opening in enumerate(starts):
        pair = f"{conditions.seed}.{number}"
        yield ScheduledGame(a, b, conditions, opening, pair, 0)
        yield ScheduledGame(b, a, conditions, opening, pair, 1)


def play(game: ScheduledGame, players: KeptPlayers, on_turn: OnTurn | None = None) -> GameRecord:
    """Plays one game. It depends on the game's seed alone, not on what the players played before."""
    seed, conditions = game.seed, game.conditions
    with players.borrowed(game.black.spec, seed) as black, \
            players.borrowed(game.white.spec, derived_seed(seed, "white")) as white:  # fmt: skip
        return play_game(
            black, white, Board(conditions.variant, game.opening), (game.black.limit, game.white.limit),
            names=(game.black.name, game.white.name), game_seconds=conditions.game_seconds,
            grace=conditions.grace, pair=game.pair, seed=seed, tags=game.tags(),
            on_turn=on_turn,
        )  # fmt: skip


def record_key(record: GameRecord) -> Key:
    return record.pair, record.tags.get("leg", ""), record.black, record.white


def forfeit(game: ScheduledGame, moves: tuple[Move, ...], kind: Termination, detail: str) -> GameRecord:
    """The record of a game whose player to move took the whole process down with it."""
    variant = game.conditions.variant
    board = Board(variant, moves)
    return GameRecord(
        black=game.black.name, white=game.white.name, variant=variant, moves=moves,
        result=Result.of(board.turn.other), termination=kind, opening=len(game.opening),
        pair=game.pair, seed=game.seed, detail=detail, tags=game.tags(),
    )  # fmt: skip


def check_variant(records: Iterable[GameRecord], variant: Variant) -> None:
    for record in records:
        if (theirs := record.variant) != variant:
            raise TengenError(f"the file holds games on {theirs}, not on {variant}; choose another --out")


def unplayed(games: Iterable[ScheduledGame], records: Iterable[GameRecord]) -> Iterator[ScheduledGame]:
    """The games that no record answers. Raises at a game whose record was made under other conditions."""
    done = {record_key(record): record for record in records}
    return (game for game in games if not _answered(game, done.get(game.key)))


def _answered(game: ScheduledGame, record: GameRecord | None) -> bool:
    if record is None:
        return False
    _check_same(game, record)
    return True


def _check_same(game: ScheduledGame, record: GameRecord) -> None:
    if record.moves[: record.opening] != game.opening:
        raise TengenError(f"game {record.pair} in the file began from another opening; choose another --out")
    if not same_limits(record, game.tags()):
        raise TengenError(f"game {record.pair} in the file was played under other limits; choose another --out")
