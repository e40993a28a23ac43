"""Every bundled network sees fives and blocks by search, or is named as an exhibit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.cli.app import main
from tengen.inference.models import UNTRAINED, ModelError, bundled_models, load_model
from tengen.lab.probe import EXHIBITS, GATED, ProbeRow, card_tactics, probe_model, read_record, seen
from tengen.registry import PLAYERS
from tests.helpers.paths import ROOT

RECORDED = {row.checksum: row for row in read_record(ROOT / "results" / "tactics")}


def row_of(name: str) -> ProbeRow:
    """As it was measured; a network that has changed since is measured now."""
    model = load_model(name)
    checksum = model.card.get("onnx_sha256") or model.card.get("sha256")
    return RECORDED.get(checksum) or probe_model(model, 50, 20, kinds=GATED)


@pytest.mark.parametrize("name", bundled_models())
def test_a_bundled_network_passes_the_gate_or_is_an_exhibit(name: str) -> None:
    assert row_of(name).passes != (name in EXHIBITS), row_of(name).search


def test_cards_say_what_was_measured() -> None:
    rows = {row.model: row for row in read_record(ROOT / "results" / "tactics")}
    for name in bundled_models():
        card = load_model(name).card
        assert card["tactics"] == card_tactics(rows[name], rows.get(f"{name}{UNTRAINED}")), name
        assert rows[name].checksum == card.get("onnx_sha256", card.get("sha256")), f"probe {name} again"


def test_a_table_says_what_a_players_network_sees() -> None:
    found = load_model("base-9").card["tactics"]
    own, control = (f"{found[f'{how}/five']:.0f} / {found[f'{how}/block']:.0f}" for how in ("search", "untrained"))
    assert seen("alphazero:model=base-9,sims=40") == f"{own}, untrained {control}"
    assert seen("minimax:depth=3") == ""


def test_exhibits_are_named_where_models_are_described() -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page.partition("are exhibits")[2] for name in EXHIBITS)


def test_no_exhibit_is_a_default():
    assert PLAYERS["alphazero"].options["model"].default not in EXHIBITS


def test_the_record_is_what_the_probe_gives() -> None:
    """On the quickest of them, the whole row again."""
    (recorded,) = (row for row in RECORDED.values() if row.model == "planes-9")
    assert probe_model("planes-9", 50, 20, kinds=GATED).search == {kind: recorded.search[kind] for kind in GATED}


def test_an_untrained_twin_is_blind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twin = load_model("planes-9:untrained")
    assert twin.name == "planes-9:untrained" and not probe_model(twin, 4, 5).passes
    with pytest.raises(SystemExit, match="0"):
        main(["probe", "planes-9", "--count", "2", "--sims", "2", "--out", str(tmp_path)])
    assert "| planes-9 | 9x9 freestyle | 2 | 2 |" in capsys.readouterr().out
    assert json.loads((tmp_path / "tactics.json").read_text())["revision"]


def test_any_policy_network_has_an_untrained_control() -> None:
    for name in ("base-9", "lines-15"):
        model, twin = load_model(name), load_model(f"{name}:untrained")
        assert twin.checksum == load_model(f"{name}:untrained").checksum != model.checksum  # the same at every time
        assert twin.card["tactics"]["search/five"] == model.card["tactics"]["untrained/five"]
        assert "strength" not in twin.card and twin.variant == model.variant
    with pytest.raises(ModelError, match="'dqn-9' has no untrained control"):
        load_model("dqn-9:untrained")
    with pytest.raises(ModelError, match="unknown model 'nothing'"):
        load_model("nothing:untrained")
