"""Levels: named players from beginner to strongest, each with a measured rating and a bounded thinking time.

The file holds one list for each board side, weakest first. Ratings of all boards hang on the same anchor player, which
has the same rating everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tengen.arena.collection import checked
from tengen.arena.ratings import RatingTable, rate
from tengen.arena.schedule import Conditions
from tengen.arena.tournament import Tournament, play_tournament
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.play.entrants import Entrant, parse_entrant
from tengen.play.openings import BUILT_IN
from tengen.records import GameRecord
from tengen.rules import Limit, Variant

LEVELS_FILE = Path(__file__).parent / "levels.json"
"""The levels that players are offered."""
REACH = 3
"""A level is paired with the levels up to this many places away; further ones would only lose to it."""


@dataclass(frozen=True, slots=True)
class Level:
    """`error` is half of the 95 % interval of `elo`; `games` is how many games measured it."""

    name: str
    spec: str
    seconds: float
    """The longest it may think about a move."""
    elo: float | None = None
    error: float | None = None
    games: int = 0
    bridge: bool = False
    """It plays this board and rule alone and is not offered: it connects the ratings of those beside it."""

    @property
    def entrant(self) -> Entrant:
        return parse_entrant(f"{self.spec}@{self.seconds:g}s", Limit())


@dataclass(frozen=True, slots=True)
class Scale:
    """All levels, by the side of the board, and the player all ratings are relative to."""

    anchor: str
    """Name of the anchor level."""
    anchor_elo: float
    boards: dict[int, tuple[Level, ...]]

    def to_json(self) -> str:
        boards = {str(side): [asdict(level) for level in levels] for side, levels in self.boards.items()}
        data = {"anchor": self.anchor, "anchor_elo": self.anchor_elo, "boards": boards}
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def read_scale(path: Path | None = None) -> Scale:
    """The scale of a file, by default the bundled one."""
    source = path or LEVELS_FILE
    try:
        return parse_scale(json.loads(source.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise TengenError(f"{source} is not a file of levels: {error}") from None


def parse_scale(data: Any) -> Scale:
    boards = {int(side): tuple(Level(**row) for row in rows) for side, rows in data["boards"].items()}
    for side, levels in boards.items():
        names = [level.name for level in levels]
        if len(set(names)) < len(names):
            raise TengenError(f"two levels for {side}x{side} have the same name")
        if data["anchor"] not in names:
            raise TengenError(f"the anchor '{data['anchor']}' is not a level for {side}x{side}")
    return Scale(data["anchor"], float(data["anchor_elo"]), boards)


def level_pairings(levels: int) -> int:
    """How many pairs of this many levels stand within each other's reach."""
    return sum(min(REACH, number) for number in range(levels))


def calibrate(
    scale: Scale,
    side: int,
    folder: Path,
    games: int,
    *,
    workers: int = 1,
    seed: int = 1,
    on_game: Callable[[list[GameRecord]], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> tuple[Scale, RatingTable]:
    """Measures the levels of one board again and returns the scale with their ratings, weakest first."""
    if side not in scale.boards:
        raise TengenError(f"no levels for {side}x{side}; there are levels for {', '.join(map(str, scale.boards))}")
    levels = scale.boards[side]
    entrants = tuple(level.entrant for level in levels)
    openings = f"balanced-{side}" if f"balanced-{side}" in BUILT_IN else "balanced"
    conditions = Conditions(Variant(side, side), openings, seed)
    tournament = Tournament(entrants, conditions, games, reach=REACH)
    records = play_tournament(tournament, folder, workers=workers, on_game=on_game, stop=stop)
    anchor = next(level for level in levels if level.name == scale.anchor).entrant.name
    table = rate(checked(records).records, (anchor, scale.anchor_elo))
    measured = sorted((_measured(level, table) for level in levels), key=lambda level: level.elo or 0.0)
    return replace(scale, boards=scale.boards | {side: tuple(measured)}), table


def _measured(level: Level, table: RatingTable) -> Level:
    """A level that no game was played with keeps what is known of it."""
    rating = next((r for r in table.ratings if r.player == level.entrant.name), None)
    if rating is None:
        return level
    error = (rating.elo.high - rating.elo.low) / 2
    return replace(level, elo=round(rating.elo.value), error=round(error), games=rating.games)


def write_scale(scale: Scale, path: Path) -> None:
    write_atomic(path, scale.to_json())
