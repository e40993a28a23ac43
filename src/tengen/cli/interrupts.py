"""What Ctrl-C does: it ends the process at once while there is nothing to clean up, and raises inside a command."""

from __future__ import annotations

import os
import signal
from types import FrameType


def leave_on_interrupt() -> None:
    """While modules are imported, and when a command has finished."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def raise_on_interrupt() -> None:
    """While a command runs: a KeyboardInterrupt lets it stop what it started."""
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(130)
