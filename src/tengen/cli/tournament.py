"""`tengen tournament`: many players, one folder of records."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table

from tengen.arena.collection import checked
from tengen.arena.jobs import Conditions
from tengen.arena.ratings import rate
from tengen.arena.score import Score
from tengen.arena.tournament import Tournament, cross_table, play_tournament, standings
from tengen.cli._arena import OPENINGS_HELP, GameProgress, checked_workers, parse_variant
from tengen.cli.rate import table_text
from tengen.play.entrants import checked_limit, parse_entrant
from tengen.records import GameRecord


def command(
    players: list[str] = typer.Argument(help="player specs, each with @LIMIT for its own limit (minimax@0.1s)"),
    size: str = typer.Option("15", help="board size: 15 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    games: int = typer.Option(20, help="games for every two players; two for each opening"),
    gauntlet: bool = typer.Option(False, help="only the first player meets the others"),
    openings: str = typer.Option("balanced", help=OPENINGS_HELP),
    seconds: float | None = typer.Option(None, help="time a move"),
    nodes: int | None = typer.Option(None, help="nodes (or playouts) a move"),
    depth: int | None = typer.Option(None, help="depth a move"),
    game_seconds: float | None = typer.Option(None, help="time for all moves of a side"),
    workers: int = typer.Option(os.cpu_count() or 1, help="games at the same time"),
    out: Path = typer.Option(..., help="folder of the records; an existing one is continued"),
    seed: int = typer.Option(1, help="seed of openings and players"),
) -> None:
    """Play a tournament; show the cross table while it goes and the ratings at the end."""
    limit = checked_limit(seconds, nodes, depth)
    entrants = tuple(parse_entrant(text, limit) for text in players)
    conditions = Conditions(parse_variant(size, k, rule), openings, seed, game_seconds)
    tournament = Tournament(entrants, conditions, games, gauntlet)
    names = [entrant.name for entrant in entrants]
    with LiveTable(names, len(tournament.pairings()) * games) as show:
        records = play_tournament(tournament, out, workers=checked_workers(workers), on_game=show.update)
    print_results(records, names)


def print_results(records: list[GameRecord], names: list[str]) -> None:
    print(cross_text(records, names))
    collection = checked(records)
    for note in collection.notes:
        print(f"note: {note}", file=sys.stderr)
    print(f"\n{table_text(rate(collection.records))}")


class LiveTable:
    """A cross table that grows on a terminal; a progress line now and then elsewhere."""

    def __init__(self, names: list[str], total: int) -> None:
        self._names, self._total, self._drawn = names, total, 0.0
        console = Console(stderr=True)
        self._live = Live(console=console, auto_refresh=False) if console.is_terminal else None
        self._plain = None if self._live else GameProgress(total)

    def __enter__(self) -> LiveTable:
        if self._live:
            self._live.start()
        return self

    def update(self, records: list[GameRecord]) -> None:
        if self._plain:
            leader = standings(records[-2000:], self._names)[0][0] if records else ""
            self._plain.update(len(records), f"leading: {leader}")
        elif self._live and (time.monotonic() - self._drawn > 0.5 or len(records) == self._total):
            self._drawn = time.monotonic()
            self._live.update(_rich_table(records, self._names, self._total), refresh=True)

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()


def _rich_table(records: list[GameRecord], names: list[str], total: int) -> Table:
    header, *rows = _cells(records, names)
    table = Table(title=f"{len(records)} of {total} games")
    for i, title in enumerate(header):
        table.add_column(title, justify="left" if i == 1 else "right")
    for row in rows:
        table.add_row(*row)
    return table


def cross_text(records: list[GameRecord], names: list[str]) -> str:
    """The cross table as plain text: wins+draws/2 against each opponent, best player first."""
    table = _cells(records, names)
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return "\n".join("  ".join(map(_aligned, row, widths, range(len(row)))) for row in table)


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column == 1 else cell.rjust(width)


def _cells(records: list[GameRecord], names: list[str]) -> list[list[str]]:
    ranked = standings(records, names)
    scores = cross_table(records, names)
    order = [name for name, _, _ in ranked]
    rows = [["#", "player", "points", "games", "score", *(str(i + 1) for i in range(len(order)))]]
    for place, (name, points, games) in enumerate(ranked, 1):
        against = [_cell(scores.get((name, other))) if name != other else "·" for other in order]
        share = f"{points / games:.1%}" if games else ""
        rows.append([str(place), name, f"{points:g}", str(games), share, *against])
    return rows


def _cell(score: Score | None) -> str:
    return f"+{score.wins}={score.draws}-{score.losses}" if score else ""
