"""What every player is: something that chooses a move on a board within a limit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from tengen.board import Board
from tengen.errors import TengenError
from tengen.rules import Limit, Move


@dataclass(frozen=True, slots=True)
class Decision:
    """A chosen move. `value` is for the side to move, in [-1, 1]; `policy` maps moves to probabilities."""

    move: Move
    value: float | None = None
    pv: tuple[Move, ...] = ()
    nodes: int = 0
    depth: int = 0
    policy: dict[Move, float] | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move under analysis; `value` is for the side to move at the root."""

    move: Move
    value: float
    visits: int = 0
    prior: float | None = None
    pv: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """A snapshot of a running search, best candidate first."""

    candidates: tuple[Candidate, ...]
    value: float
    nodes: int
    seconds: float
    depth: int = 0
    policy: dict[Move, float] = field(default_factory=dict)


@runtime_checkable
class Player(Protocol):
    """`choose` works from cold on any legal board that is not finished, and leaves the board as it found it."""

    def choose(self, board: Board, limit: Limit) -> Decision: ...


# What a player may be able to do besides choosing a move. Callers ask by isinstance.


@runtime_checkable
class Analyser(Protocol):
    """Can show its thinking. Closing the iterator stops the search."""

    def analyse(self, board: Board, limit: Limit) -> Iterator[Analysis]: ...


@runtime_checkable
class ChecksBoard(Protocol):
    """Does not play every size and rule."""

    def check_board(self, board: Board) -> None:
        """Raises TengenError for a board the player was not made for."""


@runtime_checkable
class Prepares(Protocol):
    """Has to get ready for a position, which does not count as thinking: starting another program, for example."""

    def prepare(self, board: Board) -> None: ...


@runtime_checkable
class Stoppable(Protocol):
    """Can be told from another thread to answer now with the best move so far."""

    def stop(self) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """Owns a process or a file that has to be let go."""

    def close(self) -> None: ...


@runtime_checkable
class Reusable(Player, Protocol):
    """Can be kept from game to game, because making it is expensive."""

    def new_game(self, seed: int) -> None:
        """Forgets everything: the player is then as if it had just been made with this seed."""


def check_board(player: Player, board: Board) -> None:
    """Raises TengenError for a player that cannot play on this board."""
    if isinstance(player, ChecksBoard):
        player.check_board(board)


def close_player(player: Player) -> None:
    if isinstance(player, Closable):
        player.close()


def native_seconds(limit: Limit) -> float:
    """The seconds of a limit as the core takes them, where 0 stands for no limit: no time at all becomes a blink."""
    return 0.0 if limit.seconds is None else max(limit.seconds, 1e-6)


def refuse_finished(board: Board) -> None:
    """Our own players say so instead of crashing in the core; callers give unfinished boards only."""
    if board.outcome() is not None:
        raise TengenError("the game is over; there is no move to choose")
