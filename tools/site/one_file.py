"""The site as one HTML file: style sheets inline, modules, engine and data packed and base64-coded.

A page opened from a disk may fetch nothing and import no files. So the modules travel as text; `unpack.js` makes them
importable by an import map, and hands the engine and the data to the one module that would have fetched them.
"""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import re
from pathlib import Path

ASSETS = "static/js/local/assets.js"
WORKER = "static/js/local/worker.js"
ENGINE = "engine/tengen.js"
PREFIX = "tengen/"
OWN_ASSETS = """
const { worker, files, engine } = globalThis.TENGEN;
export const engineModule = () => WebAssembly.compile(engine);
export const newWorker = () => new Worker(worker);
export const data = async (name) => JSON.parse(files[name]);
"""


def one_file(out: Path, unpack: Path) -> None:
    modules = {path.relative_to(out).as_posix(): path for path in sorted((out / "static" / "js").rglob("*.js"))}
    texts = {name: path.read_text(encoding="utf-8") for name, path in modules.items() if name not in (ASSETS, WORKER)}
    texts |= {ENGINE: (out / ENGINE).read_text(encoding="utf-8"), ASSETS: OWN_ASSETS}
    packed = {
        "modules": {PREFIX + name: absolute(name, text) for name, text in texts.items()},
        "worker": classic((out / ENGINE).read_text(encoding="utf-8"))
        + classic((out / WORKER).read_text(encoding="utf-8")),
        "files": {path.name: path.read_text(encoding="utf-8") for path in sorted((out / "data").iterdir())},
    }
    chunks = {
        "tengen-page": json.dumps(packed).encode(),
        "tengen-engine": (out / "engine" / "tengen.wasm").read_bytes(),
    }
    (out / "tengen.html").write_text(page(out, chunks, unpack.read_text(encoding="utf-8")), encoding="utf-8")


def absolute(name: str, text: str) -> str:
    """Imports by names that the import map knows instead of relative addresses."""

    def named(match: re.Match[str]) -> str:
        return f'{match[1]}"{PREFIX}{posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))}"'

    return re.sub(r'(\bfrom\s+|\bimport\s+|\bimport\()"(\.[^"]+)"', named, text)


def classic(text: str) -> str:
    """A module as a part of a plain script."""
    return re.sub(
        r"^import .*?;\n", "", re.sub(r"^export (?=const|class|function|async)", "", text, flags=re.M), flags=re.M
    )


def page(out: Path, chunks: dict[str, bytes], unpack: str) -> str:
    text = (out / "index.html").read_text(encoding="utf-8")
    text = re.sub(r'\s*<link rel="(modulepreload|manifest|apple-touch-icon)"[^>]*>', "", text)
    text = re.sub(r'\s*<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    text = re.sub(r'<script type="module"[^>]*></script>', "", text)
    text = re.sub(r'<link rel="stylesheet" href="([^"]+)">', lambda m: f"<style>\n{styles(out, m[1])}</style>", text)
    icon = base64.b64encode((out / "static" / "icon.svg").read_bytes()).decode()
    text = text.replace('href="static/icon.svg"', f'href="data:image/svg+xml;base64,{icon}"')
    text = text.replace('content="./local/port.js"', f'content="{PREFIX}static/js/local/port.js"')
    coded = {name: base64.b64encode(gzip.compress(data, 9, mtime=0)).decode() for name, data in chunks.items()}
    scripts = "".join(f'<script type="text/plain" id="{name}">{data}</script>\n' for name, data in coded.items())
    return text.replace("</body>", f"{scripts}<script>\n{unpack}</script>\n</body>")


def styles(out: Path, name: str) -> str:
    return (out / name).read_text(encoding="utf-8")
