"""Studies: equal compute for every variant, whole stages only, tables from records."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from tengen.arena.score import Interval
from tengen.lab.reproduce.plan import GamesPlan, StudyPlan, load_plan
from tengen.lab.reproduce.study import Snapshot, StudyResult, run_study, settings_of
from tengen.lab.reproduce.study_report import draw_study, ladder_curves, study_markdown, verdict
from tengen.records import read_records
from tests.helpers.paths import EXPERIMENTS
from tests.helpers.simulated import run_cli, simulate

PLAN = StudyPlan.model_validate({
    "kind": "study", "title": "t", "source": "s", "size": 6, "k": 4, "games": 2, "seeds": [1, 2], "minutes": [1, 2],
    "openings": "one-stone", "player": "greedy:seed={model}", "opponents": ["random"], "ladder_games": 2,
    "train": {"learn": {"batch": 8, "rate": 0.1}}, "games_of": {"weight": {"players": ["weight"], "games": 3}},
    "variants": {"base": {"title": "nothing"}, "told": {
        "title": "told", "uses": ["weight"], "train": {"learn": {"rate": 0.2}, "warm": {"games": ["{games}/weight"]}},
    }},
})  # fmt: skip


class FakeLaboratory:
    """Counts processor time. `limit`: what the runs may use in all before the deadline."""

    def __init__(self, limit: float = math.inf) -> None:
        self.limit, self.spent, self.runs = limit, 0.0, dict[str, float]()
        self.settings: dict[str, dict[str, Any]] = {}
        self.exported: dict[str, int] = {}

    def collect(self, folder: Path, games: GamesPlan) -> float:
        return 10.0

    def train(self, run: Path, settings: dict[str, Any], cpu_seconds: float, deadline: float) -> dict[str, float]:
        self.settings[run.name] = settings
        self.runs[run.name] = min(cpu_seconds, self.runs.get(run.name, 0.0) + self.limit - self.spent)
        self.spent = sum(self.runs.values())
        used = self.runs[run.name]
        return {"cpu_seconds": used, "games": used, "iteration": used // 10}

    def export(self, run: Path, model: Path, iteration: int) -> None:
        self.exported[model.stem] = iteration


@pytest.fixture(autouse=True)
def _numbers_for_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StudyPlan, "spec", lambda self, model, solver: f"greedy:seed={len(str(model))}")


def test_games_of_others_are_part_of_the_compute(tmp_path: Path) -> None:
    laboratory = FakeLaboratory()
    result = run_study(PLAN, tmp_path, laboratory, workers=0)
    assert laboratory.runs == {"base-1": 120, "told-1": 110, "base-2": 120, "told-2": 110}
    assert [[s.stage_name for s in stage] for stage in result.stages][1] == [
        "base-1-2m", "told-1-2m", "base-2-2m", "told-2-2m"]  # fmt: skip
    assert laboratory.exported["base-1-1m"] == 6 and laboratory.exported["told-1-2m"] == 11
    assert len(result.ladder) == 2 * 4 * 2 and {r.black for r in result.ladder} > {"random", "base-1-1m"}
    assert {len(games) for games in result.finals.values()} == {8}, "two games for base against told, each seed"
    assert not any(r.black.partition("-")[0] == r.white.partition("-")[0] for r in result.finals["off"])
    text = study_markdown(PLAN, result)
    assert (
        "| told-2 | told | 110 | 0 | 11 | 120 | 10 s |" in text
        and "## Round robin of the last networks, solver on" in text
    )


def test_a_deadline_leaves_whole_stages(tmp_path: Path) -> None:
    result = run_study(PLAN, tmp_path, FakeLaboratory(limit=300), workers=0)
    assert [stage[0].minutes for stage in result.stages] == [1]
    assert {s.metrics["cpu_seconds"] + s.extra for s in result.stages[0]} == {60}
    with pytest.raises(ValueError, match="too short"):
        run_study(PLAN, tmp_path / "b", FakeLaboratory(limit=100), workers=0)


def test_a_study_goes_on_where_it_stopped(tmp_path: Path) -> None:
    run_study(PLAN, tmp_path, FakeLaboratory(limit=300), workers=0)
    before = (tmp_path / "ladder.jsonl").read_text()
    run_study(PLAN, tmp_path, FakeLaboratory(), workers=0)
    after = (tmp_path / "ladder.jsonl").read_text()
    assert after.startswith(before) and len(after.splitlines()) == 16
    run_study(PLAN, tmp_path, FakeLaboratory(), workers=0)
    assert (tmp_path / "ladder.jsonl").read_text() == after
    assert len(list(read_records(tmp_path / "final-on-2m.jsonl"))) == 8


def test_a_variant_changes_what_it_names(tmp_path: Path) -> None:
    assert settings_of(PLAN, "told", 2, tmp_path) == {
        "name": "told-2", "seed": 2, "learn": {"batch": 8, "rate": 0.2},
        "warm": {"games": [f"{tmp_path}/games/weight"]},
    }  # fmt: skip


def test_tables_and_curves_find_the_stronger_variant(tmp_path: Path) -> None:
    stages = [[Snapshot(v, s, m, tmp_path, {}, 0) for v in ("base", "told") for s in (1, 2)] for m in (1.0, 2.0)]
    names = {s.stage_name: 400.0 * (s.variant == "told") * s.minutes for stage in stages for s in stage}
    ladder = [r for r in simulate({"random": 200.0} | names, 10) if "random" in (r.black, r.white)]
    finals = simulate({s.name: 500.0 * (s.variant == "told") for s in stages[1]}, 20)
    finals = [r for r in finals if r.black[:4] != r.white[:4]]
    result = StudyResult(stages, ladder, {"off": finals, "on": []})
    text = study_markdown(PLAN, result)
    assert text.count("| helps |") == 1 and "Not played" in text
    curves = ladder_curves(PLAN, ladder)
    assert curves["told", "random"][1][1].value > curves["told", "random"][0][1].low > curves["base", ""][1][1].value
    draw_study(PLAN, result, tmp_path / "c.png")
    assert (tmp_path / "c.png").stat().st_size > 10_000


def test_verdicts_need_the_interval() -> None:
    assert verdict(Interval(0.7, 0.6, 0.8)) == "helps" and verdict(Interval(0.3, 0.2, 0.4)) == "harms"
    assert verdict(Interval(0.7, 0.4, 0.9)) == "undecided"


@pytest.mark.parametrize(("line", "words"), [('uses = ["x"]', "games_of.x"), ("minutes = [2, 1]", "increasing order")])
def test_a_wrong_study_is_refused(line: str, words: str, tmp_path: Path) -> None:
    source = EXPERIMENTS / "knowledge-9.toml"
    key = line.partition(" ")[0]
    lines = source.read_text().splitlines()
    at = next(i for i, text in enumerate(lines) if text.startswith(f"{key} ="))
    (tmp_path / "s.toml").write_text("\n".join([*lines[:at], line, *lines[at + 1 :]]))
    with pytest.raises(ValueError, match=words):
        load_plan(tmp_path / "s.toml")


def test_smoke_of_the_knowledge_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.undo()
    args = ("reproduce", "knowledge-9", "--smoke", "--out", tmp_path, "--workers", "1")
    code, out, err = run_cli(capsys, *args)
    assert code == 0, err
    folder = tmp_path / "knowledge-9-smoke"
    assert "| warm-1 | warm start" in out and (folder / "curves.png").is_file()
    files = {name: (folder / name).read_bytes() for name in ("ladder.jsonl", "final-on-0.002m.jsonl")}
    assert all(data.count(b"\n") == count for data, count in zip(files.values(), (12, 30), strict=True))
    assert run_cli(capsys, *args)[1].count("| undecided |") == 10
    assert all((folder / name).read_bytes() == data for name, data in files.items())
