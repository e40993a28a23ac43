"""Slow, obvious rules of the game, written from their definitions and sharing nothing with the native core.

A board is a dict from (row, col) to "x" (black) or "o" (white); what is not in the dict and on the board is empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

Cell = tuple[int, int]

DIRECTIONS: tuple[Cell, ...] = ((0, 1), (1, 0), (1, 1), (1, -1))
SHAPES = [
    "None",
    "ClosedOne",
    "OpenOne",
    "ClosedTwo",
    "OpenTwo",
    "ClosedThree",
    "OpenThree",
    "Four",
    "DoubleFour",
    "OpenFour",
    "Five",
    "Overline",
]
EMPTY, WALL = ".", "#"


@dataclass
class OracleBoard:
    width: int
    height: int
    k: int
    rule: str
    stones: dict[Cell, str] = field(default_factory=dict)
    turn: str = "x"

    def at(self, cell: Cell) -> str:
        on_board = 0 <= cell[0] < self.height and 0 <= cell[1] < self.width
        return self.stones.get(cell, EMPTY) if on_board else WALL

    def cells(self) -> Iterator[Cell]:
        return ((row, col) for row in range(self.height) for col in range(self.width))

    def empties(self) -> list[Cell]:
        return [cell for cell in self.cells() if cell not in self.stones]

    def with_stone(self, cell: Cell, side: str) -> OracleBoard:
        stones = self.stones | {cell: side}
        return OracleBoard(self.width, self.height, self.k, self.rule, stones, other(side))


def other(side: str) -> str:
    return "o" if side == "x" else "x"


def exact(rule: str, side: str) -> bool:
    """Only exactly k in a row win for this side."""
    return rule == "standard" or (rule == "renju" and side == "x")


def step(cell: Cell, direction: Cell, count: int = 1) -> Cell:
    return (cell[0] + count * direction[0], cell[1] + count * direction[1])


# ---------------------------------------------------------------------------------------------- outcome


def run_through(board: OracleBoard, cell: Cell, direction: Cell) -> list[Cell]:
    """The longest row of one colour through a stone, first cell first."""
    side = board.at(cell)
    first = cell
    while board.at(step(first, direction, -1)) == side:
        first = step(first, direction, -1)
    run = [first]
    while board.at(step(run[-1], direction)) == side:
        run.append(step(run[-1], direction))
    return run


def run_wins(board: OracleBoard, run: list[Cell], direction: Cell) -> bool:
    side = board.at(run[0])
    if len(run) < board.k:
        return False
    if exact(board.rule, side):
        return len(run) == board.k
    if board.rule == "caro" and len(run) == board.k:
        ends = board.at(step(run[0], direction, -1)), board.at(step(run[-1], direction))
        return ends != (other(side), other(side))
    return True


def winning_runs(board: OracleBoard) -> set[tuple[Cell, ...]]:
    """Every row on the board that wins, whoever made it."""
    runs = set()
    for cell in board.stones:
        for direction in DIRECTIONS:
            run = run_through(board, cell, direction)
            if run_wins(board, run, direction):
                runs.add(tuple(run))
    return runs


# ---------------------------------------------------------------------------------------------- renju


def forbidden(board: OracleBoard, cell: Cell) -> set[str]:
    """Why black may not play an empty cell under renju: every reason that holds, none when the move is legal."""
    after = board.with_stone(cell, "x")
    if makes_five(after, cell):
        return set()
    reasons = set()
    if any(len(run_through(after, cell, d)) > 5 for d in DIRECTIONS):
        reasons.add("overline")
    if sum(count_fours(after, cell, d) for d in DIRECTIONS) >= 2:
        reasons.add("double four")
    if sum(holds_three(after, cell, d) for d in DIRECTIONS) >= 2:
        reasons.add("double three")
    return reasons


def makes_five(board: OracleBoard, cell: Cell) -> bool:
    return any(len(run_through(board, cell, d)) == 5 for d in DIRECTIONS)


def count_fours(board: OracleBoard, cell: Cell, direction: Cell) -> int:
    """Sets of four black stones of one line, `cell` among them, that one stone turns into exactly five."""
    fours = set()
    for back in range(5):
        window = [step(cell, direction, i - back) for i in range(5)]
        empty = [c for c in window if board.at(c) == EMPTY]
        black = [c for c in window if board.at(c) == "x"]
        if len(empty) == 1 and len(black) == 4:
            filled = board.with_stone(empty[0], "x")
            if len(run_through(filled, empty[0], direction)) == 5:
                fours.add(tuple(black))
    return len(fours)


def straight_four(board: OracleBoard, cell: Cell, direction: Cell) -> bool:
    """Four unbroken stones through `cell` that either of two more stones turns into exactly five."""
    run = run_through(board, cell, direction)
    ends = step(run[0], direction, -1), step(run[-1], direction)
    if len(run) != 4 or any(board.at(end) != EMPTY for end in ends):
        return False
    return all(len(run_through(board.with_stone(end, "x"), end, direction)) == 5 for end in ends)


def holds_three(board: OracleBoard, cell: Cell, direction: Cell) -> bool:
    """The black stone on `cell` belongs to a three of this line: a legal move makes it a straight four."""
    for distance in (-3, -2, -1, 1, 2, 3):
        point = step(cell, direction, distance)
        if board.at(point) != EMPTY:
            continue
        after = board.with_stone(point, "x")
        belongs = cell in run_through(after, point, direction)
        straight = belongs and straight_four(after, point, direction) and not makes_five(after, point)
        if straight and not forbidden(board, point):
            return True
    return False


# ---------------------------------------------------------------------------------------------- shapes


def shape(board: OracleBoard, side: str, cell: Cell, direction: Cell) -> str:
    """What a stone of `side` on an empty cell makes along one line."""
    # A five through the cell reaches k - 1 steps away, and what stands next to it k steps: the rest cannot matter.
    line = [board.at(step(cell, direction, i)) for i in range(-board.k, board.k + 1)]
    line[board.k] = side
    return line_shape("".join(line), side, board.k, board.rule)


@cache
def line_shape(line: str, side: str, k: int, rule: str) -> str:
    """The shape around the stone in the middle of `line`."""
    first, last = line_run(line, side)
    if line_wins(line, first, last, side, k, rule):
        return "Five"
    if last - first + 1 > k and exact(rule, side):
        return "Overline"
    nexts = {i: with_stone(line, i, side) for i, c in enumerate(line) if c == EMPTY}
    fives = [i for i, after in nexts.items() if line_wins(after, *line_run(after, side), side, k, rule)]
    if len(fives) >= 2:
        straight = last - first + 1 == k - 1 and first - 1 in fives and last + 1 in fives
        return "OpenFour" if straight else "DoubleFour"
    if len(fives) == 1:
        return "Four"
    return one_step_behind({line_shape(after, side, k, rule) for after in nexts.values()})


def one_step_behind(nexts: set[str]) -> str:
    ladder = [
        ({"OpenFour"}, "OpenThree"),
        ({"Four", "DoubleFour"}, "ClosedThree"),
        ({"OpenThree"}, "OpenTwo"),
        ({"ClosedThree"}, "ClosedTwo"),
        ({"OpenTwo"}, "OpenOne"),
        ({"ClosedTwo"}, "ClosedOne"),
    ]
    return next((name for reached, name in ladder if reached & nexts), "None")


def with_stone(line: str, at: int, side: str) -> str:
    return line[:at] + side + line[at + 1 :]


def line_run(line: str, side: str) -> tuple[int, int]:
    """First and last index of the row through the middle."""
    first = last = len(line) // 2
    while first > 0 and line[first - 1] == side:
        first -= 1
    while last + 1 < len(line) and line[last + 1] == side:
        last += 1
    return first, last


def line_wins(line: str, first: int, last: int, side: str, k: int, rule: str) -> bool:
    length = last - first + 1
    if length < k or (length > k and exact(rule, side)):
        return False
    if rule == "caro" and length == k:
        return not line[first - 1] == line[last + 1] == other(side)
    return True


def threat(shapes: list[str], renju_black: bool) -> str:
    """The class of a move from the shapes it makes on its four lines."""
    count = {name: shapes.count(name) for name in SHAPES}
    fours = count["Four"] + count["OpenFour"] + 2 * count["DoubleFour"]
    threes, seeds = count["OpenThree"], count["OpenTwo"] + count["ClosedThree"]
    if count["Five"]:
        return "Five"
    if renju_black and (count["Overline"] or fours >= 2 or threes >= 2):
        return "Forbidden"
    if count["OpenFour"]:
        return "OpenFour"
    if fours >= 2:
        return "DoubleFour"
    if fours:
        return "FourThree" if threes else "FourPlus" if seeds else "Four"
    if threes:
        return "DoubleThree" if threes >= 2 else "ThreePlus" if seeds else "Three"
    if seeds >= 2:
        return "DoubleTwo"
    return "ClosedThree" if count["ClosedThree"] else "Two" if count["OpenTwo"] else "None"
