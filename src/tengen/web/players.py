"""Whom the page may play: calibrated levels and safe player specs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

from tengen.registry import PLAYERS, SpecError, parse_spec

UNSAFE_PLAYERS = frozenset({"gomocup", "human"})
"""Players that run a command line or read a terminal: never from the page."""


@dataclass(frozen=True, slots=True)
class Level:
    """A named opponent. `elo` is None until it has been measured for that board."""

    name: str
    spec: str
    seconds: float
    elo: float | None = None
    error: float | None = None


_UNMEASURED = (
    Level("first-steps", "random", 0.1),
    Level("beginner", "greedy", 0.1),
    Level("casual", "minimax:depth=2", 0.5),
    Level("club", "alphabeta", 0.2),
    Level("strong", "alphabeta", 1.0),
    Level("master", "alphabeta", 5.0),
)


@cache
def levels(width: int = 15) -> tuple[Level, ...]:
    """The levels for a board of this width, weakest first, without those whose player is not installed."""
    table = _calibrated(width) or _UNMEASURED
    return tuple(level for level in table if _exists(level.spec))


def _calibrated(width: int) -> tuple[Level, ...]:
    source = resources.files("tengen.arena") / "levels.json"
    if not source.is_file():
        return ()
    return read_levels(json.loads(source.read_text(encoding="utf-8")), width)


def read_levels(data: dict[str, Any], width: int) -> tuple[Level, ...]:
    """The scale of the board size nearest to `width`."""
    boards: dict[str, list[dict[str, Any]]] = data["boards"]
    nearest = min(boards, key=lambda size: abs(int(size) - width))
    fields = Level.__dataclass_fields__
    return tuple(Level(**{k: v for k, v in row.items() if k in fields}) for row in boards[nearest])


def _exists(spec: str) -> bool:
    try:
        parse_spec(spec)
    except SpecError:
        return False
    return True


def find_level(name: str, width: int = 15) -> Level:
    for level in levels(width):
        if level.name == name:
            return level
    raise SpecError(f"unknown level '{name}'; choose one of {', '.join(x.name for x in levels(width))}")


def checked_spec(spec: str) -> str:
    """A spec that may come from a page: no command lines, no paths."""
    name, values = parse_spec(spec)
    if name in UNSAFE_PLAYERS:
        raise SpecError(f"player '{name}' cannot be started from the page")
    for key, value in values.items():
        if isinstance(value, str) and any(mark in value for mark in ("/", "\\", "..")):
            raise SpecError(f"player '{name}': {key} must be a name, not a path")
        if key in {"threads", "hash_mb"}:
            raise SpecError(f"player '{name}': {key} is set by the server, not by the page")
    return spec.strip()


def checked_seat(seat: str, width: int) -> str:
    """`human`, `level:NAME` or a safe spec; raises SpecError otherwise."""
    if seat == "human":
        return seat
    if seat.startswith("level:"):
        find_level(seat.removeprefix("level:"), width)
        return seat
    return checked_spec(seat)


def resolve(seat: str, seconds: float, width: int) -> tuple[str, float]:
    """The spec behind a seat and its thinking time."""
    if seat.startswith("level:"):
        level = find_level(seat.removeprefix("level:"), width)
        return level.spec, level.seconds
    return seat, seconds


def strongest(width: int) -> Level:
    """Who gives hints and reviews when nobody is named."""
    return levels(width)[-1]


def catalogue() -> dict[str, Any]:
    """All that can be chosen, for the page."""
    sizes = (9, 15)
    return {
        "players": {
            name: {"help": player.help, "options": {k: asdict(o) for k, o in player.options.items()}}
            for name, player in PLAYERS.items()
            if name not in UNSAFE_PLAYERS
        },
        "levels": {str(size): [asdict(level) for level in levels(size)] for size in sizes},
    }
