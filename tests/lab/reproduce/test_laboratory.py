"""The laboratory of studies: what games cost is never forgotten, and a stage stays what it was."""

from __future__ import annotations

import json
import math
from itertools import count
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tengen.lab.reproduce.laboratory import LocalLaboratory
from tengen.lab.reproduce.plan import GamesPlan
from tengen.rules import Rule, Variant
from tengen.training.knowledge import expert
from tengen.training.run.loop import RunFolder

GAMES = GamesPlan(players=["random"], games=6, random_moves=0.5)
SETTINGS: dict[str, Any] = {
    "name": "tiny", "board": {"width": 6, "height": 6, "k": 4}, "network": {"kind": "base"},
    "selfplay": {"games": 2, "slots": 2, "sims_first": 2, "sims_last": 2}, "learn": {"batch": 8, "threads": 1},
}  # fmt: skip


class Killed(BaseException):
    pass


@pytest.fixture
def laboratory(monkeypatch: pytest.MonkeyPatch) -> LocalLaboratory:
    """Files of two games."""
    monkeypatch.setattr("tengen.lab.reproduce.laboratory.CHUNK", 2)
    return LocalLaboratory(Variant(6, 6, 4, Rule.FREESTYLE), 1)


def kill_at(file: int, before: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill just before or just after a file of games is there."""

    def save(path: Path, games: list[Any]) -> None:
        if before and path.stem == f"{file:06d}":
            raise Killed
        save_games(path, games)
        if path.stem == f"{file:06d}":
            raise Killed

    save_games = expert.save_games
    monkeypatch.setattr(expert, "save_games", save)


@pytest.mark.parametrize("before", [False, True])
def test_games_cost_the_same_however_often_their_making_is_killed(
    before: bool, laboratory: LocalLaboratory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count()
    monkeypatch.setattr("time.process_time", lambda: float(next(seconds)))  # a second a file
    for file in (0, 1):
        with monkeypatch.context() as patch, pytest.raises(Killed):
            kill_at(file, before, patch)
            laboratory.collect(tmp_path / "games", GAMES)
    assert laboratory.collect(tmp_path / "games", GAMES) == 3
    assert laboratory.collect(tmp_path / "games", GAMES) == 3
    assert json.loads((tmp_path / "games-cost.json").read_text())["cpu_seconds"] == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": ["greedy"]}, "other players or settings"),
        ({"random_moves": 0.1}, "other players or settings"),
        ({"games": 8}, "is for 6 games, not 8; choose another --out"),
        ({"games": 4}, "is for 6 games, not 4; choose another --out"),
    ],
)
def test_other_games_are_not_taken_for_those_of_the_plan(
    change: dict[str, Any], message: str, laboratory: LocalLaboratory, tmp_path: Path
) -> None:
    laboratory.collect(tmp_path / "games", GAMES)
    with pytest.raises(ValueError, match=message):
        laboratory.collect(tmp_path / "games", GAMES.model_copy(update=change))


def test_a_note_of_the_whole_cost_still_counts(laboratory: LocalLaboratory, tmp_path: Path) -> None:
    laboratory.collect(tmp_path / "games", GAMES)
    (tmp_path / "games-cost.json").write_text('{"cpu_seconds": 14.36}\n')
    assert laboratory.collect(tmp_path / "games", GAMES) == 14.36
    for games, message in ((8, "does not hold 8 games"), (4, "holds more than 4 games")):
        with pytest.raises(ValueError, match=message):
            laboratory.collect(tmp_path / "games", GAMES.model_copy(update={"games": games}))
    (tmp_path / "games-cost.json").unlink()
    with pytest.raises(ValueError, match="is unknown; remove it"):
        laboratory.collect(tmp_path / "games", GAMES)


def stages(laboratory: LocalLaboratory, run: Path, number: int) -> list[dict[str, float]]:
    """A run of one iteration a stage."""
    rows: list[dict[str, float]] = []
    for _ in range(number):
        seconds = rows[-1]["cpu_seconds"] + 1e-6 if rows else 1e-3
        rows.append(laboratory.train(run, SETTINGS, seconds, math.inf))
    return rows


def test_a_stage_stays_what_it_was_when_the_run_goes_on(laboratory: LocalLaboratory, tmp_path: Path) -> None:
    run, models = tmp_path / "run", tmp_path / "models"
    first = laboratory.train(run, SETTINGS, 1e-3, math.inf)
    laboratory.export(run, models / "tiny-1m.onnx", 1)
    kept = (models / "tiny-1m.onnx").read_bytes()
    rows = stages(laboratory, run, 4)
    assert [row["iteration"] for row in rows] == [1, 2, 3, 4] and rows[0] == first
    assert laboratory.train(run, SETTINGS, rows[1]["cpu_seconds"], math.inf) == rows[1]
    laboratory.export(run, models / "tiny-1m.onnx", 1)
    assert (models / "tiny-1m.onnx").read_bytes() == kept
    with pytest.raises(ValueError, match="past tiny-2m, which was iteration 2 and is not kept; leave these minutes"):
        laboratory.export(run, models / "tiny-2m.onnx", 2)
    with pytest.raises(ValueError, match=r"tiny-1m\.onnx is of iteration 1.*, not 3"):
        laboratory.export(run, models / "tiny-1m.onnx", 3)
    laboratory.export(run, models / "tiny-3m.onnx", 3)
    assert json.loads((models / "tiny-3m.json").read_text())["training"]["iteration"] == 3, "while it is kept"


def test_a_line_without_its_checkpoint_is_not_reached(laboratory: LocalLaboratory, tmp_path: Path) -> None:
    rows = stages(laboratory, tmp_path / "run", 1)
    RunFolder(tmp_path / "run").append_metrics({"iteration": 2.0, "cpu_seconds": 1e6})
    again = laboratory.train(tmp_path / "run", SETTINGS, rows[0]["cpu_seconds"] + 1e-6, math.inf)
    assert again["iteration"] == 2 and again["cpu_seconds"] < 1e6 and again["games"] == 4


def test_settings_are_compared_even_when_the_time_is_reached(laboratory: LocalLaboratory, tmp_path: Path) -> None:
    laboratory.train(tmp_path / "run", SETTINGS, 1e-3, math.inf)
    with pytest.raises(ValueError, match="run was begun with another learn; choose another --out"):
        laboratory.train(tmp_path / "run", SETTINGS | {"learn": {"batch": 9, "threads": 1}}, 1e-3, math.inf)
    about = json.loads((tmp_path / "run" / "run.json").read_text())
    del about["config"]["teacher"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(about))  # begun before there were teachers
    assert laboratory.train(tmp_path / "run", SETTINGS, 1e-3, math.inf)["iteration"] == 1
