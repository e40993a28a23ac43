"""Files that are whole or absent: a temporary name, fsync, one rename, fsync of the folder."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tengen.errors import TengenError

DATA_FOLDER = "TENGEN_DATA"
"""Environment variable that names another data folder than the system's custom."""

TEMPORARY = ".tmp-"
"""Names with this prefix were left by a killed process and may be removed."""


def data_folder() -> Path:
    """The user's data folder, by the custom of each system. It need not exist yet."""
    if chosen := os.environ.get(DATA_FOLDER):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tengen"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "tengen"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tengen"


def write_atomic(path: Path, data: bytes | str) -> None:
    """Replaces a file in one step: a reader sees the old bytes or the new, never a part. Creates missing folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(TEMPORARY + path.name)
    with errors_named(path), temporary.open("wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)  # noqa: PTH105 - one system call, named as the contract names it
    sync_folder(path.parent)


@contextmanager
def errors_named(path: Path) -> Iterator[None]:
    """Gives an error of the disk the name of the file it is about, which the system leaves out."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def write_json(path: Path, data: Any) -> None:
    write_atomic(path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    try:
        return parse_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TengenError(f"{path} is not a JSON file: {error}") from None


def parse_json(text: str | bytes) -> Any:
    """JSON as the standard has it: finite numbers, text without half characters. Raises TengenError."""
    try:
        data = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        if (b"\\u" if isinstance(text, bytes) else "\\u") in text:  # type: ignore[operator]
            json.dumps(data, ensure_ascii=False).encode()
    except TengenError:
        raise
    except UnicodeEncodeError:
        raise TengenError("a string contains half a character (a lone surrogate)") from None
    except RecursionError:
        raise TengenError("lists or objects are nested too deep") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise TengenError(str(error)) from None
    except ValueError:  # an integer with thousands of digits
        raise TengenError("a number is too large") from None
    return data


def _refuse_constant(name: str) -> Any:
    raise TengenError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise TengenError("a number is too large")
    return number


def read_object(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object."""
    data = read_json(path)
    if not isinstance(data, dict):
        raise TengenError(f"{path} holds a JSON {type(data).__name__}, not an object {{...}}")
    return data


def sync_folder(folder: Path) -> None:
    """Makes renames in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder that appears under its name with all its files, or not at all."""
    temporary = path.with_name(TEMPORARY + path.name)
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    yield temporary
    for file in temporary.iterdir():
        _sync_file(file)
    sync_folder(temporary)
    if path.exists():
        remove_folder(path)
    os.replace(temporary, path)  # noqa: PTH105
    sync_folder(path.parent)


def remove_folder(path: Path) -> None:
    """Renames before deleting, so that a kill cannot leave half a folder under a good name."""
    doomed = path.with_name(f"{TEMPORARY}old-{path.name}")
    shutil.rmtree(doomed, ignore_errors=True)
    os.replace(path, doomed)  # noqa: PTH105
    shutil.rmtree(doomed, ignore_errors=True)


def remove_leftovers(folder: Path) -> None:
    """Deletes what a killed process left half written."""
    for path in folder.glob(TEMPORARY + "*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def append_line(path: Path, line: str) -> None:
    """Adds one line to a log and makes sure it is on the disk before returning."""
    with errors_named(path), path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())


def _sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
