"""The Gomocup engine: reads commands, keeps a session, lets a player think, answers. Never crashes on what it reads."""

from __future__ import annotations

import math
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue

from tengen.board import Board
from tengen.errors import TengenError, clip
from tengen.gomocup.report import analysis_line, decision_line, info_blocks
from tengen.gomocup.session import Resources, Session
from tengen.gomocup.thinker import STOP_REPEAT, Finished, Progress, RunningSearch, fallback_move
from tengen.gomocup.wire import Command, ProtocolError, format_cell, parse_cell, parse_command, parse_integers
from tengen.players import swap2
from tengen.players.base import Analysis, Candidate, Decision, Player, Prepares, Stoppable, check_board
from tengen.rules import Limit, Move

STOP_PATIENCE = 1.0
"""Seconds a player has to answer after YXSTOP before the engine answers for it."""
TURN_PATIENCE = 0.5
"""Seconds a player may go past its limit: under the second that referees forgive."""
PROGRESS_INTERVAL = 0.1
LONG_WAIT = 3600.0


class ManagerGone(Exception):
    """END came; nobody waits for an answer."""


class EndOfInput:
    """The manager closed our input."""


@dataclass(slots=True)
class Block:
    """The lines between BOARD, YXBOARD or SWAP2BOARD and DONE."""

    name: str
    lines: list[str]


Inbox = SimpleQueue["str | EndOfInput | Progress | Finished"]


