"""Where a figure comes from: the code's revision, the versions of what decides a result, the processor."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from tengen import __version__

DECIDING = ("torch", "onnxruntime", "numpy")
"""Packages whose version may change a result."""


@cache
def revision() -> str:
    """The commit of the source tree this code runs from, with `+changes` if files differ from it; else the version."""
    folder = Path(__file__).parent
    commit = _git(folder, "rev-parse", "--short=12", "HEAD") if _git(folder, "ls-files", "provenance.py") else ""
    if not commit:
        return __version__
    return commit + ("+changes" if _git(folder, "status", "--porcelain", "--", ".") else "")


def _git(folder: Path, *words: str) -> str:
    """What git answers; empty where there is no git, or no repository that holds this file."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


@cache
def processor() -> str:
    """The processor's name as its maker writes it; where the system does not tell, its kind."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


@cache
def versions() -> dict[str, str]:
    """Versions of what decides a result, for run.json, model cards and game records."""
    found = {"python": platform.python_version(), "tengen": __version__}
    for package in DECIDING:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def origin() -> dict[str, Any]:
    """All of it, as run.json and model cards have it."""
    return {"revision": revision(), "processor": processor(), "versions": versions()}
