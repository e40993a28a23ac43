"""An engine's process under guard: its lines, its last words, its memory, and a sure way to end it."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tengen.errors import clip

LINE_BYTES = 4096
QUEUED_LINES = 2000
"""An engine that floods us is blocked here, on its own time."""
FAREWELL = 0.5
"""Seconds an engine has to leave after END."""

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class EngineProcess:
    """Starts `argv` in a process group of its own. Lines come in by `read`; `kill` ends the whole group."""

    def __init__(self, argv: list[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._lines: queue.Queue[str | None] = queue.Queue(QUEUED_LINES)
        self._errors: deque[str] = deque(maxlen=3)
        assert self._process.stdout and self._process.stderr
        self._readers = [
            _start(_pump, self._process.stdout, self._lines),
            _start(_keep_last, self._process.stderr, self._errors),
        ]
        self._finalizer = weakref.finalize(self, _kill_group, self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, *lines: str) -> None:
        """Sends lines as one write. Raises OSError when the engine no longer reads."""
        assert self._process.stdin
        self._process.stdin.write("".join(line + "\r\n" for line in lines).encode())
        self._process.stdin.flush()

    def read(self, seconds: float) -> str | None:
        """The next line; None when the output has ended. Raises TimeoutError when nothing comes."""
        try:
            line = self._lines.get(timeout=max(0.0, seconds))
        except queue.Empty:
            raise TimeoutError from None
        if line is None:
            self._lines.put(None)  # the end stays the end for the next reader
        return line

    def memory(self) -> int:
        """Resident bytes of the engine and all its descendants; 0 where the system does not say."""
        return sum(_resident(pid) for pid in _tree(self.pid))

    def suspend(self) -> None:
        _signal_group(self._process, "SIGSTOP")

    def resume(self) -> None:
        _signal_group(self._process, "SIGCONT")

    def last_words(self) -> str:
        """How it ended and what it last complained about."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        self._readers[1].join(0.2)
        said = f"; stderr: {clip(self._errors[-1], 120)}" if self._errors else ""
        return _ending(self._process.returncode) + said

    def close(self) -> None:
        """END, a moment to obey, then the kill."""
        with contextlib.suppress(OSError, ValueError, subprocess.TimeoutExpired):
            self.resume()
            self.send("END")
            self._process.wait(FAREWELL)
        self.kill()

    def kill(self) -> None:
        self._finalizer()
        give_up = time.monotonic() + 1.0
        while self._readers[0].is_alive() and time.monotonic() < give_up:
            with contextlib.suppress(queue.Empty):  # a flood holds the reader; let it see the end
                self._lines.get(timeout=0.01)


def _start(target: object, stream: IO[bytes], sink: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=(stream, sink), daemon=True)  # type: ignore[arg-type]
    thread.start()
    return thread


def _pump(stream: IO[bytes], lines: queue.Queue[str | None]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in _lines_of(stream):
            lines.put(line)
    lines.put(None)


def _keep_last(stream: IO[bytes], errors: deque[str]) -> None:
    with contextlib.suppress(OSError, ValueError):
        errors.extend(line for line in _lines_of(stream) if line)


def _lines_of(stream: IO[bytes]) -> Iterator[str]:
    while raw := stream.readline(LINE_BYTES):
        yield raw.decode("utf-8", errors="replace").strip()


def _ending(code: int | None) -> str:
    if code is None:
        return "it closed its output but still runs"
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"killed by {signal.Signals(-code).name}"
    return f"exit code {code}"


def _signal_group(process: subprocess.Popen[bytes], name: str) -> None:
    number = getattr(signal, name, None)
    if number is not None and process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, number)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kills what is left of the group: a leader that has gone may leave children behind."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    with contextlib.suppress(OSError, ValueError):
        assert process.stdin
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(5)


def _tree(pid: int) -> list[int]:
    """The process and its descendants, as far as /proc lists them."""
    found, new = [pid], [pid]
    while new:
        children = [child for parent in new for child in _children(parent)]
        new = [child for child in children if child not in found]
        found += new
    return found


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError, ValueError):
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return []


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0
