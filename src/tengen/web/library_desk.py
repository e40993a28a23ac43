"""The library behind the page: games are kept as they are played, and found, opened and explored again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tengen.formats.sgf import format_sgf
from tengen.lab.levels import Level
from tengen.rules import Color, Rule
from tengen.study.library import Entry, Estimate, Library, Score, cell_text, estimate
from tengen.study.library_files import ImportReport, import_files
from tengen.web.game import ROOT, Game
from tengen.web.messages import ImportRecord, NewGame, Settings, SetUp
from tengen.web.snapshot import GameFiles

FEWEST_MOVES = 5
"""Of a game between people: fewer are a board somebody tried something on."""
HUMAN = "human"


def entry_of_game(game: Game) -> Entry | None:
    """A game as the library keeps it: the line played last, to its end. None for what is no game of a person's."""
    seats = (game.settings.black, game.settings.white)
    line = _line(game)
    if not line or (seats == (HUMAN, HUMAN) and len(line) < FEWEST_MOVES) or HUMAN not in seats:
        return None
    black, white = (name if seat == HUMAN and name else seat for seat, name in zip(seats, game.names, strict=True))
    winner, ending = _result(game, line[-1])
    return Entry(game.variant, game.moves(line[-1]), black, white, winner, game.created, _source(game), game.id,
                 _setup(game), ending, bool(game.helped))  # fmt: skip


def _source(game: Game) -> str:
    return "import" if any(game.names) else "play"


def _line(game: Game) -> list[int]:
    path = game.path()
    at = path[-1] if path else ROOT
    while children := game.nodes[at].children:
        at = children[-1]
        path.append(at)
    return path


def _result(game: Game, tip: int) -> tuple[str, str]:
    if game.ending and game.ending.node == tip:
        return str(game.ending.result), str(game.ending.termination)
    outcome = game.position(tip).board().outcome()
    return (str(outcome.result), str(outcome.termination)) if outcome else ("", "")


def _setup(game: Game) -> str:
    if game.setup is None:
        return ""
    stones = (cell_text(cells, game.variant) for cells in (game.setup.black, game.setup.white))
    return "/".join([*stones, game.setup.turn])


class LibraryDesk:
    def __init__(self, library: Library) -> None:
        self.library = library

    def keeper(self, game: Game) -> Callable[[], None]:
        """For whenever a game is saved: looks at it now, keeps it later."""
        entry = entry_of_game(game)
        return lambda: self.keep(entry) if entry else None

    def keep(self, entry: Entry) -> None:
        """A game that is over stays as it ended; only what helped is still noted."""
        try:
            old: Entry | None = self.library.get(entry.id)
        except LookupError:
            old = None
        if old is None and entry.source == "import" and self.library.has(entry):
            return  # a game of the library, or a record that is in it, was opened
        self.library.put(entry if old is None or not old.winner else replace(old, helped=old.helped or entry.helped))

    def take_over(self, files: GameFiles) -> int:
        """Games of a state folder that the library does not know yet. Returns how many there were."""
        known, found = self.library.ids(), 0
        for path in sorted(files.folder.glob("*.json")):
            if path.stem not in known and (game := files.read(path.stem)) is not None:
                self.keeper(game)()
                found += 1
        return found

    def take_in(self, folders: dict[str, Path]) -> ImportReport:
        """Records of tournaments and training runs below these folders, by the source they are kept under."""
        total = ImportReport()
        for source, folder in folders.items():
            files = sorted(path for path in folder.rglob("*.jsonl*") if _holds_records(path))
            report = import_files(self.library, files, source)
            total = ImportReport(total.new + report.new, total.doubles + report.doubles, total.bad + report.bad)
        return total

    def export(self) -> str:
        return format_sgf(entry.tree() for entry in self.library.all())

    def results(self, levels: dict[int, tuple[Level, ...]]) -> tuple[dict[tuple[str, str], Score], Estimate | None]:
        """Scores by board and level; the estimate rests on boards where the levels were measured."""
        scores = self.library.scores()
        rated: dict[float, Score] = {}
        for (variant, name), score in scores.items():
            for level in levels.get(_measured_side(variant), ()):
                if level.name == name and level.elo is not None:
                    rated[level.elo] = rated.get(level.elo, Score()) + score
        return scores, estimate(rated)


def _measured_side(variant: str) -> int:
    """Levels are measured on square freestyle boards with five in a row."""
    size, _, rule = variant.partition(" ")
    width, _, height = size.partition("x")
    return int(width) if width == height and rule == Rule.FREESTYLE else 0


def _holds_records(path: Path) -> bool:
    """A log of metrics is a .jsonl file too: the first line tells."""
    if path.name.endswith(".gz"):
        return True
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline()
    return '"moves"' in first and '"black"' in first


def as_record(entry: Entry) -> ImportRecord | NewGame:
    """What opens a game of the library on the board."""
    v = entry.variant
    if entry.sgf:
        return ImportRecord(text=entry.sgf, width=v.width, height=v.height, k=v.k, rule=v.rule)
    setup = None
    if entry.setup:
        tree = entry.tree()
        setup = SetUp(black=tree.black_stones, white=tree.white_stones,
                      turn="black" if tree.first == Color.BLACK else "white")  # fmt: skip
    return NewGame(settings=Settings.of(v), moves=entry.moves, setup=setup)
