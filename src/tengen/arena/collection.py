"""Records gathered from any number of files, checked before anyone counts them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from tengen.errors import TengenError
from tengen.records import GameRecord, compressed, read_records, record_bytes
from tengen.rules import Variant


@dataclass(frozen=True, slots=True)
class Collection:
    """Games on one variant. `notes` says in plain words what was left out or renamed, and why."""

    variant: Variant
    records: list[GameRecord]
    notes: list[str] = field(default_factory=list)

    @property
    def players(self) -> list[str]:
        return sorted({name for record in self.records for name in (record.black, record.white)})


def collect(paths: Iterable[Path], variant: Variant | None = None) -> Collection:
    """Reads record files and folders of them. Games on several variants are refused unless one is chosen."""
    notes: list[str] = []
    files = [file for path in paths for file in _files(path)]
    records = [record for file in files for record in _read(file, notes)]
    if not records:
        raise TengenError(f"no games in {', '.join(map(str, files)) or 'no file'}")
    return checked(records, variant, notes)


def checked(records: list[GameRecord], variant: Variant | None = None, notes: list[str] | None = None) -> Collection:
    """One variant, no game twice, and no player under two limits by one name. Raises when there is no game at all."""
    if not records:
        raise TengenError("no game was played, so there is nothing to rate; allow more time")
    notes = [] if notes is None else notes
    variant, records = _one_variant(records, variant, notes)
    records = _named_by_limit(_without_duplicates(records, notes), notes)
    return Collection(variant, records, notes)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        if found := _in_folder(path):
            return found
        raise TengenError(f"the folder {path} holds no record file (*.jsonl, *.jsonl.gz)")
    if not path.is_file():
        raise TengenError(f"there is no record file {path}")
    return [path]


def _in_folder(folder: Path) -> list[Path]:
    """Every record file once: a plain file may have grown since its compressed copy was made, so it goes first."""
    plain = sorted(folder.glob("*.jsonl"))
    copies = {compressed(path) for path in plain}
    return plain + [path for path in sorted(folder.glob("*.jsonl.gz")) if path not in copies]


def _read(path: Path, notes: list[str]) -> list[GameRecord]:
    records = list(read_records(path))
    lines = sum(bool(line.strip()) for line in record_bytes(path).split(b"\n"))
    if lines > len(records):
        notes.append(f"{path}: the last line is cut short and was left out")
    return records


def _one_variant(
    records: list[GameRecord], variant: Variant | None, notes: list[str]
) -> tuple[Variant, list[GameRecord]]:
    counts = Counter(record.variant for record in records)
    if variant is None:
        if len(counts) > 1:
            found = "; ".join(f"{count} games on {variant}" for variant, count in counts.most_common())
            raise TengenError(
                f"games of different boards or rules cannot be mixed: {found}; choose one with --size, --k and --rule"
            )
        return next(iter(counts)), records
    chosen = [record for record in records if record.variant == variant]
    if not chosen:
        raise TengenError(f"no game on {variant}; there are games on {', '.join(map(str, counts))}")
    if len(chosen) < len(records):
        notes.append(f"{len(records) - len(chosen)} games on other boards or rules were left out")
    return variant, chosen


def _without_duplicates(records: list[GameRecord], notes: list[str]) -> list[GameRecord]:
    """The same players, pair and moves are the same game: a copy, or a repetition without information."""
    seen: dict[tuple[object, ...], GameRecord] = {}
    for record in records:
        key = (record.pair, record.tags.get("leg"), record.black, record.white, record.seed, record.moves)
        seen.setdefault(key if record.pair else (id(record),), record)
    if len(seen) < len(records):
        notes.append(f"{len(records) - len(seen)} duplicate games were left out")
    return list(seen.values())


def _named_by_limit(records: list[GameRecord], notes: list[str]) -> list[GameRecord]:
    """Separates one name under several limits: `minimax` becomes `minimax@0.1s` and `minimax@1s`."""
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
    """A side's limit per move, and the clock of the game where there was one: `0.5s`, `60s/game`, `0.5s+60s/game`."""
    clock = record.tags.get("game_seconds", "")
    return "+".join(filter(None, (record.tags.get(f"{side}_limit", ""), clock and f"{clock}s/game")))


def _renamed(record: GameRecord, several: set[str]) -> GameRecord:
    def name(player: str, limit: str) -> str:
        return f"{player}@{limit or 'free'}" if player in several else player

    black, white = name(record.black, _limit(record, "black")), name(record.white, _limit(record, "white"))
    return replace(record, black=black, white=white)
