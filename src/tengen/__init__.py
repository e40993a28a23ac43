"""Tengen (天元): an open laboratory and a strong engine for Gomoku."""

from tengen.board import Board
from tengen.records import GameRecord
from tengen.registry import create
from tengen.rules import Color, IllegalMoveError, Limit, Move, Outcome, Rule, Termination

__all__ = [
    "Board",
    "Color",
    "GameRecord",
    "IllegalMoveError",
    "Limit",
    "Move",
    "Outcome",
    "Rule",
    "Termination",
    "create",
]
__version__ = "0.1.0"
