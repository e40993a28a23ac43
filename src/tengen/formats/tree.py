"""A game with its variations: what every file format is read into and written from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tengen.board import Board
from tengen.errors import TengenError
from tengen.rules import Color, Move, Variant


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A move that an analysis looked at. `value` is for the side that would play it."""

    move: Move
    value: float
    visits: int = 0
    pv: tuple[Move, ...] = ()


@dataclass(slots=True, eq=False)
class Node:
    """A position: the move that led to it (None at the root) and what is known about it."""

    move: Move | None = None
    color: Color | None = None
    comment: str = ""
    value: float | None = None
    """Of this position, for the side to move in it."""
    suggestions: tuple[Suggestion, ...] = ()
    seconds: float | None = None
    """What the move took."""
    extra: dict[str, list[str]] = field(default_factory=dict)
    """Properties of the file that we do not use, kept for the next writer."""
    children: list[Node] = field(default_factory=list)
    """Continuations, the main one first."""

    def add(self, move: Move, color: Color) -> Node:
        """The child that plays `move`, made if it is new."""
        for child in self.children:
            if child.move == move and child.color == color:
                return child
        self.children.append(Node(move, color))
        return self.children[-1]


@dataclass(slots=True, eq=False)
class GameTree:
    variant: Variant = field(default_factory=Variant)
    black: str = ""
    """The players' names."""
    white: str = ""
    result: str = ""
    """As SGF writes it: B+, W+, B+R, W+T, 0 for a draw, empty for a game that is not over."""
    black_stones: tuple[Move, ...] = ()
    """Stones that stood there before the first move."""
    white_stones: tuple[Move, ...] = ()
    first: Color = Color.BLACK
    """Who moves first."""
    root: Node = field(default_factory=Node)

    @property
    def width(self) -> int:
        return self.variant.width

    @property
    def height(self) -> int:
        return self.variant.height

    def main_line(self) -> list[Node]:
        """The nodes of the game itself, the root first."""
        line = [self.root]
        while line[-1].children:
            line.append(line[-1].children[0])
        return line

    def moves(self) -> list[Move]:
        return [node.move for node in self.main_line() if node.move is not None]

    def start(self) -> Board:
        """The board before the first move."""
        if self.black_stones or self.white_stones or self.first != Color.BLACK:
            return Board.from_stones(self.black_stones, self.white_stones, self.first, self.variant)
        return Board(self.variant)

    def board(self, ply: int | None = None) -> Board:
        """The main line after `ply` moves, or at its end. Raises IllegalMoveError for a move the rule forbids."""
        board = self.start()
        for move in self.moves()[:ply]:
            board.play(move)
        return board

    def side_to_move(self, node: Node) -> Color:
        return self.first if node.color is None else node.color.other

    def nodes(self) -> Iterator[Node]:
        """Every node, parents before children, without recursion: games are long."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def tree_of(board: Board) -> GameTree:
    """The game on a board, set-up stones included."""
    stones = [(m, board.at(m)) for m in range(board.cells) if m not in set(board.moves)]
    black, white = (tuple(m for m, color in stones if color == side) for side in Color)
    first = board.turn if len(board.moves) % 2 == 0 else board.turn.other
    tree = GameTree(board.variant)
    tree.black_stones, tree.white_stones, tree.first = black, white, first
    add_line(tree, board.moves)
    if (outcome := board.outcome()) is not None:
        tree.result = "0" if outcome.winner is None else f"{outcome.winner.name[0]}+"
    return tree


def clean(text: str) -> str:
    """Text that can be written to a file: half characters, which JSON lets through, become question marks."""
    return text.encode("utf-8", "replace").decode()


def check_plain(tree: GameTree, holder: str) -> None:
    """Raises TengenError unless the main line is a game of black and white in turn from the empty board."""
    if tree.black_stones or tree.white_stones or tree.first != Color.BLACK:
        raise TengenError(f"{holder} games from the empty board; this one has stones set up")
    if any(node.color != Color(ply % 2) for ply, node in enumerate(tree.main_line()[1:])):
        raise TengenError(f"{holder} games of black and white in turn; in this one a side plays twice in a row")


def add_line(tree: GameTree, moves: Iterable[Move]) -> Node:
    """Plays `moves` in turn from the root, along what is already there. Returns the last node."""
    node = tree.root
    for move in moves:
        node = node.add(move, tree.side_to_move(node))
    return node
