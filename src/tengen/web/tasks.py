"""Long work in processes of its own: tournaments and training runs, started and stopped from the page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tengen.errors import TengenError
from tengen.web.search_pool import Refused

MAX_RUNNING = 2
STOP_SECONDS = 8.0
TAIL = 4_000
INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""

Process = asyncio.subprocess.Process


class Tasks:
    """`tengen` commands by id. Output goes to a file; a stop is Ctrl-C first and a kill when that does not help."""

    def __init__(self) -> None:
        self._processes: dict[str, Process] = {}
        self._starting: set[str] = set()
        self._stopping: set[asyncio.Task[None]] = set()

    def running(self, id: str) -> bool:
        process = self._processes.get(id)
        return id in self._starting or (process is not None and process.returncode is None)

    def failed(self, id: str) -> bool:
        """Did it end by a fault of its own? One that was interrupted or killed by a signal was only stopped."""
        process = self._processes.get(id)
        code = process.returncode if process else None
        return code is not None and code > 0 and code != INTERRUPTED

    async def start(self, id: str, args: list[str], log: Path, prepare: Callable[[], None] | None = None) -> None:
        """Takes a slot, calls `prepare`, starts the command. Raises Refused, with nothing done, when there is none.

        The slot is taken before anything is awaited, so that requests that come at once cannot share it.
        """
        if self.running(id):
            raise Refused("it is running already")
        if sum(self.running(i) for i in {*self._processes, *self._starting}) >= MAX_RUNNING:
            raise Refused(f"at most {MAX_RUNNING} tournaments and trainings run at a time; stop one first")
        self._starting.add(id)
        try:
            if prepare:
                prepare()
            self._processes[id] = await _spawn(args, log)
        finally:
            self._starting.discard(id)

    def stop(self, id: str) -> None:
        if (process := self._processes.get(id)) and process.returncode is None:
            task = asyncio.create_task(self._end(process))
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    async def close(self) -> None:
        await asyncio.gather(*(self._end(p, 1.0) for p in self._processes.values() if p.returncode is None))

    async def _end(self, process: Process, patience: float = STOP_SECONDS) -> None:
        for sign, seconds in ((signal.SIGINT, patience), (signal.SIGKILL, 5.0)):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, sign)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), seconds)
                return


async def _spawn(args: list[str], log: Path) -> Process:
    with log.open("ab") as out:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tengen", *args, stdin=asyncio.subprocess.DEVNULL, stdout=out, stderr=out,
            start_new_session=True, env=os.environ | {"NO_COLOR": "1"},
        )  # fmt: skip


async def finish(args: list[str], seconds: float) -> None:
    """Runs a short command to its end. What it complains of is raised as one line."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.txt"
        process = await _spawn(args, log)
        try:
            code = await asyncio.wait_for(process.wait(), seconds)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
        if code:
            raise TengenError(tail(log).strip().splitlines()[-1] if tail(log).strip() else f"it ended with code {code}")


def tail(path: Path) -> str:
    """The last words of a log."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - TAIL))
            return file.read().decode("utf-8", errors="replace")
    except OSError:
        return ""
