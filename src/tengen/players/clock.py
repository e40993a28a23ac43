"""How long to think about one move, given the clocks of a game: one policy for the engine, the arena and the page.

A game may last until the board is full. So the least that every move still to come will cost is put aside first, and
only the rest is shared out: however long the game, there is time for its last move.
"""

from __future__ import annotations

SAFETY = 0.05
"""Seconds kept back from every deadline: the answer has to travel, and the operating system may be busy."""
LEAST = 0.005
"""Even with no time left a player needs a moment to find a move."""
OVERHEAD = 0.015
"""What a move costs beyond its thinking time."""
HORIZON, SOONEST_END = 30, 16
"""A game is expected to end after about HORIZON own moves; at any time SOONEST_END more are reckoned with."""
EAGERNESS = 1.5
"""Early moves get more than an even share: they decide the game."""
STRETCH, STRETCH_PART = 3.0, 0.2
"""A move in trouble may take STRETCH times its share, but never more than STRETCH_PART of what is free."""


def budget(
    turn_seconds: float | None, match_seconds_left: float | None, stones: int, cells: int, increment: float = 0.0
) -> float | None:
    """Seconds to spend on the next move; None when neither clock limits it.

    `turn_seconds` is the most one move may take, `match_seconds_left` what remains for the whole game (None: no such
    clock; it may be negative) and `increment` what each move adds to it. `stones` of both sides stand on the `cells`
    of the board.
    """
    if match_seconds_left is None:
        return _turn_only(turn_seconds)
    return _within(turn_seconds, _share(match_seconds_left, stones, cells, increment))


def stretched(turn_seconds: float | None, match_seconds_left: float | None, stones: int, cells: int) -> float | None:
    """The most a move may take on a game clock when its search is in trouble; None where there is no such clock."""
    if match_seconds_left is None:
        return None
    free = max(0.0, _free(match_seconds_left, stones, cells))
    share = _share(match_seconds_left, stones, cells)
    return _within(turn_seconds, max(share, min(STRETCH * share, STRETCH_PART * free)))


def _turn_only(turn_seconds: float | None) -> float | None:
    return None if turn_seconds is None else max(LEAST, turn_seconds - min(SAFETY, turn_seconds * 0.3))


def _within(turn_seconds: float | None, seconds: float) -> float:
    turn = _turn_only(turn_seconds)
    return max(LEAST, seconds if turn is None else min(turn, seconds))


def _free(left: float, stones: int, cells: int) -> float:
    """What is left once the least that every move to come costs is put aside."""
    return left - max(SAFETY, 0.02 * left) - (LEAST + OVERHEAD) * _most_moves(stones, cells)


def _most_moves(stones: int, cells: int) -> int:
    return max(1, (cells - stones + 1) // 2)


def _share(left: float, stones: int, cells: int, increment: float = 0.0) -> float:
    """This move's part of the match time."""
    free = _free(left, stones, cells)
    moves_to_go = min(_most_moves(stones, cells), max(SOONEST_END, HORIZON - stones // 2))
    return LEAST + max(0.0, min(EAGERNESS * free / moves_to_go + increment / 2, 0.5 * free))
