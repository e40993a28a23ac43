"""Tengen (天元): an open laboratory and a strong engine for Gomoku."""

from tengen.board import Board
from tengen.errors import IllegalMoveError, TengenError
from tengen.records import GameRecord
from tengen.registry import create
from tengen.rules import Color, Limit, Move, Outcome, Result, Rule, Termination, Value, Variant

__all__ = [
    "Board",
    "Color",
    "GameRecord",
    "IllegalMoveError",
    "Limit",
    "Move",
    "Outcome",
    "Result",
    "Rule",
    "TengenError",
    "Termination",
    "Value",
    "Variant",
    "create",
]
__version__ = "0.1.0"
