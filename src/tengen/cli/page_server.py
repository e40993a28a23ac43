"""The web server that `tengen serve` and `tengen play` start."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

Host = Annotated[str, typer.Option(help="address to listen on; other than loopback, other machines can connect")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="port to listen on (0 = any free one)")]
State = Annotated[
    Path | None,
    typer.Option(file_okay=False, help="folder for saved games and tournaments (default: your data folder)"),
]
SearchProcesses = Annotated[
    int, typer.Option("--workers", min=0, max=64, help="number of search processes (0 = one per CPU core)")
]
HostNames = Annotated[
    list[str] | None, typer.Option("--allow-host", help="another host name the server answers to; repeatable")
]

Token = Annotated[bool, typer.Option("--token/--no-token", help="require the token in the printed address for changes")]


def run(
    host: str,
    port: int,
    state: Path | None,
    runs: Path,
    workers: int,
    names: list[str] | None,
    token: bool = True,
    on_ready: Callable[[str], object] | None = None,
) -> None:
    """Listens until Ctrl-C. `on_ready` gets the address once the page can be opened."""
    from tengen.files import data_folder
    from tengen.web.app import create_app
    from tengen.web.security import LOOPBACK, kept_token
    from tengen.web.server import serve

    state = state or data_folder()
    listener = listen(host, port)
    key = kept_token(state) if token else None
    address = f"http://{'localhost' if host in LOOPBACK else host}:{listener.getsockname()[1]}/"
    address += f"?token={key}" if key else ""
    app = create_app(state, workers or None, frozenset({*LOOPBACK, host, *(names or ())}), runs, token=key)
    print(f"Tengen is running at {address}   (press Ctrl-C to stop)", flush=True)
    if on_ready:
        threading.Timer(0.3, on_ready, [address]).start()
    serve(app, listener)


def listen(host: str, port: int) -> socket.socket:
    """The protocol is named: asyncio sends at once (TCP_NODELAY) on sockets that say they are TCP. On others the second
    half of an answer waits for the browser's delayed acknowledgement of the first, 40 ms each time.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
        listen(host, port).close()
    except OSError:
        return 0
    return port


def open_browser(address: str) -> None:
    if not webbrowser.open(address):
        print(f"Open {address} in a browser.", flush=True)
