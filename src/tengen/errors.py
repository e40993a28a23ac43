"""What a person or a program that uses Tengen did wrong, as opposed to what Tengen did wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class TengenError(ValueError):
    """A mistake at a border: one line that says what was wrong and what would be right.

    Commands print the line and the page shows it. Every other exception is a bug and keeps its traceback.
    """


class IllegalMoveError(TengenError):
    """A move that the rules do not allow on this board."""


_BOUNDS = {"greater_than": "above", "greater_than_equal": "at least", "less_than": "below",
           "less_than_equal": "at most"}  # fmt: skip
_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false", "string": "text", "list": "a list",
          "tuple": "a list", "dict": "a table", "model": "a table"}  # fmt: skip


def explain(faults: Iterable[Mapping[str, Any]]) -> str:
    """The faults that pydantic found in settings, each as part of a sentence: `learn.batch = 0 must be at least 1`."""
    return "; ".join(map(_explained, faults))


def _explained(fault: Mapping[str, Any]) -> str:
    where, kind, context = ".".join(map(str, fault["loc"])), fault["type"], fault.get("ctx", {})
    value = f"{where} = {_short(fault.get('input'))}"
    if kind == "extra_forbidden":
        return f"unknown key '{where}'"
    if kind == "missing":
        return f"{where} is missing"
    if kind in _BOUNDS:
        bound = next(context[key] for key in ("gt", "ge", "lt", "le") if key in context)
        return f"{value} must be {_BOUNDS[kind]} {bound:g}"
    if kind == "string_pattern_mismatch":
        return f"{value} must match {context['pattern']}"
    if kind in {"literal_error", "enum"}:
        return f"{value} must be {context['expected']}"
    if (known := _KINDS.get(kind.partition("_")[0])) and kind.endswith(("_type", "_parsing", "_from_float")):
        return f"{value} is not {known}"
    message = fault["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def clip(text: object, limit: int = 60) -> str:
    """Foreign text, fit to be shown inside one line of ours."""
    shown = "".join(c if c.isprintable() else "?" for c in str(text)[: limit + 1])
    return shown if len(shown) <= limit else shown[:limit] + "..."
