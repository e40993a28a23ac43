"""Position text such as `h8i9j7`: cells in the order played, black first, rows counted from the bottom.

Words in front name the game where it is not 15x15 freestyle: `20x20 h8i9`, `9x9 k=4 e5`, `renju h8`.
"""

from __future__ import annotations

import re

from tengen.errors import TengenError
from tengen.formats.tree import GameTree, add_line, check_plain
from tengen.rules import Rule, Variant, move_name, parse_moves

_WORD = re.compile(r"\s*(\d{1,2}x\d{1,2}|k=\d{1,2}|[a-z]+)(?=\s|$)", re.IGNORECASE)


def parse_text(text: str) -> GameTree:
    """Raises TengenError naming what is not a cell, off the board or given twice."""
    words, rest = [], text
    while (match := _WORD.match(rest)) and (match[1][0].isdigit() or "=" in match[1] or match[1].lower() in set(Rule)):
        words.append(match[1])
        rest = rest[match.end() :]
    variant = Variant.parse(" ".join(words))
    moves = parse_moves(rest, variant.width, variant.height)
    twice = next((move for index, move in enumerate(moves) if move in moves[:index]), None)
    if twice is not None:
        raise TengenError(f"'{move_name(twice, variant.width, variant.height)}' is given twice")
    tree = GameTree(variant)
    add_line(tree, moves)
    return tree


def format_text(tree: GameTree) -> str:
    """The main line. Raises TengenError for what the format cannot say."""
    check_plain(tree, "position text holds")
    head = "" if tree.variant == Variant() else str(tree.variant).removesuffix(f" {Rule.FREESTYLE}") + " "
    return head + "".join(move_name(move, tree.width, tree.height) for move in tree.moves()) + "\n"
