"""How far a fast review errs: python benchmarks/judge.py --games 12

Good moves, as a search with many more nodes sees them, should not be called mistakes. This prints how large a drop
the fast search sees at such moves, where there should be none; the steps of `tengen.study.verdicts` stand above it.
"""

from __future__ import annotations

import argparse
import random

import numpy as np

from tengen.board import Board
from tengen.players.base import Player
from tengen.registry import create
from tengen.rules import Limit, Variant

SURE = 0.98
"""Positions that either search holds for decided say nothing about the steps between."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--fast", type=int, default=20_000, help="nodes of the review's search")
    parser.add_argument("--slow", type=int, default=400_000, help="nodes of the search it is compared with")
    args = parser.parse_args()
    drops = [drop for seed in range(args.games) for drop in game_drops(seed, args.fast, args.slow)]
    print(f"{len(drops)} good moves; drop seen by {args.fast} nodes where {args.slow} nodes see none")
    for share in (50, 75, 90, 95, 98, 99):
        print(f"{share:3d} % below {np.percentile(drops, share):.3f}")


def game_drops(seed: int, fast: int, slow: int) -> list[float]:
    """One game from three random stones near the middle, each move chosen by the slow search."""
    board, rng, agent = Board(Variant(15)), random.Random(seed), create("alphabeta")
    for row, col in rng.sample([(r, c) for r in range(5, 10) for c in range(5, 10)], 3):
        board.play(row * 15 + col)
    drops = []
    while board.outcome() is None and board.stones < 24:
        before = value(agent, board, fast)
        best = agent.choose(board, Limit(nodes=slow))
        board.play(best.move)
        if board.outcome() is not None:
            break
        after = -value(agent, board, fast)
        if max(abs(before), abs(after), abs(best.value or 0)) < SURE:
            drops.append(max(0.0, before - after))
    return drops


def value(agent: Player, board: Board, nodes: int) -> float:
    return create("alphabeta").choose(board, Limit(nodes=nodes)).value or 0.0


if __name__ == "__main__":
    main()
