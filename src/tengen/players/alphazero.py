"""AlphaZero: tree search guided by a network, with proofs by shapes in the loop (cpp/puct.h)."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.base import Evaluator
from tengen.inference.models import Model, load_model
from tengen.inference.onnx import OnnxEvaluator
from tengen.inference.search_options import SearchOptions
from tengen.players.base import Analysis, Candidate, Decision, refuse_finished
from tengen.rules import Limit, Move

REFRESH_SECONDS = 0.1
"""Between two snapshots of an analysis."""
ANALYSED_MOVES = 12
DEFAULT_SIMS = 400
MAX_BATCH = 256
MOST_SIMS = 1_000_000
"""Where endless thinking ends: a tree of about a gigabyte on 15x15."""

PLAY = SearchOptions(gumbel=False, noise_fraction=0.0, temperature=0.0, temperature_moves=0, gumbel_scale=0.0)
"""Search settings for play: PUCT without noise. A Gumbel root without noise is an option for few simulations."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How the player uses its search."""

    sims: int = DEFAULT_SIMS
    """Simulations per move; 0: as many as the limit allows."""
    batch: int = 4
    """Leaves evaluated at once; moves on their way count as lost meanwhile."""
    temperature_moves: int = 0
    """Until so many stones stand, moves are drawn by visits instead of taking the most visited."""
    reuse: bool = False
    """Keep the tree from move to move; moves then depend on what was thought before."""


