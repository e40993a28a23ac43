"""`tengen match`: two players, every opening with both colours."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import typer

from tengen.arena.jobs import Conditions
from tengen.arena.match import play_match
from tengen.arena.score import Score, match_score
from tengen.cli._arena import OPENINGS_HELP, GameProgress, checked_workers, interval_text, parse_variant, score_line
from tengen.play.entrants import checked_limit, parse_entrant
from tengen.records import GameRecord


def command(
    a: str = typer.Argument(help="first player: a spec, with @LIMIT for its own limit (alphabeta@0.1s)"),
    b: str = typer.Argument(help="second player"),
    size: str = typer.Option("15", help="board size: 15 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    games: int = typer.Option(100, help="number of games; two for each opening"),
    openings: str = typer.Option("balanced", help=OPENINGS_HELP),
    seconds: float | None = typer.Option(None, help="time a move"),
    nodes: int | None = typer.Option(None, help="nodes (or playouts) a move"),
    depth: int | None = typer.Option(None, help="depth a move"),
    game_seconds: float | None = typer.Option(None, help="time for all moves of a side"),
    workers: int = typer.Option(os.cpu_count() or 1, help="games at the same time"),
    out: Path | None = typer.Option(None, help="record file; an existing one is continued"),
    seed: int = typer.Option(1, help="seed of openings and players"),
    as_json: bool = typer.Option(False, "--json", help="print the result as one JSON object"),
) -> None:
    """Play a match and print its score with the Elo difference."""
    limit = checked_limit(seconds, nodes, depth)
    first, second = parse_entrant(a, limit), parse_entrant(b, limit)
    conditions = Conditions(parse_variant(size, k, rule), openings, seed, game_seconds)
    with GameProgress(games) as progress:

        def show(records: list[GameRecord]) -> None:
            progress.update(len(records), score_line(match_score(records, first.name)))

        result = play_match(first, second, conditions, games, workers=checked_workers(workers), out=out, on_game=show)
    if as_json:
        print(json.dumps(_as_dict(first.name, second.name, result.score)))
    else:
        print(summary(first.name, second.name, result.score))


def summary(a: str, b: str, score: Score) -> str:
    rows = [
        f"{a} against {b}: {score.games} games",
        f"wins {score.wins}  draws {score.draws}  losses {score.losses}",
        f"score {interval_text(score.rate, '.1%')}",
        f"Elo difference {interval_text(score.elo)}, 95 % interval",
        "pairs by points 0, ½, 1, 1½, 2: " + " ".join(map(str, score.pairs)),
    ]
    for kind in ("crash", "time", "illegal", "memory"):
        ours, theirs = score.faults.get(kind, (0, 0))
        if kind != "memory" or ours + theirs:
            rows.append(f"lost by {kind}: {a} {ours}, {b} {theirs}")
    return "\n".join(rows)


def _as_dict(a: str, b: str, score: Score) -> dict[str, Any]:
    elo = [value if abs(value) < 1e9 else None for value in (score.elo.value, score.elo.low, score.elo.high)]
    return {
        "a": a, "b": b, "games": score.games, "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "score": score.rate.value, "score_low": score.rate.low, "score_high": score.rate.high,
        "elo": elo[0], "elo_low": elo[1], "elo_high": elo[2], "pairs": list(score.pairs), "faults": score.faults,
    }  # fmt: skip
