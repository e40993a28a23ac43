"""Game files by their ending: .sgf, .psq, .pos or .txt (position text, rows counted from the bottom)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.formats.postext import RowOrigin, format_position, parse_position
from tengen.formats.psq import format_psq, parse_psq
from tengen.formats.sgf import format_sgf, parse_sgf
from tengen.formats.tree import GameTree, add_line
from tengen.rules import Color, Variant

LARGEST_FILE = 16 << 20
ENDINGS = (".sgf", ".psq", ".pos", ".txt")


def load_games(path: Path) -> list[GameTree]:
    """The games of a file. Raises TengenError naming the file if it cannot be read."""
    ending = _checked_ending(path)
    if path.stat().st_size > LARGEST_FILE:
        raise TengenError(f"{path} is larger than {LARGEST_FILE >> 20} MB")
    try:
        return _PARSERS[ending](_decoded(path.read_bytes()))
    except ValueError as error:
        raise TengenError(f"{path}: {error}") from None


def parse_games(text: str) -> list[GameTree]:
    """Games from pasted text whose format is not known: SGF, psq or position text on 15x15."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("("):
        return parse_sgf(text)
    return [parse_psq(start)] if start[:9].lower() == "piskvorky" else _parse_text(start)


def save_game(path: Path, tree: GameTree) -> None:
    """Writes the game in the format of the file's ending; the file appears whole or not at all."""
    text = _WRITERS[_checked_ending(path)](tree)
    write_atomic(path, text)


def _parse_text(text: str) -> list[GameTree]:
    """Position text has no header: a board of 15x15 unless a first word such as 20x20 says otherwise."""
    match = re.match(r"(\d{1,2})x(\d{1,2})\s+", text.lstrip())
    tree = GameTree(Variant(int(match[1]), int(match[2]))) if match else GameTree()
    cells = text.lstrip()[match.end() :] if match else text
    add_line(tree, parse_position(cells, tree.width, tree.height, RowOrigin.BOTTOM))
    return [tree]


def _format_text(tree: GameTree) -> str:
    if tree.black_stones or tree.white_stones or tree.first != Color.BLACK:
        raise TengenError("position text holds games from the empty board; this one has stones set up")
    size = "" if (tree.width, tree.height) == (15, 15) else f"{tree.width}x{tree.height} "
    return size + format_position(tree.moves(), tree.width, tree.height, RowOrigin.BOTTOM) + "\n"


_PARSERS: dict[str, Callable[[str], list[GameTree]]] = {
    ".sgf": parse_sgf,
    ".psq": lambda text: [parse_psq(text)],
    ".pos": _parse_text,
    ".txt": _parse_text,
}
_WRITERS: dict[str, Callable[[GameTree], str]] = {
    ".sgf": lambda tree: format_sgf([tree]),
    ".psq": format_psq,
    ".pos": _format_text,
    ".txt": _format_text,
}


def _checked_ending(path: Path) -> str:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise TengenError(f"{path}: unknown game format '{ending}'; choose one of {', '.join(ENDINGS)}")
    return ending


def _decoded(data: bytes) -> str:
    """UTF-8, or the charset an SGF names in CA, or the one that Chinese programs write."""
    named = re.search(rb"CA\[([A-Za-z0-9_-]+)\]", data[:2000])
    for charset in (named[1].decode() if named else "utf-8", "utf-8", "gb18030"):
        try:
            return data.decode(charset)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("utf-8", errors="replace")
