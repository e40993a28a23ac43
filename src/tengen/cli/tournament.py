"""`tengen tournament`: many players, one folder of records."""

from __future__ import annotations

from typing import Annotated

import typer

from tengen.arena.collection import checked
from tengen.arena.ratings import rate
from tengen.arena.schedule import Conditions
from tengen.arena.tournament import Tournament, play_tournament
from tengen.cli import options as o
from tengen.cli.output import LiveTable, cross_text, print_notes, rating_text
from tengen.play.entrants import checked_limit, parse_entrant
from tengen.rules import Rule


def command(
    players: Annotated[
        list[str], typer.Argument(help="player specs, each with @LIMIT for its own limit (minimax@0.1s)")
    ],
    out: o.RecordFolder,
    size: o.Size = "15",
    k: o.K = 5,
    rule: o.RuleName = Rule.FREESTYLE,
    games: Annotated[int, typer.Option(help="games per pairing, two per opening")] = 20,
    gauntlet: Annotated[bool, typer.Option(help="pair only the first player with the others")] = False,
    openings: o.Openings = "balanced",
    seconds: o.Seconds = None,
    nodes: o.Nodes = None,
    depth: o.Depth = None,
    game_seconds: o.GameSeconds = None,
    workers: o.Workers = o.CORES,
    seed: o.Seed = 1,
    import_: o.Import = None,
) -> None:
    """Play a tournament: a live cross table, then the ratings."""
    limit = checked_limit(seconds, nodes, depth)
    entrants = tuple(parse_entrant(text, limit) for text in players)
    conditions = Conditions(o.variant_of(size, k, rule), openings, seed, game_seconds)
    tournament = Tournament(entrants, conditions, games, gauntlet)
    names = [entrant.name for entrant in entrants]
    with LiveTable(names, tournament.total) as live:
        records = play_tournament(tournament, out, workers=workers, on_game=live.update)
    print(cross_text(records, names))
    collection = checked(records)
    print_notes(collection.notes)
    print(f"\n{rating_text(rate(collection.records))}")
