"""Checks forced wins move by move, without the solver: only stones, fives and legality are looked at.

Two referees know the rules: `SlowReferee` counts rows in plain Python and shares nothing with the native core,
`CoreReferee` asks the native board and is fast enough to try every reply of a defender to a whole tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from tengen import _core
from tengen.board import Board
from tengen.players.solver import WinNode
from tengen.rules import Move
from tests.helpers import oracle

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class BadWin(AssertionError):
    """A claimed win that is none."""


class Referee(Protocol):
    turn: int

    def play(self, move: Move) -> None: ...
    def undo(self) -> None: ...
    def fives(self, side: int) -> set[Move]:
        """Empty cells where a stone of `side` wins at once."""
        ...

    def legal(self, move: Move) -> bool:
        """The side to move may play there."""
        ...


class CoreReferee:
    def __init__(self, board: Board) -> None:
        self.board = board.core.copy()
        self.cells = board.cells

    @property
    def turn(self) -> int:
        return self.board.turn

    def play(self, move: Move) -> None:
        self.board.play(move)

    def undo(self) -> None:
        self.board.undo()

    def fives(self, side: int) -> set[Move]:
        return set(self.board.cells_with(side, 0))

    def legal(self, move: Move) -> bool:
        return 0 <= move < self.cells and self.board.at(move) is None and self.board.legal(move)


class SlowReferee:
    """Counts rows of stones on a list of cells; renju's forbidden points come from the oracle."""

    def __init__(self, board: Board) -> None:
        self.width, self.height, self.k, self.rule = board.width, board.height, board.k, str(board.rule)
        self.grid = [2 if (color := board.at(m)) is None else int(color) for m in range(board.cells)]
        self.turn = int(board.turn)
        self.played: list[Move] = []

    def play(self, move: Move) -> None:
        self.grid[move] = self.turn
        self.played.append(move)
        self.turn = 1 - self.turn

    def undo(self) -> None:
        self.grid[self.played.pop()] = 2
        self.turn = 1 - self.turn

    def at(self, row: int, col: int) -> int:
        on_board = 0 <= row < self.height and 0 <= col < self.width
        return self.grid[row * self.width + col] if on_board else 3

    def fives(self, side: int) -> set[Move]:
        return {m for m, stone in enumerate(self.grid) if stone == 2 and self._wins(m, side)}

    def legal(self, move: Move) -> bool:
        if not 0 <= move < len(self.grid) or self.grid[move] != 2:
            return False
        if self.rule != "renju" or self.turn == 1:
            return True
        stones = {divmod(m, self.width): "xo"[s] for m, s in enumerate(self.grid) if s != 2}
        board = oracle.OracleBoard(self.width, self.height, self.k, "renju", stones)
        return not oracle.forbidden(board, divmod(move, self.width))

    def _wins(self, move: Move, side: int) -> bool:
        row, col = divmod(move, self.width)
        return any(self._row_wins(row, col, dr, dc, side) for dr, dc in STEPS)

    def _row_wins(self, row: int, col: int, dr: int, dc: int, side: int) -> bool:
        before, after = self._reach(row, col, -dr, -dc, side), self._reach(row, col, dr, dc, side)
        length = before + after + 1
        if length < self.k:
            return False
        if self.rule == "standard" or (self.rule == "renju" and side == 0):
            return length == self.k
        if self.rule != "caro" or length > self.k:
            return True
        ends = {
            self.at(row - dr * (before + 1), col - dc * (before + 1)),
            self.at(row + dr * (after + 1), col + dc * (after + 1)),
        }
        return ends != {1 - side}

    def _reach(self, row: int, col: int, dr: int, dc: int, side: int) -> int:
        n = 0
        while self.at(row + dr * (n + 1), col + dc * (n + 1)) == side:
            n += 1
        return n


def check_line(referee: Referee, line: Sequence[Move]) -> None:
    """The side to move wins by these fours against every defence. Not for caro, where a four has several answers."""
    if not line:
        raise BadWin("the line ended without a win")
    attacker, attack = referee.turn, line[0]
    if not referee.legal(attack):
        raise BadWin(f"attack {attack} is not legal")
    if attack in referee.fives(attacker):
        if len(line) > 1:
            raise BadWin("the line goes on after five")
        return
    referee.play(attack)
    try:
        _check_answer(referee, attacker, line[1:])
    finally:
        referee.undo()


