"""Every search finds what it found before, move for move and node for node.

A change here means that a search plays differently. If that is meant:
tengen bench --signatures > tests/data/signatures.json
"""

from __future__ import annotations

import json

import pytest

from tengen.lab.signature import SEARCHES, signature, signatures
from tests.helpers.paths import DATA

PINNED: dict[str, str] = json.loads((DATA / "signatures.json").read_text())


@pytest.mark.parametrize("name", SEARCHES)
def test_search_finds_what_it_found(name: str) -> None:
    facts = list(SEARCHES[name]())
    assert len(facts) > 1 and signature(facts) == PINNED[name]


def test_total_covers_every_search() -> None:
    assert signatures() == PINNED and set(PINNED) == {*SEARCHES, "total"}


def test_signature_sees_any_change() -> None:
    assert signature([(1, 2), (3,)]) != signature([(1, 2), (4,)]) != signature([(1, 2)])
