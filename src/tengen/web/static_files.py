"""The page's own files, kept in memory: put together and packed once, not for each request."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from tengen.web.bundle import bundle

STATIC = Path(__file__).parent / "static"
TAG = "v-"
"""How the folder of a version begins in the addresses of static files."""
ASKED = {"cache-control": "no-cache"}
LASTING = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
MIN_PACKED = 1_000
"""Bytes: what is smaller is sent as it is."""
WORKER = "js/local/worker.js"
BROWSER_ENGINE = STATIC / "engine" / "tengen.js"
"""Built by `make site`, and part of wheels."""
SCRIPT_ROOT = 'new URL("../", import.meta.url)'
"""The folder above the script's own: what the paths of `page_modules` start from."""


def page_modules(home: str) -> dict[str, str]:
    """Every module of the page by its path, `home` being the folder of static files; workers load their own. The engine
    for browsers is beside that folder, where it was built.
    """
    paths = {f"{home}/{path.relative_to(STATIC).as_posix()}": path for path in sorted(STATIC.rglob("js/**/*.js"))}
    del paths[f"{home}/{WORKER}"]
    if BROWSER_ENGINE.exists():
        paths["engine/tengen.js"] = BROWSER_ENGINE
    return {name: path.read_text(encoding="utf-8") for name, path in paths.items()}


def page_script(home: str) -> str:
    """The page as one script, `app.js` of the folder `home`."""
    return bundle(page_modules(home), f"{home}/js/main.js", SCRIPT_ROOT)


def page_style() -> str:
    """The style sheets as one."""
    listed = (STATIC / "style.css").read_text(encoding="utf-8")
    return re.sub(r'@import "([^"]+)";', lambda sheet: (STATIC / sheet[1]).read_text(encoding="utf-8"), listed)


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


def _kept(name: str, plain: bytes) -> _Kept:
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return _Kept(plain, gzip.compress(plain) if len(plain) >= MIN_PACKED else None, media)


def _shelf(tag: str) -> dict[str, _Kept]:
    """What a visit asks for. Modules and style sheets by themselves are for those who read the sources."""
    files = {name: (STATIC / name).read_bytes() for name in ("index.html", "icon.svg", WORKER)}
    files |= {"app.js": page_script(tag).encode(), "style.css": page_style().encode()}
    return {name: _kept(name, plain) for name, plain in files.items()}


class PageFiles(StaticFiles):
    """Files on the shelf are kept by browsers under the present tag; all others are asked about each time."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)
        self._tag = static_tag()
        self._shelf = _shelf(self._tag)

    def index(self) -> str:
        """The page, naming its files by their present tag: whoever edits them sees it at the next load."""
        if (tag := static_tag()) != self._tag:
            self._tag, self._shelf = tag, _shelf(tag)
        return self._shelf["index.html"].plain.decode().replace('"/static/', f'"/static/{tag}/')

    async def get_response(self, path: str, scope: Scope) -> Response:
        tag, _, rest = Path(path).as_posix().partition("/")
        if tag.startswith(TAG) and scope["method"] in ("GET", "HEAD") and (kept := self._shelf.get(rest)):
            return _answer(kept, Headers(scope=scope), LASTING if tag == self._tag else ASKED)
        response = await super().get_response(rest if tag.startswith(TAG) and rest else path, scope)
        response.headers.update(ASKED)
        return response


def _answer(kept: _Kept, asked: Headers, caching: dict[str, str]) -> Response:
    """HEAD is answered like GET: the server leaves the body out."""
    if kept.packed is not None and "gzip" in asked.get("accept-encoding", ""):
        return Response(kept.packed, headers=caching | {"content-encoding": "gzip"}, media_type=kept.media)
    return Response(kept.plain, headers=caching, media_type=kept.media)
