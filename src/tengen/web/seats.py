"""Whom the page may play: calibrated levels and safe player specs."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from tengen.inference.models import bundled_models
from tengen.lab.levels import Level, read_scale
from tengen.registry import PLAYERS, SpecError, entry, parse_spec

UNSAFE_PLAYERS = frozenset({"gomocup", "human"})
"""Players that run a command line or read a terminal: never from the page."""
SERVER_OPTIONS = frozenset({"threads", "hash_mb", "memory_mb"})
"""What a player may take of the machine is not for the page to say."""


@cache
def levels(width: int = 15) -> tuple[Level, ...]:
    """The levels of the board nearest to this width, weakest first, without bridges and what is not installed."""
    boards = read_scale().boards
    nearest = min(boards, key=lambda side: abs(side - width))
    return tuple(level for level in boards[nearest] if not level.bridge and _exists(level.spec))


def _exists(spec: str) -> bool:
    try:
        _check_model(*parse_spec(spec))
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
        if key in SERVER_OPTIONS:
            raise SpecError(f"player '{name}': {key} is set by the server, not by the page")
    _check_model(name, values)
    return spec.strip()


def _check_model(player: str, values: dict[str, Any]) -> None:
    """A player with a network needs one that is here."""
    if (option := entry(player).options.get("model")) is None:
        return
    model = values.get("model", option.default)
    if model not in (known := bundled_models()):
        have = f"choose one of {', '.join(known)}" if known else "none is installed"
        raise SpecError(f"player '{player}': there is no model '{model}' here; {have}")


def checked_seat(seat: str, width: int) -> str:
    """`human`, `level:NAME` or a safe spec; raises SpecError otherwise."""
    if seat == "human":
        return seat
    if seat.startswith("level:"):
        find_level(seat.removeprefix("level:"), width)
        return seat
    return checked_spec(seat)


def checked_player(seat: str, width: int) -> str:
    """A seat that can think: anything but a person."""
    if seat == "human":
        raise SpecError("a person cannot be asked to search; name a level or a player")
    return checked_seat(seat, width)


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
    """All that can be chosen, for the page; not players whose own network is not installed."""
    shown = {name: player for name, player in PLAYERS.items() if name not in UNSAFE_PLAYERS and _exists(name)}
    return {
        "models": bundled_models(),
        "players": {
            name: {
                "help": player.help,
                "options": {k: asdict(o) for k, o in player.options.items() if k not in SERVER_OPTIONS},
            }
            for name, player in shown.items()
        },
        "levels": {str(side): [asdict(level) for level in levels(side)] for side in read_scale().boards},
    }
