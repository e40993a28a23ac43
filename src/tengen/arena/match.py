"""A match: two players, every opening with both colours, records appended as the games end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tengen.arena.entrants import Entrant, check_entrants
from tengen.arena.jobs import Conditions, Job, pair_jobs, pending, record_key
from tengen.arena.openings import openings
from tengen.arena.pool import run_jobs
from tengen.arena.score import Score, match_score
from tengen.arena.store import RecordStore
from tengen.records import GameRecord


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
    on_game: Callable[[list[GameRecord]], None] | None = None,
) -> MatchResult:
    """Plays `games` games, or as many as `out` still lacks. `on_game` sees all records so far after each game."""
    if games < 1:
        raise ValueError(f"games = {games}; a match has at least one game")
    check_entrants([a, b])
    starts = openings(conditions.openings, conditions.ground, (games + 1) // 2, conditions.seed)
    jobs = pair_jobs(a, b, conditions, starts, games)
    if out is None:
        return _run(jobs, [], lambda record: None, a, workers, on_game)
    with RecordStore(out) as store:
        return _run(jobs, store.records[:], store.append, a, workers, on_game)


def _run(
    jobs: list[Job],
    old: list[GameRecord],
    keep: Callable[[GameRecord], None],
    a: Entrant,
    workers: int,
    on_game: Callable[[list[GameRecord]], None] | None,
) -> MatchResult:
    todo = pending(jobs, old)
    wanted = {job.key for job in jobs}
    records = [record for record in old if record_key(record) in wanted]
    if on_game:
        on_game(records)
    for record in run_jobs(todo, workers):
        keep(record)
        records.append(record)
        if on_game:
            on_game(records)
    return MatchResult(match_score(records, a.name), records, len(todo))
