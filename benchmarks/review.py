"""Do two reviews of a game agree? python benchmarks/review.py [--games 10]

Games of neighbouring levels are reviewed twice, the second time by a player of another seed with an empty memory, as if
on another day. Printed is the share of moves that got the same class both times; with the same seed it is all of them.
"""

from __future__ import annotations

import argparse
from itertools import pairwise

from tengen.board import Board
from tengen.lab.levels import read_scale
from tengen.play.game import play_game
from tengen.play.openings import openings
from tengen.records import GameRecord
from tengen.registry import create
from tengen.rules import Limit, Variant
from tengen.study.review import Review


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--size", type=int, default=15)
    args = parser.parse_args()
    same = total = 0
    for number in range(args.games):
        record = level_game(args.size, number)
        first, second = (marks(record, seed) for seed in (1, 2))
        agreed = sum(a == b for a, b in zip(first, second, strict=True))
        same, total = same + agreed, total + len(first)
        print(f"{record.black} - {record.white}: {agreed} of {len(first)} moves; so far {same / total:.1%}", flush=True)


def level_game(size: int, number: int) -> GameRecord:
    """Two neighbours below the level that thinks by the clock, another pair for each number."""
    variant = Variant(size)
    pairs = list(pairwise(read_scale().boards[size][:-1]))
    lower, upper = pairs[number % len(pairs)]
    start = Board(variant, openings(f"balanced-{size}", variant, number + 1, 1)[number])
    players = [create(level.spec, seed=number) for level in (lower, upper)]
    return play_game(*players, start, Limit(), names=(lower.name, upper.name))


def marks(record: GameRecord, seed: int) -> list[str]:
    """The class of each move after the opening."""
    review = Review(Board(record.variant), record.moves, create("alphabeta", seed=seed))
    for _ in review.run():
        pass
    return [str(verdict.mark) for verdict in review.verdicts[1 + record.opening :] if verdict]


if __name__ == "__main__":
    main()
