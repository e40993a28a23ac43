"""`tengen bench`: keys, ratios and signatures."""

from __future__ import annotations

import json

import pytest

from tengen.cli import main
from tengen.lab.signature import signatures

KEYS = {
    "moves_per_s",
    "playouts_per_s_9",
    "playouts_per_s_15",
    "alphabeta_nps_15",
    "vcf_nps_15",
    "minimax_nps_9",
}


def test_json_has_every_speed_and_its_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["bench", "--json", "--seconds", "0.02"])
    assert not end.value.code
    found = json.loads(capsys.readouterr().out)
    assert set(found) == KEYS | {"reference_per_s", "ratios", "signatures"}
    assert set(found["ratios"]) == KEYS
    for key in KEYS:
        assert found[key] > 100
        assert found["ratios"][key] == pytest.approx(1000 * found[key] / found["reference_per_s"], rel=0.01)


def test_bad_time_names_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["bench", "--seconds", "0"])
    assert end.value.code == 2
    assert "--seconds" in capsys.readouterr().err


def test_signatures_can_be_asked_for_alone(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--signatures"])
    assert json.loads(capsys.readouterr().out) == signatures()
