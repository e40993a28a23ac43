"""Losses on time of the engine against itself on a short clock: python benchmarks/clock_games.py --games 1000

`--busy N` keeps N other processes at work meanwhile, so that the engine has to share its core.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter

from tengen.board import Board
from tengen.lab.ab_openings import load_openings
from tengen.play.game import play_game
from tengen.registry import create
from tengen.rules import Limit, Termination, Variant


def burn() -> None:
    while True:
        sum(range(10_000))


def play(games: int, game_seconds: float | None, seconds: float | None, grace: float) -> Counter[Termination]:
    variant = Variant(15)
    openings = load_openings(variant, None)
    ends: Counter[Termination] = Counter()
    for number in range(games):
        players = [create(f"alphabeta:hash_mb=4,seed={2 * number + i}") for i in range(2)]
        start = Board(variant, list(openings[number % len(openings)]))
        record = play_game(*players, start, Limit(seconds=seconds), game_seconds=game_seconds, grace=grace)
        ends[record.termination] += 1
        if record.termination is Termination.TIME:
            print(f"game {number + 1}: {record.detail}", flush=True)
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--game-seconds", type=float, default=5.0, help="0: no game clock")
    parser.add_argument("--seconds", type=float, default=0.0, help="per move; 0: no such limit")
    parser.add_argument("--grace", type=float, default=0.0, help="seconds past a limit that are forgiven")
    parser.add_argument("--busy", type=int, default=0)
    args = parser.parse_args()
    others = [multiprocessing.Process(target=burn, daemon=True) for _ in range(args.busy)]
    for other in others:
        other.start()
    ends = play(args.games, args.game_seconds or None, args.seconds or None, args.grace)
    print(f"{args.games} games: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))


if __name__ == "__main__":
    main()
