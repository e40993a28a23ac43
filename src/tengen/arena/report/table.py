"""One line per game: the columns of the 9x9 research report, and a few more."""

from __future__ import annotations

import csv
import io

from tengen.arena.report.facts import duration
from tengen.records import GameRecord
from tengen.rules import Color, Result

COLUMNS = (
    "game", "player1", "player2", "first_player", "winner", "result", "moves", "duration",
    "termination", "opening", "pair", "black_seconds", "white_seconds",
)  # fmt: skip


def games_csv(records: list[GameRecord]) -> str:
    """player1 and player2 in alphabetical order, whoever began; result is player1's: win, draw or loss."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, record in enumerate(records, 1):
        writer.writerow(_row(number, record))
    return text.getvalue()


def _row(number: int, record: GameRecord) -> list[object]:
    one, two = sorted((record.black, record.white))
    score = record.score(Color.BLACK if record.black == one else Color.WHITE)
    winner = {Result.BLACK: record.black, Result.WHITE: record.white, Result.DRAW: ""}[record.result]
    result = {1.0: "win", 0.5: "draw", 0.0: "loss"}[score]
    offset = record.opening % 2
    return [
        number, one, two, record.black, winner, result, len(record.moves), f"{duration(record):.3f}",
        record.termination.value, record.opening, record.pair,
        f"{sum(record.seconds[offset::2]):.3f}", f"{sum(record.seconds[1 - offset :: 2]):.3f}",
    ]  # fmt: skip
