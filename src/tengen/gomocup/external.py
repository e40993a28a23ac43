"""A player that is another program: any Gomocup engine, under a referee's clock and memory rules."""

from __future__ import annotations

import contextlib
import math
import re
import shlex
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tengen.board import Board
from tengen.errors import TengenError, clip
from tengen.gomocup.clock import UNLIMITED_MS
from tengen.gomocup.errors import EngineCrash, EngineError, EngineIllegal, EngineMemory, EngineTimeout
from tengen.gomocup.process import EngineProcess
from tengen.gomocup.wire import format_cell
from tengen.players.base import Decision
from tengen.rules import Limit, Move, Rule

POLL = 0.05
"""Seconds between two looks at the engine's memory."""
_CELL = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*")


@dataclass(frozen=True, slots=True)
class Terms:
    """What the referee allows."""

    memory_mb: int = 350
    """Of all the engine's processes together; 0 means no limit."""
    folder_mb: int = 70
    """Of the files it keeps in the folder it is given."""
    tolerance: float = 1.0
    """Seconds past the limit that are forgiven."""
    start_seconds: float = 20.0
    """For OK after START."""
    patience: float = 600.0
    """Seconds for a move whose limit names no time."""
    suspend: bool = False
    """Stop the engine's processes during the opponent's turn, as the official referee does."""


@dataclass(frozen=True, slots=True)
class _Game:
    """What a START settles."""

    width: int
    height: int
    rule: Rule


class ExternalPlayer:
    """Drives `command` (split like a shell line). Starts it at the first move, and again after it was killed.

    `choose` raises an EngineError that says what happened; the engine's processes are dead by then.
    """

    def __init__(self, command: str, terms: Terms | None = None) -> None:
        self._argv = _checked_argv(command)
        self._terms = terms or Terms()
        self._name = clip(" ".join([Path(self._argv[0]).name, *self._argv[1:]]), 80)
        self._process: EngineProcess | None = None
        self._game: _Game | None = None
        self._seen: int | None = None  # key of the position after its last move
        self._fresh = False  # START or RESTART was the last it heard of
        self._folder: Path | None = None
        self._complaint = ""
        self._next_look = 0.0

    def prepare(self, board: Board) -> None:
        """Starts the engine, or a new game in it, so that `choose` takes only the time the engine thinks."""
        if board.k != 5:
            raise TengenError(f"{self._name}: Gomocup engines play five in a row, not {board.k}")
        with self._guarded():
            self._ready(board)

    def choose(self, board: Board, limit: Limit) -> Decision:
        self.prepare(board)
        with self._guarded():
            move = self._move(board, limit)
        self._seen = _key_after(board, move)
        return Decision(move)

    def stop(self) -> None:
        """Asks for the move now, from any thread. An engine without this extension goes on to its limit."""
        if process := self._process:
            with contextlib.suppress(OSError, ValueError):
                process.send("YXSTOP")

    def close(self) -> None:
        """Ends the engine politely. It may be used again."""
        if self._process:
            self._process.close()
        self._discard()

    # --- conversation -------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Whatever goes wrong inside, the engine's processes do not outlive it."""
        try:
            yield
        except OSError:  # the pipe broke under a write
            words = self._process.last_words() if self._process else "it does not read its input"
            self._discard()
            raise EngineCrash(f"{self._name} ended: {words}") from None
        except BaseException:
            self._discard()
            raise

    def _move(self, board: Board, limit: Limit) -> Move:
        process = self._ready(board)
        process.resume()
        self._ask(process, board, limit)
        move = self._legal(board, self._answer(process, limit))
        self._check_folder()
        if self._terms.suspend:
            process.suspend()
        return move

    def _ready(self, board: Board) -> EngineProcess:
        """The running engine, at a game of this board's size and rule."""
        game = _Game(board.width, board.height, board.rule)
        if self._process is None or self._game != game:
            self.close()
            self._launch(game)
        elif not (self._fresh or self._continues(board)):
            self._restart(self._process)
        assert self._process
        return self._process

    def _continues(self, board: Board) -> bool:
        """The board is one move past the position the engine left."""
        if self._seen is None or not board.moves:
            return False
        before = board.copy()
        before.undo()
        return before.key == self._seen

    def _launch(self, game: _Game) -> None:
        try:
            process = self._process = EngineProcess(self._argv)
        except OSError as error:
            raise EngineCrash(f"{self._name} could not be started: {error.strerror}") from None
        self._game, self._seen, self._complaint, self._fresh = game, None, "", True
        square = game.width == game.height
        process.send(f"START {game.width}" if square else f"RECTSTART {game.width},{game.height}")
        process.send(*self._settings(game))
        self._expect_ok(process, "START")

    def _restart(self, process: EngineProcess) -> None:
        process.resume()
        process.send("RESTART")
        self._seen, self._fresh = None, True
        self._expect_ok(process, "RESTART")

    def _settings(self, game: _Game) -> Iterator[str]:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="tengen-engine-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        yield f"INFO max_memory {self._terms.memory_mb << 20}"
        yield "INFO timeout_match 0"
        yield "INFO game_type 1"
        yield f"INFO rule {game.rule.gomocup}"
        yield f"INFO folder {self._folder}"

    def _ask(self, process: EngineProcess, board: Board, limit: Limit) -> None:
        turn_ms = round((limit.seconds if limit.seconds is not None else self._terms.patience) * 1000)
        process.send(f"INFO timeout_turn {turn_ms}", f"INFO time_left {UNLIMITED_MS}", *_search_limits(limit))
        process.send(*_position(board, self._continues(board)))
        self._fresh = False

    def _answer(self, process: EngineProcess, limit: Limit) -> tuple[int, int]:
        """The first line that is a cell. Lines that are nothing we know are skipped, as the official referee does."""
        seconds = self._terms.patience if limit.seconds is None else limit.seconds
        deadline = time.monotonic() + seconds + self._terms.tolerance
        while True:
            line = self._line(process, deadline, f"a move within {seconds:g} s")
            if match := _CELL.fullmatch(line):
                return int(match[1]), int(match[2])
            word, _, rest = line.partition(" ")
            if word.upper() == "SUGGEST":
                process.send(f"PLAY {rest}")
            elif word.upper() in {"ERROR", "UNKNOWN"}:
                self._complaint = clip(line, 120)

    def _expect_ok(self, process: EngineProcess, command: str) -> None:
        deadline = time.monotonic() + self._terms.start_seconds
        while True:
            line = self._line(process, deadline, f"OK to {command} within {self._terms.start_seconds:g} s")
            word = line.partition(" ")[0].upper()
            if word == "OK":
                return
            if word in {"ERROR", "UNKNOWN"}:
                raise EngineCrash(f"{self._name} refused {command}: {clip(line, 120)}")

    def _line(self, process: EngineProcess, deadline: float, awaited: str) -> str:
        """The next line, with clock and memory watched until it comes: a flood of lines is no answer either."""
        while True:
            self._check_memory(process)
            left = deadline - time.monotonic()
            if left <= 0:
                raise EngineTimeout(f"{self._name} did not answer {awaited}{self._complained()}")
            with contextlib.suppress(TimeoutError):
                line = process.read(min(POLL, left))
                if line is None:
                    raise EngineCrash(f"{self._name} ended: {process.last_words()}{self._complained()}")
                return line

    # --- judgement ----------------------------------------------------------------------------------------------

    def _legal(self, board: Board, answer: tuple[int, int]) -> Move:
        x, y = answer
        if not (0 <= x < board.width and 0 <= y < board.height):
            raise EngineIllegal(f"{self._name} played {x},{y}, which is off the board")
        move = y * board.width + x
        if not board.is_legal(move):
            why = "occupied" if board.at(move) is not None else "forbidden"
            raise EngineIllegal(f"{self._name} played {board.name(move)}, which is {why}")
        return move

    def _check_memory(self, process: EngineProcess) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + POLL
        allowed, used = self._terms.memory_mb, process.memory() >> 20
        if allowed and used > allowed:
            raise EngineMemory(f"{self._name} used {used} MB of memory; {allowed} MB are allowed")

    def _check_folder(self) -> None:
        stored = _megabytes(self._folder) if self._folder else 0
        if self._terms.folder_mb and stored > self._terms.folder_mb:
            raise EngineMemory(f"{self._name} stored {stored} MB of files; {self._terms.folder_mb} MB are allowed")

    def _complained(self) -> str:
        return f"; it said: {self._complaint}" if self._complaint else ""

    def _discard(self) -> None:
        if self._process:
            self._process.kill()
        self._process = self._game = self._seen = None


