"""The record file of a running match: one writer, nothing lost, nothing twice."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from tengen.arena.schedule import check_variant
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.records import GameRecord, append_record, compressed, read_records, record_bytes
from tengen.rules import Variant

_HEAD = b'{"black":'
"""How each line of ours begins."""


class RecordStore:
    """Records on the disk and in memory. Opening repairs a last line that a kill cut short.

    A file that exists only compressed is decompressed first, so that published records can be continued.

    Holds a lock for as long as it is open, so that two runs cannot play the same games into one file. A file that is
    not ours, or holds games on another variant than the one asked for, is refused and stays as it is.
    """

    def __init__(self, path: Path, variant: Variant | None = None) -> None:
        if path.suffix == ".gz":
            raise TengenError(f"records are written uncompressed; use {path.with_suffix('')} instead of {path}")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() and (copy := compressed(path)).is_file():
            write_atomic(path, record_bytes(copy))
        self.path = path
        self._lock = path.open("ab")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise TengenError(f"{path} is being written by another run; wait for it or choose another --out") from None
        try:
            self.records = list(read_records(path))
            if variant:
                check_variant(self.records, variant)
            _mend_last_line(path, bool(self.records))
        except ValueError:
            self._lock.close()
            raise

    def append(self, record: GameRecord) -> None:
        append_record(self.path, record)
        self.records.append(record)

    def keep(self, games: Iterable[GameRecord]) -> Generator[GameRecord, None, None]:
        """Passes games on, each after it is safe on the disk."""
        for record in games:
            self.append(record)
            yield record

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.close()


def _mend_last_line(path: Path, ours: bool) -> None:
    """Ends a whole last line that lacks its newline; cuts off a broken one, if a record of ours broke there."""
    data = path.read_bytes()
    if not data or data.endswith(b"\n"):
        return
    start = data.rfind(b"\n") + 1
    if not ours and not _begins_a_record(data[start:]):
        raise TengenError(f"{path} is not a record file; choose another --out")
    with path.open("r+b") as file:
        if _is_record(data[start:]):
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        else:
            file.truncate(start)
        file.flush()
        os.fsync(file.fileno())


def _begins_a_record(line: bytes) -> bool:
    return line.startswith(_HEAD) or _HEAD.startswith(line)


def _is_record(line: bytes) -> bool:
    try:
        GameRecord.from_json(line.decode("utf-8"))
    except (ValueError, TypeError, KeyError):
        return False
    return True
