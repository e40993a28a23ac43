"""The site as one HTML file: the style sheet inline, script, engine, network and data packed and base64-coded.

A page opened from a disk may fetch nothing and import no files. So the script travels as text; `unpack.js` runs it and
hands the engine and the data to the one module that would have fetched them.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path

from tengen.web.bundle import bundle

ASSETS = "static/js/local/assets.js"
WORKER = "static/js/local/worker.js"
ENGINE = "engine/tengen.js"
NETWORK = "lines"
"""The one network that travels in the file."""
OWN_ASSETS = """
const { worker, files, engine, network, book } = globalThis.TENGEN;
export const engineModule = () => WebAssembly.compile(engine);
export const newWorker = () => new Worker(worker);
export const data = async (name) => JSON.parse(files[name]);
export const networkFile = async () => network;
export const columns = async () => book;
export const hasColumns = (name) => name === "book.bin";
"""


def one_file(out: Path, unpack: Path, modules: Mapping[str, str]) -> None:
    packed = {
        "page": bundle({**modules, ASSETS: OWN_ASSETS}, "static/js/main.js", "document.baseURI"),
        "worker": classic((out / ENGINE).read_text(encoding="utf-8"))
        + classic((out / WORKER).read_text(encoding="utf-8")),
        "files": {path.name: path.read_text(encoding="utf-8") for path in sorted((out / "data").glob("*.json"))},
    }
    about = json.loads(packed["files"]["about.json"])
    about["networks"] = [network for network in about["networks"] if network["name"] == NETWORK]
    packed["files"]["about.json"] = json.dumps(about)
    chunks = {
        "tengen-page": json.dumps(packed).encode(),
        "tengen-engine": (out / "engine" / "tengen.wasm").read_bytes(),
        "tengen-book": (out / "data" / "book.bin").read_bytes(),
        "tengen-network": (out / "networks" / about["networks"][0]["file"]).read_bytes(),
    }
    (out / "tengen.html").write_text(page(out, chunks, unpack.read_text(encoding="utf-8")), encoding="utf-8")


def classic(text: str) -> str:
    """A module as a part of a plain script."""
    return re.sub(
        r"^import .*?;\n", "", re.sub(r"^export (?=const|class|function|async)", "", text, flags=re.M), flags=re.M
    )


def page(out: Path, chunks: dict[str, bytes], unpack: str) -> str:
    text = (out / "index.html").read_text(encoding="utf-8")
    text = re.sub(r'\s*<link rel="(preload|manifest|apple-touch-icon)"[^>]*>', "", text)
    text = re.sub(r'\s*<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    text = re.sub(r'<script type="module"[^>]*></script>', "", text)
    text = re.sub(r'<link rel="stylesheet" href="([^"]+)">', lambda m: f"<style>\n{styles(out, m[1])}</style>", text)
    icon = base64.b64encode((out / "static" / "icon.svg").read_bytes()).decode()
    text = text.replace('href="static/icon.svg"', f'href="data:image/svg+xml;base64,{icon}"')
    coded = {name: base64.b64encode(gzip.compress(data, 9, mtime=0)).decode() for name, data in chunks.items()}
    scripts = "".join(f'<script type="text/plain" id="{name}">{data}</script>\n' for name, data in coded.items())
    return text.replace("</body>", f"{scripts}<script>\n{unpack}</script>\n</body>")


def styles(out: Path, name: str) -> str:
    return (out / name).read_text(encoding="utf-8")
