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
MOST_COUNTER_FOURS = 2
DEEPEST = 14
"""Threats in a row that are checked."""


class Finding(enum.StrEnum):
    HOLDS = "holds"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """It would take too long to say."""


class _TooMuch(Exception):
    pass


def audit(puzzle: Puzzle, advice: Advice) -> Finding:
    """Do the listed solutions do what the puzzle asks for? For a defence also: does every other move lose?"""
    auditor = _Auditor(puzzle.board(), advice)
    try:
        if puzzle.kind is Kind.DEFENCE:
            good = auditor.only_these_hold(set(puzzle.solutions))
        else:
            fours_only = puzzle.kind is not Kind.VCT
            good = all(auditor.wins_with(move, fours_only) for move in puzzle.solutions)
            good = good and (fours_only or auditor.fours() is None)
    except _TooMuch:
        return Finding.UNKNOWN
    return Finding.HOLDS if good else Finding.WRONG


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


class _Auditor:
    def __init__(self, board: Board, advice: Advice) -> None:
        self.board, self.advice = board, advice
        self.stones: list[Color | None] = [board.at(m) for m in range(board.cells)]
        self.lines = _lines_through(board.width, board.height)
        self.spent = 0

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
            at, run = line.index(move), 1
            for step in (-1, 1):
                i = at + step
                while 0 <= i < len(line) and self.stones[line[i]] == side:
                    run, i = run + 1, i + step
            if run == 5 or (run > 5 and not exact):
                return True
        return False

    def fives_near(self, move: Move, side: Color) -> list[Move]:
        near = {cell for line in self.lines[move] for cell in line if self.stones[cell] is None}
        return [cell for cell in near if self.makes_five(cell, side)]

    def fives(self, side: Color) -> list[Move]:
        return [m for m, stone in enumerate(self.stones) if stone is None and self.makes_five(m, side)]

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
        """`must`: where the other side would make five; one such cell has to be taken by the next four."""
        key = hash(tuple(self.stones))
        if key in seen or len(must) > 1:
            return None
        seen.add(key)
        self.spent += 1
        if self.spent > MOST_POSITIONS:
            raise _TooMuch
        for move in must or [m for m, stone in enumerate(self.stones) if stone is None]:
            if found := self._four(side, move, seen):
                return found
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
            if len(cells) > 1 or not self.board.is_legal(cells[0]):
                return [(move, -1)]
            self.place(cells[0])
            try:
                if self.board.outcome() is not None:
                    return None
                rest = self._attack(side, self.fives_near(cells[0], side.other), seen)
                return [(move, cells[0]), *rest] if rest else None
            finally:
                self.take_back()
        finally:
            self.take_back()

    def _may_be_four(self, move: Move, side: Color) -> bool:
        """Three own stones and no other within five cells of some line, the move among them."""
        for line in self.lines[move]:
            for start in range(max(0, line.index(move) - 4), min(line.index(move), len(line) - 5) + 1):
                window = [self.stones[cell] for cell in line[start : start + 5]]
                if window.count(side) >= 3 and side.other not in window:
                    return True
        return False

    def replays(self, line: Line, reply: Move | None = None) -> bool:
        """The line of fours wins for the side to move. After `reply` only that stone can threaten a five."""
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
            outcome = self.board.outcome()
            return outcome.winner == side if outcome else self._every_reply_loses(side, depth)
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
        passed = _Auditor(Board.from_stones(black, white, attacker, self.board.variant), self.advice)
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
            if self.spent > MOST_POSITIONS:
                raise _TooMuch
            if self.replays(threat, reply):
                return True
            if self._advised_fours():
                return True
            _, line = self.advice(self.board)
            return bool(line) and depth > 0 and self.wins_with(line[0], False, depth - 1)
        finally:
            self.take_back()

    # Defences

    def only_these_hold(self, moves: set[Move]) -> bool:
        threat = self._if_passed(self.board.turn.other) or []
        return all(self.holds(m, threat, MOST_COUNTER_FOURS) == (m in moves) for m in self.board.legal_moves())

    def holds(self, move: Move, threat: Line, fours: int) -> bool:
        """After `move` the other side has no win by fours, own fours and their answers included."""
        side = self.board.turn
        self.place(move)
        try:
            if self.board.outcome() is not None:
                return True
            cells = self.fives_near(move, side)
            if not cells:
                return not self.replays(threat) and not self._advised_fours() and self.fours() is None
            if len(cells) > 1 or not self.board.is_legal(cells[0]):
                return True
            return self._holds_after(cells[0], fours)
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
                return True
            threat = self._if_passed(side.other)
            if threat is None:
                return True
            if fours == 0:
                raise _TooMuch
            return any(self.holds(move, threat, fours - 1) for move in self.board.legal_moves())
        finally:
            self.take_back()
