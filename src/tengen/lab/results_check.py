"""Are the printed figures those of the records? Recomputes tables and figures, and names what differs.

Tables in `results/*/results.md` are made again from the records beside them, those of sweeps from their logs, whose
scores must be those of their ladder games; and so are the ratings of the levels and their tables. Every result in the
engine's ledger must be that of a record of `tengen ab`. In pages, a figure with an interval such as
`78.5 % (70.0 to 85.1)` must follow from record files that its row, its paragraph or the paragraph before its table
links, or stand in a table or on a page where it does.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tengen.arena.ratings import rate
from tengen.arena.schedule import Conditions
from tengen.arena.score import Interval, match_score, observations, score_interval
from tengen.arena.tournament import GAMES_FILE, Tournament, cross_table
from tengen.errors import TengenError
from tengen.experiments import experiment_names, find_experiment
from tengen.lab.ab import Tally
from tengen.lab.levels import levels_markdown, read_scale, with_ratings
from tengen.lab.reproduce.claims import TrialResult, claims_markdown, trials
from tengen.lab.reproduce.methods import MethodsResult, available_players, methods_markdown
from tengen.lab.reproduce.milestones import measured_row, milestones_markdown
from tengen.lab.reproduce.plan import ClaimsPlan, MilestonePlan, StudyPlan, TournamentPlan, load_plan
from tengen.lab.reproduce.study import Snapshot, StudyResult
from tengen.lab.reproduce.study_report import study_markdown
from tengen.lab.sweep import FILE as SWEEP
from tengen.lab.sweep import Sweep
from tengen.lab.sweep_report import sweep_markdown
from tengen.play.entrants import parse_entrant
from tengen.records import GameRecord, compressed, read_records
from tengen.rules import Color, Limit
from tengen.training.ladder import ladder_metrics

FIGURE = re.compile(r"(\d+(?:\.\d+)?)(?: ?%)? \((\d+(?:\.\d+)?)(?: ?%)? to (\d+(?:\.\d+)?)(?: ?%)?[^)]*\)")
Numbers = tuple[float, float, float]
RESULT = re.compile(r"\+\d+ =\d+ -\d+(?:, Elo [+-]\d+ \([+-]\d+ to [+-]\d+\))?")
RECORDS = re.compile(r"\]\(([^)\s]+\.jsonl(?:\.gz)?)\)")


@dataclass(frozen=True, slots=True)
class Difference:
    """A printed figure that the records do not give."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def check_results(root: Path) -> tuple[int, list[Difference]]:
    """How many figures and tables were compared below a source tree, and those that differ."""
    if not (root / "results").is_dir():
        raise TengenError(f"{root} has no folder results; run this in the source tree, or name it")
    known = set(experiment_names(reproductions=True))
    tables = [folder for folder in sorted((root / "results").iterdir()) if (folder / "results.md").is_file()]
    wrong = [d for folder in tables if folder.name in known or is_sweep(folder) for d in check_table(folder, root)]
    wrong += [d for folder in tables if is_sweep(folder) for d in check_ladders(folder, root)]
    known_figures = {f for folder in tables for f in _figures((folder / "results.md").read_text(encoding="utf-8"))}
    pages = [page for pattern in ("README*.md", "docs/lab/*.md") for page in sorted(root.glob(pattern))]
    figures = [figure for page in pages for figure in page_figures(page)]
    known_figures |= {figure.numbers for figure in figures if figure.follows()}
    wrong += [figure.difference(root) for figure in figures if figure.numbers not in known_figures]
    boards = sorted((root / "results" / "levels").glob("*x*"))
    wrong += [d for folder in boards for d in check_levels(folder, root)]
    ledger = list(ledger_results(root / "docs" / "alphabeta.md"))
    tests = engine_results(root / "results" / "engine")
    wrong += [
        Difference(f"docs/alphabeta.md:{n}", f"no record gives {text}") for n, text in ledger if text not in tests
    ]
    return len(tables) + len(figures) + len(boards) + len(ledger), wrong