class Engine:
    """`make` builds the player for the resources the manager grants. `write` sends one line and flushes it."""

    def __init__(self, make: Callable[[Resources], Player], write: Callable[[str], None], about: str) -> None:
        self.inbox: Inbox = SimpleQueue()
        self._make, self._write, self._about = make, write, about
        self._session = Session()
        self._agent: Player | None = None
        self._built_for: Resources | None = None
        self._block: Block | None = None
        self._waiting: deque[str] = deque()
        self._input_ended = False
        self._pondering: RunningSearch | None = None

    def run(self) -> None:
        """Obeys the lines of the inbox until END or the end of input."""
        try:
            while (line := self._next_line()) is not None:
                self.handle(line)
        except ManagerGone:
            return

    def _next_line(self) -> str | None:
        while not self._waiting:
            if self._input_ended:
                return None
            event = self.inbox.get()
            if isinstance(event, str):
                return event
            self._input_ended |= isinstance(event, EndOfInput)
        return self._waiting.popleft()

    def handle(self, line: str) -> None:
        """Obeys one line. Whatever goes wrong is answered, not raised."""
        command = parse_command(line)
        try:
            if self._block is not None:
                self._continue_block(command, line)
            elif command.name:
                self._obey(command)
        except ProtocolError as error:
            self._write(f"ERROR {error}")
        except ManagerGone:
            raise
        except Exception as error:  # a fault of ours must not end the game
            self._write(f"ERROR {type(error).__name__}: {clip(str(error), 200)}")

    def _obey(self, command: Command) -> None:
        if command.name not in _SAID_IN_PASSING:
            self._stop_pondering()
        handler = _COMMANDS.get(command.name)
        if handler is None:
            self._write(f"UNKNOWN command {clip(command.name)}")
        else:
            handler(self, command.rest)

    # --- blocks of lines ----------------------------------------------------------------------------------------

    def _open_block(self, name: str) -> None:
        self._block = Block(name, [])

    def _continue_block(self, command: Command, line: str) -> None:
        assert self._block is not None
        block = self._block
        if command.name == "DONE":
            self._block = None
            _BLOCKS[block.name](self, block.lines)
        elif command.name in _COMMANDS and command.name != "INFO":
            self._block = None
            if command.name != "END":
                self._write(f"ERROR {block.name} was not closed by DONE")
            self._obey(command)
        elif command.name == "INFO":
            self._obey(command)
        elif command.name and len(block.lines) <= 1000:  # more than any board holds: enough to be refused
            block.lines.append(line)

    def _done_board(self, lines: list[str]) -> None:
        self._set_position(lines)
        self._answer_move()

    def _set_position(self, lines: list[str]) -> None:
        self._session.ready()
        placed = [self._session.parse_placed(line) for line in lines]
        self._session.set_position([stone for stone in placed if stone])

    def _done_swap2(self, lines: list[str]) -> None:
        board = self._session.ready()
        moves = [parse_cell(line, board.width, board.height) for line in lines]
        if len(moves) not in (0, 3, 5):
            raise ProtocolError(f"swap2 goes on from 0, 3 or 5 stones, not {len(moves)}")
        self._session.restart()
        for move in moves:
            self._session.play(move)
        self._answer_swap2(len(moves))

    # --- answers ------------------------------------------------------------------------------------------------

    def _answer_move(self, best: int = 1) -> None:
        board = self._session.thinkable()
        decision = self._think(board, 1.0, best)
        self._reply(board, decision.move)
        self._ponder(decision)

    def _reply(self, board: Board, move: Move) -> None:
        self._session.play(move)
        self._write(format_cell(move, board.width))

    def _answer_swap2(self, stones: int) -> None:
        board = self._session.thinkable()
        if stones == 0:
            self._lay(swap2.first_three(board, self._think))
            return
        decision = self._think(board, 0.5 if stones == 3 else 1.0)
        choice = swap2.choose(stones, decision.value)
        if choice is swap2.Choice.BLACK:
            self._write("SWAP")
        elif choice is swap2.Choice.WHITE:
            self._reply(board, decision.move)
        else:
            self._lay(swap2.two_more(board, lambda b, share: self._think(b, share / 2), random.Random(board.key)))

    def _lay(self, moves: list[Move]) -> None:
        """Stones of the opening, given to the manager in one line."""
        for move in moves:
            self._session.play(move)
        self._write(" ".join(format_cell(move, self._session.width) for move in moves))

    # --- thinking -----------------------------------------------------------------------------------------------

    def _think(self, board: Board, share: float = 1.0, best: int = 1) -> Decision:
        """A legal decision on `board`, whatever the player does, within the session's limits times `share`."""
        started = time.monotonic()
        agent = self._able_player(board)
        limit = _scaled(self._session.limit(), share, time.monotonic() - started)
        stream = best > 1 or self._session.detail > 0
        search = RunningSearch(agent, board, limit, stream, self.inbox.put)
        finished = self._wait(search, board, limit, best)
        self._session.spend(time.monotonic() - started)
        return self._checked(board, finished, best)

    def _wait(self, search: RunningSearch, board: Board, limit: Limit, best: int) -> Finished | None:
        """The end of the search, listening to the manager meanwhile. None when the player's patience ran out."""
        longest = limit.most or limit.seconds
        deadline = math.inf if longest is None else time.monotonic() + longest + TURN_PATIENCE
        shown, stopping = 0.0, False
        while (left := deadline - time.monotonic()) > 0:
            try:
                event = self.inbox.get(timeout=min(left, STOP_REPEAT) if stopping else min(left, LONG_WAIT))
            except Empty:
                if stopping:
                    search.stop()  # again: the first call may have come before the search had begun
                continue
            if isinstance(event, Finished) and event.search is search:
                return event
            if isinstance(event, Progress) and event.search is search:
                if time.monotonic() - shown >= PROGRESS_INTERVAL:
                    shown = time.monotonic()
                    self._show(board, event.analysis, best)
            elif self._wants_stop(event, limit) and not stopping:
                search.stop()
                stopping, deadline = True, time.monotonic() + STOP_PATIENCE
        search.stop()
        return None

    def _wants_stop(self, event: object, limit: Limit) -> bool:
        """What a line means while a search runs: END leaves, YXSTOP stops, anything else waits its turn."""
        if isinstance(event, EndOfInput):
            self._input_ended = True
            return limit.seconds is None  # nobody can stop this search any more
        if not isinstance(event, str):
            return False
        name = parse_command(event).name
        if name == "END":
            raise ManagerGone
        if name != "YXSTOP":
            self._waiting.append(event)
        return name == "YXSTOP"

    def _checked(self, board: Board, finished: Finished | None, best: int) -> Decision:
        decision = finished.decision if finished else None
        if decision is not None and board.is_legal(decision.move):
            self._conclude(board, decision, finished.analysis if finished else None, best)
            return decision
        self._agent = None  # it is broken or still busy: the next move gets a new one
        reason = "it did not answer in time" if finished is None else finished.error or "its move is illegal"
        self._write(f"ERROR the player failed ({clip(reason, 200)}); playing a legal move in its place")
        return Decision(fallback_move(board))

    def _conclude(self, board: Board, decision: Decision, analysis: Analysis | None, best: int) -> None:
        if best > 1 or self._session.detail > 1:
            self._show(board, analysis or _analysis_of(decision), best)
        elif line := decision_line(board, decision):
            self._write(line)

    def _show(self, board: Board, analysis: Analysis, best: int) -> None:
        if best > 1 or self._session.detail > 1:
            for line in info_blocks(board, analysis, best):
                self._write(line)
        else:
            self._write(analysis_line(board, analysis))

    def _ponder(self, decision: Decision) -> None:
        """Thinks on about the answer it expects, if the manager lets it; what it finds stays in the player's memory."""
        board = self._session.ready().copy()
        if not self._session.pondering or len(decision.pv) < 2 or not isinstance(self._agent, Stoppable):
            return
        if board.outcome() is None and board.is_legal(decision.pv[1]):
            board.play(decision.pv[1])
            if board.outcome() is None:
                self._pondering = RunningSearch(self._agent, board, Limit(), False, self.inbox.put)

    def _stop_pondering(self) -> None:
        search, self._pondering = self._pondering, None
        if search is not None and not search.end_within(STOP_PATIENCE):
            self._agent = None  # still busy: the next move gets a new one

    def _player(self) -> Player:
        if self._agent is None or self._built_for != self._session.resources:
            self._agent = None  # the old one's memory goes before the new one's comes
            self._agent = self._make(self._session.resources)
            self._built_for = self._session.resources
        return self._agent

    def _able_player(self, board: Board) -> Player:
        """The player, when it plays this size and rule. Raises ProtocolError, which answers ERROR, otherwise."""
        try:
            player = self._player()
            check_board(player, board)
            if isinstance(player, Prepares):
                player.prepare(board)
        except TengenError as error:
            raise ProtocolError(clip(str(error), 200)) from None
        return player

    # --- commands -----------------------------------------------------------------------------------------------

    def _start(self, rest: str) -> None:
        (size,) = parse_integers(rest, 1, "START n")
        self._begin_game(size, size)

    def _rectstart(self, rest: str) -> None:
        width, height = parse_integers(rest, 2, "RECTSTART width,height")
        self._begin_game(width, height)

    def _begin_game(self, width: int, height: int) -> None:
        self._session.start(width, height)
        self._able_player(self._session.ready())
        self._write("OK")

    def _restart(self, _: str) -> None:
        self._session.restart()
        self._write("OK")

    def _begin(self, _: str) -> None:
        if self._session.ready().stones:
            raise ProtocolError("BEGIN needs an empty board; send RESTART first")
        self._answer_move()

    def _turn(self, rest: str) -> None:
        self._session.play(self._cell(rest))
        self._answer_move()

    def _play(self, rest: str) -> None:
        self._reply(self._session.ready(), self._cell(rest))

    def _takeback(self, rest: str) -> None:
        self._session.take_back(self._cell(rest))
        self._write("OK")

    def _info(self, rest: str) -> None:
        before = self._session.rule
        self._session.info(rest)
        if self._session.board is not None and self._session.rule != before:
            self._able_player(self._session.board)

    def _tell_about(self, _: str) -> None:
        self._write(self._about)

    def _end(self, _: str) -> None:
        raise ManagerGone

    def _done(self, _: str) -> None:
        raise ProtocolError("DONE without a BOARD, YXBOARD or SWAP2BOARD before it")

    def _ignore(self, _: str) -> None:
        """YXSTOP when nothing runs: the answer has just been sent."""

    def _nbest(self, rest: str) -> None:
        (count,) = parse_integers(rest, 1, "YXNBEST n")
        self._answer_move(max(1, count))

    def _show_forbidden(self, _: str) -> None:
        board = self._session.ready()
        cells = sorted(board.forbidden())
        self._write("FORBID " + "".join(f"{m % board.width:02d}{m // board.width:02d}" for m in cells) + ".")

    def _clear_hash(self, _: str) -> None:
        self._agent = None

    def _gui_hello(self, _: str) -> None:
        self._session.yixin_rules = True
        self._write("MESSAGE INFO MAX_THREAD_NUM 64")
        self._write("MESSAGE INFO MAX_HASH_SIZE 20")

    def _cell(self, rest: str) -> Move:
        board = self._session.ready()
        return parse_cell(rest, board.width, board.height)


