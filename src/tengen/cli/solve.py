"""`tengen solve`: forced wins in the positions of a file."""

from __future__ import annotations

import enum
import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from tengen.cli import options as o
from tengen.errors import TengenError
from tengen.lab.position_files import parse_position
from tengen.play.entrants import checked_limit
from tengen.players.solver import Mode, Solution, Solver
from tengen.rules import Rule


class OnError(enum.StrEnum):
    STOP = "stop"
    SKIP = "skip"


def command(
    file: Annotated[
        str, typer.Argument(help='lines {"side": "B", "black": [[x, y], ...], "white": [...]}; - for standard input')
    ],
    rule: o.RuleName = Rule.FREESTYLE,
    mode: Annotated[Mode, typer.Option(help="fours only, or threes and fours")] = Mode.VCF,
    seconds: Annotated[float, typer.Option(help="seconds per position")] = 1.0,
    nodes: Annotated[int | None, typer.Option(help="nodes per position")] = None,
    size: o.Size = "15",
    k: o.K = 5,
    on_error: Annotated[OnError, typer.Option(help="stop at a bad line, or report it and continue")] = OnError.STOP,
) -> None:
    """Search for a forced win for the side to move; x and y count from 0 at the top left.

    Prints one JSON line per position, and a summary on standard error.
    """
    limit = checked_limit(seconds, nodes, None)
    variant, solver = o.variant_of(size, k, rule), Solver(mode)
    solutions: list[Solution] = []
    bad = 0
    for number, text in read_lines(file):
        try:
            board = parse_position(text, variant)
        except TengenError as error:
            message = f"{'standard input' if file == '-' else file}, line {number}: {error}"
            if on_error is OnError.STOP:
                raise TengenError(message) from None
            bad += 1
            print(f"tengen: {message}", file=sys.stderr)
            print(json.dumps({"solved": False, "moves": [], "nodes": 0, "seconds": 0.0, "error": message}))
            continue
        solutions.append(solver.solve(board, limit))
        print(json.dumps(as_dict(solutions[-1], board.width)), flush=True)
    print(summary(solutions, bad), file=sys.stderr)


def read_lines(file: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, numbered from 1."""
    if file == "-":
        yield from ((n, line) for n, line in enumerate(sys.stdin, 1) if line.strip())
        return
    with Path(file).open(encoding="utf-8", errors="replace") as lines:
        yield from ((n, line) for n, line in enumerate(lines, 1) if line.strip())


def as_dict(solution: Solution, width: int) -> dict[str, Any]:
    moves = [[move % width, move // width] for move in solution.moves]
    return {
        "solved": solution.solved,
        "moves": moves,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
    }


def summary(solutions: list[Solution], bad: int) -> str:
    solved = [s.seconds for s in solutions if s.solved]
    without = sum(s.exhausted for s in solutions)
    text = f"{len(solutions)} positions: {len(solved)} solved, {without} proven to have no such win"
    text += f", {len(solutions) - len(solved) - without} open"
    if bad:
        text += f", {bad} bad lines"
    if solved:
        ninety = sorted(solved)[int(0.9 * (len(solved) - 1))]
        text += (
            f"; time to solve: median {1000 * statistics.median(solved):.2f} ms, "
            f"90 % under {1000 * ninety:.2f} ms, longest {1000 * max(solved):.0f} ms"
        )
    total = sum(s.seconds for s in solutions)
    return text + (f"; {sum(s.nodes for s in solutions) / total / 1e6:.2f} M nodes/s" if total else "")
