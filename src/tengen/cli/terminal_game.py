"""A game against any player, drawn in the terminal or, without one, in plain lines."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from rich.console import Console

from tengen.board import Board
from tengen.cli.drawing import draw
from tengen.errors import TengenError
from tengen.formats import save_game
from tengen.formats.tree import tree_of
from tengen.gomocup.thinker import Event, Finished, RunningSearch
from tengen.players.base import Decision, Player, close_player
from tengen.players.human import checked_move
from tengen.registry import create
from tengen.rules import Color, Limit, Termination

HELP = """  h8           play a move: column letter, row number
  undo         take back your last move and the reply
  hint         suggest a move
  resign       resign the game
  new          start a new game
  save FILE    write the game as .sgf, .psq or .txt
  help         this list
  quit         leave
Press Ctrl-C while the opponent thinks to make it move at once."""


@dataclass(slots=True)
class Seats:
    """Who plays: a person has `human` (both colours when `opponent` is None), the player has the other."""

    human: Color
    opponent: Player | None
    name: str
    adviser: str
    limit: Limit

    @classmethod
    def against(cls, name: str) -> Seats:
        """A person with black against a player."""
        return cls(Color.BLACK, create(name), name, "alphabeta", Limit(seconds=2.0))


class Quit(Exception):
    """The person left."""


class TerminalGame:
    """The conversation. `read` asks for a line and raises EOFError at the end of input."""

    def __init__(self, start: Board, seats: Seats, console: Console, read: Callable[[str], str]) -> None:
        self._start, self._board, self._seats = start, start.copy(), seats
        self._console, self._read = console, read
        self._hints: Player | None = None
        self._resigned = False

    def run(self) -> None:
        self._show()
        self._say(f"You play against {self._seats.name}. Type a cell such as h8, or help.")
        try:
            while True:
                self._answer_if_due()
                self._obey(self._read(self._prompt()).strip())
        except (EOFError, Quit, KeyboardInterrupt):
            self._say("Goodbye.")

    # --- turns --------------------------------------------------------------------------------------------------

    def _over(self) -> bool:
        return self._resigned or self._board.outcome() is not None

    def _humans_turn(self) -> bool:
        return self._seats.opponent is None or self._board.turn == self._seats.human

    def _answer_if_due(self) -> None:
        if self._over() or self._humans_turn():
            return
        assert self._seats.opponent
        decision = self._think(self._seats.opponent, f"{self._seats.name} thinks")
        self._board.play(decision.move)
        self._show()
        self._say(f"{self._seats.name} plays {self._board.name(decision.move)}")
        self._tell_end()

    def _obey(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        command = _COMMANDS.get(word.lower())
        try:
            if command:
                command(self, rest.strip())
            elif text:
                self._play(text)
        except (ValueError, OSError) as error:
            self._say(str(error))

    def _play(self, text: str) -> None:
        if self._over():
            raise TengenError("the game is over; undo, new, save FILE or quit")
        self._board.play(checked_move(self._board, text))
        if self._console.is_terminal or self._over() or self._humans_turn():
            self._show()  # where lines stay, the answer brings the next board
        self._tell_end()

    def _think(self, agent: Player, words: str) -> Decision:
        """The agent's decision, found on another thread so that Ctrl-C can cut it short."""
        events: SimpleQueue[Event] = SimpleQueue()
        search = RunningSearch(agent, self._board, self._seats.limit, False, events.put)
        with self._console.status(words) if self._console.is_terminal else contextlib.nullcontext():
            while True:
                try:
                    event = events.get(timeout=0.1)
                except KeyboardInterrupt:
                    search.stop()
                    continue
                except Empty:
                    continue
                if isinstance(event, Finished):
                    return _decision_of(event)

    # --- commands -----------------------------------------------------------------------------------------------

    def _undo(self, _: str) -> None:
        """Back to the person's last decision: both plies, or one where the game ended before an answer."""
        alone = self._seats.opponent is None
        plies = 1 if alone or not self._humans_turn() else 2
        if self._resigned:
            self._resigned = False
        elif len(self._board.moves) - len(self._start.moves) < plies:
            raise TengenError("there is nothing to take back")
        else:
            for _ply in range(plies):
                self._board.undo()
        self._show()

    def _hint(self, _: str) -> None:
        if self._over():
            raise TengenError("the game is over")
        self._hints = self._hints or create(self._seats.adviser)
        decision = self._think(self._hints, "looking for a good move")
        self._show(decision.move)
        line = " ".join(self._board.name(move) for move in decision.pv[:6])
        value = "" if decision.value is None else f", value {decision.value:+.2f} for you"
        self._say(f"hint: {self._board.name(decision.move)}{value}" + (f", expecting {line}" if line else ""))

    def _resign(self, _: str) -> None:
        if self._over():
            raise TengenError("the game is over")
        self._resigned = True
        loser = self._board.turn if self._seats.opponent is None else self._seats.human
        self._say(f"{loser.name.lower()} resigns: {loser.other.name.lower()} wins")

    def _new(self, _: str) -> None:
        self._board, self._resigned = self._start.copy(), False
        self._show()

    def _save(self, rest: str) -> None:
        if not rest:
            raise TengenError("name a file, such as: save game.sgf")
        save_game(Path(rest), tree_of(self._board))
        self._say(f"saved to {rest}")

    def _help(self, _: str) -> None:
        self._say(HELP)

    def _quit(self, _: str) -> None:
        raise Quit

    # --- telling ------------------------------------------------------------------------------------------------

    def _prompt(self) -> str:
        return "the game is over: " if self._over() else f"{self._board.turn.name.lower()} to move: "

    def _show(self, hint: int | None = None) -> None:
        """Draws the board in place of the last one; without a terminal, below it."""
        if self._console.is_terminal:
            self._console.clear()
        self._console.print(draw(self._console, self._board, hint))

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def _tell_end(self) -> None:
        outcome = self._board.outcome()
        if outcome is None:
            return
        if outcome.termination == Termination.FULL:
            self._say("the board is full: a draw")
        elif outcome.winner is not None:
            cells = " ".join(self._board.name(move) for move in outcome.line)
            self._say(f"{outcome.winner.name.lower()} wins with {cells}")


_COMMANDS: dict[str, Callable[[TerminalGame, str], None]] = {
    "undo": TerminalGame._undo,
    "u": TerminalGame._undo,
    "hint": TerminalGame._hint,
    "resign": TerminalGame._resign,
    "new": TerminalGame._new,
    "save": TerminalGame._save,
    "help": TerminalGame._help,
    "?": TerminalGame._help,
    "quit": TerminalGame._quit,
    "exit": TerminalGame._quit,
}


def _decision_of(event: Finished) -> Decision:
    if event.decision is None:
        raise Stopped(event.error)
    return event.decision


class Stopped(TengenError):
    """The player failed; the message says how."""


def _reader(console: Console) -> Callable[[str], str]:
    """Asks on a terminal; elsewhere reads lines and shows them, so that a transcript can be followed."""
    if sys.stdin.isatty():
        return lambda prompt: console.input(prompt, markup=False)

    def read(prompt: str) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        console.print(prompt + line.rstrip("\n"), highlight=False, markup=False)
        return line

    return read


def play_in_terminal(start: Board, seats: Seats) -> None:
    """A conversation on standard input and output, until the person leaves."""
    console = Console()
    try:
        TerminalGame(start, seats, console, _reader(console)).run()
    finally:
        if seats.opponent:
            close_player(seats.opponent)
