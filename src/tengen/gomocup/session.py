"""What the manager has sent: the game so far and the limits. No thinking and no input or output here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from tengen.board import Board
from tengen.errors import IllegalMoveError, TengenError, clip
from tengen.gomocup.clock import DEFAULT_TURN, Clock
from tengen.gomocup.wire import RULE_CODES, ProtocolError, cell_at, parse_integers
from tengen.rules import MAX_SIZE, Color, Limit, Move, Rule, Variant

MIN_SIZE = 5
OWN, OPPONENT, DEAD = 1, 2, 3
"""The field of a BOARD line. DEAD marks a finished line of a continuous game, or a forbidden cell under renju."""
PASS = -1
_CODES = ", ".join(f"{rule.gomocup} ({rule})" for rule in Rule)


@dataclass(frozen=True, slots=True)
class Resources:
    """What decides how a player is built; when it changes, the player is built anew."""

    memory_bytes: int = 0
    """0 means no limit."""
    threads: int = 0
    """0 leaves the player's own choice."""
    hash_kb: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """One line of a BOARD block: a cell (or PASS) and whose stone stands there."""

    move: Move
    own: bool


@dataclass(slots=True)
class Session:
    width: int = 0
    height: int = 0
    rule: Rule = Rule.FREESTYLE
    clock: Clock = field(default_factory=Clock)
    resources: Resources = field(default_factory=Resources)
    max_nodes: int | None = None
    max_depth: int | None = None
    detail: int = 0
    pondering: bool = False
    """Whether the player may think while the opponent does."""
    yixin_rules: bool = False
    """Programs of the Yixin family, which say YXSHOWINFO first, mean renju by rule 2."""
    board: Board | None = None
    trouble: str = ""
    """A setting we could not accept, reported at the next command that needs it."""

    # --- the game -----------------------------------------------------------------------------------------------

    def start(self, width: int, height: int) -> None:
        if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
            raise ProtocolError(f"a {width}x{height} board is not supported; sides go from {MIN_SIZE} to {MAX_SIZE}")
        self.raise_trouble()
        self.width, self.height = width, height
        if self.board is not None:
            self.clock = replace(self.clock, left_ms=None)
        self.board = Board(Variant(width, height, rule=self.rule))

    def restart(self) -> None:
        self.start(self.ready().width, self.ready().height)

    def ready(self) -> Board:
        """The board, once START has been obeyed and no setting is in trouble."""
        self.raise_trouble()
        if self.board is None:
            raise ProtocolError("no board yet; send START n first")
        return self.board

    def thinkable(self) -> Board:
        """The board, when there is a move to choose on it."""
        board = self.ready()
        if board.outcome() is not None:
            raise ProtocolError("the game is over")
        if not board.legal_moves():
            raise ProtocolError("there is no legal move")
        return board

    def play(self, move: Move) -> None:
        """A stone for the side to move. One that black may not play is placed all the same: the referee judges it."""
        board = self.ready()
        if board.at(move) is not None:
            raise ProtocolError(f"{move % self.width},{move // self.width} is occupied")
        if board.outcome() is not None:
            raise ProtocolError("the game is over")
        if board.is_legal(move):
            board.play(move)
        else:
            stones = [*_stones(board), (move, board.turn)]
            self.board = _set_up(self, stones, board.turn.other)

    def take_back(self, move: Move) -> None:
        board = self.ready()
        color = board.at(move)
        if color is None:
            raise ProtocolError(f"there is no stone on {move % self.width},{move // self.width}")
        if board.moves and board.moves[-1] == move:
            board.undo()
            return
        stones = [stone for stone in _stones(board) if stone[0] != move]
        self.board = _set_up(self, stones, color)

    def set_position(self, placed: Iterable[Placed]) -> None:
        """The position of a BOARD block, with us to move. The stones may come in any order."""
        self.ready()
        self.board = _board_from(self, list(placed))

    def parse_placed(self, line: str) -> Placed | None:
        """A line `x,y,field`; None for a cell that only says what we know ourselves."""
        x, y, owner = parse_integers(line, 3, "x,y,field")
        if owner not in (OWN, OPPONENT, DEAD):
            raise ProtocolError(f"field {owner} is none of 1 (own), 2 (opponent), 3 (dead)")
        if owner == DEAD:
            if self.rule != Rule.RENJU:
                raise ProtocolError("continuous games (field 3) are not supported")
            return None
        move = PASS if (x, y) == (-1, -1) else cell_at(x, y, self.width, self.height)
        return Placed(move, owner == OWN)

    # --- the limits ---------------------------------------------------------------------------------------------

    def info(self, rest: str) -> None:
        """`INFO key value`. Unknown keys and unreadable values change nothing, as the protocol asks."""
        key, _, text = rest.partition(" ")
        setter = _INFO.get(key.lower())
        if setter is None:
            return
        try:
            value = int(float(text)) if "." in text else int(text)
        except (ValueError, OverflowError):
            return
        setter(self, max(-(2**53), min(value, 2**53)))

    def limit(self) -> Limit:
        board = self.ready()
        cells = board.variant.width * board.variant.height
        seconds, most = self.clock.seconds(board.stones, cells), self.clock.most_seconds(board.stones, cells)
        if seconds is None and self.max_nodes is None and self.max_depth is None:
            seconds = DEFAULT_TURN
        return Limit(seconds=seconds, nodes=self.max_nodes, depth=self.max_depth, most=most)

    def spend(self, seconds: float) -> None:
        """Runs the match clock down ourselves, for managers that do not send time_left before every move."""
        left = self.clock.match_left()
        if left is not None:
            self.clock = replace(self.clock, left_ms=int((left - seconds) * 1000))

    def raise_trouble(self) -> None:
        if self.trouble:
            raise ProtocolError(self.trouble)

    def _set_rule(self, code: int) -> None:
        rule = Rule.RENJU if code == 2 and self.yixin_rules else RULE_CODES.get(code)
        self.trouble = "" if rule else f"rule {code} is not supported; choose {_CODES}"
        if rule is None or rule == self.rule:
            return
        self.rule = rule
        if self.board is not None:
            self.board = _set_up(self, _stones(self.board), self.board.turn)


