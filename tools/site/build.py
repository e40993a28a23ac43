"""Builds Tengen as a static site: the same page with the engine compiled to WebAssembly, for any web server.

    python tools/site/build.py OUT_FOLDER

OUT_FOLDER/index.html is the site, OUT_FOLDER/tengen.html the same in one file that also opens from a disk, and
OUT_FOLDER/engine the engine for other pages (see its README).
"""

from __future__ import annotations

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

from contents import about_json, study_files  # noqa: E402
from icons import icon_png  # noqa: E402
from one_file import one_file  # noqa: E402

STATIC = ROOT / "src" / "tengen" / "web" / "static"
ENGINE = ("tengen.wasm", "tengen.js", "tengen.d.ts", "README.md", "package.json")
PORT = '<meta name="tengen-port" content="./local/port.js">'
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{POLICY}">
  {PORT}
  <meta name="theme-color" content="#dcb06a">
  <link rel="manifest" href="manifest.webmanifest">
  <link rel="apple-touch-icon" href="icons/180.png">
  """


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    copy_engine(out / "engine")
    replace_folder(STATIC, out / "static")
    (out / "static" / "index.html").unlink()
    write_data(out / "data")
    write_icons(out / "icons")
    shutil.copy(HERE / "manifest.webmanifest", out / "manifest.webmanifest")
    write_index(out)
    one_file(out, HERE / "unpack.js")
    write_worker(out)
    print(sizes(out))


def copy_engine(folder: Path) -> None:
    """The engine is compiled once for tests and site."""
    built = ROOT / "build" / "wasm"
    subprocess.run([sys.executable, ROOT / "cpp" / "wasm" / "build.py", built], check=True)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ENGINE:
        shutil.copy(built / name, folder / name)


def replace_folder(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))


def write_data(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "about.json").write_text(about_json(), encoding="utf-8")
    for name, text in study_files().items():
        (folder / name).write_text(text, encoding="utf-8")


def write_icons(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for side in (180, 192, 512):
        (folder / f"{side}.png").write_bytes(icon_png(side))
    (folder / "maskable.png").write_bytes(icon_png(512, bleed=True))


def write_index(out: Path) -> None:
    """The page's own index with addresses that hold in any folder."""
    text = (STATIC / "index.html").read_text(encoding="utf-8").replace('"/static/', '"static/')
    preload = "".join(
        f'<link rel="modulepreload" href="{path.relative_to(out).as_posix()}">\n  '
        for path in [out / "engine" / "tengen.js", *sorted((out / "static" / "js" / "local").glob("*.js"))]
        if path.name != "worker.js"
    )
    text = text.replace("<title>", HEAD + preload + "<title>")
    (out / "index.html").write_text(text, encoding="utf-8")


def write_worker(out: Path) -> None:
    """The service worker lists every file of the site; its version is what they contain."""
    left_out = {"sw.js", "tengen.html", "engine/README.md", "engine/tengen.d.ts", "engine/package.json"}
    files = {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*")) if path.is_file()}
    kept = {name: path for name, path in files.items() if name not in left_out and not name.startswith(".")}
    version = hashlib.sha256(b"".join(name.encode() + path.read_bytes() for name, path in kept.items())).hexdigest()[
        :12
    ]
    text = (HERE / "sw.js").read_text(encoding="utf-8")
    text = re.sub(r"VERSION = .*;", f'VERSION = "{version}";', text, count=1)
    text = re.sub(r"FILES = .*;", f"FILES = {json.dumps(['./', *kept])};", text, count=1)
    (out / "sw.js").write_text(text, encoding="utf-8")


def sizes(out: Path) -> str:
    """What a first visit transfers, compressed as servers do it."""
    study = ("puzzles.json", "lessons.json", "book.json")
    files = [path for path in out.rglob("*") if path.is_file() and path.suffix not in (".ts", ".md", ".png")]
    asked = [path for path in files if path.name not in ("tengen.html", "sw.js", "package.json", *study)]
    packed = sum(len(gzip.compress(path.read_bytes(), 6, mtime=0)) for path in asked)
    one = (out / "tengen.html").stat().st_size
    return f"{out}: {packed / 1000:.0f} kB gzipped without puzzles and lessons; tengen.html {one / 1000:.0f} kB"


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
