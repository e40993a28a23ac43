"""AlphaZero: tree search guided by a network, with proofs by shapes in the loop (cpp/puct.h)."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tengen.board import Board
from tengen.inference.base import Evaluator
from tengen.inference.models import Model, ModelError, load_model
from tengen.inference.search_options import SearchOptions
from tengen.players.base import Analysis, Candidate, Decision, refuse_finished
from tengen.players.searching import LineSearcher, PlaneSearcher, Search, Searcher
from tengen.rules import Limit, Move

REFRESH_SECONDS = 0.1
"""Between two snapshots of an analysis."""
ANALYSED_MOVES = 12
DEFAULT_SIMS = 400
MOST_SIMS = 1_000_000
MOST_LINE_SIMS = 1_000_000_000
"""Where endless thinking ends, with planes if their memory did not end it before."""
C_PUCT, VCF_NODES = 2.0, 200
LINE_C_PUCT, LINE_VCF_NODES = 1.0, 16
"""A line network judges a hundred times as many positions, so that less is asked at each of them."""

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
    memory_mb: int = 256
    """Megabytes of the tree. A full one ends a search with planes; one with a line network makes room."""


class AlphaZeroPlayer:
    """Plays and analyses with any network. `stop` may be called from another thread while it thinks.

    Limits only cut the search short, so that a player with 400 simulations stays that player whatever the clock. A
    limit of nodes counts simulations.
    """

    def __init__(
        self,
        searcher: Searcher,
        play: PlayOptions = PlayOptions(),  # noqa: B008 (frozen)
        seed: int = 0,
        model: Model | None = None,
    ) -> None:
        self._most = MOST_LINE_SIMS if isinstance(searcher, LineSearcher) else MOST_SIMS
        assert play.sims >= 0 and play.batch >= 1, "the registry checks options"
        self._searcher, self._model, self._play, self._seed = searcher, model, play, seed
        self._stopped = threading.Event()
        self._kept: _RunningSearch | None = None

    @classmethod
    def with_network(
        cls,
        network: Evaluator,
        encoding: str,
        options: SearchOptions = PLAY,
        play: PlayOptions = PlayOptions(),  # noqa: B008 (frozen)
        seed: int = 0,
        model: Model | None = None,
    ) -> AlphaZeroPlayer:
        """The player of a network that takes planes."""
        return cls(PlaneSearcher(network, encoding, options, play.batch, play.memory_mb), play, seed, model)

    @classmethod
    def from_model(
        cls,
        source: str | Model,
        options: SearchOptions = PLAY,
        play: PlayOptions = PlayOptions(),  # noqa: B008 (frozen)
        threads: int = 1,
        seed: int = 0,
        provider: str = "cpu",
    ) -> AlphaZeroPlayer:
        """The player of a bundled model, a model file or a loaded model: ONNX or a line network. A c_puct of 0 and
        vcf_nodes of -1 stand for what suits the kind of network."""
        model = source if isinstance(source, Model) else load_model(source)
        options = _suited(options, model.native)
        if model.native:
            from tengen.inference.lines import load_network

            settings = {
                "c_puct": options.c_puct,
                "solver": options.solver,
                "vcf_nodes": options.vcf_nodes,
                "memory_mb": play.memory_mb,
                "policy_temperature": policy_temperature(model),
            }
            return cls(LineSearcher(load_network(model.source, model.name), settings, threads), play, seed, model)
        from tengen.inference.onnx import OnnxEvaluator

        network = OnnxEvaluator.of_model(model, threads, provider)
        return cls.with_network(network, model.encoding, options, play, seed, model)

    def new_game(self, seed: int) -> None:
        self._seed, self._kept = seed, None

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
        sims = _simulations(self._play.sims, limit, endless, self._most)
        search = self._reused(board) if self._play.reuse else None
        if search is None:
            search = self._searcher.begin(board, sims, (self._seed ^ board.key) & (2**64 - 1))
        running = _RunningSearch(search, self._searcher, board.copy(), sims, limit.seconds)
        self._kept = running if self._play.reuse else None
        return running

    def _reused(self, board: Board) -> Search | None:
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

    def __init__(self, search: Search, searcher: Searcher, board: Board, sims: int, seconds: float | None) -> None:
        self.search, self.board = search, board
        self._searcher, self._sims, self._seconds = searcher, sims, seconds
        self._start = time.perf_counter()

    def run(self, stopped: threading.Event) -> Iterator[None]:
        """Searches until a limit, a proof or a stop; yields after each batch. At least one batch is searched."""
        longest = 0.0
        native = isinstance(self._searcher, LineSearcher)  # which keeps to the time itself
        while self.search.done < self._sims and not self.search.proven:
            before = time.perf_counter()
            left = None if self._seconds is None else self._seconds - self.seconds
            self._searcher.go_on(self.search, self._sims - self.search.done, left)
            yield
            longest = 0.0 if native else max(longest, time.perf_counter() - before)
            out_of_time = self._seconds is not None and self.seconds + longest >= self._seconds
            ends = out_of_time or stopped.is_set() or self._searcher.full(self.search)
            if ends and self.search.best_move() >= 0:
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


def _suited(options: SearchOptions, native: bool) -> SearchOptions:
    c_puct, vcf = (LINE_C_PUCT, LINE_VCF_NODES) if native else (C_PUCT, VCF_NODES)
    vcf = vcf if options.vcf_nodes < 0 else options.vcf_nodes
    return replace(options, c_puct=options.c_puct or c_puct, vcf_nodes=vcf)


def policy_temperature(model: Model) -> float:
    """How much flatter than it is a search takes the policy: a card says so of one learned from single moves."""
    search = model.card.get("search", {})
    value = search.get("policy_temperature", 1.0) if isinstance(search, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.1 <= value <= 10:
        raise ModelError(f"the card of '{model.name}' is wrong: search.policy_temperature must be 0.1 to 10")
    return float(value)


def _simulations(sims: int, limit: Limit, endless: bool, most: int) -> int:
    counts = [n for n in (sims, limit.nodes) if n]
    if not counts and limit.seconds is None and not endless:
        counts = [DEFAULT_SIMS]
    return min([*counts, most])
