"""`tengen puzzles`: make puzzles from games, or check, rate and list the puzzles of a file."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.errors import TengenError
from tengen.files import append_line, read_object, write_atomic, write_json
from tengen.study.forced import ForcedPlay, forced_lines
from tengen.study.games import games_of
from tengen.study.mining import Miner, Source
from tengen.study.puzzle_audit import MOST_POSITIONS, Finding, audit
from tengen.study.puzzles import (
    NODES,
    SETTLING_NODES,
    Kind,
    Puzzle,
    bundled_puzzles,
    check_puzzle,
    open_moves,
    packed,
    puzzle_text,
    read_puzzles,
)

GOOD = "holds"
"""What a log of findings says of a puzzle without fault."""


class Action(enum.StrEnum):
    MAKE = "make"
    CHECK = "check"
    LIST = "list"
    RATE = "rate"


def command(
    action: Annotated[
        Action,
        typer.Argument(help="make puzzles, check the claims of a file, list its puzzles, or rate them again"),
    ],
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
    positions: Annotated[
        int, typer.Option(min=1, help="--independent: most positions per puzzle before it counts as unknown")
    ] = MOST_POSITIONS,
    log: Annotated[
        Path | None, typer.Option(dir_okay=False, help="check: log of findings; an existing one is continued")
    ] = None,
    nodes: Annotated[int, typer.Option(min=1, help="solver nodes per query")] = NODES,
) -> None:
    """Make puzzles from games, or check, rate and list the puzzles of a file.

    Puzzles are wins by fours, wins by threats, only defences, and in renju wins by forbidden points. Each is proved by
    the solver before it is written.
    """
    if action is Action.MAKE:
        _make(games or [], out, count, Miner(nodes, _ids(out), kind or Kind))
    elif action is Action.CHECK:
        _check(_puzzles(file), _audited(nodes, positions) if independent else _proved(nodes), log)
    elif action is Action.RATE:
        _rate(_puzzles(file), out)
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
    forced = ForcedPlay(max(nodes, SETTLING_NODES))

    def fault(puzzle: Puzzle) -> str:
        try:
            check_puzzle(puzzle, forced)
        except TengenError as error:
            return str(error)
        board = puzzle.board()
        left = [board.name(move) for move in open_moves(board, forced)] if puzzle.kind is Kind.VCT else []
        return f"puzzle {puzzle.id}: not settled: {' '.join(left)}" if left else ""

    return fault


def _audited(nodes: int, positions: int) -> Callable[[Puzzle], str]:
    """The same by a check that trusts no solver; one that takes too long is named, and does not count as holding."""
    ask = forced_lines(ForcedPlay(2 * nodes))

    def fault(puzzle: Puzzle) -> str:
        found = audit(puzzle, ask, positions)
        return "" if found is Finding.HOLDS else f"puzzle {puzzle.id}: {found}"

    return fault


def _check(puzzles: list[Puzzle], fault: Callable[[Puzzle], str], log: Path | None) -> None:
    known = _findings(log) if log and log.exists() else {}
    faults = 0
    for puzzle in puzzles:
        if puzzle.id not in known:
            known[puzzle.id] = fault(puzzle) or GOOD
            if log:
                append_line(log, f"{puzzle.id} {known[puzzle.id]}")
        if known[puzzle.id] != GOOD:
            faults += 1
            print(known[puzzle.id])
    print(f"{len(puzzles) - faults} of {len(puzzles)} puzzles hold")
    if faults:
        raise typer.Exit(1)


def _findings(log: Path) -> dict[str, str]:
    """By puzzle; a line that was cut off by a kill does not count."""
    lines = (line.split(" ", 1) for line in log.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n"))
    return {parts[0]: parts[1].strip() for parts in lines if len(parts) == 2}


def _rate(puzzles: list[Puzzle], out: Path | None) -> None:
    if out is None:
        raise TengenError("tengen puzzles rate needs --out FILE")
    miner = Miner()
    rated = sorted((miner.rated(puzzle) for puzzle in puzzles), key=lambda puzzle: (puzzle.rating, puzzle.id))
    write_atomic(out, packed(rated) if out.suffix == ".gz" else puzzle_text(rated).encode())
    _list(rated)


def _list(puzzles: list[Puzzle]) -> None:
    print(f"{len(puzzles)} puzzles, ratings {min(p.rating for p in puzzles)} to {max(p.rating for p in puzzles)}")
    for (variant, kind), number in sorted(Counter((str(p.variant), str(p.kind)) for p in puzzles).items()):
        print(f"{number:6} {kind:10} {variant}")
