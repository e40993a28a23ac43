"""`tengen serve`: the page, for a browser."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import typer

HOST = typer.Option("127.0.0.1", help="address to listen on; anything but loopback lets other machines in")
PORT = typer.Option(8010, min=0, max=65535, help="port to listen on; 0 takes any free one")
STATE = typer.Option(None, help="folder for saved games and runs; default: your data folder")
RUNS = typer.Option(Path("runs"), help="folder that holds training runs")
WORKERS = typer.Option(0, min=0, max=64, help="processes that search; 0: one a core")
NAMES = typer.Option([], "--allow-host", help="another host name the server answers to; may be given several times")


def command(
    host: str = HOST,
    port: int = PORT,
    state: Path = STATE,
    runs: Path = RUNS,
    workers: int = WORKERS,
    allow_host: list[str] = NAMES,
) -> None:
    """Serve the page where people play, analyse, review, watch and train."""
    run(host, port, state, runs, workers, allow_host)


def run(
    host: str,
    port: int,
    state: Path | None,
    runs: Path,
    workers: int,
    names: list[str],
    on_ready: Callable[[str], object] | None = None,
) -> None:
    """Listens until Ctrl-C. `on_ready` gets the address once the page can be opened."""
    import uvicorn

    from tengen.web.app import create_app, default_state
    from tengen.web.security import LOOPBACK

    listener = _listen(host, port)
    address = f"http://{'localhost' if host in LOOPBACK else host}:{listener.getsockname()[1]}/"
    app = create_app(state or default_state(), workers or None, frozenset({*LOOPBACK, host, *names}), runs)
    config = uvicorn.Config(app, log_level="warning", ws_max_size=16_384, ws_max_queue=64, server_header=False,
                            limit_concurrency=400, timeout_graceful_shutdown=2)  # fmt: skip
    print(f"Tengen is at {address}   (Ctrl-C ends it)", flush=True)
    if on_ready:
        threading.Timer(0.3, on_ready, [address]).start()
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise OSError(f"cannot listen on {host} port {port}: {error.strerror}; choose another with --port") from None
    listener.listen(128)
    return listener


def free_port(host: str, port: int) -> int:
    """`port`, or 0 for any free one when another program has it."""
    try:
        _listen(host, port).close()
    except OSError:
        return 0
    return port


def open_browser(address: str) -> None:
    if not webbrowser.open(address):
        print(f"Open {address} in a browser.", flush=True)
