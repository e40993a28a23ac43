"""The figures of a report: a pure function of the records."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

from tengen.arena.collection import Collection
from tengen.arena.ratings import RatingTable, rate
from tengen.arena.score import Interval, Score, observations, score_interval
from tengen.arena.tournament import cross_table
from tengen.records import GameRecord
from tengen.rules import Color, move_name


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pairing that was played; the first player is the higher rated. Durations in seconds of thinking per game."""

    first: str
    second: str
    score: Score
    durations: list[float]
    moves: list[int]


@dataclass(frozen=True, slots=True)
class OpeningFact:
    """How black did from one opening, over all games of all players."""

    name: str
    games: int
    black_score: Interval


@dataclass(frozen=True, slots=True)
class Facts:
    collection: Collection
    ratings: RatingTable
    players: list[str]
    """Best first."""
    labels: dict[str, str]
    """Short names for charts, unique."""
    cross: dict[tuple[str, str], Score]
    pairings: list[Pairing]
    by_color: dict[str, tuple[Interval, Interval]]
    """Each player's score with black and with white."""
    openings: list[OpeningFact]
    terminations: dict[str, Counter[str]]
    """For each player: how its games ended, as `won: five`, `lost: time`, `drawn: full`."""


def gather(collection: Collection, anchor: tuple[str, float] | None = None, bootstrap: int = 200) -> Facts:
    records = collection.records
    table = rate(records, anchor, bootstrap=bootstrap)
    players = [rating.player for rating in table.ratings]
    cross = cross_table(records, players)
    return Facts(
        collection, table, players, short_labels(players), cross, _pairings(records, players, cross),
        _by_color(records), _openings(collection), _terminations(records),
    )  # fmt: skip


def duration(record: GameRecord) -> float:
    return sum(record.seconds)


def short_labels(players: list[str]) -> dict[str, str]:
    """The bare name where it is unique, else with the options that differ; long ones are cut in the middle."""
    options = {player: _options(player) for player in players}
    labels: dict[str, str] = {}
    for player, (name, own) in options.items():
        namesakes = [other for kind, other in options.values() if kind == name]
        distinctive = [item for item in own if not all(item in other for other in namesakes)]
        label = " ".join([name, *(item.removeprefix("model=") for item in distinctive)])
        label = label if len(label) <= 30 else f"{label[:18]}…{label[-11:]}"
        while label in labels.values():
            label += "'"
        labels[player] = label
    return labels


def _options(player: str) -> tuple[str, list[str]]:
    """`minimax:depth=3@1s` is `minimax` with `depth=3` and `@1s`."""
    spec, at, limit = player.partition("@")
    name, _, rest = spec.partition(":")
    return name, [*filter(None, rest.split(",")), *([at + limit] if at else [])]


def _pairings(records: list[GameRecord], players: list[str], cross: dict[tuple[str, str], Score]) -> list[Pairing]:
    games: dict[frozenset[str], list[GameRecord]] = defaultdict(list)
    for record in records:
        games[frozenset((record.black, record.white))].append(record)
    return [
        Pairing(
            a, b, cross[a, b],
            [duration(record) for record in games[frozenset((a, b))]],
            [len(record.moves) for record in games[frozenset((a, b))]],
        )
        for a, b in combinations(players, 2) if (a, b) in cross
    ]  # fmt: skip


def _by_color(records: list[GameRecord]) -> dict[str, tuple[Interval, Interval]]:
    scores: dict[tuple[str, Color], dict[tuple[object, str], list[float]]] = defaultdict(dict)
    for record, unit in zip(records, observations(records), strict=True):
        for color, name, other in (
            (Color.BLACK, record.black, record.white),
            (Color.WHITE, record.white, record.black),
        ):
            scores[name, color].setdefault((unit, other), []).append(record.score(color))
    names = {name for name, _ in scores}
    return {
        name: (
            score_interval(list(scores[name, Color.BLACK].values())),
            score_interval(list(scores[name, Color.WHITE].values())),
        )
        for name in names
    }


def _openings(collection: Collection) -> list[OpeningFact]:
    """Each opening's first-move advantage, the most one-sided for black first."""
    scores: dict[tuple[int, ...], list[list[float]]] = defaultdict(list)
    for record in collection.records:
        scores[record.moves[: record.opening]].append([record.score(Color.BLACK)])
    variant = collection.variant
    facts = [
        OpeningFact(
            "".join(move_name(move, variant.width, variant.height) for move in moves) or "empty board",
            len(groups), score_interval(groups),
        )
        for moves, groups in scores.items()
    ]  # fmt: skip
    return sorted(facts, key=lambda fact: (-fact.black_score.value, fact.name))


def _terminations(records: list[GameRecord]) -> dict[str, Counter[str]]:
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for color, name in ((Color.BLACK, record.black), (Color.WHITE, record.white)):
            result = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[record.score(color)]
            ends[name][f"{result}: {record.termination}"] += 1
    return dict(ends)
