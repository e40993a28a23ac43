"""The independent check of puzzles: it holds for a sample of those that ship, and sees through wrong claims."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.rules import parse_moves
from tengen.study import puzzle_audit
from tengen.study.forced import ForcedPlay, forced_lines
from tengen.study.puzzle_audit import Finding, audit
from tengen.study.puzzles import Kind, Puzzle, bundled_puzzles, check_puzzle, solutions_of

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


def defence(black: str, white: str, turn: str, solutions: str, rule: str) -> Puzzle:
    claim = {"id": "x", "variant": f"15x15 {rule}", "black": black, "white": white, "turn": turn, "kind": "defence"}
    return Puzzle.from_json(json.dumps(claim | {"solutions": solutions, "line": "", "rating": 1000}))


def test_a_four_of_the_defender_is_too_late_against_a_four() -> None:
    """White's f5 is a four, but its answer f4 makes a four of Black's, which f5 g6 would leave open."""
    stones = ("h8f6h6g5h5g4h4d2", "d8h7e4f3g3f2f1", "white")
    assert audit(defence(*stones, "i3", "renju"), ADVICE) is Finding.HOLDS
    assert audit(defence(*stones, "i3f5", "renju"), ADVICE) is Finding.WRONG
    puzzle = defence(*stones, "i3", "renju")
    open_four = puzzle.board()
    for move in parse_moves("f5f4", 15, 15):
        open_four.play(move)
    assert ForcedPlay().holds(open_four, parse_moves("g6", 15, 15)[0], 2) is False
    check_puzzle(puzzle, ForcedPlay())


def test_a_search_that_was_cut_off_is_no_proof_that_a_move_loses() -> None:
    """Three moves hold here; 10,000 nodes show it of one."""
    stones = ("j10e7l7e6l6m6e5g5h5i5k5l5m5n5f4j4k4g3l3g2j1", "i9h8g7m7d6f6k6f5j5o5e4g4h4i4l4h3i3j3k3i2")
    puzzle = defence(*stones, "white", "k8", "renju")
    assert solutions_of(puzzle.board(), Kind.DEFENCE, ForcedPlay(10_000)) == []
    assert len(solutions_of(puzzle.board(), Kind.DEFENCE, ForcedPlay(200_000))) == 3


def test_other_moves_that_win_by_fours_are_found() -> None:
    puzzle = next(p for p in SAMPLE[Kind.VCF] if len(p.solutions) == 2)
    assert audit(puzzle, ADVICE) is Finding.HOLDS
    assert audit(replace(puzzle, solutions=puzzle.solutions[:1]), ADVICE) is Finding.WRONG


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
