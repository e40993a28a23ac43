"""The run loop: budgets, checkpoints, logs, and a kill at every single step of a save."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tengen import files
from tengen.errors import TengenError
from tengen.files import new_folder, read_json, write_atomic, write_json
from tengen.training.run.logs import NoLog
from tengen.training.run.loop import LOGS, Budget, RunFolder, cut_lines, run, run_folders


class Counter:
    """A trainer whose state is a sum: any lost or repeated iteration shows."""

    def __init__(self) -> None:
        self.count, self.total = 0, 0

    def iterate(self) -> dict[str, float]:
        self.count += 1
        self.total += self.count**2
        return {"total": float(self.total), "games": float(3 * self.count)}

    def evaluate(self) -> dict[str, float]:
        return {"ladder/nobody": 50.0} if self.count % 2 == 0 else {}

    def save(self, folder: Path) -> None:
        write_atomic(folder / "a.bin", str(self.count).encode())
        write_atomic(folder / "b.bin", str(self.total).encode())

    def load(self, folder: Path) -> None:
        self.count, self.total = int((folder / "a.bin").read_text()), int((folder / "b.bin").read_text())


def start(tmp_path: Path) -> RunFolder:
    return RunFolder.create(tmp_path / "r", "counter", {"x": 1})


def strip(rows: list[dict[str, float]]) -> list[dict[str, float]]:
    return [{key: value for key, value in row.items() if not key.endswith("seconds")} for row in rows]


@pytest.mark.parametrize(
    ("budget", "iterations"), [(Budget(iterations=7), 7), (Budget(games=10), 4), (Budget(iterations=9, games=4), 2)]
)
def test_the_budget_ends_the_run(tmp_path: Path, budget: Budget, iterations: int) -> None:
    folder, trainer = start(tmp_path), Counter()
    metrics = run(trainer, budget, NoLog(), folder)
    assert trainer.count == iterations == metrics["iteration"]
    assert [row["iteration"] for row in folder.read_metrics()] == list(range(1, iterations + 1))


def test_time_counts_over_resumes(tmp_path: Path) -> None:
    folder = start(tmp_path)
    first = run(Counter(), Budget(iterations=2), NoLog(), folder)
    second = run(Counter(), Budget(iterations=4), NoLog(), folder)
    assert second["seconds"] > first["seconds"] > 0
    assert run(Counter(), Budget(seconds=1e-9), NoLog(), folder) == second, "the budget was spent before"


def test_processor_time_counts_workers_but_no_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy(Counter):
        def iterate(self) -> dict[str, float]:
            return super().iterate() | {"workers_cpu_seconds": 5.0}

    clock = iter(range(1000))
    monkeypatch.setattr("tengen.training.run.loop.time.process_time", lambda: float(next(clock)))
    metrics = run(Busy(), Budget(cpu_seconds=17), NoLog(), start(tmp_path))
    assert (metrics["iteration"], metrics["cpu_seconds"]) == (3, 18), "each iteration took 1 s here and 5 s elsewhere"


def test_old_checkpoints_go_and_kept_ones_stay(tmp_path: Path) -> None:
    folder = start(tmp_path)
    run(Counter(), Budget(iterations=11), NoLog(), folder, keep=4)
    assert folder.iterations() == [4, 8, 10, 11]
    assert folder.checkpoint().name == "000011" and folder.checkpoint(8).name == "000008"
    with pytest.raises(ValueError, match="has no checkpoint 3; it has 4, 8, 10, 11"):
        folder.checkpoint(3)


def test_of_the_kept_checkpoints_only_the_last_stay(tmp_path: Path) -> None:
    folder = start(tmp_path)
    run(Counter(), Budget(iterations=11), NoLog(), folder, keep=2, keep_last=3)
    assert folder.iterations() == [4, 6, 8, 10, 11]


def killed_run(path: Path, calls: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Runs in a child that kills itself at its n-th fsync, rename or unlink. False when it finished before."""
    if (child := os.fork()) == 0:
        left = [calls]

        def counted(function):  # type: ignore[no-untyped-def]
            def call(*args):  # type: ignore[no-untyped-def]
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                return function(*args)

            return call

        for name in ("fsync", "replace", "mkdir", "unlink", "rmdir"):
            monkeypatch.setattr(os, name, counted(getattr(os, name)))
        try:
            run(Counter(), Budget(iterations=2), NoLog(), RunFolder.open(path))
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_kill_at_any_step_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undisturbed = RunFolder.create(tmp_path / "undisturbed", "counter", {})
    run(Counter(), Budget(iterations=3), NoLog(), undisturbed)
    calls = 0
    while True:
        calls += 1
        folder = RunFolder.create(tmp_path / f"killed-{calls}", "counter", {})
        if not killed_run(folder.path, calls, monkeypatch):
            break
        run(Counter(), Budget(iterations=3), NoLog(), folder)
        assert strip(folder.read_metrics()) == strip(undisturbed.read_metrics())
        assert (folder.checkpoint() / "b.bin").read_text() == str(1 + 4 + 9)
        assert folder.iterations() == undisturbed.iterations()
        assert not list(folder.path.rglob(files.TEMPORARY + "*"))
    assert calls > 30, "the child should have been killed at many different steps"


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="full"), new_folder(tmp_path / "c") as folder:
        (folder / "a").write_text("x")
        raise OSError("disk full")
    assert not (tmp_path / "c").exists()
    with new_folder(tmp_path / "c") as folder:
        (folder / "b").write_text("y")
    assert [p.name for p in (tmp_path / "c").iterdir()] == ["b"]


