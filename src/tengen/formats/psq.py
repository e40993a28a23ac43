"""Piskvork's .psq files: a header, one `x,y,milliseconds` per move (from 1 at the TOP left), then the players."""

from __future__ import annotations

import re
from dataclasses import replace

from tengen.errors import TengenError, clip
from tengen.formats.tree import GameTree, check_plain, clean
from tengen.rules import Rule, Variant

_HEADER = re.compile(r"Piskvorky\s+(\d{1,3})\s*x\s*(\d{1,3})\s*,\s*(\d+)\s*:\s*(\d+)\s*,\s*(-?\d+)\s*", re.IGNORECASE)
_MOVE = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})(?:\s*,\s*(-?\d{1,12}))?")
_ENDING = re.compile(r"([0-2])\s*,\s*(\w+)")


def parse_psq(text: str, rule: Rule = Rule.FREESTYLE) -> GameTree:
    """The game of a psq file. `rule` applies where the file does not say. Raises TengenError naming the line."""
    lines = text.lstrip("\ufeff").splitlines()
    header = _HEADER.fullmatch(lines[0].strip()) if lines else None
    if not header:
        raise TengenError("psq, line 1: expected a header such as 'Piskvorky 15x15, 11:11, 0'")
    tree = GameTree(Variant(int(header[1]), int(header[2]), rule=rule))
    rest = _parse_moves(tree, lines)
    _parse_tail(tree, [line.strip() for line in rest if line.strip()])
    return tree


def _parse_moves(tree: GameTree, lines: list[str]) -> list[str]:
    """Adds the moves to the tree and returns the lines behind them."""
    taken: set[int] = set()
    node = tree.root
    for number, line in enumerate(lines[1:], 2):
        match = _MOVE.fullmatch(line.strip())
        if not match:
            return lines[number - 1 :]
        x, y = int(match[1]) - 1, int(match[2]) - 1
        if not (0 <= x < tree.width and 0 <= y < tree.height):
            raise TengenError(f"psq, line {number}: {clip(line.strip())} is off the {tree.width}x{tree.height} board")
        move = y * tree.width + x
        if move in taken:
            raise TengenError(f"psq, line {number}: {clip(line.strip())} is occupied already")
        taken.add(move)
        node = node.add(move, tree.side_to_move(node))
        node.seconds = max(0, int(match[3])) / 1000 if match[3] else None
    return []


def _parse_tail(tree: GameTree, rest: list[str]) -> None:
    """Two names, a code, and `winner,rule` as the newer files have it; each may be missing."""
    names = [line for line in rest if not _ENDING.fullmatch(line) and not re.fullmatch(r"-?\d+", line)]
    tree.black, tree.white = (*names, "", "")[:2]
    for line in rest:
        if match := _ENDING.fullmatch(line):
            tree.result = {"0": "0", "1": "B+", "2": "W+"}[match[1]]
            word = match[2].lower()
            tree.variant = replace(tree.variant, rule=Rule(word) if word in set(Rule) else tree.variant.rule)


def format_psq(tree: GameTree) -> str:
    """The main line as a psq file. Raises TengenError for what the format cannot express."""
    check_plain(tree, "psq files hold")
    if tree.variant.k != 5:
        raise TengenError(f"psq files hold games of five in a row, not {tree.variant.k}")
    lines = [f"Piskvorky {tree.width}x{tree.height}, 11:11, 0"]
    for node in tree.main_line()[1:]:
        assert node.move is not None
        y, x = divmod(node.move, tree.width)
        lines.append(f"{x + 1},{y + 1},{round((node.seconds or 0.0) * 1000)}")
    lines += [_one_line(tree.black or "black"), _one_line(tree.white or "white"), "-1"]
    winner = {"B": "1", "W": "2", "0": "0"}.get(tree.result[:1].upper())
    lines += [f"{winner},{tree.variant.rule.value.capitalize()}"] if winner else []
    return "\n".join(lines) + "\n"


def _one_line(name: str) -> str:
    """A name that cannot be taken for a move or a code when read back."""
    text = " ".join(name.split())
    taken = _MOVE.fullmatch(text) or _ENDING.fullmatch(text) or re.fullmatch(r"-?\d+", text)
    return f"player {text}" if taken or not text else clean(text)
