"""Imports go one way only, and nothing below the surfaces prints or reads the command line."""

from __future__ import annotations

import ast
import graphlib
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tengen"

# A room may import itself and the rooms before it.
LAYERS: tuple[set[str], ...] = (
    {"errors"},
    {"rules", "files", "plugins", "experiments", "provenance"},
    {"_core", "board", "board_svg", "records", "formats"},
    {"inference", "nets"},
    {"players"},
    {"gomocup"},
    {"registry"},
    {"play"},
    {"envs", "arena"},
    {"training"},
    {"lab", "study", "testing"},
    {"web", "cli"},
)
# Rooms of training: each may import itself and those before it.
TRAINING = (
    "run",
    "samples",
    "ladder",
    "knowledge",
    "alphazero",
    "lines",
    "dqn",
    "ppo",
    "methods",
    "hub",
    "runs",
    "api",
)
# Doors that stay shut although the layers would allow them.
SHUT = {("arena", "envs"), ("envs", "arena"), ("training", "arena")}
TRAINING_SHUT = {("dqn", "alphazero"), ("dqn", "lines"), ("dqn", "knowledge")}
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
SURFACES = LAYERS[-1]
FREE = {"__init__", "__main__"}  # the public names and the entry point belong to no layer
HEAVY = ("torch", "pydantic", "onnxruntime", "numpy", "scipy", "fastapi", "typer", "rich")
SELDOM = ("torch", "onnxruntime", "scipy")

MODULES = sorted(SOURCE.rglob("*.py"))


def module_name(path: Path) -> str:
    """`tengen.training.run.loop`; a package is named like its folder."""
    parts = ["tengen", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {module_name(path): path for path in MODULES}


def part_of(path: Path) -> str:
    """The top-level part of the package a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Everything of the package that a module imports, wherever in the file, with the line number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "write imports in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name.startswith("tengen."))


def imported_parts(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for name, line in imported_names(tree):
        yield name.split(".")[1], line


def imported_modules(tree: ast.AST, known: Collection[str]) -> Iterator[tuple[str, int]]:
    """The modules behind the imported names: of `tengen.board.Board` that is `tengen.board`."""
    for name, line in imported_names(tree):
        module = name if name in known else name.rpartition(".")[0]
        if module in known and module != "tengen":
            yield module, line


def a_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle; empty when there are none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    part = part_of(path)
    if part in FREE:
        return
    assert part in LEVEL, f"'{part}' has no layer yet; give it one in LAYERS and docs/architecture.md"
    for imported, line in imported_parts(ast.parse(path.read_text(encoding="utf-8"))):
        assert (part, imported) not in SHUT, f"{path.name}:{line}: {part} must not import {imported}"
        if imported in LEVEL:
            assert LEVEL[imported] <= LEVEL[part], f"{path.name}:{line}: {part} must not import {imported}"


@pytest.mark.parametrize(
    "path", [p for p in MODULES if part_of(p) == "training"], ids=lambda p: str(p.relative_to(SOURCE))
)
def test_training_keeps_to_its_inner_walls(path: Path) -> None:
    room = module_name(path).split(".")[2:3] or ["run"]
    assert room[0] in TRAINING, f"'{room[0]}' is no room of training yet; give it a place in TRAINING"
    for module, line in imported_modules(ast.parse(path.read_text(encoding="utf-8")), NAMES):
        part, *inner = module.split(".")[1:]
        if part == "training" and inner:
            where = f"{path.name}:{line}: training/{room[0]} must not import training/{inner[0]}"
            assert TRAINING.index(inner[0]) <= TRAINING.index(room[0]), where
            assert (room[0], inner[0]) not in TRAINING_SHUT, where


def test_no_modules_import_each_other_in_a_circle() -> None:
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in NAMES.items()}
    graph = {name: {module for module, _ in imported_modules(tree, NAMES)} - {name} for name, tree in trees.items()}
    assert a_cycle(graph) == []


def test_a_circle_would_be_seen() -> None:
    texts = {"tengen.a": "def f():\n    from tengen import b", "tengen.b": "from tengen.a import f"}
    graph = {name: {m for m, _ in imported_modules(ast.parse(text), texts)} for name, text in texts.items()}
    assert graph == {"tengen.a": {"tengen.b"}, "tengen.b": {"tengen.a"}}
    assert set(a_cycle(graph)) == {"tengen.a", "tengen.b"}


@pytest.mark.parametrize(
    "path", [p for p in MODULES if part_of(p) not in SURFACES | FREE], ids=lambda p: str(p.relative_to(SOURCE))
)
def test_only_the_surfaces_print_or_read_arguments(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "input"}, f"{path.name}:{node.lineno} talks to the terminal"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert (node.value.id, node.attr) != ("sys", "argv"), f"{path.name}:{node.lineno} reads argv"


COMMANDS = sorted(path for path in SOURCE.glob("cli/*.py") if "\ndef command(" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", COMMANDS, ids=lambda p: p.stem)
def test_commands_do_not_import_commands(path: Path) -> None:
    others = {f"tengen.cli.{other.stem}" for other in COMMANDS}
    for name, line in imported_names(ast.parse(path.read_text(encoding="utf-8"))):
        command = ".".join(name.split(".")[:3])
        assert command not in others, f"{path.name}:{line} imports {command}; move what they share below both"


def test_the_rule_sees_every_form_of_import() -> None:
    text = "import tengen.web.app\nfrom tengen.players import base\nfrom tengen import registry\nimport os\n"
    assert [part for part, _ in imported_parts(ast.parse(text))] == ["web", "players", "registry"]


@pytest.mark.parametrize("module", ["tengen", "tengen.board", "tengen.registry", "tengen.players.one_stone"])
def test_light_modules_import_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_the_web_server_starts_without_what_few_visits_need() -> None:
    code = f"import sys, tengen.web.app; print([m for m in {SELDOM!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
