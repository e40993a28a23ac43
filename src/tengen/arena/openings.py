"""Where games start: built-in sets, files, and balanced openings made for any board and rule.

An opening is the moves of black and white in turn. A match plays each one twice with colours swapped.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import cycle, islice, repeat
from pathlib import Path

from tengen.arena.balance import balance_of
from tengen.board import Board
from tengen.rules import IllegalMoveError, Move, Rule, parse_moves

Opening = tuple[Move, ...]

BUILT_IN: dict[str, int] = {
    "balanced-9": 9, "balanced-15": 15, "gomocup-15": 15, "gomocup-20": 20, "classic-20": 20,
}  # fmt: skip
"""Name of a set and the side of the board it is for."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The game that is played: board and rule. Records of different grounds never mix."""

    width: int = 15
    height: int = 15
    k: int = 5
    rule: Rule = Rule.FREESTYLE

    def board(self, moves: Opening = ()) -> Board:
        return Board(self.width, self.height, self.k, self.rule, moves)

    def __str__(self) -> str:
        return f"{self.width}x{self.height} k={self.k} {self.rule}"


def openings(source: str, ground: Ground, count: int, seed: int) -> list[Opening]:
    """The first `count` openings of `opening_stream`."""
    return list(islice(opening_stream(source, ground, seed), count))


def opening_stream(source: str, ground: Ground, seed: int) -> Iterator[Opening]:
    """Openings without end from "balanced" (made by the seed), "empty", "one-stone", a built-in set or a file.

    A set is used again when it is used up, turned and mirrored.
    """
    if source == "balanced":
        return balanced(ground, seed)
    if source == "empty":
        return repeat(())
    if source == "one-stone":
        return _one_stone(ground, seed)
    if source in BUILT_IN:
        if (side := BUILT_IN[source]) != ground.width or side != ground.height:
            raise ValueError(f"openings '{source}' are for {side}x{side}, not for {ground}")
        text = resources.files("tengen.arena").joinpath(f"data/{source}.txt").read_text(encoding="utf-8")
        return _round_and_round(_parse(text, ground, source), ground)
    if not Path(source).is_file():
        raise ValueError(f"no openings '{source}'; choose balanced, empty, one-stone, {', '.join(BUILT_IN)} or a file")
    return _round_and_round(_parse(Path(source).read_text(encoding="utf-8"), ground, source), ground)


def balanced(ground: Ground, seed: int, balance: Callable[[Board], float] | None = None) -> Iterator[Opening]:
    """Random openings near the centre in which neither side has much the better of it, without end.

    `balance` tells how good a position is for the side to move, in [-1, 1]. No two are the same up to symmetry,
    except on boards too small to offer more.
    """
    judge = balance or balance_of
    rng = random.Random(f"openings {seed} {ground}")
    seen: set[Opening] = set()
    while True:
        for _ in range(8):
            opening = _most_balanced(ground, rng, judge)
            if (shape := _canonical(opening, ground)) not in seen:
                break
        seen.add(shape)
        yield opening


def _one_stone(ground: Ground, seed: int) -> Iterator[Opening]:
    """Black's first stone somewhere in the central 5x5, as a published training of small boards begins."""
    rng = random.Random(f"one stone {seed}")
    central = [m for m in range(ground.width * ground.height) if _from_centre(m, ground) <= 2]
    while True:
        yield (rng.choice(central),)


def _most_balanced(ground: Ground, rng: random.Random, judge: Callable[[Board], float]) -> Opening:
    """The first candidate that is close to even, or the best of a dozen."""
    best: Opening = ()
    best_lead = 2.0
    for _ in range(12):
        candidate = _scatter(ground, rng)
        lead = abs(judge(ground.board(candidate)))
        if lead < best_lead:
            best, best_lead = candidate, lead
        if best_lead <= 0.15:
            break
    return best


def _scatter(ground: Ground, rng: random.Random) -> Opening:
    """A few stones near the centre and near each other; the game is not over."""
    stones = rng.randint(*_stone_range(ground))
    board = ground.board()
    cells = [m for m in range(board.cells) if _from_centre(m, ground) <= max(1, min(ground.width, ground.height) // 4)]
    while board.stones < stones:
        near = [m for m in cells if board.is_legal(m)] or board.legal_moves()
        board.play(rng.choice(near))
        if board.outcome():
            board.undo()
        cells = _neighbourhood(board, reach=2)
    return board.moves


def _stone_range(ground: Ground) -> tuple[int, int]:
    """Fewer stones where a game is short: tiny boards and short rows."""
    if ground.k <= 3 or min(ground.width, ground.height) < 6:
        return 1, 2
    return (2, 4) if min(ground.width, ground.height) < 9 else (3, 6)


def _from_centre(move: Move, ground: Ground) -> int:
    row, col = divmod(move, ground.width)
    return max(abs(2 * row - ground.height + 1), abs(2 * col - ground.width + 1)) // 2


def _neighbourhood(board: Board, reach: int) -> list[Move]:
    around = set()
    for stone in board.moves:
        row, col = divmod(stone, board.width)
        for r in range(max(0, row - reach), min(board.height, row + reach + 1)):
            for c in range(max(0, col - reach), min(board.width, col + reach + 1)):
                around.add(r * board.width + c)
    return sorted(around)


def _parse(text: str, ground: Ground, name: str) -> list[Opening]:
    """Lines of cells (`h8i9j7`) or of x,y pairs counted from the centre, as the Gomocup lists are written."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            letters = re.search("[a-zA-Z]", line)
            moves = parse_moves(line, ground.width, ground.height) if letters else _from_offsets(line, ground)
            if ground.board(tuple(moves)).outcome():
                raise ValueError("the game is already over")
        except (IllegalMoveError, ValueError) as error:
            raise ValueError(f"openings {name}, line {number}: {error}") from None
        found.append(tuple(moves))
    if not found:
        raise ValueError(f"openings {name}: no opening in the file")
    return found


def _from_offsets(line: str, ground: Ground) -> list[Move]:
    numbers = [int(text) for text in re.findall(r"-?\d+", line)]
    if len(numbers) % 2 or re.sub(r"[-\d\s,]", "", line):
        raise ValueError("write cells such as h8i9 or pairs x,y counted from the centre")
    moves = []
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        col, row = ground.width // 2 + x, ground.height // 2 + y
        if not (0 <= col < ground.width and 0 <= row < ground.height):
            raise ValueError(f"{x},{y} is off the {ground.width}x{ground.height} board")
        moves.append(row * ground.width + col)
    return moves


def _round_and_round(found: list[Opening], ground: Ground) -> Iterator[Opening]:
    """Round after round through the list, each round under another symmetry of the board."""
    for view in cycle(list(_symmetries(ground))):
        for opening in found:
            yield tuple(view[move] for move in opening)


def _canonical(opening: Opening, ground: Ground) -> Opening:
    """The same for openings that reach the same position up to symmetry."""
    images = []
    for view in _symmetries(ground):
        image = [view[move] for move in opening]
        images.append((*sorted(image[::2]), *sorted(image[1::2])))
    return min(images)


def _symmetries(ground: Ground) -> Iterator[list[Move]]:
    """Where each cell goes under each turn and reflection that keeps the board's shape; identity first."""
    width, height = ground.width, ground.height
    for transpose in (False, True) if width == height else (False,):
        for flip_rows in (False, True):
            for flip_cols in (False, True):
                view = []
                for row in range(height):
                    for col in range(width):
                        r = height - 1 - row if flip_rows else row
                        c = width - 1 - col if flip_cols else col
                        r, c = (c, r) if transpose else (r, c)
                        view.append(r * width + c)
                yield view