def check_levels(folder: Path, root: Path) -> list[Difference]:
    """What the file of levels and the page of results say otherwise than the games of a board."""
    side = int(folder.name.partition("x")[0])
    source, page = root / "src" / "tengen" / "lab" / "levels.json", root / "docs" / "lab" / "results.md"
    scale = read_scale(source)
    names = {level.entrant.name for level in scale.boards[side]}
    records = [record for record in _read(folder / GAMES_FILE) if {record.black, record.white} <= names]
    measured = with_ratings(scale, side, records)[0].boards[side]
    wrong = [
        Difference(f"{source.relative_to(root)}: {side}x{side}", f"{level.name} is not what its games give: {made}")
        for level, made in zip(scale.boards[side], measured, strict=True)
        if level != made
    ]
    printed = page.read_text(encoding="utf-8").splitlines()
    missing = [line for line in levels_markdown(measured, records).splitlines() if line not in printed]
    return wrong + [Difference(str(page.relative_to(root)), f"the games give this row: {line}") for line in missing]


# ---------------------------------------------------------------------------------------- tests of the engine


def ledger_results(page: Path) -> Iterator[tuple[int, str]]:
    """The results a page prints, with their lines."""
    lines = page.read_text(encoding="utf-8").splitlines() if page.is_file() else []
    for number, line in enumerate(lines, 1):
        yield from ((number, match[0]) for match in RESULT.finditer(line))


