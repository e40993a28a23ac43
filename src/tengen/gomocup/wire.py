"""Lines of the Gomocup protocol and what they mean. Coordinates here are x,y, zero-based from the TOP left."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tengen.errors import TengenError, clip
from tengen.rules import Move, Rule

_INTEGER = re.compile(r"[+-]?\d{1,19}")

RENJU_EXACT = 5
"""Renju with the exactly-five bit, which renju implies for black."""
RULE_CODES: dict[int, Rule] = {rule.gomocup: rule for rule in Rule} | {RENJU_EXACT: Rule.RENJU}


class ProtocolError(TengenError):
    """A line we understand but cannot obey; answered with ERROR."""


@dataclass(frozen=True, slots=True)
class Command:
    """One line from the manager: the name in upper case and the rest as it came."""

    name: str
    rest: str


def parse_command(line: str) -> Command:
    name, _, rest = line.strip().partition(" ")
    return Command(name.upper(), rest.strip())


def parse_integers(text: str, count: int, usage: str) -> list[int]:
    """`count` integers separated by commas or blanks. `usage` is shown when they are not that."""
    parts = text.replace(",", " ").split()
    if len(parts) != count or not all(_INTEGER.fullmatch(part) for part in parts):
        raise ProtocolError(f"expected {usage}, got '{clip(text)}'")
    return [int(part) for part in parts]


def parse_cell(text: str, width: int, height: int) -> Move:
    """`x,y` to a move."""
    x, y = parse_integers(text, 2, "x,y")
    return cell_at(x, y, width, height)


def cell_at(x: int, y: int, width: int, height: int) -> Move:
    if not (0 <= x < width and 0 <= y < height):
        raise ProtocolError(f"{x},{y} is off the board; cells go from 0,0 to {width - 1},{height - 1}")
    return y * width + x


def format_cell(move: Move, width: int) -> str:
    y, x = divmod(move, width)
    return f"{x},{y}"
