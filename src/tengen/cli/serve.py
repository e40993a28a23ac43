"""`tengen serve`: the page, for a browser."""

from __future__ import annotations

from pathlib import Path

from tengen.cli import options as o
from tengen.cli.page_server import Host, HostNames, Port, SearchProcesses, State, Token, run


def command(
    host: Host = "127.0.0.1",
    port: Port = 8010,
    state: State = None,
    runs: o.Runs = Path("runs"),
    workers: SearchProcesses = 0,
    allow_host: HostNames = None,
    token: Token = True,
) -> None:
    """Serve the page where people play, analyse, review, watch and train."""
    run(host, port, state, runs, workers, allow_host, token)
