"""Who plays under which limit: `alphabeta`, `alphabeta@0.1s`, `mcts:playouts=1000@2000n`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import check_board, close_player
from tengen.registry import SpecError, create, parse_spec
from tengen.rules import Limit

_LIMIT = re.compile(r"@((?:\d+(?:\.\d+)?[snd])(?:\+\d+(?:\.\d+)?[snd])*)$")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a match. `name` is what the records call it: the text as it was given."""

    name: str
    spec: str
    limit: Limit


def parse_entrant(text: str, default: Limit) -> Entrant:
    """A spec, and after `@` the player's own limit: seconds, nodes and depth as in `@0.5s`, `@1000n+4d`."""
    text = text.strip()
    match = _LIMIT.search(text)
    spec = text[: match.start()] if match else text
    try:
        parse_spec(spec)
    except SpecError:
        if not match:
            _blame_limit(text)
        raise
    return Entrant(text, spec, parse_limit(match[1]) if match else default)


def _blame_limit(text: str) -> None:
    """Raises for what follows `@` where the player before it exists."""
    spec, at, limit = text.rpartition("@")
    if at:
        parse_spec(spec)
        raise _no_limit(limit)


def _no_limit(text: str) -> TengenError:
    return TengenError(f"'{text}' is not a limit; write 0.5s, 1000n, 4d or several joined by +")


def parse_limit(text: str) -> Limit:
    """`0.5s`, `1000n`, `4d` or several joined by `+`."""
    parts = {part[-1:]: part[:-1] for part in text.split("+")}
    try:
        if not parts.keys() <= set("snd") or len(parts) <= text.count("+"):
            raise ValueError
        return checked_limit(
            float(parts["s"]) if "s" in parts else None,
            int(parts["n"]) if "n" in parts else None,
            int(parts["d"]) if "d" in parts else None,
        )
    except ValueError:
        raise _no_limit(text) from None


def checked_limit(seconds: float | None, nodes: int | None, depth: int | None) -> Limit:
    """A limit for every move, refusing what no player could keep."""
    for name, value in (("seconds", seconds), ("nodes", nodes), ("depth", depth)):
        if value is not None and not 0 < value < 1e12:
            raise TengenError(f"{name} = {value} is not a limit; it must be above zero")
    return Limit(seconds, nodes, depth)


def limit_text(limit: Limit) -> str:
    """The inverse of `parse_limit`; empty when there is no limit."""
    seconds = "" if limit.seconds is None else f"{limit.seconds:g}s"
    nodes = "" if limit.nodes is None else f"{limit.nodes}n"
    depth = "" if limit.depth is None else f"{limit.depth}d"
    return "+".join(filter(None, (seconds, nodes, depth)))


def check_entrants(entrants: list[Entrant], board: Board) -> None:
    """Makes each player once: a missing engine, or a model of another board, is known before the first game."""
    for entrant in entrants:
        try:
            if parse_spec(entrant.spec)[0] == "human":
                raise TengenError("its games have no terminal to type at; play yourself with: tengen play")
            player = create(entrant.spec)
            check_board(player, board)
        except Exception as error:
            raise TengenError(f"player '{entrant.name}' cannot play: {error}") from None
        close_player(player)
