"""Compiles the core to WebAssembly with the clang that the package `ziglang` brings along.

    python cpp/wasm/build.py OUT_FOLDER

Writes tengen.wasm, tengen.js and tengen.d.ts: the engine as a package that any page can embed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent
ROOMS = ("rules", "solve", "search", "study", "wasm")
LINES = ("edges", "features", "kernels", "kernels_base", "network", "positions", "root", "tree", "walker", "windows")
"""What plays with a line network; the rest of cpp/lines learns."""
FLAGS = [
    "-target", "wasm32-wasi", "-msimd128", "-std=c++20", "-O3", "-DNDEBUG", "-DTENGEN_SINGLE_THREAD",
    "-fno-exceptions", "-fno-rtti", "-ffp-contract=off", "-fvisibility=hidden", "-Wall", "-Wextra",
]  # fmt: skip
INLINE = ["-mllvm", "-inlinehint-threshold=2000"]
"""For the board, whose every stone makes dozens of calls that GCC inlines: worth a sixth of the engine's speed."""
LINK = ["-mexec-model=reactor", "-Wl,-z,stack-size=8388608", "-Wl,--export-dynamic", "-Wl,--gc-sections", "-s"]
SHIPPED = ("tengen.js", "tengen.d.ts", "README.md", "package.json")


def main(out: Path) -> None:
    work = out / ".objects"
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # builds of the same folder wait for each other
        build(out, work)
    print(f"{out / 'tengen.wasm'}: {(out / 'tengen.wasm').stat().st_size / 1024:.0f} kB")


def build(out: Path, work: Path) -> None:
    sources = [path for room in ROOMS for path in sorted((CORE / room).glob("*.cpp"))]
    sources += [CORE / "lines" / f"{name}.cpp" for name in LINES]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        objects = list(pool.map(lambda source: compiled(source, work), sources))
    linked = out / "tengen.wasm"
    if not linked.exists() or linked.stat().st_mtime < max(path.stat().st_mtime for path in objects):
        zig(*FLAGS, *LINK, *map(str, objects), "-o", str(linked))
    for name in SHIPPED:
        shutil.copy(HERE / name, out / name)


def compiled(source: Path, work: Path) -> Path:
    """The object file of a source, compiled again when the source, a file it includes or this one is newer."""
    target = work / f"{source.parent.name}-{source.stem}.o"
    needs = target.with_suffix(".d")
    if not target.exists() or target.stat().st_mtime < max(map(changed, [Path(__file__), source, *included(needs)])):
        more = INLINE if source.parent.name == "rules" else []
        zig(*FLAGS, *more, "-MMD", "-MF", str(needs), "-I", str(CORE), "-c", str(source), "-o", str(target))
    return target


def included(needs: Path) -> list[Path]:
    """The files of ours that a compiler's list of dependencies names; an unknown list is one that changed just now."""
    if not needs.exists():
        return [needs]
    words = needs.read_text(encoding="utf-8").replace("\\\n", " ").split()
    return [path for path in map(Path, words[1:]) if path.is_relative_to(CORE)]


def changed(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else float("inf")


def zig(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", "c++", *words], check=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
