"""Builds wheels that need no compiler to install: one for each system, from any of them.

    python tools/wheels.py OUT_FOLDER [TARGET ...]

The clang of the package `ziglang` compiles the core for every target, against an old glibc on Linux, so that one
machine makes all wheels. `auditwheel` checks the Linux ones and names them. The wheels are for the minor version of the
Python that runs this. A core for another system cannot be loaded here: what was never run is said at the end.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "wheels"
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"


@dataclass(frozen=True, slots=True)
class Target:
    """`zig` is how the compiler calls the system, `tag` how wheels do, `suffix` what Python looks for there."""

    zig: str
    tag: str
    suffix: str
    system: str
    processor: str


def linux(processor: str) -> Target:
    suffix = f".cpython-{PYTHON[2:]}-{processor}-linux-gnu.so"
    return Target(f"{processor}-linux-gnu.2.17", f"linux_{processor}", suffix, "Linux", processor)


def macos(zig: str, processor: str) -> Target:
    suffix = f".cpython-{PYTHON[2:]}-darwin.so"
    return Target(f"{zig}-macos.11.0", f"macosx_11_0_{processor}", suffix, "Darwin", processor)


TARGETS = {
    "linux-x86_64": linux("x86_64"),
    "linux-aarch64": linux("aarch64"),
    "macos-arm64": macos("aarch64", "arm64"),
    "macos-x86_64": macos("x86_64", "x86_64"),
}
USUAL = ("linux-x86_64", "linux-aarch64")
"""The others are tried when they are named: the linker of ziglang 0.17.0 fails on them (docs/install.md)."""


def main(out: Path, names: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    WORK.mkdir(parents=True, exist_ok=True)
    sources = python_part()
    run(sys.executable, str(ROOT / "cpp" / "wasm" / "build.py"), str(ROOT / "build" / "wasm"))
    for name in names or USUAL:
        wheel = named(assembled(sources, TARGETS[name], core(name, TARGETS[name])), TARGETS[name], out)
        run_here = TARGETS[name].tag == f"{platform.system()}_{platform.machine()}".lower()
        note = "" if run_here else " (never run: it is for another system)"
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB{note}", flush=True)


def python_part() -> Path:
    """The wheel without a core: everything that is the same on every system."""
    folder = fresh(WORK / "python")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-C", "wheel.cmake=false",
        "--wheel-dir", str(folder), str(ROOT))  # fmt: skip
    return next(folder.glob("*.whl"))


def core(name: str, target: Target) -> Path:
    """The native module for a target."""
    folder = WORK / name
    cross = ["-DCMAKE_SYSTEM_NAME=" + target.system, "-DCMAKE_SYSTEM_PROCESSOR=" + target.processor]
    run("cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DTENGEN_NATIVE=OFF", "-DTENGEN_STUB=OFF", *cross,
        f"-DCMAKE_CXX_COMPILER={compiler(name, target)}", f"-DPython_EXECUTABLE={sys.executable}",
        f"-DPython_INCLUDE_DIR={headers()}", "-DCMAKE_STRIP=")  # fmt: skip
    run(
        "cmake",
        "--build",
        str(folder),
        "--parallel",
        os.environ.get("JOBS", str(os.cpu_count() or 2)),
        "--target",
        "_core",
    )
    return next(path for path in folder.iterdir() if path.name.startswith("_core") and path.suffix == ".so")


def headers() -> Path:
    """Python's headers in one folder: some systems keep pyconfig.h where only their own compiler looks."""
    folder, include = WORK / "include", Path(sysconfig.get_paths()["include"])
    if not folder.exists():
        shutil.copytree(include, folder)
        apart = include.parent / str(sysconfig.get_config_var("MULTIARCH")) / include.name / "pyconfig.h"
        shutil.copy(apart if apart.exists() else include / "pyconfig.h", folder / "pyconfig.h")
    return folder


def compiler(name: str, target: Target) -> Path:
    """One word that CMake can call. Zig writes processors with underscores: x86_64_v3."""
    script = WORK / f"c++-{name}"
    script.write_text(
        f"""#!{sys.executable}
import os, re, sys
zig = ["{sys.executable}", "-m", "ziglang", "c++", "-target", "{target.zig}"]
words = [re.sub("^-march=x86-64-?", "-march=x86_64_", word).rstrip("_") for word in sys.argv[1:]]
os.execv(zig[0], zig + words)
""",
        encoding="utf-8",
    )
    script.chmod(0o755)
    return script


def assembled(sources: Path, target: Target, native: Path) -> Path:
    folder = fresh(WORK / "unpacked")
    run(sys.executable, "-m", "wheel", "unpack", "--dest", str(folder), str(sources))
    inside = next(folder.iterdir())
    shutil.copy(native, inside / "tengen" / f"_core{target.suffix}")
    browser = inside / "tengen" / "web" / "static" / "engine"
    browser.mkdir(exist_ok=True)
    for name in ("tengen.wasm", "tengen.js"):
        shutil.copy(ROOT / "build" / "wasm" / name, browser / name)
    if (stub := ROOT / "src" / "tengen" / "_core.pyi").exists():
        shutil.copy(stub, inside / "tengen" / stub.name)
    facts = next(inside.glob("*.dist-info")) / "WHEEL"
    kept = [line for line in facts.read_text().splitlines() if not line.startswith(("Tag:", "Root-Is-Purelib:"))]
    tag = f"{PYTHON}-{PYTHON}-{target.tag}"
    facts.write_text("\n".join([*(line for line in kept if line), "Root-Is-Purelib: false", f"Tag: {tag}"]) + "\n")
    packed = fresh(WORK / "packed")
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", str(packed), str(inside))
    return next(packed.glob("*.whl"))


def named(wheel: Path, target: Target, out: Path) -> Path:
    """Under the name that pip looks for; a Linux wheel that needs more than the old glibc is refused by auditwheel."""
    if target.system != "Linux":
        return Path(shutil.copy(wheel, out / wheel.name))
    folder = fresh(WORK / "named")
    run(sys.executable, "-m", "auditwheel", "repair", "--plat", "auto", "--wheel-dir", str(folder), str(wheel))
    made = next(folder.glob("*.whl"))
    if "manylinux_2_17" not in made.name:
        sys.exit(f"{made.name}: the core needs more than glibc 2.17")
    return Path(shutil.copy(made, out / made.name))


def fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def run(*words: str) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
