"""Games whose result is drawn from known ratings, and a way to call the command line."""

from __future__ import annotations

import math
import random

import pytest

from tengen.arena.ratings import ELO
from tengen.cli.app import main
from tengen.records import GameRecord
from tengen.rules import Color, Result, Termination, Variant


def simulate(
    elos: dict[str, float], pairs: int, *, first: float = 0.0, nu: float = 0.0, edge: float = 0.0, seed: int = 1
) -> list[GameRecord]:
    """`pairs` opening pairs for every two players. `edge`: Elo that an opening gives one colour, by its number."""
    rng = random.Random(seed)
    names = list(elos)
    games = []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            for pair in range(pairs):
                tilt = rng.choice((-edge, edge))
                for leg, (black, white) in enumerate(((a, b), (b, a))):
                    lead = elos[black] - elos[white] + first + tilt
                    games.append(_game(rng, black, white, lead, nu, f"{seed}.{pair}", leg))
    return games


def _game(rng: random.Random, black: str, white: str, lead: float, nu: float, pair: str, leg: int) -> GameRecord:
    d = lead / (ELO * 2 / (2 + nu))
    winner = rng.choices([Color.BLACK, None, Color.WHITE], [math.exp(d / 2), nu, math.exp(-d / 2)])[0]
    drawn = rng.sample(range(81), min(81, 9 + int(rng.gammavariate(4, 6))))
    opening = random.Random(f"opening {pair}").sample(range(81), 4)
    moves = (*opening, *(move for move in drawn if move not in opening))
    end = Termination.FIVE if winner is not None else Termination.FULL
    return GameRecord(
        black, white, Variant(9), moves, Result.of(winner), end, 4, pair,
        tuple(round(rng.expovariate(5), 4) for _ in moves[4:]), tags={"leg": str(leg)},
    )  # fmt: skip


def run_cli(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    code = 0
    try:
        main([str(arg) for arg in args])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err
