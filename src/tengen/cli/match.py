"""`tengen match`: two players, every opening with both colours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.arena.match import play_match
from tengen.arena.schedule import Conditions
from tengen.arena.score import Score, match_score
from tengen.cli import options as o
from tengen.cli.output import GameProgress, match_summary, score_line
from tengen.play.entrants import checked_limit, parse_entrant
from tengen.records import GameRecord
from tengen.rules import Rule


def command(
    a: Annotated[str, typer.Argument(help="first player: a spec, with @LIMIT for its own limit (alphabeta@0.1s)")],
    b: Annotated[str, typer.Argument(help="second player")],
    size: o.Size = "15",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    games: Annotated[int, typer.Option(help="number of games, two per opening")] = 100,
    openings: o.Openings = "balanced",
    seconds: o.Seconds = None,
    nodes: o.Nodes = None,
    depth: o.Depth = None,
    game_seconds: o.GameSeconds = None,
    workers: o.Workers = o.CORES,
    out: Annotated[Path | None, typer.Option(dir_okay=False, help="record file; an existing one is continued")] = None,
    seed: o.Seed = 1,
    as_json: o.AsJson = False,
    import_: o.Import = None,
) -> None:
    """Play a match between two players and print the score with the Elo difference."""
    limit = checked_limit(seconds, nodes, depth)
    first, second = parse_entrant(a, limit), parse_entrant(b, limit)
    conditions = Conditions(o.variant_of(size, k, rule), openings, seed, game_seconds)
    with GameProgress(games) as progress:

        def show(records: list[GameRecord]) -> None:
            progress.update(len(records), lambda: score_line(match_score(records, first.name)))

        result = play_match(first, second, conditions, games, workers=workers, out=out, on_game=show)
    if as_json:
        print(json.dumps(_as_dict(first.name, second.name, result.score)))
    else:
        print(match_summary(first.name, second.name, result.score))


def _as_dict(a: str, b: str, score: Score) -> dict[str, Any]:
    elo = [value if abs(value) < 1e9 else None for value in (score.elo.value, score.elo.low, score.elo.high)]
    return {
        "a": a, "b": b, "games": score.games, "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "score": score.rate.value, "score_low": score.rate.low, "score_high": score.rate.high,
        "elo": elo[0], "elo_low": elo[1], "elo_high": elo[2], "pairs": list(score.pairs), "faults": score.faults,
        "openings": score.openings, "repeated": score.repeated,
    }  # fmt: skip
