"""Bundled experiments: one TOML file each, found by name from any folder.

Most hold the settings of a training run (`tengen train quick`); those with a `kind` describe a published experiment
(`tengen reproduce a-table-4-1`).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tengen.errors import TengenError

FOLDER = Path(__file__).parent


def experiment_names(*, reproductions: bool) -> list[str]:
    """Names of the bundled experiments: those to reproduce, or those to train."""
    return sorted(path.stem for path in FOLDER.glob("*.toml") if ("kind" in read_toml(path)) == reproductions)


def find_experiment(name: str, *, reproductions: bool) -> Path:
    """A bundled experiment by its name, or the TOML file at that path; it must be of the sort asked for."""
    bundled, command, other = FOLDER / f"{name}.toml", "train", "reproduce"
    if reproductions:
        command, other = other, command
    path = bundled if "/" not in name and bundled.is_file() else Path(name)
    if not path.is_file():
        known = ", ".join(experiment_names(reproductions=reproductions))
        raise TengenError(f"no experiment '{name}'; give a TOML file or one of {known}")
    if ("kind" in read_toml(path)) != reproductions:
        raise TengenError(f"{name} is not for tengen {command}; run it with: tengen {other} {name}")
    return path


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TengenError(f"{path} is not a TOML file: {error}") from None
