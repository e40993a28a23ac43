"""Pure Monte Carlo tree search, the usual baseline: UCB1 and random rollouts (cpp/search/mcts.h)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Analysis, Candidate, Decision, native_seconds
from tengen.rules import Limit

EDGE_BYTES = 26
"""What a move of the tree takes (cpp/search/mcts.h)."""
SLICE = 0.1
"""Seconds between two snapshots of an analysis."""


class MctsPlayer:
    """`playouts` a move, or a number drawn from `playouts` to `playouts_max`; 0 thinks for as long as the limit allows.

    A limit of nodes counts playouts. Limits only cut the search short, so that a player with 1,000 playouts stays that
    player whatever the clock.
    """

    def __init__(
        self,
        playouts: int = 1000,
        playouts_max: int = 0,
        c: float = 2**0.5,
        rollout_limit: int = 0,
        memory_mb: int = 78,
        seed: int = 0,
    ) -> None:
        assert min(playouts, playouts_max, rollout_limit, c) >= 0, "the registry checks options"
        self._playouts, self._playouts_max = playouts, max(playouts, playouts_max)
        self._c, self._rollout_limit, self._seed = c, rollout_limit, seed
        self._max_edges = memory_mb * 10**6 // EDGE_BYTES
        self._search: _core.Mcts | None = None

    def choose(self, board: Board, limit: Limit) -> Decision:
        search, playouts = self._start(board, limit)
        if not playouts and limit.seconds is None:
            raise TengenError("mcts: playouts=0 needs a limit of seconds or nodes")
        search.run(playouts, native_seconds(limit))
        best = search.candidates()[0]
        return Decision(best[0], best[2], tuple(search.pv()), search.playouts, policy=_policy(search))

    def analyse(self, board: Board, limit: Limit) -> Iterator[Analysis]:
        """A snapshot every tenth of a second. Without a limit, and with playouts=0, it goes on until it is closed."""
        search, playouts = self._start(board, limit)
        start = time.perf_counter()
        while True:
            left = SLICE if limit.seconds is None else min(SLICE, limit.seconds - (time.perf_counter() - start))
            before = search.playouts
            search.run(playouts, max(left, 1e-4))
            seconds = time.perf_counter() - start
            yield _snapshot(search, seconds)
            out_of_time = limit.seconds is not None and seconds >= limit.seconds
            if out_of_time or 0 < playouts <= search.playouts or search.playouts <= before + 1:
                return

    def stop(self) -> None:
        """Ends a search that runs in another thread; `choose` then answers with the best move so far."""
        if self._search:
            self._search.stop()

    def _start(self, board: Board, limit: Limit) -> tuple[_core.Mcts, int]:
        # The position is part of the seed: the same seed on the same board gives the same move, whatever came before.
        draw = random.Random(self._seed ^ board.key)
        playouts = draw.randint(self._playouts, self._playouts_max)
        counts = [n for n in (playouts, limit.nodes) if n]
        seed = draw.getrandbits(64)
        self._search = _core.Mcts(board.core, self._c, self._rollout_limit, seed, self._max_edges)
        return self._search, min(counts, default=0)


def _policy(search: _core.Mcts) -> dict[int, float]:
    candidates = search.candidates()
    total = sum(visits for _, visits, _ in candidates)
    return {move: visits / total for move, visits, _ in candidates}


def _snapshot(search: _core.Mcts, seconds: float) -> Analysis:
    found, pv = search.candidates(), tuple(search.pv())
    candidates = tuple(
        Candidate(move, value, visits, pv=pv if i == 0 else (move,)) for i, (move, visits, value) in enumerate(found)
    )
    return Analysis(candidates, found[0][2], search.playouts, seconds, policy=_policy(search))
