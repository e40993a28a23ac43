"""Even openings for engine tests: thousands for each board and rule, made once and kept with the package."""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
from importlib import resources
from pathlib import Path

from tengen.board import Board, symmetries
from tengen.errors import TengenError
from tengen.lab.ab_build import build, runner
from tengen.rules import Move, Variant, move_name, parse_moves

HEADER = "# tengen openings"
Openings = list[tuple[Move, ...]]


def ground_name(variant: Variant) -> str:
    k = "" if variant.k == 5 else f"-k{variant.k}"
    return f"{variant.width}x{variant.height}-{variant.rule}{k}"


def load_openings(variant: Variant, path: Path | None = None) -> Openings:
    """The openings of a file, or those kept for this board and rule."""
    if path is None:
        kept = resources.files("tengen.lab") / "openings" / f"{ground_name(variant)}.txt"
        if not kept.is_file():
            raise TengenError(
                f"no openings are kept for {ground_name(variant)}; make some with `tengen ab --make-openings FILE` "
                "and give them by --openings FILE"
            )
        return parse_openings(kept.read_text(encoding="utf-8"), variant, kept.name)
    return parse_openings(path.read_text(encoding="utf-8"), variant, str(path))


def parse_openings(text: str, variant: Variant, source: str) -> Openings:
    lines = text.splitlines()
    if not lines or not lines[0].startswith(HEADER):
        raise TengenError(f"{source} is not a file of openings: its first line must begin with '{HEADER}'")
    if f" {ground_name(variant)}" not in lines[0]:
        raise TengenError(f"{source} holds openings for another board or rule than {ground_name(variant)}")
    declared = re.search(r"(\d+) openings", lines[0])
    openings = [_parse_line(line, variant, f"{source} line {number}") for number, line in enumerate(lines[1:], 2)]
    if not openings or (declared and int(declared[1]) != len(openings)):
        raise TengenError(
            f"{source} is damaged: it says {declared[1] if declared else 'no'} openings, not {len(openings)}"
        )
    return openings


def _parse_line(line: str, variant: Variant, where: str) -> tuple[Move, ...]:
    try:
        moves = parse_moves(line.strip(), variant.width, variant.height)
        board = Board(variant, moves)
    except ValueError as error:
        raise TengenError(f"{where}: {error}") from None
    if board.outcome() or not moves:
        raise TengenError(f"{where}: the opening has no moves or is over")
    return tuple(moves)


def make_openings(variant: Variant, count: int, seed: int, nodes: int, bound: float) -> str:
    """The text of a file of openings, drawn at random and searched by the working engine."""
    command = [runner(), "openings", build("") / "libtengen_engine.so", variant.width, variant.height, variant.k,
               variant.rule, count, seed, nodes, bound]  # fmt: skip
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise TengenError(done.stderr.strip())
    rows = [[int(move) for move in line.split()] for line in done.stdout.splitlines()]
    return format_openings(rows, variant, nodes, bound)


def format_openings(rows: list[list[Move]], variant: Variant, nodes: int, bound: float) -> str:
    head = f"{HEADER} {ground_name(variant)}: {len(rows)} openings, |value| < {bound:g} after {nodes} nodes"
    lines = ["".join(move_name(move, variant.width, variant.height) for move in row) for row in rows]
    return "\n".join([head, *lines, ""])


def opening_of_pair(openings: Openings, pair: int, variant: Variant, seed: int) -> tuple[Move, ...]:
    """Every opening once in a random order; then all again, turned or mirrored, so that no game repeats."""
    cycle, place = divmod(pair, len(openings))
    order = list(range(len(openings)))
    random.Random(seed * 1000 + cycle).shuffle(order)
    return tuple(_turned(move, cycle % 8, variant) for move in openings[order[place]])


def _turned(move: Move, symmetry: int, variant: Variant) -> Move:
    """By the core's table. Here bit 0 mirrors rows and bit 1 columns, as in games that were played before it."""
    images = symmetries(variant.width, variant.height)
    return images[((symmetry & 1) << 1 | symmetry >> 1 & 1 | symmetry & 4) % len(images)][move]


def digest(openings: Openings) -> str:
    return hashlib.sha256(repr(openings).encode()).hexdigest()[:12]
