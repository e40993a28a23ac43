"""A game as people play it: a tree of moves, a place in it, seats, a clock. No search and no network here."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tengen.board import Board
from tengen.errors import IllegalMoveError, TengenError
from tengen.rules import Color, Move, Outcome, Result, Termination, Variant
from tengen.web.game_clock import GameClock
from tengen.web.messages import Position, Settings, SetUp
from tengen.web.notes import Note
from tengen.web.swap2 import Swap2

MAX_NODES = 20_000
ROOT = 0


class GameError(TengenError):
    """A command the game cannot obey. `code` lets the page say it in the reader's language."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class Node:
    """One move of the tree; the root has none."""

    id: int
    parent: int
    move: Move
    children: list[int] = field(default_factory=list)
    note: Note = field(default_factory=Note)


@dataclass(slots=True)
class Ending:
    """A game that ended other than on the board, and the node where it did."""

    node: int
    result: Result
    termination: Termination


class Game:
    def __init__(self, id: str, settings: Settings, setup: SetUp | None = None) -> None:
        self.id = id
        self.settings = settings
        self.setup = setup
        self.names = ("", "")
        """Who played black and white, where a record says so."""
        self.nodes: dict[int, Node] = {ROOT: Node(ROOT, -1, -1)}
        self.cursor = ROOT
        self.ending: Ending | None = None
        self.swap2 = Swap2.start(settings) if settings.opening == "swap2" and setup is None else None
        self.clock = GameClock.start(settings.clock)
        self.helped = 0
        """Take-backs, hints, analysis and teaching: a game with help does not count for a rating."""
        self.takebacks = 0
        self.went_on = False
        """The record it came from went on after the end; those moves were left out."""
        self.created = self.touched = time.time()
        self.next_id = 1
        self._board: tuple[int, Board] | None = None
        self.position(ROOT).board()  # refuses a set-up that cannot be played

    @property
    def variant(self) -> Variant:
        return self.settings.variant

    # Where we are

    def path(self, node: int | None = None) -> list[int]:
        """Node ids from the first move to `node`, without the root."""
        ids = []
        at = self.cursor if node is None else node
        while at != ROOT:
            ids.append(at)
            at = self.nodes[at].parent
        return ids[::-1]

    def moves(self, node: int | None = None) -> tuple[Move, ...]:
        return tuple(self.nodes[i].move for i in self.path(node))

    def position(self, node: int | None = None) -> Position:
        return Position(variant=self.variant, setup=self.setup, moves=self.moves(node))

    def board(self) -> Board:
        """The board at the cursor; callers must not play on it."""
        if self._board is None or self._board[0] != self.cursor:
            self._board = (self.cursor, self.position().board())
        return self._board[1]

    def outcome(self) -> Outcome | None:
        if self.ending and self.ending.node == self.cursor:
            return Outcome(self.ending.result, self.ending.termination)
        return self.board().outcome()

    @property
    def turn(self) -> Color:
        return self.board().turn

    def turn_at(self, node: int) -> Color:
        first = self.setup.color if self.setup else Color.BLACK
        return first if len(self.path(node)) % 2 == 0 else first.other

    def seat(self, color: Color) -> str:
        return self.settings.black if color == Color.BLACK else self.settings.white

    @property
    def humans_turn(self) -> bool:
        if self.swap2 and not self.swap2.done:
            return self.swap2.mover_is_human
        return self.seat(self.turn) == "human"

    @property
    def at_tip(self) -> bool:
        return not self.nodes[self.cursor].children

    # What people do

    def play(self, move: Move) -> int:
        """Adds a move at the cursor, or enters the branch that already has it. Returns its node."""
        if self.outcome() is not None:
            raise GameError("over", "the game is over; go back or start a new one")
        board = self.board()
        if not 0 <= move < board.cells:
            raise GameError("off-board", "that cell is off the board")
        after = board.copy()
        try:
            after.play(move)
        except IllegalMoveError as error:
            code = "occupied" if board.at(move) is not None else "forbidden"
            raise GameError(code, str(error)) from None
        self.cursor = self.child(move)
        self._board = (self.cursor, after)
        if self.swap2 and not self.swap2.done:
            self.swap2.stone_placed()
        self.touch()
        return self.cursor

    def go(self, node: int) -> None:
        if node not in self.nodes:
            raise GameError("no-node", "that move is no longer in the tree")
        self.cursor = node

    def undo(self) -> None:
        """Back to where a person was to move: both plies against a machine, one between people."""
        line = [ROOT, *self.path()]
        for depth in range(len(line) - 2, self._floor - 1, -1):
            if self._person_moves_at(depth):
                self.ending = None
                self.cursor = line[depth]
                self.takebacks += 1
                self.helped += 1
                return
        raise GameError("no-undo", "there is no move to take back")

    def redo(self) -> None:
        """The way `undo` came, along the newest branches."""
        if self.at_tip:
            raise GameError("no-redo", "there is no move to play again")
        depth = len(self.path())
        while not self.at_tip:
            self.cursor, depth = self.nodes[self.cursor].children[-1], depth + 1
            if self._person_moves_at(depth):
                return

    def resign(self, color: Color) -> None:
        self._end(color.other, Termination.RESIGN)

    def flag(self, color: Color) -> None:
        """`color` ran out of time."""
        self._end(color.other, Termination.TIME)

    def delete(self, node: int) -> list[int]:
        """Removes a move and everything after it. Returns the ids that are gone."""
        if node == ROOT or node not in self.nodes:
            raise GameError("no-node", "that move is not in the tree")
        parent = self.nodes[node].parent
        if node in self.path():
            self.cursor = parent
        self.nodes[parent].children.remove(node)
        gone, queue = [], [node]
        while queue:
            at = queue.pop()
            gone.append(at)
            queue += self.nodes.pop(at).children
        self.touch()
        return gone

    @property
    def _floor(self) -> int:
        """Stones of a swap2 opening are not taken back: the seats were settled over them."""
        return self.swap2.placed if self.swap2 else 0

    def _person_moves_at(self, depth: int) -> bool:
        """Is a person to move after `depth` moves? Always true in a game without people."""
        if "human" not in (self.settings.black, self.settings.white):
            return True
        black_began = self.setup is None or self.setup.color == Color.BLACK
        return self.seat(Color.BLACK if (depth % 2 == 0) == black_began else Color.WHITE) == "human"

    def touch(self) -> None:
        self.touched = time.time()

    def _end(self, winner: Color, termination: Termination) -> None:
        if self.outcome() is not None:
            raise GameError("over", "the game is already over")
        self.ending = Ending(self.cursor, Result.of(winner), termination)
        self.clock.pause()
        self.touch()

    def child(self, move: Move) -> int:
        """The node of a legal move at the cursor, made if it is new."""
        here = self.nodes[self.cursor]
        for child in here.children:
            if self.nodes[child].move == move:
                here.children.remove(child)  # the branch played last is the one redo follows
                here.children.append(child)
                return child
        if len(self.nodes) >= MAX_NODES:
            raise GameError("tree-full", f"a game holds at most {MAX_NODES} moves in all its branches")
        node = Node(self.next_id, here.id, move)
        self.next_id += 1
        self.nodes[node.id] = node
        here.children.append(node.id)
        return node.id