def _search_limits(limit: Limit) -> list[str]:
    """Extensions that engines without them ignore. 0 lifts the limit of an earlier move."""
    return [f"INFO max_node {limit.nodes or 0}", f"INFO max_depth {limit.depth or 0}"]


def _key_after(board: Board, move: Move) -> int:
    after = board.copy()
    after.play(move)
    return after.key


def _position(board: Board, continued: bool) -> list[str]:
    """The fewest lines that bring the engine to this board and ask for a move."""
    if continued:
        return [f"TURN {format_cell(board.moves[-1], board.width)}"]
    if not board.stones:
        return ["BEGIN"]
    return ["BOARD", *_stones(board), "DONE"]


def _stones(board: Board) -> Iterator[str]:
    """Stones set up first, then the moves in order: own stones are the side to move's."""
    played = set(board.moves)
    placed = [move for move in range(board.cells) if move not in played]
    for move in (*placed, *board.moves):
        color = board.at(move)
        if color is not None:
            yield f"{format_cell(move, board.width)},{1 if color == board.turn else 2}"


def _megabytes(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return math.ceil(total / (1 << 20))


def _checked_argv(command: str) -> list[str]:
    if not command.strip():
        raise TengenError("the gomocup player needs a command, such as gomocup:cmd=./pbrain-rival")
    try:
        argv = shlex.split(command)
    except ValueError as error:
        raise TengenError(f"gomocup: cannot read the command '{command}': {error}") from None
    found = shutil.which(argv[0])
    if not found:
        raise TengenError(f"gomocup: '{argv[0]}' is not a program that can be run")
    return [str(Path(found).absolute()), *argv[1:]]


__all__ = ["EngineError", "ExternalPlayer", "Terms"]
