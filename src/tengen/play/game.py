"""The referee: two players, one board, a clock, and a record of what happened."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from tengen.board import Board
from tengen.gomocup.errors import EngineIllegal, EngineMemory, EngineTimeout
from tengen.players.base import Decision, Player, Prepares
from tengen.players.clock import budget, stretched
from tengen.players.human import Resigned
from tengen.records import GameRecord
from tengen.rules import Limit, Move, Result, Rule, Termination

GRACE_SECONDS = 1.0
"""What a move may take beyond its limit before it loses on time, as the Gomocup referee allows."""

RENJU_MOVE_LIMIT = 200
"""A renju game with this many stones is a draw."""

_ENDINGS: dict[type[Exception], Termination] = {
    EngineTimeout: Termination.TIME,
    EngineIllegal: Termination.ILLEGAL,
    EngineMemory: Termination.MEMORY,
    Resigned: Termination.RESIGN,
}

Limits = Limit | tuple[Limit, Limit]
"""One limit for both sides, or (black's, white's)."""

OnTurn = Callable[[Sequence[Move]], None]
"""Sees the moves played so far before each turn."""


@dataclass(slots=True)
class _Ending:
    result: Result
    termination: Termination
    detail: str = ""


@dataclass(slots=True)
class _GameState:
    board: Board
    limits: tuple[Limit, Limit]
    grace: float
    left: list[float | None]
    """Seconds each side still has for the whole game; None without such a clock."""
    seconds: list[float] = field(default_factory=list)
    values: list[float | None] = field(default_factory=list)


def play_game(
    black: Player,
    white: Player,
    start: Board,
    limit: Limits,
    *,
    names: tuple[str, str] = ("black", "white"),
    game_seconds: float | None = None,
    grace: float = GRACE_SECONDS,
    move_limit: int | None = None,
    pair: str = "",
    seed: int = 0,
    tags: dict[str, str] | None = None,
    on_turn: OnTurn | None = None,
) -> GameRecord:
    """Plays from `start` (its moves become the record's opening) to the end and never raises for a player's fault.

    A side loses at once when it takes more than its limit plus `grace` for a move, plays an illegal move, meddles
    with the board or raises; the errors of external engines say which of these they stand for.
    `game_seconds` is a clock for all moves of one side together, which may be overdrawn by `grace` in all.
    """
    limits = limit if isinstance(limit, tuple) else (limit, limit)
    game = _GameState(start.copy(), limits, grace, [game_seconds, game_seconds])
    given = len(start.moves)
    if move_limit is None and start.rule == Rule.RENJU:
        move_limit = RENJU_MOVE_LIMIT
    ending = _ending_on_board(game.board, move_limit)
    while ending is None:
        if on_turn:
            on_turn(game.board.moves)
        ending = _turn((black, white)[game.board.turn], game) or _ending_on_board(game.board, move_limit)
    return GameRecord(
        black=names[0], white=names[1], variant=start.variant, moves=game.board.moves, result=ending.result,
        termination=ending.termination, opening=given, pair=pair, seconds=tuple(game.seconds),
        values=tuple(game.values), seed=seed, detail=ending.detail, tags=dict(tags or {}),
    )  # fmt: skip


def _turn(agent: Player, game: _GameState) -> _Ending | None:
    """Lets one side think and move. Returns the ending when the side lost by its own fault."""
    board, side = game.board, game.board.turn
    allowed = _seconds_allowed(game.limits[side], game.left[side])
    limit = game.limits[side] if allowed is None else replace(game.limits[side], seconds=max(allowed, 0.0))
    scratch = board.copy()
    began = time.perf_counter()
    try:
        if isinstance(agent, Prepares):
            agent.prepare(scratch)
            began = time.perf_counter()
        with _no_collection():
            decision = agent.choose(scratch, _thinking(limit, game.left[side], board))
            spent = time.perf_counter() - began
    except Exception as error:
        return _Ending(Result.of(side.other), _kind_of(error), f"{type(error).__name__}: {error}"[:500])
    if fault := _fault(decision, board, scratch, allowed, spent, game.grace):
        return fault
    if (left := game.left[side]) is not None:
        game.left[side] = left - spent
    board.play(decision.move)
    game.seconds.append(round(spent, 6))
    game.values.append(_recorded(decision.value))
    return None


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps Python's garbage collector off a player's clock.

    A full collection takes some 25 ms of processor time: a second where a dozen processes share a core.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _recorded(value: float | None) -> float | None:
    """What a record holds of a player's opinion; a number that is none is no opinion."""
    return None if value is None or not math.isfinite(value) else round(float(value), 4)


def _kind_of(error: Exception) -> Termination:
    for kind, termination in _ENDINGS.items():
        if isinstance(error, kind):
            return termination
    return Termination.CRASH


def _seconds_allowed(limit: Limit, left: float | None) -> float | None:
    """What this move may take at most: the turn's time, and no more than the game's clock has left.

    An overdrawn clock is negative: grace is forgiven once per game, as Gomocup's referee does, not at every move.
    """
    bounds = [seconds for seconds in (limit.seconds, left) if seconds is not None]
    return min(bounds, default=None)


def _thinking(limit: Limit, left: float | None, board: Board) -> Limit:
    """What the player should take: its share of the game's clock, so that time is left for the moves to come."""
    if left is None:
        return limit
    cells = board.variant.width * board.variant.height
    clocks = limit.seconds, left, board.stones, cells
    return replace(limit, seconds=budget(*clocks), most=stretched(*clocks))


def _fault(
    decision: Decision, board: Board, scratch: Board, allowed: float | None, spent: float, grace: float
) -> _Ending | None:
    """What the side to move did wrong, if anything."""
    winner = Result.of(board.turn.other)
    if allowed is not None and spent > allowed + grace:
        said = f"took {spent:.2f} s of {allowed:g} s and {grace:g} s grace"
        return _Ending(winner, Termination.TIME, said)
    if scratch.key != board.key or scratch.moves != board.moves:
        return _Ending(winner, Termination.ILLEGAL, "changed the board it was given")
    if not board.is_legal(decision.move):
        return _Ending(winner, Termination.ILLEGAL, _illegal_detail(decision.move, board))
    return None


def _illegal_detail(move: Move, board: Board) -> str:
    if not 0 <= move < board.cells:
        return f"played {move}, which is off the board"
    return f"played {board.name(move)}, which is not a legal move"


def _ending_on_board(board: Board, move_limit: int | None) -> _Ending | None:
    if outcome := board.outcome():
        return _Ending(outcome.result, outcome.termination)
    if move_limit is not None and board.stones >= move_limit:
        return _Ending(Result.DRAW, Termination.MOVE_LIMIT)
    return None
