"""`tengen puzzles`: make puzzles from games, prove the claims of a file, or say what it holds."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.errors import TengenError
from tengen.files import append_line, read_object, write_json
from tengen.study.forced import ForcedPlay, forced_lines
from tengen.study.games import games_of
from tengen.study.mining import Miner, Source
from tengen.study.puzzle_audit import Finding, audit
from tengen.study.puzzles import NODES, Kind, Puzzle, bundled_puzzles, check_puzzle, read_puzzles


class Action(enum.StrEnum):
    MAKE = "make"
    CHECK = "check"
    LIST = "list"


def command(
    action: Annotated[Action, typer.Argument(help="make puzzles, check the claims of a file, or list what it holds")],
    file: Annotated[
        Path | None, typer.Argument(dir_okay=False, help="a puzzle file (default: the bundled puzzles)")
    ] = None,
    games: Annotated[
        list[Path] | None, typer.Option("--from", help="files of games: records, SGF, psq or engine data")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(dir_okay=False, help="file to write, one puzzle per line; an existing one is continued"),
    ] = None,
    count: Annotated[int, typer.Option(min=0, help="stop at this many puzzles (0 = all games)")] = 0,
    kind: Annotated[list[Kind] | None, typer.Option(help="make only puzzles of this kind (repeat for more)")] = None,
    independent: Annotated[
        bool,
        typer.Option("--independent", help="check: replay every line in plain Python, trusting no solver"),
    ] = False,
    nodes: Annotated[int, typer.Option(min=1, help="solver nodes per question")] = NODES,
) -> None:
    """Make puzzles from games, or check and list the puzzles of a file.

    Puzzles are wins by fours, wins by threats, only defences, and in renju wins by forbidden points. Each is proved by
    the solver before it is written.
    """
    if action is Action.MAKE:
        _make(games or [], out, count, Miner(nodes, _ids(out), kind or Kind))
    elif action is Action.CHECK:
        _check(_puzzles(file), _audited(nodes) if independent else _proved(nodes))
    else:
        _list(_puzzles(file))


def _puzzles(file: Path | None) -> list[Puzzle]:
    puzzles = list(read_puzzles(file)) if file else bundled_puzzles()
    if not puzzles:
        raise TengenError(f"{file} holds no puzzles")
    return puzzles


def _ids(out: Path | None) -> list[str]:
    return [puzzle.id for puzzle in read_puzzles(out)] if out and out.exists() else []


def _make(games: list[Path], out: Path | None, count: int, miner: Miner) -> None:
    if not games or out is None:
        raise TengenError("tengen puzzles make needs --from GAMES and --out FILE")
    if out.suffix == ".gz":
        raise TengenError("--out: write a plain .jsonl file, which can be continued, and compress it afterwards")
    progress = out.with_name(out.name + ".progress")
    done = read_object(progress) if progress.exists() else {}
    found = len(_ids(out))
    for path, number, game in _in_turn(games, done):
        for puzzle in miner.mine(game):
            append_line(out, puzzle.to_json())
            found += 1
        done[str(path)] = number + 1
        if number % 20 == 19:
            write_json(progress, done)
        if count and found >= count:
            break
    write_json(progress, done)
    print(f"{found} puzzles in {out}")


def _in_turn(files: list[Path], done: dict[str, Any]) -> Iterator[tuple[Path, int, Source]]:
    """One game of each file after the other, without those that are done."""
    games = {path: islice(enumerate(games_of(path)), int(done.get(str(path), 0)), None) for path in files}
    while games:
        for path in list(games):
            if (item := next(games[path], None)) is None:
                del games[path]
            else:
                yield path, *item


def _proved(nodes: int) -> Callable[[Puzzle], str]:
    """What is wrong with a puzzle, by the solver; empty when it holds."""
    forced = ForcedPlay(nodes)

    def fault(puzzle: Puzzle) -> str:
        try:
            check_puzzle(puzzle, forced)
            return ""
        except TengenError as error:
            return str(error)

    return fault


def _audited(nodes: int) -> Callable[[Puzzle], str]:
    """The same by a check that trusts no solver; one that takes too long is named, and does not count as holding."""
    ask = forced_lines(ForcedPlay(2 * nodes))

    def fault(puzzle: Puzzle) -> str:
        found = audit(puzzle, ask)
        return "" if found is Finding.HOLDS else f"puzzle {puzzle.id}: {found}"

    return fault


def _check(puzzles: list[Puzzle], fault: Callable[[Puzzle], str]) -> None:
    faults = [text for text in map(fault, puzzles) if text]
    for text in faults:
        print(text)
    print(f"{len(puzzles) - len(faults)} of {len(puzzles)} puzzles hold")
    if faults:
        raise typer.Exit(1)


def _list(puzzles: list[Puzzle]) -> None:
    print(f"{len(puzzles)} puzzles, ratings {min(p.rating for p in puzzles)} to {max(p.rating for p in puzzles)}")
    for (variant, kind), number in sorted(Counter((str(p.variant), str(p.kind)) for p in puzzles).items()):
        print(f"{number:6} {kind:10} {variant}")
