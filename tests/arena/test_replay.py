"""Games recorded long ago: their players play them again move for move, and the rules end them as they ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.arena.schedule import derived_seed
from tengen.board import Board
from tengen.play.game import play_game
from tengen.records import GameRecord, read_records
from tengen.registry import create
from tengen.rules import Limit, Termination
from tests.helpers.paths import ROOT

RESULTS = ROOT / "results"
REPLAYED = {
    "matches/greedy-minimax2-7": 100,
    "matches/dqn7-minimax3-7": 30,
    "matches/dqn7-weight-7": 30,
    "matches/dqn9-greedy-9": 40,
    "c-evaluation/games": 10,
    "strength/enhanced-9-minimax-off": 1,
    "matches/planes9-base9-9-on": 2,
}
"""How many games of a file are played again: players without a limit of time, so that nothing but the seed decides."""


def replayed(record: GameRecord) -> GameRecord:
    """The game once more, as a tournament plays it."""
    black = create(record.black, seed=record.seed)
    white = create(record.white, seed=derived_seed(record.seed, "white"))
    start = Board(record.variant, record.moves[: record.opening])
    return play_game(black, white, start, Limit(), seed=record.seed)


def spread(records: list[GameRecord], count: int) -> list[GameRecord]:
    """So many records from all parts of a file."""
    return records[:: max(1, len(records) // count)][:count]


def test_at_least_two_hundred_games_are_replayed() -> None:
    assert sum(REPLAYED.values()) >= 200


@pytest.mark.parametrize("name", REPLAYED)
def test_players_play_their_recorded_games_again(name: str) -> None:
    records = list(read_records(RESULTS / f"{name}.jsonl.gz"))
    for record in spread(records, REPLAYED[name]):
        again = replayed(record)
        assert (again.moves, again.result, again.termination) == (record.moves, record.result, record.termination)
        assert again.values == pytest.approx(record.values, abs=1e-4)


FILES = sorted(RESULTS.rglob("*.jsonl.gz"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(RESULTS)))
def test_the_rules_end_recorded_games_as_they_ended(path: Path) -> None:
    for record in read_records(path):
        outcome = record.board().outcome()
        if record.termination in (Termination.FIVE, Termination.FULL):
            assert outcome and (outcome.result, outcome.termination) == (record.result, record.termination)
        else:
            assert outcome is None
        assert record.board(-1).outcome() is None


def test_records_are_there() -> None:
    assert len(FILES) > 40
