"""The few numbers that the page without a server writes down once more are those of the server."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from tengen.registry import players
from tengen.study.difficulty import TRIES
from tengen.study.library import INDEXED_MOVES
from tengen.study.progress import NEAR
from tengen.study.rating import Rating
from tengen.study.verdicts import Mark
from tengen.web.library_desk import FEWEST_MOVES
from tengen.web.library_routes import JUDGE_SECONDS, PAGE
from tengen.web.live_analysis import CLAIM, FRAME_SECONDS, PROOF_NODES
from tengen.web.study_desk import HINT_SECONDS
from tengen.web.study_room import WARNING
from tests.site.conftest import STATIC

SAME = [
    ("worker", "EFFORTS", list(PROOF_NODES)),
    ("worker", "WARNING_NODES", WARNING.fours),
    ("worker", "PERSON_TRIES", TRIES),
    ("study", "NEAR", NEAR),
    ("study", "NEW", asdict(Rating())),
    ("study", "FAULTS", [mark.value for mark in Mark if mark.is_fault]),
    ("shelf", "PAGE", PAGE),
    ("shelf", "FEWEST_MOVES", FEWEST_MOVES),
    ("explorer", "INDEXED_MOVES", INDEXED_MOVES),
    ("explorer", "JUDGE_SECONDS", JUDGE_SECONDS),
    ("desk", "HINT_SECONDS", HINT_SECONDS),
    ("desk", "CLAIM", CLAIM),
    ("desk", "FRAME_MS", round(1000 * FRAME_SECONDS)),
]


def constant(module: str, name: str) -> Any:
    """What a module of the page sets `name` to: a number, a list or an object."""
    text = (STATIC / "js" / "local" / f"{module}.js").read_text(encoding="utf-8")
    found = re.search(rf"\b{name} = (\[.*?\]|\{{.*?\}}(?=;)|[\d._]+)", text)
    assert found, f"{module}.js has no {name}"
    return json.loads(re.sub(r"(\w+):", r'"\1":', found[1]).replace("_", ""))


@pytest.mark.parametrize(("module", "name", "value"), SAME)
def test_numbers(module: str, name: str, value: Any) -> None:
    assert constant(module, name) == value


def test_what_players_do_whose_spec_leaves_it_open() -> None:
    """The engine for browsers counts playouts as nodes."""
    for player, options in constant("worker", "USUAL").items():
        usual = {name: option.default for name, option in players()[player].options.items()}
        assert options.items() <= {"nodes": usual.get("playouts"), **usual}.items()
