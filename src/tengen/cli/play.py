"""`tengen play`: opens the page in a browser, or plays in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.cli.page_server import Host, HostNames, Port, SearchProcesses, State, Token, free_port, open_browser, run


def command(
    terminal: Annotated[bool, typer.Option("--terminal", help="play in this terminal instead of a browser")] = False,
    browser: Annotated[bool, typer.Option(help="open a browser; --no-browser only prints the address")] = True,
    host: Host = "127.0.0.1",
    port: Port = 8010,
    state: State = None,
    runs: o.Runs = Path("runs"),
    workers: SearchProcesses = 0,
    allow_host: HostNames = None,
    token: Token = True,
) -> None:
    """Play against Tengen in your browser."""
    if terminal:
        from tengen.board import Board
        from tengen.cli.terminal_game import Seats, play_in_terminal

        return play_in_terminal(Board(), Seats.against("alphabeta"))
    run(host, free_port(host, port), state, runs, workers, allow_host, token, open_browser if browser else None)
