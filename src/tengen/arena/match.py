"""A match: two players, every opening with both colours, records appended as the games end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, repeat
from pathlib import Path

from tengen.arena.game_processes import play_games
from tengen.arena.schedule import Conditions, record_key, schedule_pairs, unplayed
from tengen.arena.score import Score, match_score
from tengen.arena.store import RecordStore
from tengen.board import Board
from tengen.errors import TengenError
from tengen.play.entrants import Entrant, check_entrants
from tengen.play.openings import opening_stream
from tengen.records import GameRecord

OnGame = Callable[[list[GameRecord]], None]


@dataclass(frozen=True, slots=True)
class MatchResult:
    score: Score
    records: list[GameRecord]
    played: int
    """Games of this run; the others were in the file already."""


def play_match(
    a: Entrant,
    b: Entrant,
    conditions: Conditions,
    games: int,
    *,
    workers: int = 1,
    out: Path | None = None,
    on_game: OnGame | None = None,
    stop: Callable[[], bool] | None = None,
) -> MatchResult:
    """Plays `games` games, or as many as `out` still lacks. `on_game` sees all records so far after each game.

    `stop` is asked after each game; what was played until then counts.
    """
    if games < 1:
        raise TengenError(f"games = {games}; a match has at least one game")
    check_entrants([a, b], Board(conditions.variant))
    starts = opening_stream(conditions.openings, conditions.variant, conditions.seed)
    schedule = islice(schedule_pairs(a, b, conditions, starts), games)
    wanted = {game.key for game in islice(schedule_pairs(a, b, conditions, repeat(())), games)}
    if out is None:
        return _finish(play_games(schedule, workers), [], a, on_game, stop)
    with RecordStore(out, conditions.variant) as store:
        old = [record for record in store.records if record_key(record) in wanted]
        todo = unplayed(schedule, store.records[:])
        return _finish(store.keep(play_games(todo, workers)), old, a, on_game, stop)


def _finish(
    games: Generator[GameRecord, None, None],
    old: list[GameRecord],
    a: Entrant,
    on_game: OnGame | None,
    stop: Callable[[], bool] | None,
) -> MatchResult:
    records = list(old)
    show = on_game or (lambda records: None)
    show(records)
    with closing(games):
        for record in games:
            records.append(record)
            show(records)
            if stop and stop():
                break
    return MatchResult(match_score(records, a.name), records, len(records) - len(old))
