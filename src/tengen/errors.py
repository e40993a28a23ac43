"""What a person or a program that uses Tengen did wrong, as opposed to what Tengen did wrong."""

from __future__ import annotations


class TengenError(ValueError):
    """A mistake at a border: one line that says what was wrong and what would be right.

    Commands print the line and the page shows it. Every other exception is a bug and keeps its traceback.
    """


class IllegalMoveError(TengenError):
    """A move that the rules do not allow on this board."""
