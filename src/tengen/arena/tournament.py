"""Tournaments: round robin or gauntlet, the same openings for every two players, resumable."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations, islice, repeat
from pathlib import Path
from typing import Any

from tengen.arena.game_processes import play_games
from tengen.arena.schedule import Conditions, ScheduledGame, record_key, unplayed
from tengen.arena.score import Score, match_score
from tengen.arena.store import RecordStore
from tengen.board import Board
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.play.entrants import Entrant, check_entrants, limit_text
from tengen.play.openings import Opening, opening_stream
from tengen.records import GameRecord
from tengen.rules import Variant

GAMES_FILE = "games.jsonl"
SETTINGS_FILE = "tournament.json"


@dataclass(frozen=True, slots=True)
class Tournament:
    """`games` per pairing: all pairs of players, or the first against each other one in a gauntlet.

    `reach` pairs only players at most that far apart in the list, as on a ladder of levels.
    """

    entrants: tuple[Entrant, ...]
    conditions: Conditions
    games: int
    gauntlet: bool = False
    reach: int = 0

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2:
            raise TengenError("a tournament needs at least two players")
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise TengenError(f"player '{twice[0]}' enters twice; give each its own options or limit")
        if self.games < 1:
            raise TengenError(f"games = {self.games}; a pairing has at least one game")

    def pairings(self) -> list[tuple[Entrant, Entrant]]:
        if self.gauntlet:
            return [(self.entrants[0], other) for other in self.entrants[1:]]
        numbered = combinations(enumerate(self.entrants), 2)
        return [(a, b) for (i, a), (j, b) in numbered if not self.reach or j - i <= self.reach]

    @property
    def total(self) -> int:
        """Games of the whole tournament."""
        return len(self.pairings()) * self.games

    def schedule(self, starts: Iterator[Opening]) -> Iterator[ScheduledGame]:
        """Opening by opening, so that all pairings are equally far when a tournament is stopped early."""
        for number, opening in enumerate(islice(starts, (self.games + 1) // 2)):
            pair = f"{self.conditions.seed}.{number}"
            legs = 1 if 2 * number + 1 == self.games else 2
            for a, b in self.pairings():
                for leg, (black, white) in enumerate(((a, b), (b, a))[:legs]):
                    yield ScheduledGame(black, white, self.conditions, opening, pair, leg)

    def settings(self) -> dict[str, Any]:
        """What a folder must agree on to be continued; players may be added."""
        c = self.conditions
        return {
            "variant": str(c.variant), "openings": c.openings, "seed": c.seed, "game_seconds": c.game_seconds,
            "games": self.games, "gauntlet": self.gauntlet, "reach": self.reach,
            "players": {entrant.name: limit_text(entrant.limit) for entrant in self.entrants},
        }  # fmt: skip


def play_tournament(
    tournament: Tournament,
    folder: Path,
    *,
    workers: int = 1,
    on_game: Callable[[list[GameRecord]], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> list[GameRecord]:
    """Plays what `folder` still lacks and returns all games of these players. `stop` is asked after each game."""
    conditions = tournament.conditions
    check_entrants(list(tournament.entrants), Board(conditions.variant))
    starts = opening_stream(conditions.openings, conditions.variant, conditions.seed)
    wanted = {game.key for game in tournament.schedule(repeat(()))}
    with RecordStore(folder / GAMES_FILE, conditions.variant) as store:
        _write_settings(folder / SETTINGS_FILE, tournament.settings())
        records = [record for record in store.records if record_key(record) in wanted]
        todo = unplayed(tournament.schedule(starts), store.records[:])
        show = on_game or (lambda records: None)
        show(records)
        with closing(store.keep(play_games(todo, workers))) as games:
            for record in games if not (stop and stop()) else ():
                records.append(record)
                show(records)
                if stop and stop():
                    break
    return records


def _write_settings(path: Path, settings: dict[str, Any]) -> None:
    """Refuses to continue under other conditions; keeps the settings of the latest run."""
    if path.is_file():
        old = json.loads(path.read_text(encoding="utf-8"))
        if "ground" in old:  # what the variant was called before; its text spelled k = 5 out
            old["variant"] = str(Variant.parse(old["ground"]))
        for key in ("variant", "openings", "seed", "game_seconds"):
            if old.get(key) != settings[key]:
                raise TengenError(f"{path.parent} holds a tournament with {key} = {old.get(key)}, not {settings[key]}")
        settings = settings | {"players": old.get("players", {}) | settings["players"]}
    write_atomic(path, json.dumps(settings, indent=2, ensure_ascii=False) + "\n")


def cross_table(records: list[GameRecord], players: list[str]) -> dict[tuple[str, str], Score]:
    """The score of each player against each other one it met, both ways round."""
    met: dict[tuple[str, str], list[GameRecord]] = {}
    for record in records:
        if record.black != record.white:
            met.setdefault((record.black, record.white), []).append(record)
    table = {}
    for a, b in combinations(players, 2):
        if games := met.get((a, b), []) + met.get((b, a), []):
            table[a, b], table[b, a] = match_score(games, a), match_score(games, b)
    return table


def standings(records: list[GameRecord], players: list[str]) -> list[tuple[str, float, int]]:
    """Player, points and games, best score first."""
    rows = []
    for player in players:
        own = [r for r in records if player in (r.black, r.white) and r.black != r.white]
        score = match_score(own, player)
        rows.append((player, score.wins + score.draws / 2, score.games))
    return sorted(rows, key=lambda row: -row[1] / max(row[2], 1))
