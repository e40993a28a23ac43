"""What shapes and the search for continuous fours say about finished games: better targets and further samples.

Everything here follows from the game alone, so a resumed run finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.board import Board
from tengen.rules import Color, Move, Result
from tengen.training.samples.games import TrainingGame
from tengen.training.samples.tactics import classify

WINNING = ("five", "open_four")
NODES = 200
"""Nodes of the search for continuous fours at a position beside the game."""


def winning_moves(board: Board) -> list[Move]:
    """Moves that win by their shape: fives, else open fours while the opponent has no five at hand."""
    seen = classify(board)
    return sorted(seen.solutions) if seen and seen.kind in WINNING else []


def spread_wins(game: TrainingGame) -> TrainingGame:
    """The game with the policy of every won position spread over all moves that win at once, not one of them."""
    rows = np.flatnonzero((game.proven > 0) & (game.weights > 0)).tolist()
    if not rows:
        return game
    policies = game.policies.copy()
    for row in rows:
        if winning := winning_moves(Board(game.variant, game.moves[: game.ply(row)].tolist())):
            policies[row] = _even(winning, policies.shape[1])
    return replace(game, policies=policies)


def proven_leaves(game: TrainingGame, count: int) -> list[TrainingGame]:
    """Up to `count` positions beside the game that are proven won, each as a game of one sample: the search thought of
    a move that was not played, and the answer to it wins by force. Late ones come first."""
    solver, found = _core.Vcf(), list[TrainingGame]()
    for row, move in _alternatives(game):
        if len(found) >= count:
            break
        before = game.moves[: game.ply(row)].tolist()
        board = Board(game.variant, [*before, move])
        if board.outcome() is None and (winning := _wins(board, solver)):
            found.append(_leaf(game, board, winning))
    return found


def _alternatives(game: TrainingGame) -> Iterator[tuple[int, Move]]:
    """The likeliest move that was not played, row by row from the end."""
    for row in reversed(game.samples().tolist()):
        policy = game.policies[row].astype(np.float32)
        policy[game.moves[game.ply(row)]] = 0
        if policy.max() > 0:
            yield row, int(policy.argmax())


def _wins(board: Board, solver: _core.Vcf) -> list[Move]:
    if winning := winning_moves(board):
        return winning
    return [solver.line()[0]] if solver.solve(board.core, int(board.turn), NODES).win else []


def _leaf(game: TrainingGame, board: Board, winning: list[Move]) -> TrainingGame:
    return TrainingGame(
        game.variant, np.array([*board.moves, winning[0]], np.int16), board.stones, Result.of(Color(board.turn)),
        _even(winning, board.cells)[None], np.ones(1, np.float32), np.ones(1, np.float32), np.ones(1, np.int8),
    )  # fmt: skip


def _even(moves: list[Move], cells: int) -> NDArray[np.float16]:
    policy = np.zeros(cells, np.float16)
    policy[moves] = 1 / len(moves)
    return policy
