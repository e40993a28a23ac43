"""Game files by their ending: .sgf, .psq, .pos or .txt (position text, rows counted from the bottom)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.formats.postext import format_text, parse_text
from tengen.formats.psq import format_psq, parse_psq
from tengen.formats.sgf import format_sgf, parse_sgf
from tengen.formats.tree import GameTree
from tengen.rules import Rule

LARGEST_FILE = 16 << 20
ENDINGS = (".sgf", ".psq", ".pos", ".txt")


def load_games(path: Path) -> list[GameTree]:
    """The games of a file. Raises TengenError naming the file if it cannot be read."""
    ending = _checked_ending(path)
    if path.stat().st_size > LARGEST_FILE:
        raise TengenError(f"{path} is larger than {LARGEST_FILE >> 20} MB")
    try:
        return _PARSERS[ending](_decoded(path.read_bytes()))
    except TengenError as error:
        raise TengenError(f"{path}: {error}") from None


def parse_games(text: str, rule: Rule = Rule.FREESTYLE) -> list[GameTree]:
    """Games from pasted text whose format is not known: SGF, psq or position text. `rule` is that of a psq that names
    none.
    """
    text = text.encode("utf-8", "replace").decode()  # pasted text may hold half characters
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("("):
        return parse_sgf(text)
    return [parse_psq(start, rule) if start[:9].lower() == "piskvorky" else parse_text(start)]


def save_game(path: Path, tree: GameTree) -> None:
    """Writes the game in the format of the file's ending; the file appears whole or not at all."""
    write_atomic(path, format_game(tree, _checked_ending(path)))


def format_game(tree: GameTree, ending: str) -> str:
    """The game as a file with this ending would hold it."""
    return _WRITERS[ending](tree)


_PARSERS: dict[str, Callable[[str], list[GameTree]]] = {
    ".sgf": parse_sgf,
    ".psq": lambda text: [parse_psq(text)],
    ".pos": lambda text: [parse_text(text)],
    ".txt": lambda text: [parse_text(text)],
}
_WRITERS: dict[str, Callable[[GameTree], str]] = {
    ".sgf": lambda tree: format_sgf([tree]),
    ".psq": format_psq,
    ".pos": format_text,
    ".txt": format_text,
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
