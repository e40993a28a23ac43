"""Who may talk to the server, and how loudly: Host, origin and token checks, size limits, response headers."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import re
import secrets
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 512_000
BODY_SECONDS = 20.0
"""How long a request may take to send its body."""
DRAIN_SECONDS, MAX_DRAINED = 3.0, 16 * MAX_BODY
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({"same-origin", "none"})
"""What browsers say (Sec-Fetch-Site) of requests that our own page or the person makes."""
CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
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
    (b"cross-origin-resource-policy", b"same-origin"),
)
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
TOKEN_HEADER = "x-tengen-token"

Headers = dict[str, str]


def kept_token(state: Path) -> str:
    """The token of a state folder, made at first use: pages that are open outlive a restart of the server."""
    file = state / "token"
    if file.is_file() and re.fullmatch(r"[\w-]{20,100}", text := file.read_text(encoding="utf-8").strip()):
        return text
    state.mkdir(parents=True, exist_ok=True)
    token = secrets.token_urlsafe(24)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(token)
    return token


class Gate:
    """ASGI middleware: foreign hosts and origins are refused before anything else looks at a request.

    With a `token`, whatever changes something needs it: in the cookie that the opened address sets, or in a header.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str | None) -> None:
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in scope["headers"]}
        if fault := self._fault(scope, headers):
            if fault is TOO_LARGE and scope["type"] == "http":
                await _drain(receive)
            return await _refuse(scope, receive, send, fault)
        if scope["type"] == "websocket":
            return await self.app(scope, receive, send)
        if self._brings_token(scope):
            return await self._welcome(scope, send)
        try:
            body = await asyncio.wait_for(_read_body(receive), BODY_SECONDS)
        except TimeoutError:
            return await _refuse(scope, receive, send, (408, "the request did not arrive in time"))
        if body is None:
            await _drain(receive)
            return await _refuse(scope, receive, send, TOO_LARGE)
        await self.app(scope, _replay(body, receive), _with_headers(send))

    def _fault(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        if _host_name(headers.get("host", "")) not in self.hosts:
            return 403, "this server does not answer to that Host name"
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        if changes and _is_foreign(headers):
            return 403, "requests from other sites are refused"
        if changes and not self._has_token(scope, headers):
            return 403, "open the page by the address that tengen printed: it holds the key"
        length = headers.get("content-length", "0")
        return TOO_LARGE if not length.isdigit() or int(length) > MAX_BODY else None

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        if self.token is None:
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(token_cookie(scope))
        except CookieError:
            cookie = None
        given = headers.get(TOKEN_HEADER) or (cookie.value if cookie else "")
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _brings_token(self, scope: Scope) -> bool:
        """Is this the address that was printed, with the token in it?"""
        if self.token is None or scope["path"] != "/":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self.token.encode())

    async def _welcome(self, scope: Scope, send: Send) -> None:
        """Moves the token from the address, where it could be copied along with a link, into a cookie."""
        cookie = f"{token_cookie(scope)}={self.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"cache-control", b"no-store"), *HEADERS]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


TOO_LARGE = (413, f"a request holds at most {MAX_BODY} bytes")


def token_cookie(scope: Scope) -> str:
    """Browsers share cookies between ports: every server has its own."""
    return f"tengen-token-{(scope.get('server') or ('', 0))[1]}"


def _is_foreign(headers: Headers) -> bool:
    """Was it another site that made the browser ask? Programs that are no browsers say nothing of this."""
    origin = headers.get("origin")
    other_origin = origin is not None and _netloc(origin) != headers.get("host")
    return other_origin or headers.get("sec-fetch-site", "none") not in OWN_SITES


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def _read_body(receive: Receive) -> bytes | None:
    """The whole body, or None when it is larger than its declared length allowed us to hope."""
    body: bytes = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return body


async def _drain(receive: Receive) -> None:
    """Lets a sender finish that has more to say than we read, so that it hears the answer; not for ever, though."""
    drained = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS):
            while drained < MAX_DRAINED:
                message = await receive()
                drained += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(h for h in HEADERS if h[0] not in given)]
        await send(message)

    return sender


CODES = {400: "bad-request", 403: "no-token", 408: "too-slow", 413: "too-large"}


async def _refuse(scope: Scope, receive: Receive, send: Send, fault: tuple[int, str]) -> None:
    status, text = fault
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": text})
        return
    body = json.dumps({"detail": text, "code": CODES[status]}).encode()
    await send({"type": "http.response.start", "status": status,
                "headers": [(b"content-type", b"application/json"), (b"connection", b"close"), *HEADERS]})  # fmt: skip
    await send({"type": "http.response.body", "body": body})
