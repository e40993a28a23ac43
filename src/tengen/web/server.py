"""The HTTP server around the application: connections that dawdle are closed, and its searches end with it."""

from __future__ import annotations

import asyncio
import socket
from types import FrameType
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
"""How long a connection may take to send the head of a request."""
MAX_CONNECTIONS = 400


class PromptH11(H11Protocol):
    """Closes connections that are open without asking for anything; an answered one has uvicorn's own time-out."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(HEADER_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # a WebSocket by now
            return
        if self.conn.their_state is h11.IDLE and self.timeout_keep_alive_task is None:
            self.transport.close()
        else:
            self.loop.call_later(HEADER_SECONDS, self._close_if_silent)


class Server(uvicorn.Server):
    """Stops all searches at the first signal, not after the connections have been closed."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        app: Any = self.config.app
        app.state.hub.halt()


def serve(app: FastAPI, listener: socket.socket) -> None:
    """Listens until Ctrl-C or SIGTERM."""
    config = uvicorn.Config(
        app, http=PromptH11, log_level="warning", ws_max_size=16_384, ws_max_queue=64, server_header=False,
        limit_concurrency=MAX_CONNECTIONS, timeout_graceful_shutdown=2,
    )  # fmt: skip
    Server(config).run(sockets=[listener])
