"""Whom the page may play: calibrated levels and safe player specs that can play the variant."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any

from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.models import Model
from tengen.lab.levels import Level, read_scale
from tengen.registry import SpecError, create, entry, parse_spec
from tengen.rules import Variant
from tengen.web.networks import located, network, network_names

HUMAN = "human"
ENGINE = "alphabeta"
"""Who gives hints, judges and reviews: the engine by itself, without the limit of a level."""
LEVEL = "level:"
UNSAFE_PLAYERS = frozenset({"gomocup", "human"})
"""Players that run a command line or read a terminal: never from the page."""
SERVER_OPTIONS = frozenset({"threads", "hash_mb", "memory_mb", "network"})
"""What a player may take of the machine is not for the page to say."""
PATH_MARKS = ("/", "\\", "..", "@")
"""Not in values from the page: paths, and the limit that a tournament reads after `@`."""


def nearest_side(width: int) -> int:
    """The side of the measured board that is nearest to this width."""
    return min(read_scale().boards, key=lambda side: abs(side - width))


@cache
def levels(side: int) -> tuple[Level, ...]:
    """The levels of a measured board, weakest first, without what is not installed."""
    return tuple(level for level in read_scale().boards[side] if exists(level.spec))


def levels_for(variant: Variant) -> tuple[Level, ...]:
    """The levels that can play the variant."""
    return tuple(level for level in levels(nearest_side(variant.width)) if _plays(level.spec, variant))


def exists(spec: str) -> bool:
    """Does a spec name a player whose network, if it needs one, is here?"""
    try:
        _model_of(*parse_spec(spec))
    except SpecError:
        return False
    return True


def _plays(spec: str, variant: Variant) -> bool:
    try:
        _check_player(spec, variant)
    except TengenError:
        return False
    return True


def find_level(name: str, variant: Variant) -> Level:
    offered = levels_for(variant)
    for level in offered:
        if level.name == name:
            return level
    raise SpecError(f"unknown level '{name}'; choose one of {', '.join(x.name for x in offered)}")


def checked_spec(spec: str, variant: Variant) -> str:
    """A spec that may come from a page: no command lines, no paths, and a player that can play the variant."""
    name, values = parse_spec(spec)
    if name in UNSAFE_PLAYERS:
        raise SpecError(f"player '{name}' cannot be started from the page")
    for key, value in values.items():
        if isinstance(value, str) and any(mark in value for mark in PATH_MARKS):
            raise SpecError(f"player '{name}': {key} must be a plain name")
        if isinstance(value, float) and not math.isfinite(value):
            raise SpecError(f"player '{name}': {key} must be a finite number")
        if key in SERVER_OPTIONS:
            raise SpecError(f"player '{name}': {key} is set by the server, not by the page")
    _check_player(spec.strip(), variant)
    return spec.strip()


@lru_cache(maxsize=1024)
def _check_player(spec: str, variant: Variant) -> None:
    """Raises for options that no such player takes, and for a network that does not play the variant."""
    name, values = parse_spec(spec)
    try:
        if model := _model_of(name, values):
            model.check_board(Board(variant))
        if not model or values.keys() - {"model", "seed", "sims", "solver"}:
            create(located(spec), hash_mb=1)  # a network is loaded only to check unusual options
    except SpecError:
        raise
    except TengenError as error:
        raise SpecError(str(error)) from None


def _model_of(player: str, values: dict[str, Any]) -> Model | None:
    """The network of a player that needs one; raises when it is not here."""
    if (option := entry(player).options.get("model")) is None:
        return None
    name = values.get("model", option.default)
    if name not in (known := network_names()):
        have = f"choose one of {', '.join(known)}" if known else "none is installed"
        raise SpecError(f"player '{player}': there is no model '{name}' here; {have}")
    return network(name)


def checked_seat(seat: str, variant: Variant) -> str:
    """`human`, `level:NAME` or a safe spec; raises SpecError otherwise."""
    if seat == HUMAN:
        return seat
    if seat.startswith(LEVEL):
        find_level(seat.removeprefix(LEVEL), variant)
        return seat
    return checked_spec(seat, variant)


def checked_player(seat: str, variant: Variant) -> str:
    """A seat that can think: anything but a person."""
    if seat == HUMAN:
        raise SpecError("a person cannot be asked to search; name a level or a player")
    return checked_seat(seat, variant)


def resolve(seat: str, seconds: float, variant: Variant) -> tuple[str, float]:
    """The spec behind a seat and its thinking time."""
    if seat.startswith(LEVEL):
        level = find_level(seat.removeprefix(LEVEL), variant)
        return level.spec, level.seconds
    return located(seat), seconds


def strongest(variant: Variant) -> Level:
    """Who moves and analyses when nobody is named."""
    return levels_for(variant)[-1]


def helper(own: str, other: str, variant: Variant) -> str:
    """Who moves when a player is told to: the machine to move, the other seat's machine, or the strongest level."""
    machines = [seat for seat in (own, other) if seat != HUMAN]
    return machines[0] if machines else LEVEL + strongest(variant).name
