"""Reproductions run from their files, resume, and judge claims; levels are measured on one scale."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.score import Interval, Score
from tengen.board import Board
from tengen.cli.options import parse_duration
from tengen.cli.reproduce import _variants
from tengen.lab.levels import Level, calibrate, parse_scale, read_scale
from tengen.lab.reproduce import verdicts
from tengen.lab.reproduce.claims import TrialResult, claims_markdown, trials
from tengen.lab.reproduce.milestones import Row, milestones_markdown, run_milestones
from tengen.lab.reproduce.plan import (
    Claim,
    ClaimsPlan,
    MilestonePlan,
    TournamentPlan,
    VariantPlan,
    load_plan,
    merged,
    toml_text,
)
from tengen.lab.reproduce.training import TrainingRun
from tengen.lab.reproduce.variants import cases, run_variants, settings, variants_markdown
from tengen.play.entrants import check_entrants
from tengen.records import GameRecord, read_records
from tengen.rules import Rule, Variant
from tengen.training.run.logs import NoLog
from tests.helpers.paths import EXPERIMENTS
from tests.helpers.simulated import run_cli


@pytest.mark.parametrize("name", ["a-table-4-1", "b-dqn-7", "c-evaluation"])
@pytest.mark.parametrize("smoke", [False, True])
def test_experiment_files_are_sound(name: str, smoke: bool) -> None:
    plan = load_plan(EXPERIMENTS / f"{name}.toml", smoke)
    assert not isinstance(plan, VariantPlan)
    Board(plan.variant)
    if isinstance(plan, TournamentPlan):
        assert len(plan.players) == 10 and all({c.a, c.b} <= set(plan.players) for c in plan.scores)
        assert len(plan.scores) == 12 and sum(c.wins + c.draws + c.losses for c in plan.scores) == 6 * 110
    else:
        assert "{model}" in plan.player and plan.milestones == sorted(plan.milestones)


def test_smoke_of_the_methods(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ("reproduce", "c-evaluation", "--smoke", "--out", tmp_path, "--workers", "2", "--no-report")
    code, out, _ = run_cli(capsys, *args)
    assert code == 0 and "| mcts - minimax | first: 1 - 49 | 2.0% |" in out
    folder = tmp_path / "c-evaluation-smoke"
    games = (folder / "games.jsonl").read_bytes()
    assert games.count(b"\n") >= 20 and "| weight |" in (folder / "results.md").read_text()
    run_cli(capsys, *args)
    assert (folder / "games.jsonl").read_bytes() == games


def test_smoke_of_the_claims(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ("reproduce", "strength", "--smoke", "--out", tmp_path, "--workers", "1")
    code, out, err = run_cli(capsys, *args)
    assert code == 0, err
    plan = load_plan(EXPERIMENTS / "strength.toml", smoke=True)
    assert isinstance(plan, ClaimsPlan)
    asked = list(trials(plan))
    assert len(asked) == 2 * len(plan.claims)
    for trial in asked:
        assert "{solver}" not in trial.a + trial.b and trial.command(plan) in out
        assert len(list(read_records(tmp_path / "strength-smoke" / f"{trial.name}.jsonl"))) == 2


def test_a_claim_is_judged_by_its_bar() -> None:
    claim = Claim(text="x beats y", a="greedy", b="random", bar=0.5, above=True)
    sure, unsure = (Score(60, 0, 40, (0, 0, 0, 0, 0), Interval(0.6, low, 0.7), {}) for low in (0.51, 0.49))
    plan = ClaimsPlan(kind="claims", title="T", games=100, claims={"x": claim})
    (trial,) = trials(plan)
    text = claims_markdown(
        plan, [TrialResult(trial, sure), TrialResult(trial, unsure), TrialResult(trial, None, "no y")]
    )
    rows = [line for line in text.splitlines() if line.startswith("| x")]
    assert rows[0].endswith("| yes |  |") and rows[1].endswith("| undecided |  |") and "no y" in rows[2]
    assert "tengen match greedy random --size 15 --games 100" in text


def test_a_plan_can_train_as_another_file_says(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(
        'method = "dqn"\nname = "other"\n[learn]\nbatch = 64\nfill = 100\n', encoding="utf-8"
    )
    text = (EXPERIMENTS / "b-dqn-7.toml").read_text(encoding="utf-8").replace("dqn-7.toml", "run.toml")
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    plan = load_plan(tmp_path / "plan.toml", smoke=True)
    assert isinstance(plan, MilestonePlan)
    assert plan.train["learn"] == {"batch": 16, "fill": 16} and plan.train["method"] == "dqn"
    (tmp_path / "run.toml").unlink()
    with pytest.raises(ValueError, match=r"there is no file .*run\.toml"):
        load_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize(("name", "claim"), [("a-table-4-1", "7 of 200"), ("b-dqn-7", "95 % at best")])
def test_smoke_of_the_trainings(name: str, claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    code, out, err = run_cli(capsys, "reproduce", name, "--smoke", "--out", tmp_path, "--workers", "1")
    assert code == 0, err
    folder = tmp_path / f"{name}-smoke"
    row = json.loads((folder / "results.json").read_text())[0]
    plan = load_plan(EXPERIMENTS / f"{name}.toml", smoke=True)
    assert row["asked"] == 4 <= row["trained"] and claim in out and "| 4" in out
    assert len(list(read_records(folder / f"after-{row['trained']}.jsonl"))) == plan.games


class FakeTeacher:
    """Counts games; its network is a player that exists."""

    def __init__(self, limit: int) -> None:
        self.limit, self.games, self.exported = limit, 0, []

    def train(self, games: int, deadline: float) -> int:
        self.games = min(games, self.limit)
        return self.games

    def export(self, name: str) -> Path:
        self.exported.append(name)
        return Path(str(len(self.exported)))


PLAN = MilestonePlan.model_validate({
    "kind": "milestones", "title": "t", "source": "s", "size": 6, "k": 4, "games": 4, "train": {}, "colors": "first",
    "milestones": [10, 20, 30], "player": "greedy:seed={model}", "opponent": "random", "openings": "one-stone",
    "reported": [{"games": 10, "rate": 0.2, "text": "1 of 5"}, {"games": 30, "rate": 0.9, "text": "9 of 10"}],
})  # fmt: skip


def test_milestones_are_measured_at_what_was_reached(tmp_path: Path) -> None:
    teacher = FakeTeacher(limit=15)
    rows = run_milestones(PLAN, tmp_path, teacher, workers=0)
    assert [(row.asked, row.trained) for row in rows] == [(10, 10), (20, 15)]
    assert teacher.exported == ["after-10", "after-15"]
    assert all(row.wins + row.draws + row.losses == 2 for row in rows)  # of four games, those with the first move
    names = {name for r in read_records(tmp_path / "after-10.jsonl") for name in (r.black, r.white)}
    assert names == {"after-10", "random"}, "no path of this machine"
    text = milestones_markdown(PLAN, rows)
    assert "| 10 | 1 of 5 | 2 |" in text and "measured at 15" in text and "| 30 | 9 of 10 | not reached |" in text


def test_milestones_stop_at_the_deadline(tmp_path: Path) -> None:
    assert run_milestones(PLAN, tmp_path, FakeTeacher(99), workers=0, deadline=-math.inf) == []
    row = Row(10, 10, 1, 0, 1, Interval(0.5, 0.1, 0.9), 0.1)
    text = milestones_markdown(PLAN, [row])
    assert "| published figure |" in text
    assert "| 10 | 1 of 5 | 2 | +1 =0 −1 | 50.0% (10.0% to 90.0%) | 0.10 | within our interval |" in text
    better = milestones_markdown(PLAN, [replace(row, rate=Interval(0.77, 0.7, 0.83))])
    assert "| below our interval |" in better and "agrees" not in better


def test_smoke_of_the_ablation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    args = ("reproduce", "dqn-ablation", "--smoke", "--out", tmp_path, "--workers", "1")
    code, out, err = run_cli(capsys, *args)
    assert code == 0, err
    folder = tmp_path / "dqn-ablation-smoke"
    assert "| 7x7 | vanilla | 1 |" in out and "| 7x7 | rainbow | 1 |" in out
    assert len(list(read_records(folder / "games" / "rainbow-7-seed1.jsonl"))) == 2 * 3


class FakeStudent:
    """Ends its training in time or not; its network is a player that exists."""

    def __init__(self, ends: bool) -> None:
        self.ends = ends

    def finish(self, deadline: float) -> bool:
        return self.ends

    def export(self, name: str) -> Path:
        return Path("7")

    def metrics(self) -> dict[str, float]:
        return {"gradient_steps": 12.0, "cpu_seconds": 3.4}


VARIANTS = VariantPlan.model_validate({
    "kind": "variants", "title": "t", "source": "s", "sizes": [6, 7], "games": 4, "opponents": ["random"],
    "player": "greedy:seed={model}", "openings": "one-stone",
    "train": {"learn": {"rate": 0.1, "batch": 2}}, "variants": {"plain": {}, "fast": {"learn": {"rate": 0.9}}},
})  # fmt: skip


def test_variants_change_only_what_they_name() -> None:
    given = {case.name: settings(VARIANTS, case) for case in cases(VARIANTS)}
    assert list(given) == ["plain-6-seed1", "fast-6-seed1", "plain-7-seed1", "fast-7-seed1"]
    assert given["fast-7-seed1"] == {
        "name": "fast-7-seed1", "seed": 1, "env": {"width": 7, "height": 7}, "learn": {"rate": 0.9, "batch": 2},
    }  # fmt: skip
    with pytest.raises(ValueError, match="no variant 'slow'"):
        VariantPlan.model_validate(VARIANTS.model_dump() | {"only": ["slow"]})


def test_variants_play_and_what_was_not_reached_is_named(tmp_path: Path) -> None:
    def student(name: str, given: dict[str, object]) -> FakeStudent:
        return FakeStudent(ends="-6-" in name)

    rows = run_variants(VARIANTS, tmp_path, student, workers=0)
    assert [row.case.name for row in rows] == ["plain-6-seed1", "fast-6-seed1"]
    assert all(row.scores["random"].games == 4 for row in rows)
    text = variants_markdown(VARIANTS, rows)
    assert "| 6x6 | fast | 1 | 12 | 3 | 100.0% (" in text
    assert "Not reached in the time given: plain-7-seed1, fast-7-seed1." in text


def test_a_variant_whose_games_were_cut_short_is_not_reached(tmp_path: Path) -> None:
    def student(name: str, given: dict[str, object]) -> FakeStudent:
        return FakeStudent(ends=True)

    def run(deadline: float) -> list[str]:
        def slow(step: str, records: list[GameRecord]) -> None:
            while step.startswith("fast-6") and records and time.monotonic() <= deadline < math.inf:
                time.sleep(0.01)

        return [row.case.name for row in run_variants(VARIANTS, tmp_path, student, 0, deadline, slow)]

    assert run(time.monotonic() + 2) == ["plain-6-seed1"]
    assert len(list(read_records(tmp_path / "games" / "fast-6-seed1.jsonl"))) == 1
    assert len(run(math.inf)) == 4


def test_a_training_of_other_settings_is_not_resumed(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tengen.training.methods import checked
    from tengen.training.run.loop import RunFolder

    plan = load_plan(EXPERIMENTS / "b-dqn-7.toml", smoke=True)
    assert isinstance(plan, MilestonePlan)
    first = checked(plan.train | {"name": "other", "budget": {"games": 77}}, "test")
    RunFolder.create(tmp_path / "train", first.method, first.resolved())
    TrainingRun(tmp_path, "train", plan.train, 1, lambda budget: NoLog())
    with pytest.raises(ValueError, match=f"was begun with another learn; remove {tmp_path} to start over"):
        TrainingRun(tmp_path, "train", merged(plan.train, {"learn": {"batch": 15}}), 1, lambda budget: NoLog())


def test_a_comparison_with_another_budget_is_not_continued(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tengen.training.methods import checked
    from tengen.training.run.loop import RunFolder

    plan = load_plan(EXPERIMENTS / "dqn-ablation.toml", smoke=True)
    assert isinstance(plan, VariantPlan)
    first = next(cases(plan))
    begun = checked(settings(plan, first), "test")
    RunFolder.create(tmp_path / first.name, begun.method, begun.resolved())
    more = plan.model_copy(update={"train": merged(plan.train, {"budget": {"iterations": 2}})})
    with pytest.raises(ValueError, match="seed1 was begun with another budget; remove"):
        _variants(more, tmp_path, 1, math.inf)


def test_a_deadline_stops_a_training_and_the_next_call_resumes_it(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    plan = load_plan(EXPERIMENTS / "dqn-ablation.toml", smoke=True)
    assert isinstance(plan, VariantPlan)
    training = TrainingRun(tmp_path, "a", settings(plan, next(cases(plan))), 1, lambda budget: NoLog())
    assert training.finish(time.monotonic()) is False and not training.metrics()
    assert training.finish(math.inf) and training.metrics()["iteration"] == 1


def test_verdicts() -> None:
    clear, even = Interval(0.8, 0.7, 0.9), Interval(0.5, 0.4, 0.6)
    assert verdicts.direction(0.9, clear) == "agrees" and verdicts.direction(0.1, clear) == "differs"
    assert verdicts.direction(0.9, even) == "undecided" and verdicts.direction(0.5, even) == "agrees"
    assert verdicts.direction(0.5, clear) == "differs"
    assert verdicts.size(0.75, clear) == "within our interval" and verdicts.size(0.95, clear) == "above our interval"
    assert [verdicts.reached(rate, clear) for rate in (0.6, 0.8, 0.95)] == ["yes", "undecided", "no"]


def test_plans_are_checked(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    for text, words in (("kind = 3", "kind must be"), ("x = = 1", "not a TOML file"),
                        ('kind = "tournament"\ntitle = "t"', "source is missing; games is missing")):  # fmt: skip
        bad.write_text(text)
        with pytest.raises(ValueError, match=words):
            load_plan(bad)


def test_toml_is_written_as_it_is_read() -> None:
    import tomllib

    data = {"a": 1, "b": 0.5, "c": True, "d": 'x "y" \\', "e": [1, 2], "t": {"u": "v", "w": {"z": False}}}
    assert tomllib.loads(toml_text(data)) == data


def test_durations() -> None:
    assert [parse_duration(text) for text in ("90s", "30m", "1.5h")] == [90, 1800, 5400]
    with pytest.raises(ValueError, match="not a time"):
        parse_duration("soon")


def test_shipped_levels_are_a_scale() -> None:
    scale = read_scale()
    assert {9, 15} <= set(scale.boards)
    for levels in scale.boards.values():
        assert len(levels) >= 10 and all(0 < level.seconds <= 10 for level in levels)
        assert all(level.entrant for level in levels)
        for variant in (Variant(12, 12, rule=Rule.RENJU), Variant(7, 9, rule=Rule.CARO)):
            check_entrants([level.entrant for level in levels], Board(variant))
        assert [level.elo for level in levels] == sorted(level.elo or 0 for level in levels)
        assert all(level.games >= 100 and level.error and level.error <= 60 for level in levels[1:])


SCALE = {
    "anchor": "mid", "anchor_elo": 1000,
    "boards": {"9": [
        {"name": "low", "spec": "random", "seconds": 1}, {"name": "mid", "spec": "greedy", "seconds": 1},
        {"name": "top", "spec": "minimax:depth=2", "seconds": 1},
    ]},
}  # fmt: skip


def test_calibration_measures_and_sorts(tmp_path: Path) -> None:
    scale, table = calibrate(parse_scale(SCALE), 9, tmp_path, 6, workers=0)
    levels = scale.boards[9]
    assert [level.name for level in levels] == ["low", "mid", "top"]
    assert levels[1] == Level("mid", "greedy", 1, 1000, levels[1].error, 6) and table.games == 12
    assert parse_scale(json.loads(scale.to_json())) == scale
    with pytest.raises(ValueError, match="no levels for 15x15"):
        calibrate(scale, 15, tmp_path, 2)


def test_a_level_without_games_keeps_its_rating(tmp_path: Path) -> None:
    data = json.loads(json.dumps(SCALE))
    data["boards"]["9"].append({"name": "old", "spec": "weight", "seconds": 1, "elo": 1234, "error": 5, "games": 6})
    asked = iter([False, False])
    scale, table = calibrate(parse_scale(data), 9, tmp_path, 2, workers=0, stop=lambda: next(asked, True))
    assert table.games == 1 and Level("old", "weight", 1, 1234, 5, 6) in scale.boards[9]


def test_bad_level_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    for data in ({}, SCALE | {"anchor": "nobody"}, {"anchor": "a", "anchor_elo": 0, "boards": {"9": [{"name": "a"}]}}):
        path.write_text(json.dumps(data))
        with pytest.raises(ValueError, match="is not a file of levels"):
            read_scale(path)


def test_calibrate_command_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "levels.json"
    path.write_text(json.dumps(SCALE))
    args = ("calibrate", "--levels", path, "--games", "2", "--workers", "1", "--out", tmp_path / "c")
    code, out, _ = run_cli(capsys, *args)
    assert code == 0 and "| mid | `greedy` | 1000 |" in out
    assert read_scale(path).boards[9][0].elo is not None
    before = path.read_bytes()
    code, _, err = run_cli(capsys, *args[:-1], tmp_path / "d", "--budget", "0s")
    assert code == 2 and "no game was played" in err and path.read_bytes() == before
