"""Sweeps: variants, statistics, resuming, and mistakes that are found before the first run."""

from __future__ import annotations

import json
import math
import re
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from tengen.errors import TengenError
from tengen.lab.results_check import check_results
from tengen.lab.sweep import Sweep, Variant, cases, parse_variants
from tengen.lab.sweep_report import draw_sweep, sweep_curves, sweep_markdown
from tengen.lab.sweep_statistics import banded, improvement, interquartile_mean
from tengen.web.tasks import Tasks
from tengen.web.training import Training

TINY = [
    "selfplay.games=4", "selfplay.slots=4", "selfplay.sims_first=4", "selfplay.sims_last=4", "learn.batch=16",
    "learn.max_steps=2", "learn.threads=1", 'ladder.opponents=["random"]', "ladder.games=2", "ladder.every=1",
    "ladder.sims=4", "budget.iterations=0", "budget.minutes=0", "budget.games=8",
]  # fmt: skip


def test_settings_make_variants() -> None:
    grid = parse_variants(["learn.rate=1e-3,1e-4", "board.sizes=[7,9]"], ["fixed: learn.kl_target=0 learn.rate=2e-3"])
    assert grid == [
        Variant("rate-1e-3_sizes-7-9", ("learn.rate=1e-3", "board.sizes=[7,9]")),
        Variant("rate-1e-4_sizes-7-9", ("learn.rate=1e-4", "board.sizes=[7,9]")),
        Variant("fixed", ("learn.kl_target=0", "learn.rate=2e-3")),
    ]
    assert parse_variants([], []) == [Variant("base")]
    for grids, named in ((["learn.rate"], []), ([], ["fixed"]), (["a.b=1,1"], [])):
        with pytest.raises(TengenError):
            parse_variants(grids, named)


def test_an_impossible_setting_fails_before_the_first_run(tmp_path: Path) -> None:
    with pytest.raises(TengenError, match=r"learn\.batch = 0 must be at least 2"):
        cases("quick", parse_variants(["learn.batch=64,0"], []), 2)
    assert not list(tmp_path.iterdir())


def test_statistics_of_known_scores() -> None:
    scores = np.array([[0.0], [1.0], [2.0], [3.0], [100.0], [2.0], [2.0], [1.0]])
    assert interquartile_mean(scores) == pytest.approx((1 + 2 + 2 + 2) / 4)
    low, high = np.arange(5.0)[:, None], np.arange(5.0)[:, None] + 10
    assert improvement(high, low) == 1 and improvement(low, low) == 0.5
    band = banded(improvement, high, low)
    assert (band.low, band.high) == (1, 1) and math.isinf(banded(interquartile_mean, high[:1]).low)


def test_bands_cover_the_truth() -> None:
    rng, hits = np.random.default_rng(1), 0
    for number in range(50):
        band = banded(interquartile_mean, rng.normal(0, 1, (8, 3)), samples=100, seed=number)
        hits += band.low <= 0 <= band.high
    assert 40 <= hits <= 49


def test_a_sweep_stops_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    todo = cases("quick", parse_variants(["learn.rate=1e-3,1e-4"], []), 2, TINY)
    folder = tmp_path / "results" / "rates"
    sweep, shown = Sweep(folder, "quick", todo), []
    assert sweep.run("1", time.monotonic() - 1, lambda case, number: shown.append(case.name)) == 0
    assert "0 of 4 runs are finished" in sweep_markdown(sweep)
    assert sweep.run("1", math.inf, lambda case, number: shown.append(case.name)) == 4
    assert shown == ["rate-1e-3-s1", "rate-1e-4-s1", "rate-1e-3-s2", "rate-1e-4-s2"]
    assert sweep.run("1", math.inf, lambda case, number: shown.append(case.name)) == 4 and len(shown) == 4
    text = sweep_markdown(sweep)
    assert "| rate-1e-3 | 2 |" in text and "Not finished" not in text and "scores more" in text
    draw_sweep(sweep, folder / "curves.png")
    curves = sweep_curves(sweep).splitlines()
    assert [line.split()[:3] for line in curves] == [
        [games, "games", rate] for games in ("4", "8") for rate in ("rate-1e-3", "rate-1e-4")
    ]
    for line in curves:
        _, drawn, printed = line.split("|")
        assert drawn.index("o") == round(float(printed.split()[0]) / 2) and len(drawn) == 51
    assert json.loads((folder / "sweep.json").read_text())["revision"]
    shutil.copytree(folder, tmp_path / "runs" / "sweeps" / "mine", ignore=shutil.ignore_patterns("runs"))
    (shown_sweep,) = Training(tmp_path / "runs", Tasks(), tmp_path / "networks").sweeps()
    assert (shown_sweep.name, shown_sweep.finished, shown_sweep.total) == ("mine", 4, 4)
    assert [curve.name for curve in shown_sweep.curves] == ["rate-1e-3", "rate-1e-4"]
    for curve in shown_sweep.curves:
        assert [games for games, _ in curve.points] == [4, 8]
        assert all(low <= middle <= high for (_, middle), (_, low, high) in zip(curve.points, curve.band, strict=True))
    (folder / "results.md").write_text(text)
    assert check_results(tmp_path) == (1, [])
    log = sweep.log(todo[0])
    changed = re.sub(r'("ladder/random": )[0-9.]+', r"\g<1>49.0", log.read_text())
    log.write_text(changed)
    _, wrong = check_results(tmp_path)
    assert any("results.md" in str(one) for one in wrong) and any("49.0, its games give" in str(one) for one in wrong)
    others = cases("quick", parse_variants(["learn.rate=1e-3,1e-4"], []), 2, [*TINY, "learn.l2=0.5"])
    with pytest.raises(TengenError, match="with other settings"):
        Sweep(folder, "quick", others).run("1", math.inf, lambda case, number: None)
    with pytest.raises(TengenError, match="no run logged 'elo'"):
        sweep_markdown(sweep, ["elo"])


def test_a_budget_in_games_gives_the_same_network_with_any_number_of_workers(tmp_path: Path) -> None:
    """Two machines of one kind differ in speed and cores only: neither must show."""
    weights = []
    for workers in ("1", "2"):
        todo = cases("quick", parse_variants([], []), 1, [*TINY, "selfplay.slots=2", "ladder.opponents=[]"])
        assert Sweep(tmp_path / workers, "quick", todo).run(workers, math.inf, lambda case, number: None) == 1
        weights.append((tmp_path / workers / "runs/base-s1/checkpoints/000002/average.safetensors").read_bytes())
    assert weights[0] == weights[1]
