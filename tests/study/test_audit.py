"""The independent check of puzzles: it holds for a sample of those that ship, and sees through wrong claims."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.study import puzzle_audit
from tengen.study.forced import ForcedPlay, forced_lines
from tengen.study.puzzle_audit import Finding, audit
from tengen.study.puzzles import Kind, bundled_puzzles

ADVICE = forced_lines(ForcedPlay(20_000))
SAMPLE = {kind: [p for p in bundled_puzzles() if p.kind is kind] for kind in Kind}


def test_it_imports_nothing_that_solves_or_mines() -> None:
    tree = ast.parse(Path(puzzle_audit.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in modules if name and name.startswith("tengen")}
    assert ours == {"tengen.board", "tengen.rules", "tengen.study.puzzles"}  # the rules, and what a puzzle is


@pytest.mark.parametrize(("kind", "count"), [(Kind.VCF, 40), (Kind.FORBIDDEN, 10), (Kind.DEFENCE, 4), (Kind.VCT, 3)])
def test_a_sample_of_what_ships_holds(kind: Kind, count: int) -> None:
    """All of them: `tengen puzzles check --independent`."""
    puzzles = SAMPLE[kind]
    found = [audit(puzzle, ADVICE) for puzzle in puzzles[:: max(1, len(puzzles) // count)][:count]]
    assert Finding.WRONG not in found and found.count(Finding.HOLDS) >= 0.6 * len(found)


@pytest.mark.parametrize("kind", [Kind.VCF, Kind.DEFENCE])
def test_wrong_claims_are_seen_through(kind: Kind) -> None:
    puzzle = SAMPLE[kind][0]
    wrong = next(m for m in puzzle.board().legal_moves() if m not in puzzle.solutions)
    assert audit(replace(puzzle, solutions=(wrong,)), ADVICE) is Finding.WRONG


def test_false_advice_cannot_make_a_claim_pass() -> None:
    puzzle = next(p for p in SAMPLE[Kind.VCT] if audit(p, ADVICE) is Finding.HOLDS)
    board = puzzle.board()
    quiet = next(m for m in board.legal_moves() if m not in puzzle.solutions)
    lies = tuple(board.legal_moves()[:9])
    assert audit(replace(puzzle, solutions=(quiet,)), lambda board: (True, lies)) is not Finding.HOLDS
