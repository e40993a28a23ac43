"""Records gathered from any number of files, checked before anyone counts them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tengen.arena.jobs import ground_of
from tengen.arena.openings import Ground
from tengen.records import GameRecord, read_records


@dataclass(frozen=True, slots=True)
class Collection:
    """Games on one ground. `notes` says in plain words what was left out or renamed, and why."""

    ground: Ground
    records: list[GameRecord]
    notes: list[str] = field(default_factory=list)

    @property
    def players(self) -> list[str]:
        return sorted({name for record in self.records for name in (record.black, record.white)})


def collect(paths: Iterable[Path], ground: Ground | None = None) -> Collection:
    """Reads files, and folders of *.jsonl files. Games on several grounds are refused unless one is chosen."""
    notes: list[str] = []
    files = [file for path in paths for file in _files(path)]
    records = [record for file in files for record in _read(file, notes)]
    if not records:
        raise ValueError(f"no games in {', '.join(map(str, files)) or 'no file'}")
    return checked(records, ground, notes)


def checked(records: list[GameRecord], ground: Ground | None = None, notes: list[str] | None = None) -> Collection:
    """One ground, no game twice, and no player under two limits by one name. Raises when there is no game at all."""
    if not records:
        raise ValueError("no game was played, so there is nothing to rate; give it more time")
    notes = [] if notes is None else notes
    ground, records = _one_ground(records, ground, notes)
    records = _named_by_limit(_without_duplicates(records, notes), notes)
    return Collection(ground, records, notes)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        if found := sorted(path.glob("*.jsonl")):
            return found
        raise ValueError(f"the folder {path} holds no record file (*.jsonl)")
    if not path.is_file():
        raise ValueError(f"there is no record file {path}")
    return [path]


def _read(path: Path, notes: list[str]) -> list[GameRecord]:
    records = list(read_records(path))
    text = path.read_bytes()
    lines = sum(bool(line.strip()) for line in text.split(b"\n"))
    if lines > len(records):
        notes.append(f"{path}: the last line is cut short and was left out")
    return records


def _one_ground(records: list[GameRecord], ground: Ground | None, notes: list[str]) -> tuple[Ground, list[GameRecord]]:
    counts = Counter(ground_of(record) for record in records)
    if ground is None:
        if len(counts) > 1:
            found = "; ".join(f"{count} games on {ground}" for ground, count in counts.most_common())
            raise ValueError(f"games of different boards or rules cannot be mixed: {found}; choose one by --ground")
        return next(iter(counts)), records
    chosen = [record for record in records if ground_of(record) == ground]
    if not chosen:
        raise ValueError(f"no game on {ground}; there are games on {', '.join(map(str, counts))}")
    if len(chosen) < len(records):
        notes.append(f"{len(records) - len(chosen)} games on other boards or rules were left out")
    return ground, chosen


def _without_duplicates(records: list[GameRecord], notes: list[str]) -> list[GameRecord]:
    """The same players, pair and moves is the same game: a copy, or a replay that tells nothing new."""
    seen: dict[tuple[object, ...], GameRecord] = {}
    for record in records:
        key = (record.pair, record.tags.get("leg"), record.black, record.white, record.seed, record.moves)
        seen.setdefault(key if record.pair else (id(record),), record)
    if len(seen) < len(records):
        notes.append(f"{len(records) - len(seen)} duplicate games were left out")
    return list(seen.values())


def _named_by_limit(records: list[GameRecord], notes: list[str]) -> list[GameRecord]:
    """Tells one name under several limits apart: `minimax` becomes `minimax@0.1s` and `minimax@1s`."""
    limits: dict[str, set[str]] = defaultdict(set)
    for record in records:
        limits[record.black].add(_limit(record, "black"))
        limits[record.white].add(_limit(record, "white"))
    several = {name for name, found in limits.items() if len(found) > 1}
    if not several:
        return records
    notes.append(f"played under several limits and rated apart: {', '.join(sorted(several))}")
    return [_renamed(record, several) for record in records]


def _limit(record: GameRecord, side: str) -> str:
    """A side's limit a move, and the clock of the game where there was one: `0.5s`, `60s/game`, `0.5s+60s/game`."""
    clock = record.tags.get("game_seconds", "")
    return "+".join(filter(None, (record.tags.get(f"{side}_limit", ""), clock and f"{clock}s/game")))


def _renamed(record: GameRecord, several: set[str]) -> GameRecord:
    def name(player: str, limit: str) -> str:
        return f"{player}@{limit or 'free'}" if player in several else player

    black, white = name(record.black, _limit(record, "black")), name(record.white, _limit(record, "white"))
    return replace(record, black=black, white=white)
