"""`tengen terminal`: a game in the terminal."""

from __future__ import annotations

import enum
import random
from typing import Annotated

import typer

from tengen.board import Board
from tengen.cli import options as o
from tengen.cli.terminal_game import Seats, play_in_terminal
from tengen.play.entrants import checked_limit
from tengen.registry import create
from tengen.rules import Color, Rule


class Side(enum.StrEnum):
    BLACK = "black"
    WHITE = "white"
    RANDOM = "random"


def command(
    player: Annotated[str, typer.Option(help="your opponent; `human` for two people")] = "alphabeta",
    color: Annotated[Side, typer.Option(help="your colour")] = Side.BLACK,
    size: o.Size = "15",
    rule: o.RuleName = Rule.FREESTYLE,
    k: o.K = 5,
    seconds: Annotated[float, typer.Option(help="seconds per move of your opponent")] = 2.0,
    position: Annotated[str, typer.Option(help="moves to start from, such as h8i9")] = "",
    adviser: Annotated[str, typer.Option(help="the player that gives hints")] = "alphabeta",
) -> None:
    """Play in the terminal."""
    start = Board.from_text(position, o.variant_of(size, k, rule))
    limit = checked_limit(seconds, None, None)
    side = random.choice(list(Color)) if color is Side.RANDOM else Color[color.name]
    opponent = None if player == "human" else create(player)
    play_in_terminal(start, Seats(side, opponent, player, adviser, limit))
