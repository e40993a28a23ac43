"""Files of named arrays (npz): written whole or not at all, and read with one line for whatever is wrong with one."""

from __future__ import annotations

import errno
import io
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from tengen.errors import TengenError
from tengen.files import write_atomic

Arrays = dict[str, NDArray[Any]]


def write_arrays(path: Path, arrays: Arrays) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # numpy's stub takes them for its own options
    write_atomic(path, buffer.getvalue())


def read_arrays(path: Path, names: Iterable[str]) -> Arrays:
    """Raises TengenError, without the file name, for one that is damaged or not an npz with these arrays."""
    try:
        with _opened(path) as data:
            if missing := [name for name in names if name not in data.files]:
                raise TengenError(f"it lacks {', '.join(missing)}")
            return {name: data[name] for name in names}
    except (TypeError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise TengenError(f"it is damaged: {error}") from None
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
        raise TengenError("it is damaged: it names a place outside of itself") from None


def _opened(path: Path) -> NpzFile:
    data = np.load(path, allow_pickle=False)
    if not isinstance(data, NpzFile):
        raise TengenError("it is one array, not an npz of several")
    return data
