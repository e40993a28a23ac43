"""Where tasks run: in this process, in local processes, or on a Ray cluster. Same tasks, same results.

A task is a plain value and carries its own seed, so it does not matter who does it, or who does it again after a
worker was lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import repeat
from typing import Any, Protocol

from tengen.errors import TengenError

Function = Callable[[Any, Any], Any]
"""A function of a module: (what all tasks share, one task) -> result."""

Work = tuple[Any, Any]
"""What a task shares with others, and the task."""

MAX_LOSSES = 5
"""Times in a row that workers may be lost before any task is finished."""


LOOPBACK = "127.0.0.1"


class WorkersLostError(OSError):
    """Workers die faster than they finish tasks."""


class Workers(Protocol):
    """Runs tasks and gives back (index, result) in the order they finish."""

    count: int

    def map(self, function: Function, shared: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]: ...

    def stream(self, function: Function, work: Iterable[Work]) -> Iterator[tuple[int, Any]]:
        """The same for tasks that each bring what they share. They are asked for as workers become free, so work may be
        endless, and a late task may bring what an early one did not know. A result is waited for only when it is asked
        for; some tasks are always under way."""
        ...

    def close(self) -> None: ...


class InlineWorkers:
    """Runs tasks here, one after another."""

    count = 1

    def map(self, function: Function, shared: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        return self.stream(function, zip(repeat(shared), tasks, strict=False))

    def stream(self, function: Function, work: Iterable[Work]) -> Iterator[tuple[int, Any]]:
        for index, (shared, task) in enumerate(work):
            yield index, function(shared, task)

    def close(self) -> None:
        pass


class LocalWorkers:
    """Processes of this machine, one inference thread each. A lost process costs only its unfinished tasks."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    def map(self, function: Function, shared: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        return self.stream(function, zip(repeat(shared), tasks, strict=False))

    def stream(self, function: Function, work: Iterable[Work]) -> Iterator[tuple[int, Any]]:
        waiting: dict[int, Work] = {}
        left, losses, ended = enumerate(work), 0, False
        while not ended:
            try:
                for index, result in self._attempt(function, left, waiting):
                    del waiting[index]
                    losses = 0
                    yield index, result
                ended = True
            except BrokenProcessPool:
                self.close()
                losses += 1
                if losses >= MAX_LOSSES:
                    raise WorkersLostError("worker processes keep dying; is there enough memory?") from None

    def _attempt(self, function: Function, left: Iterator[tuple[int, Work]],
                 waiting: dict[int, Work]) -> Iterator[tuple[int, Any]]:  # fmt: skip
        """Waiting tasks first, then new ones. Few are handed out at a time, so that what they share is not copied for
        all."""
        pool = self._executor()
        running = {pool.submit(function, *work): index for index, work in waiting.items()}
        while True:
            while len(running) < 2 * self.count and (item := next(left, None)) is not None:
                index, waiting[index] = item[0], item[1]
                running[pool.submit(function, *item[1])] = index
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, context, initializer=_start_worker)
        return self._pool

    def close(self) -> None:
        """Ends the processes at once: what they are at would be thrown away."""
        if self._pool is not None:
            processes = list((self._pool._processes or {}).values())
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            self._pool = None


class RayWorkers:
    """Tasks on a Ray cluster (extra `cluster`). Ray runs the tasks of a lost node again elsewhere."""

    def __init__(self, address: str = "", count: int = 0) -> None:
        try:
            import ray
        except ImportError:
            raise TengenError("--workers ray needs Ray: pip install 'tengen[cluster]'") from None
        self._ray = ray
        if not ray.is_initialized():
            _connect(ray, address, count)
        self.count = count or max(1, int(ray.cluster_resources().get("CPU", 1)))

    def map(self, function: Function, shared: Any, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        return self.stream(function, zip(repeat(shared), tasks, strict=False))

    def stream(self, function: Function, work: Iterable[Work]) -> Iterator[tuple[int, Any]]:
        ray, left = self._ray, enumerate(work)
        remote = ray.remote(num_cpus=1, max_retries=MAX_LOSSES)(function)
        running: dict[Any, int] = {}
        held: tuple[Any, Any] = (None, ray.put(None))
        while True:
            while len(running) < 2 * self.count and (item := next(left, None)) is not None:
                index, (shared, task) = item
                held = held if shared is held[0] else (shared, ray.put(shared))
                running[remote.remote(held[1], task)] = index
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            yield running.pop(done[0]), self._result(done[0])

    def _result(self, reference: Any) -> Any:
        try:
            return self._ray.get(reference)
        except self._ray.exceptions.WorkerCrashedError as error:
            raise WorkersLostError(f"workers of the cluster keep dying: {error}") from None

    def close(self) -> None:
        self._ray.shutdown()


def _connect(ray: Any, address: str, count: int) -> None:
    """Joins the cluster at host:port, or starts one for this process alone, on the loopback only."""
    options: dict[str, Any] = {"address": address} if address else {"num_cpus": count or None}
    host, _, port = address.rpartition(":")
    if not address or host.startswith("127."):
        options["_node_ip_address"] = host or LOOPBACK  # or Ray would use this machine's outer address
    try:
        if address:
            socket.create_connection((host, int(port)), timeout=5).close()  # Ray itself would try for minutes
        ray.init(log_to_driver=False, include_dashboard=False, **options)
    except (OSError, RuntimeError, ValueError) as error:
        where = f"reach a Ray cluster at '{address}' (host:port)" if address else "start Ray"
        raise TengenError(f"cannot {where}: {str(error).splitlines()[0]}") from None


def check_workers(kind: str) -> tuple[bool, int]:
    """`2`: that many local processes; `ray` or `ray:8`: a cluster, with at most 8 tasks at a time.

    Returns (on a cluster, count), and raises for anything else before work begins.
    """
    name, _, count = kind.partition(":")
    if name == "ray" and (not count or count.isdecimal()):
        return True, int(count or 0)
    if not kind.isdecimal():
        raise TengenError(f"--workers {kind}: write a number of local processes, or ray")
    if int(kind) < 1:
        raise TengenError(f"{kind} workers cannot play; choose 1 or more")
    return False, int(kind)


def make_workers(kind: str, address: str = "") -> Workers:
    """The workers that a text names, see `check_workers`. A single one needs no process of its own."""
    cluster, count = check_workers(kind)
    if cluster:
        return RayWorkers(address, count)
    return LocalWorkers(count) if count > 1 else InlineWorkers()


def part_workers(parts: int, kind: str, address: str = "") -> Workers:
    """Workers for a method whose iteration is played in so many parts: a single one needs no process but this."""
    return InlineWorkers() if parts == 1 and not check_workers(kind)[0] else make_workers(kind, address)


def map_in_order(workers: Workers, function: Function, shared: Any, tasks: Sequence[Any]) -> tuple[list[Any], float]:
    """The results in the order of their tasks, and the processor seconds that other processes spent on them."""
    found = dict(workers.map(_timed, (function, shared), tasks))
    seconds = sum(spent for _, spent, process in found.values() if process != os.getpid())
    return [found[index][0] for index in range(len(tasks))], seconds


def _timed(work: tuple[Function, Any], task: Any) -> tuple[Any, float, int]:
    function, shared = work
    start = time.process_time()
    result = function(shared, task)
    return result, time.process_time() - start, os.getpid()


def _start_worker() -> None:
    """A worker leaves Ctrl-C to its parent, and ends when the parent is gone, however it went."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