def _set_nodes(session: Session, value: int) -> None:
    session.max_nodes = value if value > 0 else None


def _set_depth(session: Session, value: int) -> None:
    session.max_depth = min(value, 1000) if value > 0 else None


def _set_detail(session: Session, value: int) -> None:
    session.detail = value


def _set_pondering(session: Session, value: int) -> None:
    session.pondering = value > 0


def _clock_setter(name: str) -> Callable[[Session, int], None]:
    def setter(session: Session, value: int) -> None:
        session.clock = replace(session.clock, **{name: value})

    return setter


def _resource_setter(name: str) -> Callable[[Session, int], None]:
    def setter(session: Session, value: int) -> None:
        session.resources = replace(session.resources, **{name: max(0, value)})

    return setter


_INFO: dict[str, Callable[[Session, int], None]] = {
    "timeout_turn": _clock_setter("turn_ms"),
    "timeout_match": _clock_setter("match_ms"),
    "time_left": _clock_setter("left_ms"),
    "max_memory": _resource_setter("memory_bytes"),
    "thread_num": _resource_setter("threads"),
    "hash_size": _resource_setter("hash_kb"),
    "rule": Session._set_rule,
    "max_node": _set_nodes,
    "max_depth": _set_depth,
    "show_detail": _set_detail,
    "pondering": _set_pondering,
}


def _stones(board: Board) -> list[tuple[Move, Color]]:
    """All stones: those set up beforehand by cell, then the moves in their order."""
    played = set(board.moves)
    cells = [(m, c) for m in range(board.cells) if m not in played and (c := board.at(m)) is not None]
    return cells + [(m, c) for m in board.moves if (c := board.at(m)) is not None]


def _set_up(session: Session, stones: list[tuple[Move, Color]], turn: Color) -> Board:
    """A board with these stones: played in order when that is a legal game, placed otherwise."""
    board = _played(session, [move for move, _ in stones])
    if board and board.turn == turn and all(board.at(move) == color for move, color in stones):
        return board
    black = [move for move, color in stones if color == Color.BLACK]
    white = [move for move, color in stones if color == Color.WHITE]
    try:
        return Board.from_stones(black, white, turn, Variant(session.width, session.height, rule=session.rule))
    except TengenError as error:
        raise ProtocolError(clip(error, 200)) from None


def _played(session: Session, moves: list[Move]) -> Board | None:
    try:
        return Board(Variant(session.width, session.height, rule=session.rule), moves)
    except IllegalMoveError:
        return None


def _board_from(session: Session, placed: list[Placed]) -> Board:
    cells = [stone.move for stone in placed if stone.move != PASS]
    if len(cells) != len(set(cells)):
        twice = next(move for move in cells if cells.count(move) > 1)
        raise ProtocolError(f"{twice % session.width},{twice // session.width} is given twice")
    own_color = Color.BLACK if _own_is_black(placed) else Color.WHITE
    stones = [(p.move, own_color if p.own else own_color.other) for p in placed if p.move != PASS]
    return _set_up(session, _alternating(stones), own_color)


def _own_is_black(placed: list[Placed]) -> bool:
    """We are to move: with as many stones each we are black, with one fewer white; else the first line is black's."""
    own = sum(stone.own for stone in placed)
    behind = len(placed) - 2 * own
    return behind == 0 if behind in (0, 1) else placed[0].own


def _alternating(stones: list[tuple[Move, Color]]) -> list[tuple[Move, Color]]:
    """The stones in an order of play: the one given where it alternates, else black and white by turns."""
    black = [stone for stone in stones if stone[1] == Color.BLACK]
    white = [stone for stone in stones if stone[1] == Color.WHITE]
    if not 0 <= len(black) - len(white) <= 1:
        return stones
    mixed = [stone for pair in zip(black, white, strict=False) for stone in pair]
    return mixed + black[len(white) :]
