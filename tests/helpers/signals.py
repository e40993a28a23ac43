"""Signals for programs that tests start."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """Before a program starts: tests in the background of a shell would hand down its deafness to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
