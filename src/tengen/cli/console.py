"""Robust output: to terminals and files of any encoding, on full disks and closed pipes."""

from __future__ import annotations

import codecs
import contextlib
import os
import sys

PLAIN = {"±": "+/-", "∞": "inf", "½": "1/2", "·": ".", "−": "-", "–": "-", "…": "...", "×": "x"}
"""How to write what an encoding lacks; any other character becomes a question mark."""


def tolerate_encodings() -> None:
    """Prints characters that the encoding lacks as plain text, instead of losing the results of hours.

    Input that is not text in this encoding is read with replacement characters, which no command takes for a move.
    """
    codecs.register_error("tengen-plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            stream.reconfigure(errors="tengen-plain")  # type: ignore[union-attr]
    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def lose_output() -> None:
    """Sends what is still buffered nowhere, so that the interpreter does not complain about it at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
