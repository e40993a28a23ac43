"""What a live display shows, as text."""

from __future__ import annotations

import io

from rich.console import Console

from tengen.cli.display import LiveDisplay


def shown(display: LiveDisplay) -> str:
    """Draws the display once and closes it."""
    screen = io.StringIO()
    Console(file=screen, width=100).print(display._draw())
    display.close()
    return screen.getvalue()
