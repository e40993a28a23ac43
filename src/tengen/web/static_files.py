"""The page's own files, kept in memory: packed once, not for each request."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
TAG = "v-"
"""How the folder of a version begins in the addresses of static files."""
LASTING = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
MIN_PACKED = 1_000
"""Bytes: what is smaller is sent as it is."""


def static_tag() -> str:
    """Changes with every file of the page, so that a browser may keep what it has under this name for ever."""
    states = [(str(path.relative_to(STATIC)), (now := path.stat()).st_mtime_ns, now.st_size) for path in _files()]
    return TAG + hashlib.sha256(repr(states).encode()).hexdigest()[:12]


def _files() -> list[Path]:
    return sorted(path for path in STATIC.rglob("*") if path.is_file())


@dataclass(frozen=True, slots=True)
class _Kept:
    plain: bytes
    packed: bytes | None
    media: str


def _kept(path: Path) -> _Kept:
    plain = path.read_bytes()
    media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return _Kept(plain, gzip.compress(plain) if len(plain) >= MIN_PACKED else None, media)


class PageFiles(StaticFiles):
    """Files under the present tag are kept here and by browsers; all others are asked about each time."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._tag = ""
        self._shelf: dict[str, _Kept] = {}

    def index(self) -> str:
        """The page, naming its files by their present tag: whoever edits them sees it at the next load."""
        if (tag := static_tag()) != self._tag:
            self._shelf = {path.relative_to(STATIC).as_posix(): _kept(path) for path in _files()}
            self._tag = tag
        return self._shelf["index.html"].plain.decode().replace('"/static/', f'"/static/{tag}/')

    async def get_response(self, path: str, scope: Scope) -> Response:
        tag, _, rest = Path(path).as_posix().partition("/")
        if tag == self._tag and scope["method"] in ("GET", "HEAD") and (kept := self._shelf.get(rest)):
            return _answer(kept, Headers(scope=scope))
        response = await super().get_response(rest if tag.startswith(TAG) and rest else path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def _answer(kept: _Kept, asked: Headers) -> Response:
    """HEAD is answered like GET: the server leaves the body out."""
    if kept.packed is not None and "gzip" in asked.get("accept-encoding", ""):
        return Response(kept.packed, headers=LASTING | {"content-encoding": "gzip"}, media_type=kept.media)
    return Response(kept.plain, headers=LASTING, media_type=kept.media)
