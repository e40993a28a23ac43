"""`tengen book`: make an opening book, pack it, or look a position up."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import Annotated

import typer

from tengen.cli import options as o
from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.play.openings import BUILT_IN, openings
from tengen.players.alphabeta import AlphaBetaPlayer
from tengen.records import read_records
from tengen.rules import Color, Move, Rule, Variant, move_name, parse_moves
from tengen.study.book import Book, bundled_book, read_book
from tengen.study.book_maker import BookMaker, is_looked, make_book, pack
from tengen.study.explorer import count_matches
from tengen.study.openings import opening_of
from tengen.study.openings import openings as classical

REPORT = 500


class Action(enum.StrEnum):
    MAKE = "make"
    PACK = "pack"
    COUNT = "count"
    SHOW = "show"


def command(
    action: Annotated[
        Action,
        typer.Argument(help="make or continue a log of positions, pack it, count moves of matches, show a position"),
    ],
    moves: Annotated[str, typer.Argument(help="show: the moves that lead to the position, such as h8i9")] = "",
    log: Annotated[
        Path | None, typer.Option(dir_okay=False, help="log of positions; an existing one is continued")
    ] = None,
    out: Annotated[Path | None, typer.Option(dir_okay=False, help="pack and count: the file to write (.npz)")] = None,
    records: Annotated[list[Path] | None, typer.Option("--from", help="count: files of records")] = None,
    book: Annotated[Path | None, typer.Option(dir_okay=False, help="show: a book (default: the bundled one)")] = None,
    positions: Annotated[int, typer.Option(min=1, help="make: stop at this many positions")] = 20_000,
    nodes: Annotated[int, typer.Option(min=100, help="make: search nodes per position")] = 40_000,
    rule: o.RuleName = Rule.FREESTYLE,
    size: o.Size = "15",
    k: o.K = 5,
) -> None:
    """Make an opening book by best-first expansion of balanced openings, or look a position up in one.

    A stopped `make` continues when it is started again with the same log.
    """
    variant = o.variant_of(size, k, rule)
    if action is Action.MAKE:
        _make(variant, _needed(log, "make", "--log"), positions, nodes)
    elif action is Action.PACK:
        maker = _maker(variant, _needed(log, "pack", "--log"), nodes)
        print(f"{pack(maker, _needed(out, 'pack', '--out'))} positions in {out}")
    elif action is Action.COUNT:
        games = count_matches((r for path in records or [] for r in read_records(path)), _needed(out, "count", "--out"))
        print(f"{games} games in {out}")
    else:
        _show(read_book(book) if book else bundled_book(), moves)


def _needed(path: Path | None, action: str, option: str) -> Path:
    if path is None:
        raise TengenError(f"tengen book {action} needs {option} FILE")
    return path


def _maker(variant: Variant, log: Path, nodes: int) -> BookMaker:
    maker = BookMaker(variant, AlphaBetaPlayer(), nodes)
    maker.start(starts(variant))
    if log.exists():
        maker.resume(_good_lines(log, variant))
    return maker


def _good_lines(log: Path, variant: Variant) -> list[str]:
    """The lines of a log. If some are damaged, the file is set aside and its good lines go on as the log."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    good = [line for line in lines if is_looked(line, variant)]
    if lines and not good:
        raise TengenError(f"{log} is not the log of a book of {variant}")
    if len(good) < len(lines):
        aside = log.with_name(f"{log.name}.damaged")
        log.replace(aside)
        write_atomic(log, "".join(line + "\n" for line in good))
        print(
            f"{log}: {len(lines) - len(good)} damaged lines left out; the damaged file was moved to {aside}",
            file=sys.stderr,
        )
    return good


def starts(variant: Variant) -> list[tuple[Move, ...]]:
    """The empty board, the classical openings, and the balanced ones that are known for this size."""
    found: list[tuple[Move, ...]] = [()]
    if (variant.width, variant.height, variant.k) == (15, 15, 5):
        found += [opening.moves for opening in classical()]
    for name in (f"balanced-{variant.width}", f"gomocup-{variant.width}"):
        if name in BUILT_IN and variant.width == variant.height:
            found += openings(name, variant, 120 if name.startswith("balanced") else 24, seed=0)
    return found


def _make(variant: Variant, log: Path, positions: int, nodes: int) -> None:
    maker, told = _maker(variant, log, nodes), 0
    for known in make_book(maker, log, positions):
        if known >= told + REPORT:
            told = known
            print(f"{known} positions, {len(maker.looked)} of them searched", flush=True)
    print(f"{len(maker)} positions, {len(maker.looked)} of them searched, in {log}")


def _show(book: Book, text: str) -> None:
    v = book.variant
    moves = tuple(parse_moves(text, v.width, v.height)) if text else ()
    name, here = opening_of(v, moves), book.look(moves)
    print(f"{len(book)} positions of {v}" + (f"; {name.en} {name.zh} ({name.code})" if name else ""))
    if here is None:
        raise TengenError("the book does not know this position")
    print(_line("position", here.value, here.winner))
    sign = 1 if len(moves) % 2 == 0 else -1
    for move, after in sorted(book.next(moves).items(), key=lambda item: -sign * item[1].value):
        print(_line(move_name(move, v.width, v.height), after.value, after.winner))


def _line(name: str, value: float, winner: Color | None) -> str:
    proven = "" if winner is None else f", proven for {winner.name.lower()}"
    return f"{name:10} {value:+.3f} for black{proven}"
