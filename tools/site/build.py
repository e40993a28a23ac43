"""Builds Tengen as a static site: the same page with the engine compiled to WebAssembly, for any web server.

    python tools/site/build.py OUT_FOLDER

OUT_FOLDER/index.html is the site, OUT_FOLDER/tengen.html the same in one file that also opens from a disk, and
OUT_FOLDER/engine the engine for other pages (see its README).
"""

from __future__ import annotations

import fcntl
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

from contents import about_json, column_files, engine_network_files, network_files, study_files  # noqa: E402
from icons import icon_png  # noqa: E402
from one_file import one_file  # noqa: E402

from tengen.web.static_files import STATIC, WORKER, page_modules, page_script, page_style  # noqa: E402

HOME = "static"
ENGINE = ("tengen.wasm", "tengen.js", "tengen.d.ts", "README.md", "package.json")
PORT = '<meta name="tengen-port" content="static/js/local/port.js">'
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{POLICY}">
  {PORT}
  <meta name="theme-color" content="#dcb06a">
  <link rel="manifest" href="manifest.webmanifest">
  <link rel="apple-touch-icon" href="icons/180.png">
  <link rel="preload" href="engine/tengen.wasm" as="fetch" crossorigin>
  <link rel="preload" href="data/about.json" as="fetch" crossorigin>
  """


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (out / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # builds of the same folder wait for each other
        if not up_to_date(out / ".stamp"):
            build(out)
            (out / ".stamp").touch()
    print(sizes(out))


def up_to_date(stamp: Path) -> bool:
    """Is nothing that the site is made of newer than the last build?"""
    made_of = [path for folder in ("src", "cpp", "tools") for path in (ROOT / folder).rglob("*")]
    return stamp.exists() and all(
        path.stat().st_mtime <= stamp.stat().st_mtime for path in made_of if "__pycache__" not in path.parts
    )


def build(out: Path) -> None:
    copy_engine(out / "engine")
    write_page(out / HOME)
    write_data(out / "data")
    write_networks(out / "networks")
    write_icons(out / "icons")
    shutil.copy(HERE / "manifest.webmanifest", out / "manifest.webmanifest")
    write_index(out)
    one_file(out, HERE / "unpack.js", page_modules(HOME))
    write_worker(out)


def copy_engine(folder: Path) -> None:
    """The engine is compiled once for tests and site."""
    built = ROOT / "build" / "wasm"
    subprocess.run([sys.executable, ROOT / "cpp" / "wasm" / "build.py", built], check=True)
    for target, names in ((folder, ENGINE), (STATIC / "engine", ENGINE[:2])):  # a server of this tree offers it too
        target.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(built / name, target / name)


def write_page(folder: Path) -> None:
    """The page as one script and one style sheet; only the worker stays a module of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / WORKER).parent.mkdir(parents=True)
    for name in (WORKER, "icon.svg"):
        shutil.copy(STATIC / name, folder / name)
    (folder / "app.js").write_text(page_script(HOME), encoding="utf-8")
    (folder / "style.css").write_text(page_style(), encoding="utf-8")


def write_data(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "about.json").write_text(about_json(), encoding="utf-8")
    for name, text in study_files().items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, data in column_files().items():
        (folder / name).write_bytes(data)


def write_networks(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in network_files().items():
        (folder / name).write_bytes(data)


def write_icons(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for side in (180, 192, 512):
        (folder / f"{side}.png").write_bytes(icon_png(side))
    (folder / "maskable.png").write_bytes(icon_png(512, bleed=True))


def write_index(out: Path) -> None:
    """The page's own index with addresses that hold in any folder."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    text = re.sub(r'\n *<link rel="preload"[^>]*>', "", text)
    text = text.replace('"/static/', f'"{HOME}/').replace("<title>", HEAD + "<title>")
    (out / "index.html").write_text(text, encoding="utf-8")


def write_worker(out: Path) -> None:
    """The service worker lists the files of the site; its version is what they contain."""
    left_out = {"sw.js", "tengen.html", "engine/README.md", "engine/tengen.d.ts", "engine/package.json"}
    files = {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*")) if path.is_file()}
    kept = {
        name: path for name, path in files.items() if name not in left_out and not name.startswith((".", "networks/"))
    }
    contents = b"".join(name.encode() + path.read_bytes() for name, path in kept.items())
    networks = {"ALL_NETWORKS": network_files(), "ENGINE_NETWORKS": engine_network_files()}
    facts = {"VERSION": hashlib.sha256(contents).hexdigest()[:12], "FILES": ["./", *kept]}
    facts |= {name: [f"networks/{file}" for file in files] for name, files in networks.items()}
    text = (HERE / "sw.js").read_text(encoding="utf-8")
    for name, fact in facts.items():
        text = re.sub(rf"const {name} = .*;", f"const {name} = {json.dumps(fact)};", text, count=1)
    (out / "sw.js").write_text(text, encoding="utf-8")


def sizes(out: Path) -> str:
    """What a first visit transfers, compressed as servers do it."""
    later = ("puzzles.json", "lessons.json", "book.json", "tengen.html", "sw.js", "package.json")
    kinds = (".html", ".js", ".css", ".json", ".wasm", ".svg", ".webmanifest")
    asked = [path for path in out.rglob("*") if path.suffix in kinds and path.name not in later]
    packed = sum(len(gzip.compress(path.read_bytes(), 6, mtime=0)) for path in asked)
    one = (out / "tengen.html").stat().st_size
    return (
        f"{out}: {packed / 1000:.0f} kB gzipped without puzzles, lessons and networks; tengen.html {one / 1000:.0f} kB"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
