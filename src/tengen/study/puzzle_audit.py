"""An independent check of puzzles, in plain Python and slow: nothing of the solvers or the miner is trusted.

From the rules come only legality and the end of a game (`Board`). Fours are searched here, exhaustively. A win by
threats is checked move by move against every legal reply; `advice` may say how to go on, but every line is replayed
here, so that a wrong advice can only make a check fail, never pass.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import cache

from tengen.board import Board
from tengen.rules import Color, Move, Rule
from tengen.study.puzzles import Kind, Puzzle

Advice = Callable[[Board], tuple[bool, tuple[Move, ...]]]
"""How the side to move could win: a line, and whether it is one of fours alone; an empty line for no idea."""
Line = list[tuple[Move, Move]]
"""Fours and the answers they force; the last answer is -1 when nothing can be answered."""
MOST_POSITIONS = 20_000
"""That are looked at for one puzzle unless told otherwise."""
MOST_COUNTER_FOURS = 3
"""Fours in a row with which a defender puts off the end."""
DEEPEST = 14
"""Threats in a row that are checked."""


class Finding(enum.StrEnum):
    HOLDS = "holds"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """It would take too long to say."""


class _TooMuch(Exception):
    pass


def audit(puzzle: Puzzle, advice: Advice, positions: int = MOST_POSITIONS) -> Finding:
    """Do the listed solutions do what the puzzle asks for, and no other move? Of a win by threats only the first half
    can be said, and that fours alone do not win.
    """
    auditor = _Auditor(puzzle.board(), advice, positions)
    try:
        good = _holds(auditor, puzzle.kind, set(puzzle.solutions))
    except _TooMuch:
        return Finding.UNKNOWN
    return Finding.HOLDS if good else Finding.WRONG


def _holds(auditor: _Auditor, kind: Kind, solutions: set[Move]) -> bool:
    if kind is Kind.DEFENCE:
        return auditor.only_these_hold(solutions)
    if kind is Kind.VCT:
        return auditor.fours() is None and all(auditor.wins_with(move, fours_only=False) for move in solutions)
    return auditor.only_these_win(solutions)


def _pairs(moves: tuple[Move, ...]) -> Line:
    answers = (*moves[1::2], -1) if len(moves) % 2 else moves[1::2]
    return list(zip(moves[::2], answers, strict=True))


@cache
def _lines_through(width: int, height: int) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """For each cell and direction the cells up to five steps away, in order; the cell itself is among them."""
    found = []
    for cell in range(width * height):
        row, col = divmod(cell, width)
        lines = []
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            steps = ((row + i * dr, col + i * dc) for i in range(-5, 6))
            lines.append(tuple(r * width + c for r, c in steps if 0 <= r < height and 0 <= c < width))
        found.append(tuple(lines))
    return tuple(found)


@cache
def _windows_through(width: int, height: int) -> tuple[tuple[tuple[Move, ...], ...], ...]:
    """For each cell all rows of five cells that hold it."""
    return tuple(
        tuple(w for line in lines for i in range(len(line) - 4) if cell in (w := line[i : i + 5]))
        for cell, lines in enumerate(_lines_through(width, height))
    )


class _Auditor:
    def __init__(self, board: Board, advice: Advice, positions: int) -> None:
        self.board, self.advice, self.most = board, advice, positions
        self.stones: list[Color | None] = [board.at(m) for m in range(board.cells)]
        self.lines = _lines_through(board.width, board.height)
        self.windows = _windows_through(board.width, board.height)
        self.caro = board.rule == Rule.CARO
        self.spent = 0
        self.won: set[tuple[Color | None, ...]] = set()
        """Positions with the defender to move that were found lost for it."""

    # Placing stones

    def place(self, move: Move) -> None:
        self.stones[move] = self.board.turn
        self.board.play(move)

    def take_back(self) -> None:
        self.stones[self.board.undo()] = None

    # Fives

    def makes_five(self, move: Move, side: Color) -> bool:
        exact = self.board.rule == Rule.STANDARD or (self.board.rule == Rule.RENJU and side == Color.BLACK)
        for line in self.lines[move]:
            at = line.index(move)
            first = last = at
            while first > 0 and self.stones[line[first - 1]] == side:
                first -= 1
            while last + 1 < len(line) and self.stones[line[last + 1]] == side:
                last += 1
            run = last - first + 1
            if (run == 5 and not (self.caro and self._closed(line, first, last, side))) or (run > 5 and not exact):
                return True
        return False

    def _closed(self, line: tuple[Move, ...], first: int, last: int, side: Color) -> bool:
        """Stones of the other side stand at both ends of a row."""
        inside = first > 0 and last + 1 < len(line)
        return inside and self.stones[line[first - 1]] == self.stones[line[last + 1]] == side.other

    def fives_near(self, move: Move, side: Color) -> list[Move]:
        """Where `side` makes five with its stone on `move`."""
        found: list[Move] = []
        for window in self.windows[move]:
            stones = [self.stones[cell] for cell in window]
            if stones.count(side) == 4 and None in stones:
                cell = window[stones.index(None)]
                if cell not in found and self.makes_five(cell, side):
                    found.append(cell)
        return found

    def fives(self, side: Color) -> list[Move]:
        return [m for m, stone in enumerate(self.stones) if stone is None and self.makes_five(m, side)]

    def answers(self, cells: list[Move], side: Color) -> list[Move]:
        """Legal moves of the other side, which is to move, after which `side` makes five on none of `cells`."""
        if not self.caro:
            return cells if len(cells) == 1 and self.board.is_legal(cells[0]) else []
        near = {m for cell in cells for line in self.lines[cell] for m in line if self.stones[m] is None}
        return [m for m in sorted(near) if self._stops(m, cells, side)]  # also a stone behind the row

    def _stops(self, move: Move, cells: list[Move], side: Color) -> bool:
        self.stones[move] = side.other
        stopped = not any(cell != move and self.makes_five(cell, side) for cell in cells)
        self.stones[move] = None
        return stopped

    # Wins by fours

    def fours(self) -> Line | None:
        """A win by fours of the side to move, found by trying every four; None when there is none."""
        side = self.board.turn
        if self.board.outcome() is not None:
            return None
        if own := self.fives(side):
            return [(own[0], -1)]
        answer = self._attack(side, self.fives(side.other), set())
        return answer

    def _attack(self, side: Color, must: list[Move], seen: set[int]) -> Line | None:
        """`must`: where the other side would make five, which the next four has to stop. `seen`: what has no win."""
        key = hash(tuple(self.stones))
        if key in seen:
            return None
        self.spent += 1
        if self.spent > self.most:
            raise _TooMuch
        empty = (m for m, stone in enumerate(self.stones) if stone is None)
        for move in self.answers(must, side.other) if must else empty:
            if found := self._four(side, move, seen):
                return found
        seen.add(key)
        return None

    def _four(self, side: Color, move: Move, seen: set[int]) -> Line | None:
        """The win that starts with this move, if it is a four that wins."""
        if not self._may_be_four(move, side) or not self.board.is_legal(move):
            return None
        self.place(move)
        try:
            cells = self.fives_near(move, side)
            if not cells:
                return None
            return self._against(move, self.answers(cells, side), seen)
        finally:
            self.take_back()

    def _against(self, move: Move, answers: list[Move], seen: set[int]) -> Line | None:
        """The win after a four that has just been made, whichever answer comes."""
        side, line = self.board.turn.other, [(move, -1)]
        for answer in answers:
            self.place(answer)
            over = self.board.outcome() is not None
            rest = None if over else self._attack(side, self.fives_near(answer, side.other), seen)
            self.take_back()
            if rest is None:
                return None
            line = [(move, answer), *rest]
        return line

    def _may_be_four(self, move: Move, side: Color) -> bool:
        """Three own stones and no other in some row of five cells with the move."""
        for window in self.windows[move]:
            stones = [self.stones[cell] for cell in window]
            if stones.count(side) >= 3 and side.other not in stones:
                return True
        return False

    def replays(self, line: Line, reply: Move | None = None) -> bool:
        """The line of fours wins for the side to move. After `reply` only that stone can threaten a five. A line says
        nothing under caro, where a four can have several answers.
        """
        if self.caro:
            return False
        side, placed = self.board.turn, 0
        try:
            must = self.fives(side.other) if reply is None else self.fives_near(reply, side.other)
            for move, answer in line:
                if self.stones[move] is not None or not self.board.is_legal(move):
                    return False
                if self.makes_five(move, side):
                    return True
                if must and must != [move]:
                    return False
                self.place(move)
                placed += 1
                cells = self.fives_near(move, side)
                if len(cells) > 1 or (cells and not self.board.is_legal(cells[0])):
                    return True
                if cells != [answer]:
                    return False
                self.place(answer)
                placed += 1
                if self.board.outcome() is not None:
                    return False
                must = self.fives_near(answer, side.other)
            return False
        finally:
            for _ in range(placed):
                self.take_back()

    def only_these_win(self, moves: set[Move]) -> bool:
        """By fours; every other first move was tried."""
        return all(self.wins_with(m, fours_only=True) == (m in moves) for m in self.board.legal_moves())

    # Wins by threats

    def wins_with(self, move: Move, fours_only: bool, depth: int = DEEPEST) -> bool:
        """The side to move wins after this move, by fours or by threats that `advice` names."""
        side = self.board.turn
        if not self.board.is_legal(move):
            return False
        if fours_only:
            return self.makes_five(move, side) or bool(self._four(side, move, set()))
        self.place(move)
        try:
            if outcome := self.board.outcome():
                return outcome.winner == side
            if (key := tuple(self.stones)) not in self.won and self._every_reply_loses(side, depth):
                self.won.add(key)
            return key in self.won
        finally:
            self.take_back()

    def _every_reply_loses(self, attacker: Color, depth: int) -> bool:
        if self.fives(self.board.turn):
            return False
        threat = self._if_passed(attacker)
        if threat is None:
            return False
        return all(self._still_wins(reply, threat, depth) for reply in self.board.legal_moves())

    def _if_passed(self, attacker: Color) -> Line | None:
        """What the attacker would win by if it were to move again."""
        black, white = ([m for m, stone in enumerate(self.stones) if stone == side] for side in Color)
        passed = _Auditor(Board.from_stones(black, white, attacker, self.board.variant), self.advice, self.most)
        is_fours, moves = self.advice(passed.board)
        if is_fours and moves and passed.replays(_pairs(moves)):
            return _pairs(moves)
        line = passed.fours()
        self.spent += passed.spent
        return line

    def _still_wins(self, reply: Move, threat: Line, depth: int) -> bool:
        self.place(reply)
        try:
            self.spent += 1
            if self.spent > self.most:
                raise _TooMuch
            if self.replays(threat, reply):
                return True
            if self._advised_fours() or (self.caro and self.fours()):
                return True
            _, line = self.advice(self.board)
            if line and depth == 0:
                raise _TooMuch
            return bool(line) and self.wins_with(line[0], False, depth - 1)
        finally:
            self.take_back()

    # Defences

    def only_these_hold(self, moves: set[Move]) -> bool:
        if self.fives(Color.BLACK) or self.fives(Color.WHITE):
            return False
        threat = self._if_passed(self.board.turn.other) or []
        return all(self.holds(m, threat, MOST_COUNTER_FOURS) == (m in moves) for m in self.board.legal_moves())

    def holds(self, move: Move, threat: Line, fours: int) -> bool:
        """After `move` the other side, which makes no five at once, has no win by fours, own fours and their answers
        included.
        """
        side = self.board.turn
        self.place(move)
        try:
            if self.board.outcome() is not None:
                return True
            cells = self.fives_near(move, side)
            if not cells:
                return not self.replays(threat) and not self._advised_fours() and self.fours() is None
            return all(self._holds_after(answer, fours) for answer in self.answers(cells, side))
        finally:
            self.take_back()

    def _advised_fours(self) -> bool:
        is_fours, line = self.advice(self.board)
        return is_fours and bool(line) and self.replays(_pairs(line))

    def _holds_after(self, answer: Move, fours: int) -> bool:
        """After a four of one's own and the answer to it."""
        side = self.board.turn.other
        self.place(answer)
        try:
            if self.board.outcome() is not None:
                return False
            if self._advised_fours() or self.fours() is not None:
                return True  # the counter-fours themselves win
            threat = self._if_passed(side.other)
            if threat is None:
                return True
            if fours == 0:
                raise _TooMuch
            must = self.fives_near(answer, side.other)
            moves = self.answers(must, side.other) if must else self.board.legal_moves()
            return any(self.holds(move, threat, fours - 1) for move in moves)
        finally:
            self.take_back()
