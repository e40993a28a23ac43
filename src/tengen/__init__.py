"""Tengen (天元): an open laboratory and engine for Gomoku."""

TYPE_CHECKING = False  # typing's own would have to be imported
if TYPE_CHECKING:
    from tengen.board import Board
    from tengen.errors import IllegalMoveError, TengenError
    from tengen.inference.models import load_model
    from tengen.plugins import encoding, logger, method, network, player
    from tengen.records import GameRecord
    from tengen.registry import create
    from tengen.rules import Color, Limit, Move, Outcome, Result, Rule, Termination, Value, Variant
    from tengen.training.api import Run, train

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
    "Run",
    "TengenError",
    "Termination",
    "Value",
    "Variant",
    "create",
    "encoding",
    "load_model",
    "logger",
    "method",
    "network",
    "player",
    "train",
]
__version__ = "0.1.0"

_MODULES = {
    "Board": "board", "IllegalMoveError": "errors", "TengenError": "errors", "GameRecord": "records",
    "create": "registry", "load_model": "inference.models", "Run": "training.api", "train": "training.api",
    "encoding": "plugins", "logger": "plugins", "method": "plugins", "network": "plugins", "player": "plugins",
}  # fmt: skip
"""Where a public name is, if not in rules."""


def __getattr__(name: str) -> object:
    """Imports a public name when it is first used, so that commands start at once and can be interrupted."""
    if name not in __all__:
        raise AttributeError(f"module 'tengen' has no attribute '{name}'")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"tengen.{_MODULES.get(name, 'rules')}"), name)
    return value