_COMMANDS: dict[str, Callable[[Engine, str], None]] = {
    "START": Engine._start,
    "RECTSTART": Engine._rectstart,
    "RESTART": Engine._restart,
    "BEGIN": Engine._begin,
    "TURN": Engine._turn,
    "PLAY": Engine._play,
    "TAKEBACK": Engine._takeback,
    "BOARD": lambda engine, _: engine._open_block("BOARD"),
    "YXBOARD": lambda engine, _: engine._open_block("YXBOARD"),
    "SWAP2BOARD": lambda engine, _: engine._open_block("SWAP2BOARD"),
    "DONE": Engine._done,
    "INFO": Engine._info,
    "ABOUT": Engine._tell_about,
    "END": Engine._end,
    "YXSTOP": Engine._ignore,
    "YXNBEST": Engine._nbest,
    "YXSHOWFORBID": Engine._show_forbidden,
    "YXHASHCLEAR": Engine._clear_hash,
    "YXSHOWINFO": Engine._gui_hello,
}

_SAID_IN_PASSING = {"INFO", "ABOUT"}
"""Commands that do not end thinking on the opponent's time."""

_BLOCKS: dict[str, Callable[[Engine, list[str]], None]] = {
    "BOARD": Engine._done_board,
    "YXBOARD": Engine._set_position,
    "SWAP2BOARD": Engine._done_swap2,
}


def _scaled(limit: Limit, share: float, spent: float) -> Limit:
    seconds = None if limit.seconds is None else max(0.01, (limit.seconds - spent) * share)
    most = None if limit.most is None else max(0.01, (limit.most - spent) * share)
    nodes = None if limit.nodes is None else max(1, int(limit.nodes * share))
    return replace(limit, seconds=seconds, nodes=nodes, most=most)


def _analysis_of(decision: Decision) -> Analysis:
    value = decision.value or 0.0
    return Analysis((Candidate(decision.move, value, pv=decision.pv),), value, decision.nodes, 0.0, decision.depth)
