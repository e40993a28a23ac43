"""Where games start: built-in sets, files, and balanced openings made for any board and rule.

An opening is the moves of black and white in turn. A match plays each one twice with colours swapped.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from importlib import resources
from itertools import cycle, islice, repeat
from pathlib import Path

from tengen.board import Board, symmetries
from tengen.errors import TengenError
from tengen.play.balance import balance_of
from tengen.rules import Move, Variant, parse_moves

Opening = tuple[Move, ...]

BUILT_IN: dict[str, int] = {
    "balanced-9": 9, "balanced-15": 15, "gomocup-15": 15, "gomocup-20": 20, "classic-20": 20,
}  # fmt: skip
"""Name of a set and the side of the board it is for."""


def openings(source: str, variant: Variant, count: int, seed: int) -> list[Opening]:
    """The first `count` openings of `opening_stream`."""
    return list(islice(opening_stream(source, variant, seed), count))


def opening_stream(source: str, variant: Variant, seed: int) -> Iterator[Opening]:
    """Openings without end from "balanced" (made by the seed), "empty", "one-stone", a built-in set or a file.

    A set is used again when it is used up, turned and mirrored.
    """
    if source == "balanced":
        return balanced(variant, seed)
    if source == "empty":
        return repeat(())
    if source == "one-stone":
        return _one_stone(variant, seed)
    if source in BUILT_IN:
        if (side := BUILT_IN[source]) != variant.width or side != variant.height:
            raise TengenError(f"openings '{source}' are for {side}x{side}, not for {variant}")
        text = resources.files("tengen.play").joinpath(f"data/{source}.txt").read_text(encoding="utf-8")
        return _round_and_round(_parse(text, variant, source), variant)
    if not Path(source).is_file():
        raise TengenError(f"no openings '{source}'; choose balanced, empty, one-stone, {', '.join(BUILT_IN)} or a file")
    return _round_and_round(_parse(Path(source).read_text(encoding="utf-8"), variant, source), variant)


def balanced(variant: Variant, seed: int, balance: Callable[[Board], float] | None = None) -> Iterator[Opening]:
    """Random openings near the centre in which neither side has much the better of it, without end.

    `balance` says how good a position is for the side to move, in [-1, 1]. No two are the same up to symmetry,
    except on boards too small to offer more.
    """
    judge = balance or balance_of
    rng = random.Random(f"openings {seed} {variant.size} k={variant.k} {variant.rule}")
    seen: set[Opening] = set()
    while True:
        for _ in range(8):
            opening = _most_balanced(variant, rng, judge)
            if (shape := _canonical(opening, variant)) not in seen:
                break
        seen.add(shape)
        yield opening


def _one_stone(variant: Variant, seed: int) -> Iterator[Opening]:
    """Black's first stone somewhere in the central 5x5, as a published training of small boards begins."""
    rng = random.Random(f"one stone {seed}")
    central = [m for m in range(variant.width * variant.height) if _from_centre(m, variant) <= 2]
    while True:
        yield (rng.choice(central),)


def _most_balanced(variant: Variant, rng: random.Random, judge: Callable[[Board], float]) -> Opening:
    """The first candidate that is close to even, or the best of a dozen."""
    best: Opening = ()
    best_lead = 2.0
    for _ in range(12):
        candidate = _scatter(variant, rng)
        lead = abs(judge(Board(variant, candidate)))
        if lead < best_lead:
            best, best_lead = candidate, lead
        if best_lead <= 0.15:
            break
    return best


def _scatter(variant: Variant, rng: random.Random) -> Opening:
    """A few stones near the centre and near each other; the game is not over."""
    stones = rng.randint(*_stone_range(variant))
    board = Board(variant)
    cells = [
        m for m in range(board.cells) if _from_centre(m, variant) <= max(1, min(variant.width, variant.height) // 4)
    ]
    while board.stones < stones:
        near = [m for m in cells if board.is_legal(m)] or board.legal_moves()
        board.play(rng.choice(near))
        if board.outcome():
            board.undo()
        cells = board.cells_near(2)
    return board.moves


def _stone_range(variant: Variant) -> tuple[int, int]:
    """Fewer stones where a game is short: tiny boards and short rows."""
    if variant.k <= 3 or min(variant.width, variant.height) < 6:
        return 1, 2
    return (2, 4) if min(variant.width, variant.height) < 9 else (3, 6)


def _from_centre(move: Move, variant: Variant) -> int:
    row, col = divmod(move, variant.width)
    return max(abs(2 * row - variant.height + 1), abs(2 * col - variant.width + 1)) // 2


def _parse(text: str, variant: Variant, name: str) -> list[Opening]:
    """Lines of cells (`h8i9j7`) or of x,y pairs counted from the centre, as the Gomocup lists are written."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        try:
            letters = re.search("[a-zA-Z]", line)
            moves = parse_moves(line, variant.width, variant.height) if letters else _from_offsets(line, variant)
            if Board(variant, tuple(moves)).outcome():
                raise TengenError("the game is already over")
        except TengenError as error:
            raise TengenError(f"openings {name}, line {number}: {error}") from None
        found.append(tuple(moves))
    if not found:
        raise TengenError(f"openings {name}: no opening in the file")
    return found


def _from_offsets(line: str, variant: Variant) -> list[Move]:
    numbers = [int(text) for text in re.findall(r"-?\d+", line[:4000])]
    if len(numbers) % 2 or re.sub(r"[-\d\s,]", "", line):
        raise TengenError("write cells such as h8i9 or pairs x,y counted from the centre")
    moves = []
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        col, row = variant.width // 2 + x, variant.height // 2 + y
        if not (0 <= col < variant.width and 0 <= row < variant.height):
            raise TengenError(f"{x},{y} is off the {variant.width}x{variant.height} board")
        moves.append(row * variant.width + col)
    return moves


def _round_and_round(found: list[Opening], variant: Variant) -> Iterator[Opening]:
    """Round after round through the list, each round under another symmetry of the board."""
    for view in cycle(symmetries(variant.width, variant.height)):
        for opening in found:
            yield tuple(view[move] for move in opening)


def _canonical(opening: Opening, variant: Variant) -> Opening:
    """The same for openings that reach the same position up to symmetry."""
    images = []
    for view in symmetries(variant.width, variant.height):
        image = [view[move] for move in opening]
        images.append((*sorted(image[::2]), *sorted(image[1::2])))
    return min(images)
