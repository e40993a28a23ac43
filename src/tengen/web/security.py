"""Who may talk to the server, and how loudly: Host and Origin checks, size limits, response headers."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 512_000
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class Gate:
    """ASGI middleware: foreign hosts and origins are refused before anything else looks at a request."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        if fault := self._fault(scope, headers):
            return await _refuse(scope, receive, send, fault)
        if scope["type"] == "http":
            return await self.app(scope, _limited(receive), _with_headers(send))
        await self.app(scope, receive, send)

    def _fault(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        if _host_name(headers.get("host", "")) not in self.hosts:
            return 403, "this server does not answer to that Host name"
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        origin = headers.get("origin")
        if changes and origin is not None and urlsplit(origin).netloc != headers.get("host"):
            return 403, "requests from other sites are refused"
        if not headers.get("content-length", "0").isdigit() or int(headers.get("content-length", "0")) > MAX_BODY:
            return 413, f"a request holds at most {MAX_BODY} bytes"
        return None


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class BodyTooLarge(Exception):
    """A body without a declared length that went over the limit."""


def _limited(receive: Receive) -> Receive:
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY:
            raise BodyTooLarge
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(h for h in HEADERS if h[0] not in given)]
        await send(message)

    return sender


async def _refuse(scope: Scope, receive: Receive, send: Send, fault: tuple[int, str]) -> None:
    status, text = fault
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": text})
        return
    body = json.dumps({"detail": text}).encode()
    await send({"type": "http.response.start", "status": status,
                "headers": [(b"content-type", b"application/json"), *HEADERS]})  # fmt: skip
    await send({"type": "http.response.body", "body": body})
