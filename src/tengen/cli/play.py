"""`tengen play`: opens the page in a browser, or plays in the terminal."""

from __future__ import annotations

from pathlib import Path

import typer

from tengen.cli.serve import HOST, NAMES, PORT, RUNS, STATE, WORKERS, free_port, open_browser, run


def command(
    terminal: bool = typer.Option(False, "--terminal", help="play in this terminal instead of a browser"),
    browser: bool = typer.Option(True, help="open a browser; --no-browser only prints the address"),
    host: str = HOST,
    port: int = PORT,
    state: Path = STATE,
    runs: Path = RUNS,
    workers: int = WORKERS,
    allow_host: list[str] = NAMES,
) -> None:
    """Play against Tengen in your browser."""
    if terminal:
        from tengen.cli.terminal import command as play_in_terminal

        play_in_terminal()
        return
    run(host, free_port(host, port), state, runs, workers, allow_host, open_browser if browser else None)
