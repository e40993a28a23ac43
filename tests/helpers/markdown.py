"""The project's pages for people, and what they show: links, paths, commands, code."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.paths import ROOT

PAGES = sorted(
    path for pattern in ("*.md", "docs/**/*.md", "results/**/*.md", "benchmarks/*.md") for path in ROOT.glob(pattern)
)
FOLDERS = ("src", "cpp", "tests", "docs", "results", "benchmarks", "examples")


@dataclass(frozen=True, slots=True)
class Found:
    """Something a page shows, and where."""

    page: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}: {self.text}"


def links(page: Path) -> Iterator[Found]:
    """Targets of relative links and pictures, without their #fragment."""
    for line, text in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"[a-z]+:", target):
                yield Found(page, line, target)


def code(page: Path) -> Iterator[Found]:
    """Inline code, and the lines of indented and fenced blocks. Inline code may run over a line's end."""
    text = page.read_text(encoding="utf-8")
    blocks = re.compile(r"^ *```.*?^ *```$|(?:^(?: {4}|\t)[^\n]*\n?)+", re.MULTILINE | re.DOTALL)
    for block in blocks.finditer(text):
        first = text.count("\n", 0, block.start()) + 1
        for number, line in enumerate(block.group().splitlines()):
            if not line.lstrip().startswith("```"):
                yield Found(page, first + number, line.strip())
    prose = blocks.sub(lambda block: "\n" * block.group().count("\n"), text)
    for span in re.finditer(r"`([^`]+)`", prose):
        yield Found(page, prose.count("\n", 0, span.start()) + 1, " ".join(span[1].split()))


def paths(page: Path) -> Iterator[Found]:
    """Files and folders of this repository that code names in full: `cpp/rules/position.h`, `tests/oracle.py`."""
    pattern = re.compile(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./*-]+")
    for found in code(page):
        for path in pattern.findall(found.text):
            yield Found(page, found.line, path.rstrip("./"))


def commands(page: Path) -> Iterator[tuple[Found, list[str]]]:
    """Calls of `tengen COMMAND ...` as words."""
    for found in code(page):
        call = re.match(r"(?:\.venv/bin/)?tengen (?=[a-z])(.*)", found.text)
        if call:
            words = shlex.split(re.sub(r"[\[\]…]|\.\.\.", " ", call[1]), comments=True)
            yield found, words


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


RESULT = re.compile(r"\+(\d+) =(\d+) [−-](\d+)|\| (\d+) \| (\d+) \| (\d+) \|")
RECORDS = re.compile(r"\]\(([^)]+\.gz)\)")


def results(page: Path) -> Iterator[tuple[Found, Path, list[int]]]:
    """Wins, draws and losses in tables of a page, with the record file that the same cell or row links."""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        parts = [cell for cell in line.split("|") if RECORDS.search(cell) and RESULT.search(cell)] or [line]
        for part in parts if line.startswith("|") else ():
            files, scores = RECORDS.findall(part), RESULT.findall(part)
            if len(files) == len(scores) == 1:
                counts = [int(count) for count in scores[0] if count]
                yield Found(page, number, part.strip()), page.parent / files[0], counts
