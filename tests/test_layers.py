"""Imports go one way only, and nothing below the surfaces prints or reads the command line."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tengen"

# A room may import itself and the rooms before it.
LAYERS: tuple[set[str], ...] = (
    {"errors"},
    {"rules", "files"},
    {"_core", "board", "records", "formats"},
    {"inference", "nets"},
    {"players"},
    {"gomocup"},
    {"registry"},
    {"play"},
    {"envs", "arena"},
    {"training"},
    {"lab"},
    {"web", "cli"},
)
# Rooms of training in the order in which they may import each other.
TRAINING = ("run", "samples", "knowledge", "alphazero", "dqn", "methods")
# Doors that stay shut although the layers would allow them.
SHUT = {("arena", "envs"), ("envs", "arena"), ("training", "arena")}
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
SURFACES = LAYERS[-1]
FREE = {"__init__", "__main__"}  # the public names and the entry point belong to no layer
HEAVY = ("torch", "pydantic", "onnxruntime", "numpy", "scipy", "fastapi", "typer", "rich")

MODULES = sorted(SOURCE.rglob("*.py"))


def part_of(path: Path) -> str:
    """The top-level part of the package a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """The parts of the package a module imports, wherever in the file, with the line number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "write imports in full"
            names = [f"{node.module}.{a.name}" for a in node.names] if node.module == "tengen" else [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            package, _, rest = (name or "").partition(".")
            if package == "tengen" and rest:
                yield rest.split(".")[0], node.lineno


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
    "path", [p for p in MODULES if part_of(p) not in SURFACES | FREE], ids=lambda p: str(p.relative_to(SOURCE))
)
def test_only_the_surfaces_print_or_read_arguments(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"print", "input"}, f"{path.name}:{node.lineno} talks to the terminal"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert (node.value.id, node.attr) != ("sys", "argv"), f"{path.name}:{node.lineno} reads argv"


def test_the_rule_sees_every_form_of_import() -> None:
    text = "import tengen.web.app\nfrom tengen.players import base\nfrom tengen import registry\nimport os\n"
    assert [part for part, _ in imported_parts(ast.parse(text))] == ["web", "players", "registry"]


@pytest.mark.parametrize("module", ["tengen", "tengen.board", "tengen.registry", "tengen.players.random"])
def test_light_modules_import_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