class AlphaZeroPlayer:
    """Plays and analyses with any network. `stop` may be called from another thread while it thinks.

    Limits only cut the search short, so that a player with 400 simulations stays that player whatever the clock. A
    limit of nodes counts simulations.
    """

    def __init__(
        self,
        network: Evaluator,
        encoding: str,
        options: SearchOptions = PLAY,
        play: PlayOptions = PlayOptions(),  # noqa: B008 (frozen)
        seed: int = 0,
        model: Model | None = None,
    ) -> None:
        _check("sims", play.sims, 0, MOST_SIMS)
        _check("batch", play.batch, 1, MAX_BATCH)
        _check("temperature_moves", play.temperature_moves, 0, 1000)
        self._network, self._encoding, self._model = network, encoding, model
        self._options, self._play, self._seed = options, play, seed
        self._stopped = threading.Event()
        self._kept: _RunningSearch | None = None

    @classmethod
    def from_model(
        cls,
        name: str,
        options: SearchOptions = PLAY,
        play: PlayOptions = PlayOptions(),  # noqa: B008 (frozen)
        threads: int = 1,
        seed: int = 0,
    ) -> AlphaZeroPlayer:
        """The player of a bundled model, or of a model file."""
        _check("threads", threads, 1, 64)
        model = load_model(name)
        return cls(OnnxEvaluator.of_model(model, threads), model.encoding, options, play, seed, model)

    def choose(self, board: Board, limit: Limit) -> Decision:
        running = self._begin(board, limit)
        for _ in running.run(self._stopped):
            pass
        draws = board.stones < self._play.temperature_moves
        return running.decision(random.Random(self._seed ^ board.key) if draws else None)

    def analyse(self, board: Board, limit: Limit) -> Iterator[Analysis]:
        """A snapshot every tenth of a second. Without a limit, and with sims=0, it goes on until it is closed
        or the tree is as large as it may become."""
        running = self._begin(board, limit, endless=True)
        shown = time.perf_counter()
        for _ in running.run(self._stopped):
            if time.perf_counter() - shown >= REFRESH_SECONDS:
                shown = time.perf_counter()
                yield running.analysis()
        yield running.analysis()

    def stop(self) -> None:
        """Ends the running search; its best move so far is the answer."""
        self._stopped.set()

    def check_board(self, board: Board) -> None:
        """Raises ModelError if the network does not play such boards."""
        if self._model:
            self._model.check_board(board)

    def _begin(self, board: Board, limit: Limit, endless: bool = False) -> _RunningSearch:
        self.check_board(board)
        refuse_finished(board)
        self._stopped.clear()
        sims = _simulations(self._play.sims, limit, endless)
        search = self._reused(board) if self._play.reuse else None
        if search is None:
            config = replace(self._options, sims=sims).to_dict()
            search = _core.Search(board.core, self._encoding, config, (self._seed ^ board.key) & (2**64 - 1))
        batch = min(self._play.batch, max(1, sims // 16))
        running = _RunningSearch(search, self._network, board.copy(), sims, limit.seconds, batch, self._encoding)
        self._kept = running if self._play.reuse else None
        return running

    def _reused(self, board: Board) -> _core.Search | None:
        """The last search moved on to this board, when the game went on from there."""
        kept = self._kept
        if kept is None or (kept.board.width, kept.board.height, kept.board.rule) != (
            board.width,
            board.height,
            board.rule,
        ):
            return None
        known = len(kept.board.moves)
        if len(board.moves) <= known or board.moves[:known] != kept.board.moves:
            return None
        kept.search.advance(list(board.moves[known:]))
        return kept.search if kept.search.key == board.key else None


class _RunningSearch:
    """One search from one position, run batch by batch."""

    def __init__(
        self,
        search: _core.Search,
        network: Evaluator,
        board: Board,
        sims: int,
        seconds: float | None,
        batch: int,
        encoding: str,
    ) -> None:
        self.search, self.board = search, board
        self._network, self._sims, self._seconds = network, sims, seconds
        planes = _core.encoding_planes(encoding)
        self._planes = np.zeros((batch, planes, board.height, board.width), np.float32)
        self._start = time.perf_counter()

    def run(self, stopped: threading.Event) -> Iterator[None]:
        """Searches until a limit, a proof or a stop; yields after each batch. At least one batch is searched."""
        longest = 0.0
        while self.search.done < self._sims and not self.search.proven:
            before = time.perf_counter()
            n = self.search.select(self._planes, self._sims - self.search.done)
            if n:
                self.search.expand(*self._network.run(self._planes[:n]))
            yield
            longest = max(longest, time.perf_counter() - before)
            out_of_time = self._seconds is not None and self.seconds + longest > self._seconds
            if (out_of_time or stopped.is_set()) and self.search.best_move() >= 0:
                return

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def decision(self, draw: random.Random | None) -> Decision:
        """The best move, or one drawn by visits."""
        search = self.search
        policy = self._policy()
        move = search.best_move()
        if draw and not search.proven:
            move = draw.choices(list(policy), weights=list(policy.values()))[0]
        pv = self._line(move)
        return Decision(move, search.value, pv, search.done, search.depth, policy)

    def analysis(self) -> Analysis:
        search = self.search
        rows = search.candidates(ANALYSED_MOVES)
        candidates = tuple(
            Candidate(row["move"], row["value"], row["visits"], row["prior"], tuple(row["pv"])) for row in rows
        )
        best = search.best_move()
        if best >= 0 and (not candidates or candidates[0].move != best):
            first = next((c for c in candidates if c.move == best), Candidate(best, search.value, pv=(best,)))
            candidates = (first, *(c for c in candidates if c.move != best))
        return Analysis(candidates, search.value, search.done, self.seconds, search.depth, self._policy())

    def _policy(self) -> dict[Move, float]:
        policy = self.search.policy()
        return {int(move): float(policy[move]) for move in np.flatnonzero(policy)}

    def _line(self, move: Move) -> tuple[Move, ...]:
        for row in self.search.candidates(self.board.cells):
            if row["move"] == move:
                return tuple(row["pv"])
        return (move,)


def _simulations(sims: int, limit: Limit, endless: bool) -> int:
    counts = [n for n in (sims, limit.nodes) if n]
    if not counts and limit.seconds is None and not endless:
        counts = [DEFAULT_SIMS]
    return min([*counts, MOST_SIMS])


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise TengenError(f"alphazero: {name}={value} is not supported; choose {low} to {high}")
