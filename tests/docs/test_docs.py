"""The pages are true: links lead somewhere, files and names exist, commands parse, the example runs."""

from __future__ import annotations

import importlib
import re
import shlex
import shutil
from dataclasses import fields
from pathlib import Path

import pytest
import typer.main
from click import Command
from pydantic import BaseModel

from tengen import plugins
from tengen.arena.score import match_score
from tengen.cli.app import COMMANDS, main
from tengen.experiments import experiment_names
from tengen.inference.search_options import SearchOptions
from tengen.lab.reproduce.claims import TrialResult, claims_markdown, trials
from tengen.lab.reproduce.plan import ClaimsPlan, load_plan
from tengen.play.entrants import parse_entrant
from tengen.records import read_records
from tengen.registry import PLAYERS
from tengen.rules import Limit
from tengen.training.alphazero.config import AlphaZeroConfig
from tengen.training.dqn.config import DqnConfig
from tengen.training.lines.config import LinesConfig
from tests.helpers.markdown import PAGES, code, commands, links, paths, python_blocks, results
from tests.helpers.paths import EXPERIMENTS, ROOT
from tests.test_layers import LAYERS, LEVEL

IDS = [str(page.relative_to(ROOT)) for page in PAGES]
every_page = pytest.mark.parametrize("path", PAGES, ids=IDS)
FIGURES = ("README.md", "docs/lab/results.md")
EXPERIMENT_NAMES = {
    "train": experiment_names(reproductions=False),
    "reproduce": experiment_names(reproductions=True),
}
GROUPS = {plugins.PLAYERS, plugins.NETWORKS, plugins.METHODS, plugins.ENCODINGS, plugins.LOGGERS}
HISTORY = {ROOT / "CHANGELOG.md"}
"""Pages about the past may name what is gone."""


@every_page
def test_links_lead_somewhere(path: Path) -> None:
    broken = [str(link) for link in links(path) if not _target(path, link.text).exists()]
    assert not broken


def _target(page: Path, link: str) -> Path:
    return page.parent / link.partition("#")[0] if link.partition("#")[0] else page


@every_page
def test_fragments_are_headings_of_their_page(path: Path) -> None:
    for link in links(path):
        target, _, fragment = link.text.partition("#")
        if fragment:
            assert fragment in _headings(_target(path, target)), str(link)


