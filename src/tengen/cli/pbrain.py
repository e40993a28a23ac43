"""`pbrain-tengen [SPEC]`: the Gomocup engine on standard input and output. Imports nothing heavy, to start fast."""

from __future__ import annotations

import gc
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from tengen import __version__, registry
from tengen.errors import TengenError
from tengen.gomocup.engine import EndOfInput, Engine
from tengen.gomocup.session import Resources
from tengen.players.base import Player

DEFAULT_SPEC = "alphabeta"
ABOUT = f'name="Tengen", version="{__version__}", author="The Tengen project", country="International"'
LONGEST_LINE = 4096
LARGEST_TABLE = 16_384
LARGEST_UNASKED = 256
"""Megabytes of hash table at most when nobody asks for a size."""
BASE_MEMORY = 80 << 20
"""Bytes left for everything that is not a hash table or a tree: the interpreter, the core's tables, search stacks."""
NETWORK_MEMORY = 64 << 20
"""Bytes for a network and what runs it."""


def main() -> None:
    """The console script. A bad spec ends in one line on stderr and exit code 2."""
    args = sys.argv[1:]
    if args and args[0] in {"-h", "--help"}:
        print(f"usage: pbrain-tengen [--book] [SPEC]   (a player such as {DEFAULT_SPEC}; `tengen players` lists them)")
        return
    try:
        book = "--book" in args
        specs = [arg for arg in args if arg != "--book"]
        serve(specs[0] if specs else DEFAULT_SPEC, book)
    except TengenError as error:
        print(f"pbrain-tengen: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def serve(spec: str, book: bool = False) -> None:
    """Speaks the protocol until END or the end of input, then ends the process, a search still running or not."""
    name, options = registry.parse_spec(spec)
    with_book = _with_book if book else lambda player: player

    def make(granted: Resources) -> Player:
        player = with_book(build(name, options, granted))
        gc.collect()
        gc.freeze()  # what is there now stays: no collection looks through it while a clock runs
        return player

    engine = Engine(make, _write, ABOUT)
    threading.Thread(target=_feed, args=(engine,), daemon=True, name="input").start()
    engine.run()
    os._exit(0)


def build(name: str, options: dict[str, Any], granted: Resources) -> Player:
    """The player, with its threads, hash table and tree fitted to what the manager grants."""
    player = registry.entry(name)
    values = {key: option.default for key, option in player.options.items()} | options
    if "threads" in values and granted.threads:
        values["threads"] = min(granted.threads, 64)
    base = BASE_MEMORY + (NETWORK_MEMORY if "model" in values else 0)
    if "hash_mb" in values:
        values["hash_mb"] = megabytes(_table(options, values, granted, base), granted, base)
    if "memory_mb" in values:
        values["memory_mb"] = megabytes(int(values["memory_mb"]), granted, base)
    return player.make(**values)


def _table(options: dict[str, Any], values: dict[str, Any], granted: Resources, base: int) -> int:
    """Megabytes of hash table: what the manager or the spec asks for, else most of the memory that is granted."""
    if granted.hash_kb:
        return granted.hash_kb >> 10
    if granted.memory_bytes and "hash_mb" not in options:
        return min((granted.memory_bytes - base) * 3 // 4 >> 20, LARGEST_UNASKED)
    return int(values["hash_mb"])


def _with_book(player: Player) -> Player:
    from tengen.study.book import bundled_book  # only who wants the book waits for it
    from tengen.study.book_player import BookPlayer

    return BookPlayer(player, bundled_book())


def megabytes(wanted: int, granted: Resources, base: int) -> int:
    """The size of a hash table or a tree inside the manager's memory limit, of which `base` bytes go elsewhere."""
    if granted.memory_bytes:
        wanted = min(wanted, (granted.memory_bytes - base) >> 20)
    return min(max(1, wanted), LARGEST_TABLE)


def _write(line: str) -> None:
    try:
        sys.stdout.write(line.replace("\r", " ").replace("\n", " ") + "\n")
        sys.stdout.flush()
    except (BrokenPipeError, ValueError):
        os._exit(0)  # the manager has gone; nobody reads a complaint either


def _feed(engine: Engine) -> None:
    for line in split_lines(lambda: os.read(0, 65536)):
        engine.inbox.put(line)
    engine.inbox.put(EndOfInput())


def split_lines(read: Callable[[], bytes]) -> Iterator[str]:
    """Lines ended by CR, LF or CR LF, as soon as they are complete. Empty ones are left out, endless ones cut."""
    rest = b""
    while chunk := read():
        *lines, rest = re.split(rb"[\r\n]", rest + chunk)
        yield from (_decoded(line) for line in lines if line)
        rest = rest[:LONGEST_LINE]
    if rest:
        yield _decoded(rest)


def _decoded(line: bytes) -> str:
    return line[:LONGEST_LINE].decode("utf-8", errors="replace")


if __name__ == "__main__":
    main()