def engine_results(folder: Path) -> set[str]:
    """What the records of tests of the engine give, as the ledger writes it: with and without Elo."""
    results = set()
    for path in sorted(folder.glob("*.pairs.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            score = Tally(line for line in map(json.loads, file) if "pair" in line).score()
        played = f"+{score.wins} ={score.draws} -{score.losses}"
        elo = score.elo
        results |= {played, f"{played}, Elo {elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"}
    return results


# ---------------------------------------------------------------------------------------- tables made again


def check_table(folder: Path, root: Path) -> list[Difference]:
    """The lines of a table that its records do not give."""
    page = folder / "results.md"
    printed, made = page.read_text(encoding="utf-8").splitlines(), set(remade(folder).splitlines())
    place = page.relative_to(root)
    return [
        Difference(f"{place}:{number}", f"not what the records give: {line}")
        for number, line in enumerate(printed, 1)
        if line not in made
    ]


def is_sweep(folder: Path) -> bool:
    return (folder / SWEEP).is_file()


def check_ladders(folder: Path, root: Path) -> list[Difference]:
    """Scores in the logs of a sweep that the ladder games beside them do not give."""
    sweep, wrong = Sweep.read(folder), []
    for case in filter(sweep.finished, sweep.cases):
        rows = [row for row in sweep.metrics(case) if any(key.startswith("ladder/") for key in row)]
        games = _read(sweep.ladder(case)) if rows else []
        for row in rows:
            own = [game for game in games if game.tags["iteration"] == str(int(row["iteration"]))]
            wrong += [
                Difference(str(sweep.log(case).relative_to(root)), f"{key} = {row.get(key)}, its games give {score}")
                for key, score in ladder_metrics(own).items()
                if row.get(key) != score
            ]
    return wrong


def remade(folder: Path) -> str:
    """The table of a bundled experiment or of a sweep, from its records alone."""
    if is_sweep(folder):
        return sweep_markdown(Sweep.read(folder))
    plan = load_plan(find_experiment(folder.name, reproductions=True), False)
    if isinstance(plan, TournamentPlan):
        return _methods(plan, folder)
    if isinstance(plan, ClaimsPlan):
        return _claims(plan, folder)
    if isinstance(plan, MilestonePlan):
        return _milestones(plan, folder)
    if isinstance(plan, StudyPlan):
        return _study(plan, folder)
    raise TengenError(f"{folder} has a table but no records to make it from")


def _read(path: Path) -> list[GameRecord]:
    return list(read_records(path if path.is_file() else compressed(path)))


def _methods(plan: TournamentPlan, folder: Path) -> str:
    entrants, missing = available_players(plan)
    tournament = Tournament(tuple(entrants.values()), Conditions(plan.variant, plan.openings, plan.seed), plan.games)
    names = {method: entrant.name for method, entrant in entrants.items()}
    met = {frozenset((a.name, b.name)) for a, b in tournament.pairings()}
    records = [r for r in _read(folder / GAMES_FILE) if frozenset((r.black, r.white)) in met]
    cross = cross_table(records, list(names.values()))
    return methods_markdown(plan, MethodsResult(records, names, rate(records), cross, missing))


def _claims(plan: ClaimsPlan, folder: Path) -> str:
    results = [
        TrialResult(trial, match_score(_read(folder / f"{trial.name}.jsonl"), parse_entrant(trial.a, Limit()).name))
        for trial in trials(plan)
    ]
    return claims_markdown(plan, results)


def _milestones(plan: MilestonePlan, folder: Path) -> str:
    files = {int(path.name.partition(".")[0].removeprefix("after-")): path for path in folder.glob("after-*.jsonl*")}
    rows = [
        measured_row(plan, asked, trained, list(read_records(files[trained])))
        for asked, trained in zip(plan.milestones, sorted(files), strict=False)
    ]
    return milestones_markdown(plan, rows)


def _study(plan: StudyPlan, folder: Path) -> str:
    """What trainings used is told by the page itself: their logs are not kept."""
    page = (folder / "results.md").read_text(encoding="utf-8")
    finals = {path.name.split("-")[1]: list(read_records(path)) for path in sorted(folder.glob("final-*.jsonl*"))}
    stages = [[Snapshot(v, 0, minutes, Path(), {}, 0.0) for v in plan.variants] for minutes in plan.minutes]
    made = study_markdown(plan, StudyResult(stages, _read(folder / "ladder.jsonl"), finals))
    return made + page.partition("## Runs")[2].partition("## Ladder")[0]


# ---------------------------------------------------------------------------------------- figures in pages


@dataclass(frozen=True, slots=True)
class PageFigure:
    """A score with its interval as a page prints it, and the records it should follow from."""

    page: Path
    line: int
    texts: tuple[str, str, str]
    records: list[Path]

    @property
    def numbers(self) -> Numbers:
        low, middle, high = map(float, self.texts)
        return low, middle, high

    def follows(self) -> bool:
        return any(_same(self.texts, interval) for interval in _intervals(tuple(self.records)))

    def difference(self, root: Path) -> Difference:
        value, low, high = self.texts
        what = "is not what its records give" if self.records else "has no records"
        return Difference(f"{self.page.relative_to(root)}:{self.line}", f"{value} ({low} to {high}) {what}")


def page_figures(page: Path) -> Iterator[PageFigure]:
    for line, text, links in _blocks(page):
        for match in FIGURE.finditer(text):
            yield PageFigure(page, line, (match[1], match[2], match[3]), links)


def _figures(text: str) -> set[Numbers]:
    return {(float(match[1]), float(match[2]), float(match[3])) for match in FIGURE.finditer(text)}


def _blocks(page: Path) -> Iterator[tuple[int, str, list[Path]]]:
    """Paragraphs and rows of tables with the record files they link; a row without one has its paragraph's."""
    paragraph: list[Path] = []
    line = 1
    for block in re.split(r"\n\s*\n", page.read_text(encoding="utf-8")):
        rows = block.splitlines()
        if rows and rows[0].lstrip().startswith("|"):
            for number, row in enumerate(rows):
                yield line + number, row, _links(page, row) or paragraph
        else:
            paragraph = _links(page, block) or ([] if block.startswith("#") else paragraph)
            yield line, " ".join(block.split()), _links(page, block)
        line += block.count("\n") + 2


def _links(page: Path, text: str) -> list[Path]:
    return [page.parent / link for link in RECORDS.findall(text)]


@cache
def _intervals(paths: tuple[Path, ...]) -> list[Interval]:
    """Every score the games of files give, of each and of all together: of either player, with both colours or one, by
    points, wins alone or games not lost."""
    files = [list(read_records(path)) for path in paths]
    every = [record for records in files for record in records]
    found = []
    for records in [*files, every] if len(files) > 1 else files:
        for name in {records[0].black, records[0].white} if records else ():
            for games in (records, [r for r in records if r.black == name], [r for r in records if r.white == name]):
                found += [_interval(games, name, wins=False), _interval(games, name, wins=True)]
    return found + [Interval(1 - i.value, 1 - i.high, 1 - i.low) for i in found]


def _interval(records: list[GameRecord], name: str, wins: bool) -> Interval:
    groups: dict[object, list[float]] = {}
    for record, unit in zip(records, observations(records), strict=True):
        score = record.score(Color.BLACK if record.black == name else Color.WHITE)
        groups.setdefault(unit, []).append(float(score == 1) if wins else score)
    return score_interval(list(groups.values()))


def _same(figure: tuple[str, str, str], interval: Interval) -> bool:
    """Equal as far as it is printed."""
    values = (interval.value, interval.low, interval.high)
    return all(_rounded(text, 100 * value) for text, value in zip(figure, values, strict=True))


def _rounded(text: str, value: float) -> bool:
    decimals = len(text.partition(".")[2])
    return abs(float(text) - value) <= 0.5 * 10.0**-decimals + 1e-6
