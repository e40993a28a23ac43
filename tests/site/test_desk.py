"""The site has one store of proofs: what live analysis proves is known to reviews, second tries and verdicts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from tengen.board import Board
from tengen.rules import Color, Value, parse_moves
from tengen.study.proofs import Force, Proof
from tengen.study.verdicts import Look, Mark, Verdict, judge

MOVES = parse_moves("h8a1h9", 15, 15)
PROOF = Proof(Color.WHITE, tuple(parse_moves("h7a2h6", 15, 15)), Force.FOURS, 2)
"""Made up: white, to move, wins."""
LOOK = Look(Value(0.1, Color.BLACK), MOVES[0] + 1, (MOVES[0] + 1,), None)
FINE = Verdict(Mark.GOOD, 0.0, None)


def plain(value: object) -> Any:
    return TypeAdapter(type(value)).dump_python(value, mode="json")


@pytest.fixture
def said(sources: Path) -> dict[str, Any]:
    asked = {"moves": MOVES, "proof": plain(PROOF), "look": plain(LOOK), "verdict": plain(FINE)}
    command = ["node", "--preserve-symlinks", str(Path(__file__).parent / "desk.mjs"), str(sources)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=60)
    return dict(json.loads(done.stdout))


def test_one_store_of_proofs(said: dict[str, Any]) -> None:
    assert said["before"] == [] and said["known"] == [[len(MOVES), plain(PROOF)]]
    assert said["retried"] == plain(Look.proven(PROOF)) == said["last"]["look"]
    verdict = judge(Board(moves=MOVES[:-1]), MOVES[-1], LOOK, Look.proven(PROOF))
    assert said["last"]["verdict"] == plain(verdict) and verdict.mark is Mark.ALLOWED_WIN
