"""Published figures follow from published records, and a figure that does not is found."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from tengen.cli.app import main
from tengen.errors import TengenError
from tengen.lab.levels import read_scale
from tengen.lab.results_check import check_levels, check_results, page_figures
from tests.helpers.paths import ROOT


def test_every_published_figure_follows_from_its_records() -> None:
    count, wrong = check_results(ROOT)
    assert count > 80 and not wrong, "\n".join(map(str, wrong))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source tree with one table, one page and their records."""
    for name in ("b-dqn-7", "matches"):
        shutil.copytree(ROOT / "results" / name, tmp_path / "results" / name)
    (tmp_path / "docs" / "lab").mkdir(parents=True)
    (tmp_path / "docs/lab/a.md").write_text(
        "Games: [games](../../results/matches/planes9-minimax3-9-off.jsonl.gz)\n\n"
        "| network | score |\n|---|---|\n| `planes-9` | 78.5 % (70.0 to 85.1) |\n"
    )
    return tmp_path


def test_a_true_page_passes(tree: Path) -> None:
    assert check_results(tree) == (2, [])
    (figure,) = page_figures(tree / "docs/lab/a.md")
    assert figure.line == 5 and figure.numbers == (78.5, 70.0, 85.1)


def test_a_wrong_figure_a_wrong_table_and_one_without_records_are_named(tree: Path) -> None:
    page, table = tree / "docs/lab/a.md", tree / "results/b-dqn-7/results.md"
    page.write_text(page.read_text().replace("70.0", "71.0") + "\n## Other\n\nIt scored 60.1 % (50.0 to 70.0).\n")
    table.write_text(table.read_text().replace("+400", "+399"))
    _, wrong = check_results(tree)
    words = [str(difference) for difference in wrong]
    assert [word.partition(": ")[0] for word in words] == [
        "results/b-dqn-7/results.md:9", "docs/lab/a.md:5", "docs/lab/a.md:9"
    ]  # fmt: skip
    assert "not what its records give" in words[1] and "has no records" in words[2]
    with pytest.raises(SystemExit, match="2"):
        main(["results", "check", str(tree)])


def test_a_level_that_its_games_do_not_give_is_named(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "results/levels/9x9", tmp_path / "results/levels/9x9")
    for name in ("src/tengen/lab/levels.json", "docs/lab/results.md"):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    folder, levels = tmp_path / "results/levels/9x9", read_scale().boards[9]
    assert check_levels(folder, tmp_path) == []
    for name, old, new in (
        ("src/tengen/lab/levels.json", f'"elo": {levels[1].elo}', f'"elo": {levels[1].elo + 1}'),
        ("docs/lab/results.md", f"| {levels[2].elo} |", f"| {levels[2].elo + 1} |"),
    ):
        text = (tmp_path / name).read_text()
        assert old in text
        (tmp_path / name).write_text(text.replace(old, new))
    words = list(map(str, check_levels(folder, tmp_path)))
    assert len(words) == 2 and levels[1].name in words[0] and f"| {levels[2].name} |" in words[1]


def test_a_result_of_the_engine_that_no_record_gives_is_named(tree: Path) -> None:
    games = [{"new": "black", "winner": "black"}, {"new": "white", "winner": ""}]
    (tree / "results" / "engine").mkdir()
    with gzip.open(tree / "results" / "engine" / "change.pairs.gz", "wt") as file:
        file.write('{"new": "a", "old": "b"}\n' + json.dumps({"pair": 0, "games": games}) + "\n")
    page = tree / "docs" / "alphabeta.md"
    page.write_text("| a change | +1 =1 -0 |\n| another | +2 =0 -0 |\n")
    assert [str(d) for d in check_results(tree)[1]] == ["docs/alphabeta.md:2: no record gives +2 =0 -0"]


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TengenError, match="has no folder results"):
        check_results(tmp_path)