def test_a_full_disk_keeps_the_last_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = start(tmp_path)
    run(Counter(), Budget(iterations=2), NoLog(), folder)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            run(Counter(), Budget(iterations=4), NoLog(), folder)
    trainer = Counter()
    run(trainer, Budget(iterations=4), NoLog(), folder)
    assert trainer.total == 1 + 4 + 9 + 16
    assert [row["iteration"] for row in folder.read_metrics()] == [1, 2, 3, 4]


def test_logs_are_cut_back_to_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    rows = [{"iteration": 1.0}, {"tags": {"iteration": "2"}}, {"iteration": 3.0}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"iteration": 2')
    cut_lines(path, 2)
    assert [json.loads(line) for line in path.read_text().splitlines()] == rows[:2]


def test_a_folder_in_use_is_not_overwritten(tmp_path: Path) -> None:
    folder = start(tmp_path)
    with pytest.raises(ValueError, match="exists already; resume it"):
        start(tmp_path)
    with (
        folder.locked(),
        pytest.raises(ValueError, match="another process is working"),
        RunFolder.open(folder.path).locked(),
    ):
        pass


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no run\.json"):
        RunFolder.open(tmp_path)
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(ValueError, match="not a run of this version"):
        RunFolder.open(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 1')
    with pytest.raises(ValueError, match="not a JSON file"):
        RunFolder.open(tmp_path)
    with pytest.raises(ValueError, match="no checkpoint yet"):
        RunFolder(tmp_path).checkpoint()


class Keyed(Counter):
    """Keeps its state as a learning method does."""

    def save(self, folder: Path) -> None:
        write_json(folder / "state.json", {"count": self.count, "total": self.total})

    def load(self, folder: Path) -> None:
        state = read_json(folder / "state.json")
        self.count, self.total = int(state["count"]), int(state["total"])


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("state.json", "[1, 2]", r"state\.json holds a JSON list, not an object"),
        ("state.json", "null", r"state\.json holds a JSON NoneType, not an object"),
        ("state.json", '{"count": 1}', "000002 is not a checkpoint of this version of tengen: it lacks 'total'"),
        ("state.json", '{"count": 1, "total": null}', "000002 is damaged: int"),
        ("metrics.json", "[]", r"metrics\.json holds a JSON list, not an object"),
    ],
)
def test_a_damaged_checkpoint_is_told_in_one_line(tmp_path: Path, file: str, content: str, message: str) -> None:
    folder = start(tmp_path)
    run(Keyed(), Budget(iterations=2), NoLog(), folder)
    (folder.checkpoint() / file).write_text(content)
    with pytest.raises(ValueError, match=message):
        folder.resume(Keyed())


def test_a_run_killed_before_its_first_checkpoint_leaves_no_lines_behind(tmp_path: Path) -> None:
    folder = start(tmp_path)
    for log in LOGS:
        (folder.path / log).write_text('{"iteration": 1}\n')
    assert folder.resume(Counter()) == (0, {})
    assert [(folder.path / log).read_text() for log in LOGS] == [""] * len(LOGS)


def test_readers_find_all_they_ask_for_in_the_run_folder(tmp_path: Path) -> None:
    folder = start(tmp_path)
    assert (folder.last_metrics(), folder.saved_metrics(), folder.samples()) == ({}, [], [])
    assert not folder.is_running() and folder.updated() > 0
    with folder.locked():
        assert folder.is_running()
        run(Counter(), Budget(iterations=2), NoLog(), folder)
    assert not folder.is_running()
    folder.append_metrics({"iteration": 3.0, "games": 9.0})  # killed before its checkpoint
    with folder.metrics_file.open("a") as file:
        file.write('"not a table"\n{"iteration": 4.0, "games"')
    assert folder.last_metrics()["iteration"] == 3 and folder.saved_metrics()[-1]["iteration"] == 2
    assert [found.path.name for found in run_folders(folder.path.parent)] == [folder.path.name]
    assert run_folders(tmp_path / "nothing") == []


def test_two_runs_started_at_once_do_not_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    RunFolder.create(tmp_path / "run", "dqn", {})
    monkeypatch.setattr(Path, "exists", lambda self: False)  # as the second saw it, an instant before
    with pytest.raises(TengenError, match="exists already; resume it with --resume"):
        RunFolder.create(tmp_path / "run", "dqn", {})