def _headings(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@every_page
def test_named_files_exist(path: Path) -> None:
    """`cpp/search/pvs` stands for its header and its source."""
    missing = [str(named) for named in paths(path) if not _exists(named.text)]
    assert not missing or path in HISTORY, missing


def _exists(path: str) -> bool:
    """Words in capitals are placeholders: `src/tengen/models/NAME.json`."""
    pattern = re.sub(r"\b[A-Z]{3,}\b", "*", path)
    return any(ROOT.glob(pattern)) or any(ROOT.glob(pattern + ".*"))


@every_page
def test_named_python_objects_exist(path: Path) -> None:
    if path in HISTORY:
        return
    for found in code(path):
        for name in re.findall(r"(?<![\w./-])tengen(?:\.[A-Za-z_]\w*)+", found.text):
            assert name in GROUPS or _resolves(name), f"{found} names {name}"


def _resolves(name: str) -> bool:
    """A module, or something in one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            if not hasattr(thing, part) and part not in getattr(thing, "__annotations__", {}):
                return False
            thing = getattr(thing, part, None)
        return True
    return False


@every_page
def test_shown_commands_and_options_exist(path: Path) -> None:
    for found, words in commands(path):
        _check_command(str(found), words)


def test_commands_in_experiments_exist() -> None:
    """The comments of an experiment say how it is run."""
    for path in EXPERIMENTS.glob("*.toml"):
        calls = re.findall(r"^#   tengen (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert calls, f"{path.name} does not say how it is run"
        for call in calls:
            for part in re.split("; tengen |&& tengen ", call):
                _check_command(f"{path.name}: {part}", shlex.split(re.sub(r"[\[\]]", " ", part), comments=True))


def _check_command(shown: str, words: list[str]) -> None:
    name, *rest = words
    assert name in COMMANDS, shown
    known = _options(name)
    for word in rest:
        option = word.partition("=")[0]
        assert not option.startswith("--") or option in known, f"{shown} has no option {option}"
    if name in EXPERIMENT_NAMES and rest and re.fullmatch(r"[a-z][a-z0-9-]*", rest[0]):
        assert rest[0] in EXPERIMENT_NAMES[name], f"{shown} names no experiment"


def _options(name: str) -> set[str]:
    app = typer.Typer(add_completion=False)
    app.command(name)(importlib.import_module(f"tengen.cli.{name}").command)
    command: Command = typer.main.get_command(app)
    return {option for param in command.params for option in (*param.opts, *param.secondary_opts)} | {"--help"}


@every_page
def test_shown_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for found in code(path):
        for target in re.findall(r"^make ([a-z]+)", found.text):
            assert target in targets, str(found)


@every_page
def test_named_settings_exist(path: Path) -> None:
    """`learn.kl_target` is a setting of some method of training."""
    tables = _settings()
    for found in code(path):
        for table, key in re.findall(r"(?:^|--set )([a-z]+)\.([a-z_]+)(?=$| =|=)", found.text):
            assert table not in tables or key in tables[table], f"{found} names {table}.{key}"


def _settings() -> dict[str, set[str]]:
    tables: dict[str, set[str]] = {}
    for config in (AlphaZeroConfig, DqnConfig, LinesConfig):
        for name, field in config.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
                tables.setdefault(name, set()).update(field.annotation.model_fields)
            elif name == "search":
                tables["search"] = {option.name for option in fields(SearchOptions)}
    del tables["board"]  # `board.turn` and `board.py` are no settings
    return tables


@every_page
def test_shown_specs_have_known_options(path: Path) -> None:
    for found in code(path):
        for name, options in re.findall(r"(?<![\w./-])([a-z]+):((?:[a-z_]+=[^\s,@]+,?)+)", found.text):
            if name in PLAYERS:
                keys = {option.partition("=")[0] for option in options.rstrip(",").split(",") if "=" in option}
                assert keys <= set(PLAYERS[name].options), str(found)


def test_the_pages_show_commands_at_all() -> None:
    """Else the test above could not fail."""
    assert len({words[0] for page in PAGES for _, words in commands(page)}) > 15


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readme_example_runs(readme: str, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = python_blocks(ROOT / readme)
    exec(compile(block, readme, "exec"), {})
    assert re.match(r"[a-o]\d+ ", capsys.readouterr().out)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_examples_of_environments_run(number: int) -> None:
    exec(compile(python_blocks(ROOT / "docs" / "environments.md")[number], "environments.md", "exec"), {})


def test_both_readmes_show_the_same_commands_and_links() -> None:
    english, chinese = ROOT / "README.md", ROOT / "README.zh-CN.md"
    for shown in (lambda page: [words for _, words in commands(page)], python_blocks):
        assert shown(english) == shown(chinese)
    other = {"README.md", "README.zh-CN.md"}
    assert {link.text for link in links(english)} - other == {link.text for link in links(chinese)} - other


def test_published_work_goes_by_its_name() -> None:
    """docs/sources.md gives the names; letters and "the sources" mean nothing to a reader."""
    forbidden = re.compile(r"[Ss]ystems? [ABC]\b|[Jj]ournal paper|(?<!9x9 )[Rr]esearch report")
    files = [*PAGES, *(path for room in ("src", "cpp") for path in (ROOT / room).rglob("*.*"))]
    text = {".md", ".py", ".h", ".cpp", ".toml", ".js", ".html"}
    for path in files:
        if path.suffix in text and path != ROOT / "docs" / "sources.md":
            words = forbidden.search(" ".join(path.read_text(encoding="utf-8").split()))
            assert not words, f"{path.relative_to(ROOT)}: {words and words.group()}"


def test_every_page_is_on_the_map() -> None:
    """docs/index.md leads to each page of docs/."""
    index = ROOT / "docs" / "index.md"
    reached = {(index.parent / link.text.partition("#")[0]).resolve() for link in links(index)}
    assert {page for page in PAGES if page.is_relative_to(index.parent)} - {index} <= reached


def test_the_table_of_methods_is_made_again_from_its_records(tmp_path: Path) -> None:
    """Complete records leave nothing to play: the command writes the table that is in results/."""
    shutil.copytree(ROOT / "results" / "c-evaluation", tmp_path / "c-evaluation")
    with pytest.raises(SystemExit, match="0"):
        main(["reproduce", "c-evaluation", "--out", str(tmp_path), "--no-report"])
    table = (ROOT / "results" / "c-evaluation" / "results.md").read_text(encoding="utf-8")
    assert (tmp_path / "c-evaluation" / "results.md").read_text(encoding="utf-8") == table


def test_the_table_of_strength_follows_from_its_records() -> None:
    plan, folder = load_plan(EXPERIMENTS / "strength.toml"), ROOT / "results" / "strength"
    assert isinstance(plan, ClaimsPlan)
    results = []
    for trial in trials(plan):
        records = read_records(folder / f"{trial.name}.jsonl.gz")
        results.append(TrialResult(trial, match_score(records, parse_entrant(trial.a, Limit()).name)))
    assert claims_markdown(plan, results) == (folder / "results.md").read_text(encoding="utf-8")


def test_every_cited_record_file_holds_games() -> None:
    cited = {path for page in PAGES for link in links(page) if (path := page.parent / link.text).suffix == ".gz"}
    assert len(cited) > 20 and all(next(read_records(path), None) for path in cited)


def test_results_in_tables_are_those_of_their_records() -> None:
    """Where a row or a cell shows wins, draws and losses and links records, they agree, from either side."""
    shown = [result for page in PAGES for result in results(page)]
    assert len(shown) > 15
    for found, path, (wins, draws, losses) in shown:
        records = list(read_records(path))
        score = match_score(records, records[0].black)
        assert (score.wins, score.draws, score.losses) in {(wins, draws, losses), (losses, draws, wins)}, str(found)


def test_the_figures_of_the_readme_are_in_the_results() -> None:
    figure = re.compile(r"\d+(?:\.\d+)? \(\d+(?:\.\d+)? to \d+(?:\.\d+)?\)")
    plain = [(ROOT / page).read_text(encoding="utf-8").replace(" %", "").replace("%", "") for page in FIGURES]
    claimed = set(figure.findall(plain[0]))
    assert len(claimed) >= 4 and claimed <= set(figure.findall(plain[1]))


def test_the_architecture_lists_every_package_in_order() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.partition("## Packages")[2].partition("## Types")[0]
    rows = [set(re.findall(r"`(\w+)`", line.split("|")[1])) for line in table.splitlines() if line.startswith("| `")]
    assert [row & set(LEVEL) for row in rows] == [set(layer) for layer in LAYERS]
