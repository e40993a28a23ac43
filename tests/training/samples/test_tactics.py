"""The tactics probe: its positions are what they say, and players that see pass."""

from __future__ import annotations

import pytest

from tengen.board import Board
from tengen.players.solver import Mode, Solver
from tengen.registry import create
from tengen.rules import Limit, Variant
from tengen.training.samples.tactics import KINDS, probe_positions, solved

VARIANT = Variant(9)
PROBES = probe_positions(VARIANT, 6)


def of(kind: str) -> list[tuple[Board, frozenset[int]]]:
    return [(Board(VARIANT, probe.moves), probe.solutions) for probe in PROBES if probe.kind == kind]


def test_there_are_positions_of_every_kind_and_always_the_same() -> None:
    assert [sum(probe.kind == kind for probe in PROBES) for kind in KINDS] == [6] * len(KINDS)
    probe_positions.cache_clear()
    assert probe_positions(VARIANT, 6) == PROBES


def test_a_five_at_hand_wins_and_a_block_is_the_only_move() -> None:
    for board, solutions in of("five"):
        for move in solutions:
            after = board.copy()
            after.play(move)
            assert after.outcome() and after.outcome().result.sign(board.turn) == 1
    for board, solutions in of("block"):
        for move in set(board.legal_moves()) - solutions:
            after = board.copy()
            after.play(move)
            assert Solver().solve(after, Limit(nodes=100)).solved


@pytest.mark.parametrize("kind", ["open_four", "double"])
def test_solutions_of_attacks_win(kind: str) -> None:
    solver = Solver(Mode.VCF)
    for board, solutions in of(kind):
        assert solutions and solver.solve(board, Limit(nodes=10_000)).solved


def test_solutions_of_an_open_three_hold_and_others_do_not() -> None:
    solver = Solver(Mode.VCF)
    for board, solutions in of("open_three"):
        for move in board.legal_moves():
            after = board.copy()
            after.play(move)
            assert solver.solve(after, Limit(nodes=10_000)).solved == (move not in solutions)


def test_a_player_that_sees_finds_them_and_a_blind_one_does_not() -> None:
    engine, blind = create("alphabeta", seed=1), create("random", seed=1)
    seen = solved(PROBES, VARIANT, lambda board: engine.choose(board, Limit(nodes=3_000)).move)
    assert seen["probe/five"] == seen["probe/block"] == seen["probe/open_four"] == 100
    guessed = solved(PROBES, VARIANT, lambda board: blind.choose(board, Limit()).move)
    assert max(guessed.values()) < 60
