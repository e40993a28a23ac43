"""Players kept from game to game play as if they were made for each game."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tengen.arena.kept_players import KeptPlayers
from tengen.arena.schedule import Conditions, ScheduledGame, play, schedule_pairs
from tengen.board import Board
from tengen.play.entrants import parse_entrant
from tengen.play.openings import opening_stream
from tengen.players.base import Decision
from tengen.records import GameRecord
from tengen.registry import create
from tengen.rules import Limit, Variant
from tests.helpers.networks import write_network

SEVEN = Conditions(Variant(7), seed=3)


def games(a: str, b: str, count: int) -> list[ScheduledGame]:
    starts = opening_stream("balanced", SEVEN.variant, SEVEN.seed)
    return list(islice(schedule_pairs(parse_entrant(a, Limit()), parse_entrant(b, Limit()), SEVEN, starts), count))


def content(record: GameRecord) -> tuple[object, ...]:
    return record.moves, record.values, record.result, record.termination, record.seed


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    specs: list[str] = []

    def spy(spec: str, **options: object) -> object:
        specs.append(spec)
        return create(spec, **options)

    monkeypatch.setattr("tengen.arena.kept_players.create", spy)
    return specs


@pytest.mark.parametrize("other", ["alphazero:model={tiny},sims=12,temperature_moves=6,seed=5", "dqn"])
def test_records_are_the_same_as_with_new_players(tmp_path: Path, made: list[str], other: str) -> None:
    """With a tree kept from move to move, random symmetries and drawn moves: all the state a player can have."""
    tiny = write_network(tmp_path, size=7)
    first = f"alphazero:model={tiny},sims=12,reuse=on,symmetry=on,temperature_moves=4"
    schedule = games(first, other.format(tiny=tiny), 6)
    kept = KeptPlayers()
    together = [content(play(game, kept)) for game in schedule]
    assert len(made) == 2, "one player of each kind plays all games"
    assert together == [content(play(game, KeptPlayers())) for game in schedule]
    assert len({moves for moves, *_ in together}) > 1
    assert together[::-1] == [content(play(game, kept)) for game in reversed(schedule)]


def test_a_player_against_itself_is_two_players(tmp_path: Path, made: list[str]) -> None:
    tiny = write_network(tmp_path, size=7)
    spec = f"alphazero:model={tiny},sims=4"
    kept = KeptPlayers()
    for game in games(spec, spec, 3):
        play(game, kept)
    assert made == [spec, spec]


class Closable:
    def __init__(self) -> None:
        self.closed = 0

    def choose(self, board: Board, limit: Limit) -> Decision:
        return Decision(board.legal_moves()[0])

    def close(self) -> None:
        self.closed += 1


class Kept(Closable):
    def new_game(self, seed: int) -> None:
        self.seed = seed


@pytest.mark.parametrize("kind", [Closable, Kept])
def test_players_are_closed_in_the_end(kind: type[Closable], monkeypatch: pytest.MonkeyPatch) -> None:
    players: list[Closable] = []

    def make(spec: str, **options: object) -> Closable:
        players.append(kind())
        return players[-1]

    monkeypatch.setattr("tengen.arena.kept_players.create", make)
    kept = KeptPlayers(idle=2)
    for spec in ("random", "greedy", "weight"):
        with kept.borrowed(spec, 1):
            pass
    assert [player.closed for player in players] == ([1, 1, 1] if kind is Closable else [1, 0, 0])
    kept.close()
    assert [player.closed for player in players] == [1, 1, 1]
