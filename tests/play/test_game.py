"""The referee: every way a game can end, and who is blamed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest

from tengen.board import Board
from tengen.gomocup.errors import EngineMemory
from tengen.play.game import play_game
from tengen.players.base import Decision, Player
from tengen.registry import create
from tengen.rules import Limit, Rule, Termination, Variant


def random_player(seed: int) -> Player:
    return create("random", seed=seed)


class Scripted:
    """Plays what a function says."""

    def __init__(self, act: Callable[[Board, Limit], Decision]) -> None:
        self._act = act

    def choose(self, board: Board, limit: Limit) -> Decision:
        return self._act(board, limit)


def _row(row: int) -> Player:
    return Scripted(lambda board, limit: Decision(next(m for m in range(9 * row, 81) if board.is_legal(m)), 0.5))


def _game(black: Player, white: Player, **options: object):
    return play_game(black, white, Board(Variant(9)), Limit(seconds=0.05), **options)


def test_garbage_is_not_collected_on_a_players_time() -> None:
    collections: list[bool] = []
    thinking = False

    def act(board: Board, limit: Limit) -> Decision:
        nonlocal thinking
        thinking = True
        cycles: list[list[object]] = [[] for _ in range(20_000)]
        for cycle in cycles:
            cycle.append(cycle)
        thinking = False
        return Decision(board.legal_moves()[0])

    def note(phase: str, _: dict[str, int]) -> None:
        collections.append(thinking)

    gc.callbacks.append(note)
    try:
        _game(Scripted(act), random_player(1), move_limit=6)
    finally:
        gc.callbacks.remove(note)
    assert collections and not any(collections)
    assert gc.isenabled()


def test_five_in_a_row_wins() -> None:
    record = _game(_row(0), _row(4), names=("up", "down"), pair="1.0", seed=7, tags={"leg": "0"})
    assert (record.winner, record.termination) == ("black", Termination.FIVE)
    assert record.moves == (0, 36, 1, 37, 2, 38, 3, 39, 4)
    assert len(record.seconds) == len(record.values) == 9 and record.values[0] == 0.5
    assert (record.black, record.white, record.pair, record.seed) == ("up", "down", "1.0", 7)


def test_start_moves_are_the_opening() -> None:
    start = Board(Variant(9), (40, 41, 42))
    record = play_game(random_player(1), random_player(2), start, Limit())
    assert record.opening == 3 and record.moves[:3] == (40, 41, 42)
    assert start.moves == (40, 41, 42)
    assert len(record.seconds) == len(record.moves) - 3


def test_full_board_is_a_draw() -> None:
    order = [0, 1, 2, 4, 3, 5, 7, 6, 8]
    agent = Scripted(lambda board, limit: Decision(order[board.stones]))
    record = play_game(agent, agent, Board(Variant(3, k=3)), Limit())
    assert (record.winner, record.termination) == (None, Termination.FULL)


def _crash(board: Board, limit: Limit) -> Decision:
    raise RuntimeError("out of ideas")


def _swell(board: Board, limit: Limit) -> Decision:
    raise EngineMemory("400 MB")


def _sleep_a_little(board: Board, limit: Limit) -> Decision:
    time.sleep(0.05)
    return Decision(board.legal_moves()[0])


def _sleep(board: Board, limit: Limit) -> Decision:
    time.sleep(0.2)
    return Decision(board.legal_moves()[0])


def _meddle(board: Board, limit: Limit) -> Decision:
    move = board.legal_moves()[0]
    board.play(move)
    return Decision(board.legal_moves()[0])


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (_crash, Termination.CRASH, "out of ideas"),
        (_swell, Termination.MEMORY, "400 MB"),
        (_sleep, Termination.TIME, "of 0.05 s"),
        (_meddle, Termination.ILLEGAL, "changed the board"),
        (lambda board, limit: Decision(board.moves[0] if board.moves else 99), Termination.ILLEGAL, "played"),
        (lambda board, limit: Decision(-1), Termination.ILLEGAL, "off the board"),
    ],
)
@pytest.mark.parametrize("as_black", [True, False])
def test_faults_lose_and_are_named(act: Callable, kind: Termination, words: str, as_black: bool) -> None:
    bad, good = Scripted(act), random_player(3)
    short, free = Limit(seconds=0.05) if kind == Termination.TIME else Limit(), Limit()
    players, limits = ((bad, good), (short, free)) if as_black else ((good, bad), (free, short))
    record = play_game(*players, Board(Variant(9)), limits, grace=0.05)
    assert record.termination == kind
    assert record.winner == ("white" if as_black else "black")
    assert words in record.detail


def test_grace_forgives_a_little() -> None:
    record = play_game(Scripted(_sleep), random_player(1), Board(Variant(5, k=3)), Limit(seconds=0.05), grace=1.0)
    assert record.termination in {Termination.FIVE, Termination.FULL}


def test_game_clock_is_shared_out_over_the_game() -> None:
    seen: list[float] = []

    def act(board: Board, limit: Limit) -> Decision:
        seen.append(limit.seconds or 0)
        return Decision(board.legal_moves()[0])

    play_game(Scripted(act), random_player(5), Board(Variant(5, k=4)), Limit(seconds=10), game_seconds=2, grace=5)
    assert len(seen) > 3 and all(0.05 < seconds < 0.5 for seconds in seen)


def test_a_spent_game_clock_leaves_next_to_nothing() -> None:
    seen: list[float] = []

    def act(board: Board, limit: Limit) -> Decision:
        seen.append(limit.seconds or 0)
        time.sleep(0.05)
        return Decision(board.legal_moves()[0])

    play_game(Scripted(act), random_player(5), Board(Variant(5, k=4)), Limit(seconds=0.1), game_seconds=0.12, grace=5)
    assert len(seen) > 3 and seen[-1] < 0.01


def test_grace_is_forgiven_once_per_game_clock() -> None:
    """Moves of 0.05 s on a clock of 0.05 s: the fourth would overdraw it by more than 0.12 s in all."""
    players = Scripted(_sleep_a_little), random_player(5)
    record = play_game(*players, Board(Variant(9)), Limit(), game_seconds=0.05, grace=0.12)
    assert (record.termination, record.winner) == (Termination.TIME, "white")
    assert 0 < len(record.seconds[::2]) <= 3


def test_move_limit_draws() -> None:
    record = play_game(random_player(1), random_player(2), Board(Variant(15, rule=Rule.RENJU)), Limit(), move_limit=10)
    assert (record.winner, record.termination, len(record.moves)) == (None, Termination.MOVE_LIMIT, 10)


def test_same_seeds_same_game() -> None:
    games = [play_game(random_player(4), random_player(5), Board(Variant(9)), Limit(nodes=1)) for _ in range(2)]
    assert games[0].moves == games[1].moves


def test_overhead_a_move_is_small() -> None:
    start = time.process_time()
    moves = sum(len(_game(random_player(i), random_player(-i)).moves) for i in range(1, 6))
    assert (time.process_time() - start) / moves < 0.002
