"""A process that searches for the page: `python -m tengen.web.search_process`. JSON lines in, JSON lines out.

In: {"id", "kind", ...}, a job of search_jobs.py, and {"stop": id}. Out: {"id", "frame"}*, then {"id", "result"} or
{"id", "error"}. The input is read on a thread of its own so that a stop, or the end of the server, is heard during a
search.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import traceback
from functools import partial
from typing import Any

from pydantic import BaseModel

from tengen.errors import TengenError

Jobs = queue.Queue[dict[str, Any]]


class Out:
    """One line at a time, whichever thread writes it. Kept apart from fd 1 so that a chatty library cannot
    disturb it.
    """

    def __init__(self) -> None:
        self._file = os.fdopen(os.dup(1), "w", encoding="utf-8")
        self._lock = threading.Lock()
        os.dup2(2, 1)

    def say(self, **message: Any) -> None:
        with self._lock, contextlib.suppress(OSError):
            self._file.write(json.dumps(message, allow_nan=False) + "\n")
            self._file.flush()


class Stop:
    """Which job, if any, has been told to stop. Stops can arrive before their job begins."""

    def __init__(self) -> None:
        self._ids: set[int] = set()
        self.now = threading.Event()
        self.current = 0

    def begin(self, id: int) -> None:
        self.current = id
        self.now.clear()
        if id in self._ids:
            self.now.set()

    def request(self, id: int) -> None:
        self._ids.add(id)
        if id == self.current:
            self.now.set()


def _listen(jobs: Jobs, stop: Stop) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "stop" in message:
            stop.request(message["stop"])
        else:
            jobs.put(message)
    os._exit(0)


def _say_frame(out: Out, id: int, frame: BaseModel) -> None:
    out.say(id=id, frame=frame.model_dump(mode="json"))


def main() -> None:
    nice = int(sys.argv[sys.argv.index("--nice") + 1]) if "--nice" in sys.argv else 0
    if nice:
        with contextlib.suppress(OSError):
            os.nice(nice)
    out, stop, jobs = Out(), Stop(), queue.Queue[dict[str, Any]]()
    threading.Thread(target=_listen, args=(jobs, stop), daemon=True).start()
    from tengen.web.search_jobs import run_job

    while True:
        job = jobs.get()
        id = job.pop("id")
        stop.begin(id)
        try:
            result = run_job(job, partial(_say_frame, out, id), stop.now)
            out.say(id=id, result=result.model_dump(mode="json"))
        except TengenError as error:  # what a person asked for cannot be done
            out.say(id=id, error=str(error)[:300])
        except Exception as error:  # a fault of ours: one line for the page, all of it for the log
            traceback.print_exc()
            out.say(id=id, error=f"{type(error).__name__}: {error}"[:300])


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