def _check_answer(referee: Referee, attacker: int, rest: Sequence[Move]) -> None:
    if referee.fives(1 - attacker):
        raise BadWin("the defender makes five")
    completing = referee.fives(attacker)
    if not completing:
        raise BadWin("the attack is no four")
    sound = {m for m in completing if referee.legal(m)} if len(completing) == 1 else set()
    if not sound:  # two fives, or one that black may not stop
        _check_end(referee, completing, rest)
        return
    if not rest or rest[0] not in sound:
        raise BadWin("the forced answer is missing")
    referee.play(rest[0])
    try:
        check_line(referee, rest[1:])
    finally:
        referee.undo()


def _check_end(referee: Referee, completing: set[Move], rest: Sequence[Move]) -> None:
    """Nothing stops five any more: the line may say how it is made."""
    if len(completing) > 1 and rest and (len(rest) != 2 or rest[0] == rest[1] or not set(rest) <= completing):
        raise BadWin("the line does not end with five")


Prove = Callable[[Any, Sequence[Move]], None]
"""Checks that the side to move wins by fours, as a line says."""


def check_tree(referee: Referee, cells: Iterable[Move], tree: Sequence[WinNode], prove: Prove = check_line) -> int:
    """The side to move wins as the tree says against every legal reply. Returns the number of replies tried."""
    return _TreeCheck(referee, list(cells), tree, prove).node(0)


def check_every_answer(referee: CoreReferee, line: Sequence[Move], nodes: int = 20_000) -> None:
    """As `check_line` for every rule: the line is trusted for its first move only, and asked for again after each
    reply that stops the four. Slow, but it needs no thought about which replies a rule allows.
    """
    attacker = referee.turn
    if referee.fives(attacker):
        return
    if not line or not referee.legal(line[0]):
        raise BadWin("there is no legal attack")
    referee.play(line[0])
    try:
        if referee.fives(1 - attacker):
            raise BadWin("the defender makes five")
        for reply in _stopping(referee, attacker):
            referee.play(reply)
            search = _core.Vcf(1 << 10)
            search.solve(referee.board, attacker, nodes)
            try:
                check_every_answer(referee, search.line(), nodes)
            finally:
                referee.undo()
    finally:
        referee.undo()


def _stopping(referee: CoreReferee, attacker: int) -> list[Move]:
    """Every legal reply after which the attacker cannot make five."""
    if not referee.fives(attacker):
        raise BadWin("the attack is no four")
    sound = []
    for reply in range(referee.cells):
        if referee.legal(reply):
            referee.play(reply)
            if not referee.fives(attacker):
                sound.append(reply)
            referee.undo()
    return sound


class _TreeCheck:
    def __init__(self, referee: Referee, cells: list[Move], tree: Sequence[WinNode], prove: Prove) -> None:
        self.referee, self.cells, self.tree, self.prove = referee, cells, tree, prove
        self.done: set[tuple[int, frozenset[Move]]] = set()
        self.path: list[Move] = []

    def node(self, at: int) -> int:
        # A node may be shared by orders of moves that lead to the same stones, and only by those.
        sides = frozenset(m * 2 + i % 2 for i, m in enumerate(self.path))
        if (at, sides) in self.done:
            return 0
        self.done.add((at, sides))
        node = self.tree[at]
        if node.fours:
            self.prove(self.referee, node.fours)
            return 0
        if not self.referee.legal(node.attack):
            raise BadWin(f"attack {node.attack} is not legal")
        return self._after(node.attack, lambda: self._replies(node))

    def _replies(self, node: WinNode) -> int:
        referee, attacker = self.referee, 1 - self.referee.turn
        if referee.fives(1 - attacker):
            raise BadWin("the defender makes five")
        tried = 0
        for reply in [m for m in self.cells if referee.legal(m)]:
            tried += 1 + self._after(reply, lambda reply=reply: self._reply(node, reply, attacker))
        return tried

    def _reply(self, node: WinNode, reply: Move, attacker: int) -> int:
        if reply in node.answers:
            return self.node(node.answers[reply])
        if not self.referee.fives(attacker):
            self.prove(self.referee, node.threat)
        return 0

    def _after(self, move: Move, then) -> int:  # type: ignore[no-untyped-def]
        self.referee.play(move)
        self.path.append(move)
        try:
            return then()
        finally:
            self.path.pop()
            self.referee.undo()
