"""Workers: order does not matter, a lost worker costs only its unfinished tasks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tengen.training.run.workers import InlineWorkers, LocalWorkers, Workers, WorkersLostError, make_workers
from tests.helpers.paths import ROOT


def add(shared: int, task: int) -> int:
    return shared + task


def die_once(folder: str, task: int) -> int:
    """Kills its own process the first time it meets task 3."""
    mark = Path(folder) / "died"
    if task == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    (Path(folder) / f"{task}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return task * task


def always_die(shared: None, task: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(shared: None, task: int) -> None:
    raise ValueError(f"task {task} is impossible")


@pytest.fixture(scope="module", params=["inline", "local"])
def workers(request: pytest.FixtureRequest) -> Workers:
    made = InlineWorkers() if request.param == "inline" else LocalWorkers(2)
    request.addfinalizer(made.close)
    return made


def test_every_task_is_done_once(workers: Workers) -> None:
    results = list(workers.map(add, 100, list(range(7))))
    assert sorted(results) == [(i, 100 + i) for i in range(7)]
    assert list(workers.map(add, 100, [])) == []


def test_an_error_of_a_task_is_passed_on(workers: Workers) -> None:
    with pytest.raises(ValueError, match="task 5 is impossible"):
        list(workers.map(fail, None, [5]))
    assert list(workers.map(add, 1, [1])) == [(0, 2)]


def test_a_lost_worker_costs_only_its_unfinished_tasks(tmp_path: Path) -> None:
    workers = LocalWorkers(2)
    try:
        results = dict(workers.map(die_once, str(tmp_path), list(range(8))))
    finally:
        workers.close()
    assert results == {i: i * i for i in range(8)}
    done = [p.name.split("-")[0] for p in tmp_path.iterdir() if p.name != "died"]
    assert set(done) == {str(i) for i in range(8)}
    assert len(done) <= 8 + 3, "tasks that had been finished were done again"


def test_workers_that_always_die_end_in_an_error() -> None:
    workers = LocalWorkers(1)
    with pytest.raises(WorkersLostError, match="keep dying"):
        list(workers.map(always_die, None, [1]))
    workers.close()


ORPHAN = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from tests.training.run.test_workers import note_pid_and_sleep
from tengen.training.run.workers import LocalWorkers
if __name__ == "__main__":
    list(LocalWorkers(1).map(note_pid_and_sleep, {folder!r}, [1]))
"""


def note_pid_and_sleep(folder: str, task: int) -> None:
    (Path(folder) / f"pid-{os.getpid()}").touch()
    time.sleep(60)


def test_workers_end_with_a_killed_parent(tmp_path: Path) -> None:
    script = tmp_path / "orphan.py"
    script.write_text(ORPHAN.format(tests=str(ROOT), folder=str(tmp_path)))
    parent = subprocess.Popen([sys.executable, str(script)])
    until = time.monotonic() + 60
    while not (pids := [int(p.name[4:]) for p in tmp_path.glob("pid-*")]) and time.monotonic() < until:
        time.sleep(0.1)
    parent.kill()
    parent.wait()
    assert pids, "no worker began within a minute"
    until = time.monotonic() + 30
    while _alive(pids[0]) and time.monotonic() < until:
        time.sleep(0.1)
    assert not _alive(pids[0])


def _alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_one_worker_needs_no_process() -> None:
    assert isinstance(make_workers("1"), InlineWorkers) and isinstance(make_workers("2"), LocalWorkers)


@pytest.mark.parametrize(("kind", "message"), [("0", "choose 1 or more"), ("many", "number"), ("-1", "number")])
def test_bad_numbers_of_workers_are_refused(kind: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_workers(kind)
