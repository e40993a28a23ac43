"""Settings: unknown keys, contradictions, `--set`, and the experiments that ship."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.inference.models import BUNDLED
from tengen.training.alphazero.config import AlphaZeroConfig, check_config
from tengen.training.methods import checked
from tengen.training.run.config import apply_setting, describe, read_settings
from tests.helpers.paths import EXPERIMENTS

FOLDER = EXPERIMENTS
NAMES = ("quick", "base-8", "base-9", "base-15", "enhanced-9", "tengen", "weight-enhanced-9", "distilled-9", "planes-9",
         "warm-9")  # fmt: skip
EXPERIMENTS = [FOLDER / f"{name}.toml" for name in NAMES]


def load(path: Path) -> AlphaZeroConfig:
    return check_config(read_settings(path), str(path))


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sed = 1", "unknown key 'sed'"),
        ("[learn]\nbach = 3", "unknown key 'learn.bach'"),
        ("[search]\ncpuct = 3", "unknown key 'cpuct'"),
        ("[search]\nsims = 3", "sims_first"),
        ("[search]\nc_puct = 'high'", "search.c_puct"),
        ("[learn]\nbatch = 0", "learn.batch"),
        ("[board]\nwidth = 4\nheight = 4", "4x4 board is not supported"),
        ("[board]\nwidth = 40", "40x9 board is not supported"),
        ("[board]\nrule = 'chess'", "freestyle"),
        ("[board]\nsizes = {9 = 1}\n[network]\nkind = 'base'", "size-free"),
        ("[board]\nsizes = {4 = 1}", "'4' is not a side"),
        ("[network]\nencoding = 'stones'", "needs the encoding 'shapes'"),
        ("[network]\nkind = 'bse'", "unknown network 'bse'; choose one of base, compact, enhanced, tengen"),
        ("[network]\nkind = 'base'\nblocks = 3", "the network 'base' has no option 'blocks'"),
        ("[network]\nblocks = 0", "blocks = 0 must be at least 1"),
        ("[ladder]\ngames = 3", "ladder.games"),
        ("name = '../x'", "name"),
        ("this is no toml", "not a TOML file"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        load(write(tmp_path, text))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda p: p.stem)
def test_the_experiments_load_under_their_name(path: Path) -> None:
    config = checked(read_settings(path), str(path))
    assert config.name == path.stem
    assert config.budget.minutes or config.budget.iterations or config.budget.games
    if config.method == "alphazero":
        assert config.ladder.opponents, "strength must be measured against a fixed ladder"


def test_settings_reach_every_table() -> None:
    data: dict[str, object] = {"learn": {"batch": 8}}
    for setting in ["learn.batch=512", "network.kind=base", "board.sizes={9 = 2}", "seed=3", "learn.symmetries=false"]:
        apply_setting(data, setting)
    assert data == {
        "learn": {"batch": 512, "symmetries": False},
        "network": {"kind": "base"},
        "board": {"sizes": {"9": 2}},
        "seed": 3,
    }


@pytest.mark.parametrize("setting", ["learn.batch", "=3", "seed.x=3"])
def test_a_bad_setting_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match="--set"):
        apply_setting({"seed": 1}, setting)


def test_the_resolved_config_round_trips() -> None:
    config = load(EXPERIMENTS[0])
    assert check_config(config.resolved(), "again") == config


def test_schedules() -> None:
    config = AlphaZeroConfig.model_validate(
        {
            "selfplay": {"sims_first": 16, "sims_last": 64, "sims_iterations": 10},
            "learn": {"rate": 1e-2, "rate_last": 1e-4, "rate_iterations": 10},
            "pool": {"window": 1000, "window_max": 5000, "growth": 0.5},
        }
    )
    assert [config.selfplay.sims(i) for i in (0, 5, 10, 99)] == [16, 32, 64, 64]
    assert [round(config.learn.base_rate(i), 6) for i in (0, 5, 10, 99)] == [1e-2, 1e-3, 1e-4, 1e-4]
    assert [config.pool.size(n) for n in (0, 1000, 4000, 10**6)] == [1000, 1000, 2000, 5000]


def test_every_setting_is_explained() -> None:
    rows = describe(AlphaZeroConfig)
    assert len(rows) > 50
    unexplained = [key for key, _, meaning in rows if not meaning]
    assert unexplained == []


@pytest.mark.parametrize("card", sorted(BUNDLED.glob("*.json")), ids=lambda p: p.stem)
def test_the_settings_of_bundled_models_can_still_be_read(card: Path) -> None:
    """They were stored by older versions: with null for options that were not set, and under older names."""
    recipe = json.loads(card.read_text())["recipe"]
    config = checked(recipe, card.name)
    assert config.seed == recipe["seed"]
    assert checked(config.resolved(), "again") == config
