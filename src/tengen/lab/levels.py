"""Levels: named players from first steps to strongest, each with a measured rating and a bounded thinking time.

The file holds one list for each board side, weakest first: a program without Python can read it too. Weak levels are
`person`s, strong ones `alphabeta` with more and more nodes. On every board the weakest level has the same rating.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from tengen.arena.collection import checked
from tengen.arena.ratings import RatingTable, rate
from tengen.arena.schedule import Conditions
from tengen.arena.score import Interval, Score, match_score
from tengen.arena.tournament import Tournament, play_tournament
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.play.entrants import Entrant, parse_entrant
from tengen.play.openings import BUILT_IN
from tengen.records import GameRecord
from tengen.rules import Limit, Variant

LEVELS_FILE = Path(__file__).parent / "levels.json"
"""The levels that players are offered."""


@dataclass(frozen=True, slots=True)
class Level:
    """`elo` adds up the steps from the weakest level. `games` measured the step from the level below, whose 95 %
    interval is `error` to either side.
    """

    name: str
    spec: str
    seconds: float
    """The longest it may think about a move."""
    elo: float | None = None
    error: float | None = None
    games: int = 0

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
    """Plays the neighbours of one board against each other; returns the scale with their ratings, weakest first.

    One pair after the other, the weak and fast ones first: what is stopped early has whole pairs.
    """
    if side not in scale.boards:
        raise TengenError(f"no levels for {side}x{side}; there are levels for {', '.join(map(str, scale.boards))}")
    entrants = tuple(level.entrant for level in scale.boards[side])
    openings = f"balanced-{side}" if f"balanced-{side}" in BUILT_IN else "balanced"
    conditions = Conditions(Variant(side, side), openings, seed)
    records: list[GameRecord] = []
    for pair in pairwise(entrants):
        if stop and stop():
            break
        show = partial(_and_before, on_game, records[:]) if on_game else None
        tournament = Tournament(pair, conditions, games)
        records += play_tournament(tournament, folder, workers=workers, on_game=show, stop=stop)
    return with_ratings(scale, side, checked(records).records)


def with_ratings(scale: Scale, side: int, records: list[GameRecord]) -> tuple[Scale, RatingTable]:
    """The scale with what games between the levels of a board say of them."""
    levels = scale.boards[side]
    anchor = next(level for level in levels if level.name == scale.anchor).entrant.name
    table = rate(records, (anchor, scale.anchor_elo))
    elo = {rating.player: round(rating.elo.value) for rating in table.ratings}
    measured = [_measured(*pair, elo) for pair in zip(levels, steps_between(levels, records), strict=True)]
    measured.sort(key=lambda level: level.elo or math.inf)
    return replace(scale, boards=scale.boards | {side: tuple(measured)}), table


def steps_between(levels: Sequence[Level], records: list[GameRecord]) -> list[Score | None]:
    """The score of each level against the one below it; None for the weakest."""
    return [None, *(match_between(records, upper.entrant, lower.entrant) for lower, upper in pairwise(levels))]


def levels_markdown(levels: Sequence[Level], records: list[GameRecord]) -> str:
    """The table of a board as docs/lab/results.md shows it."""
    lines = ["| level | player | Elo | step from the level below | games of the step |", "|---|---|---|---|---|"]
    for level, step in zip(levels, steps_between(levels, records), strict=True):
        elo = "" if level.elo is None else f"{level.elo:.0f}"
        measured = f"{_step_text(step)} | +{step.wins} ={step.draws} −{step.losses}" if step and step.games else "|"
        lines.append(f"| {level.name} | `{level.spec}` | {elo} | {measured} |")
    return "\n".join(lines) + "\n"


def _step_text(step: Score) -> str:
    return f"{step.elo.value:+.0f} ({step.elo.low:+.0f} to {step.elo.high:+.0f})"


def _and_before(show: Callable[[list[GameRecord]], None], before: list[GameRecord], now: list[GameRecord]) -> None:
    show(before + now)


def match_between(records: list[GameRecord], first: Entrant, second: Entrant) -> Score:
    pair = {first.name, second.name}
    return match_score([record for record in records if {record.black, record.white} == pair], first.name)


def _measured(level: Level, step: Score | None, elo: dict[str, int]) -> Level:
    """A level that no game was played with keeps what is known of it."""
    if (rating := elo.get(level.entrant.name)) is None:
        return level
    if step is None or not step.games:
        return replace(level, elo=rating, error=0, games=0)
    return replace(level, elo=rating, error=_half(step.elo), games=step.games)


def _half(elo: Interval) -> float | None:
    """Half of the interval; None when one side won every game, which measures no step."""
    return None if math.isinf(elo.high - elo.low) else round((elo.high - elo.low) / 2)


def write_scale(scale: Scale, path: Path) -> None:
    write_atomic(path, scale.to_json())
