"""`tengen solve`: forced wins in the positions of a file."""

from __future__ import annotations

import enum
import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from tengen.board import Board
from tengen.cli._arena import parse_variant
from tengen.errors import TengenError
from tengen.players.solver import Mode, Solution, Solver
from tengen.rules import Color, Limit, Move, Variant

SIDES = {"B": Color.BLACK, "W": Color.WHITE}


class OnError(enum.StrEnum):
    STOP = "stop"
    SKIP = "skip"


def command(
    file: str = typer.Argument(help='lines {"side": "B", "black": [[x, y], ...], "white": [...]}; - for stdin'),
    rule: str = typer.Option("freestyle", help="freestyle, standard, renju or caro"),
    mode: Mode = typer.Option(Mode.VCF, help="fours alone, or threes and fours"),
    seconds: float = typer.Option(1.0, help="time for each position"),
    nodes: int | None = typer.Option(None, help="nodes for each position"),
    size: str = typer.Option("15", help="board size: 15 or 15x12"),
    k: int = typer.Option(5, help="stones in a row that win"),
    on_error: OnError = typer.Option(OnError.STOP, help="stop at a bad line, or report it and go on"),
) -> None:
    """Look for a forced win of the side to move; x and y count from 0 at the top left.

    One JSON line for each position on stdout, a summary on stderr.
    """
    if seconds <= 0 or (nodes is not None and nodes <= 0):
        raise TengenError("--seconds and --nodes must be more than 0")
    variant, solver, limit = parse_variant(size, k, rule), Solver(mode), Limit(seconds=seconds, nodes=nodes)
    solutions: list[Solution] = []
    bad = 0
    for number, text in read_lines(file):
        try:
            board = parse_puzzle(text, variant)
        except ValueError as error:
            message = f"{'stdin' if file == '-' else file}, line {number}: {error}"
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


def parse_puzzle(text: str, variant: Variant) -> Board:
    """A board from one line of a puzzle file. Raises ValueError with a message for people."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise TengenError("not JSON") from None
    if not isinstance(data, dict) or not {"side", "black", "white"} <= data.keys():
        raise TengenError("an object with side, black and white is needed")
    if not isinstance(data["side"], str) or data["side"] not in SIDES:
        raise TengenError(f"side is {json.dumps(data['side'])}; write B or W")
    black, white = (_stones(data[color], color, variant) for color in ("black", "white"))
    return Board.from_stones(black, white, SIDES[data["side"]], variant)


def _stones(cells: Any, color: str, variant: Variant) -> list[Move]:
    if not isinstance(cells, list):
        raise TengenError(f"{color} is not a list of [x, y]")
    return [_cell(cell, color, variant) for cell in cells]


def _cell(cell: Any, color: str, variant: Variant) -> Move:
    if not (isinstance(cell, list) and len(cell) == 2 and all(type(n) is int for n in cell)):
        raise TengenError(f"{color} holds {json.dumps(cell)[:40]}; a stone is [x, y]")
    x, y = cell
    if not (0 <= x < variant.width and 0 <= y < variant.height):
        raise TengenError(
            f"{color} stone [{x}, {y}] is off the board; x goes to {variant.width - 1}, y to {variant.height - 1}"
        )
    return int(y * variant.width + x)


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
    text = f"{len(solutions)} positions: {len(solved)} solved, {without} shown to have no such win"
    text += f", {len(solutions) - len(solved) - without} open"
    if bad:
        text += f", {bad} bad lines"
    if solved:
        ninety = sorted(solved)[int(0.9 * (len(solved) - 1))]
        text += (
            f"; time to solve: median {1000 * statistics.median(solved):.2f} ms, "
            f"nine in ten under {1000 * ninety:.2f} ms, longest {1000 * max(solved):.0f} ms"
        )
    total = sum(s.seconds for s in solutions)
    return text + (f"; {sum(s.nodes for s in solutions) / total / 1e6:.2f} M nodes/s" if total else "")
