"""Players from outside of the tree: packages with entry points, files named in TENGEN_PLUGINS, and broken ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tengen import plugins, registry
from tengen.board import Board
from tengen.plugins import FILES, PluginError, discover
from tengen.registry import SpecError
from tengen.rules import Limit

GROUP = plugins.PLAYERS


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv(FILES, raising=False)
    plugins._discover.cache_clear()
    yield
    plugins._discover.cache_clear()


def install(folder: Path, name: str, code: str, points: str) -> None:
    """A package as pip would lay it out: a module and its metadata."""
    (folder / f"{name}.py").write_text(code)
    info = folder / f"{name}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{points}\n")


def test_a_package_adds_a_plugin_and_is_imported_only_when_it_is_loaded(tmp_path: Path, monkeypatch) -> None:
    install(tmp_path, "outside_good", "THING = 'a thing'", "good = outside_good:THING")
    install(tmp_path, "outside_bad", "raise RuntimeError('no\\nluck')", "bad = outside_bad:THING")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = discover(GROUP)
    assert not {"outside_good", "outside_bad"} & sys.modules.keys()
    assert found.plugins["good"].load() == "a thing" and found.plugins["good"].source == "outside_good 1.2"
    with pytest.raises(PluginError, match=r"'bad' of outside_bad 1.2 cannot .* at .*outside_bad.py:1: no luck"):
        found.plugins["bad"].load()


def test_files_add_plugins_and_a_broken_one_is_named_with_its_reason(tmp_path: Path, monkeypatch) -> None:
    good, bad, odd = (tmp_path / f"{name}.py" for name in ("good", "bad", "odd"))
    good.write_text("PLAYERS = {'mine': 1, 'yours': 2}\nNETWORKS = {'net': 3}\n")
    bad.write_text("def broken(:\n")
    odd.write_text("PLAYERS = ['mine']\n")
    monkeypatch.setenv(FILES, plugins.os.pathsep.join(map(str, (bad, good, odd, tmp_path / "gone.py"))))
    found = discover(GROUP)
    assert {name: plugin.load() for name, plugin in found.plugins.items()} == {"mine": 1, "yours": 2}
    assert [p.load() for p in discover(plugins.NETWORKS).plugins.values()] == [3]
    for problem, words in zip(found.problems, ("bad.py", "must be a dictionary", "gone.py"), strict=True):
        assert words in problem and "\n" not in problem
    assert "SyntaxError" in found.problems[0]


def test_the_first_of_two_plugins_with_one_name_is_kept(tmp_path: Path, monkeypatch) -> None:
    files = [tmp_path / f"{name}.py" for name in ("first", "second")]
    for file in files:
        file.write_text(f"PLAYERS = {{'mine': '{file.stem}'}}\n")
    monkeypatch.setenv(FILES, plugins.os.pathsep.join(map(str, files)))
    found = discover(GROUP)
    assert found.plugins["mine"].load() == "first"
    assert "second.py is left out" in found.problems[0]


PLAYERS_FILE = """
from tengen.players.base import Decision

class First:
    \'\'\'the first legal cell\'\'\'
    def __init__(self, seed: int = 0, bias: float = 0.5): self.bias = bias
    def choose(self, board, limit): return Decision(board.legal_moves()[0], self.bias)

def needs(something): return First()

PLAYERS = {"first": First, "needs": needs, "number": 3, "random": First}
"""


def test_players_of_plugins_have_options_and_broken_ones_are_reported(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "mine.py").write_text(PLAYERS_FILE)
    monkeypatch.setenv(FILES, str(tmp_path / "mine.py"))
    assert registry.players()["first"].help == "the first legal cell"
    assert {"needs", "number"} & registry.players().keys() == set()
    assert registry.create("first:bias=0.25").choose(Board(), Limit()).value == 0.25
    with pytest.raises(SpecError, match="bias=nan is not supported"):
        registry.create("first:bias=nan")
    with pytest.raises(PluginError, match=r"plugin 'needs' of .*mine\.py:9 cannot be used: .*'something' needs"):
        registry.create("needs")
    with pytest.raises(SpecError, match=r"unknown player 'nobody'; choose one of .*first.*; plugin 'needs' of"):
        registry.create("nobody")
    assert len(registry.problems()) == 3 and any("of that name already" in line for line in registry.problems())
    assert registry.create("random").choose(Board(), Limit()).value is None, "ours keeps its name"


DECORATED = """
import tengen

@tengen.player("mine")
class Mine:
    def choose(self, board, limit): ...

@tengen.network("net")
class Net: ...
"""


def test_decorators_name_what_a_file_adds_and_where_it_stands(tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "mine.py"
    file.write_text(DECORATED)
    monkeypatch.setenv(FILES, "")
    plugins.use_files([file])
    plugins.use_files([file])
    assert plugins.plugin_files() == [str(file)]
    found = discover(GROUP).plugins["mine"]
    assert found.source == f"{file}:4" and found.load().__name__ == "Mine"
    assert discover(plugins.NETWORKS).plugins["net"].source == f"{file}:8"


def test_decorators_work_in_a_program_itself(monkeypatch) -> None:
    @plugins.player("here")
    class Here:
        """from this test"""

    try:
        assert registry.players()["here"].help == "from this test"
    finally:
        del plugins._named[__name__]
        plugins._discover.cache_clear()


@pytest.mark.parametrize(
    ("text", "reason"), [("x = 1\nraise ValueError('no')", "mine.py:2: no"), ("def f(:", "SyntaxError at .*mine.py:1")]
)
def test_an_imported_file_that_does_not_run_is_named_with_its_line(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(PluginError, match=reason):
        plugins.use_files([tmp_path / "mine.py"])
    with pytest.raises(PluginError, match="there is no Python file"):
        plugins.use_files([tmp_path / "gone.py"])
