"""Our strong classical engine: iterative deepening principal-variation search on threats (cpp/alphabeta.h)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import load_network
from tengen.inference.models import engine_network, load_line_model
from tengen.players.base import Analysis, Candidate, Decision, native_seconds, refuse_finished
from tengen.rules import Limit, Rule

ANALYSED_MOVES = 5
REFRESH_SECONDS = 0.05
AUTO, NONE = "auto", "none"
"""Values of `network`: the bundled line network that helps in the game at hand, if any, and no network at all."""


class AlphaBetaPlayer:
    """Plays and analyses. `stop` may be called from another thread while it thinks."""

    def __init__(
        self, threads: int = 1, hash_mb: int = 48, depth: int = 0, seed: int = 0, nodes: int = 0, network: str = AUTO
    ) -> None:
        assert 1 <= threads <= 64 and hash_mb >= 1 and depth >= 0 and nodes >= 0, "the registry checks options"
        self._depth, self._nodes = depth, nodes
        self._engine = _core.AlphaBeta(threads, hash_mb, seed & (2**64 - 1))
        self._auto, self._model = network == AUTO, None if network in (AUTO, NONE) else load_line_model(network)
        self._networks: dict[tuple[Rule, int], _core.LineNetwork | None] = {}

    def prepare(self, board: Board) -> None:
        """Loads the network and lets the core build its tables, so that the first move of a game need not wait."""
        game = board.rule, board.k
        if game not in self._networks:
            self._use_network(board)
            self._engine.run(board.core, 0.0, 1, 0, 1, 0.0)

    def choose(self, board: Board, limit: Limit) -> Decision:
        self._use_network(board)
        report = self._engine.run(board.core, *self._limits(limit), 1, _soft(limit))
        best = report.lines[0]
        return Decision(best.move, value_of(best.score), tuple(best.pv), report.nodes, report.depth)

    def stop(self) -> None:
        """Ends the running search; its best move so far is the answer."""
        self._engine.stop()

    def analyse(self, board: Board, limit: Limit, moves: int = ANALYSED_MOVES) -> Iterator[Analysis]:
        """Snapshots with the best `moves` moves, one for each depth finished. Closing the iterator stops the search."""
        self._use_network(board)
        arguments = (board.core.copy(), *self._limits(limit), moves)
        thread = threading.Thread(target=self._engine.run, args=arguments, daemon=True)
        thread.start()
        try:
            yield from self._snapshots(thread, moves)
        finally:
            self._engine.stop()
            thread.join()

    def _use_network(self, board: Board) -> None:
        refuse_finished(board)
        if self._model:
            self._model.check_board(board)
        game = board.rule, board.k
        if game not in self._networks:
            model = engine_network(board.variant) if self._auto else self._model
            self._networks[game] = load_network(model.path, model.name) if model else None
        self._engine.use(self._networks[game])
        self._engine.arm()

    def _snapshots(self, thread: threading.Thread, moves: int) -> Iterator[Analysis]:
        shown = 0
        while thread.is_alive():
            thread.join(REFRESH_SECONDS)
            report = self._engine.snapshot()
            if report.depth > shown and thread.is_alive():
                shown = report.depth
                yield _analysis(report, moves)
        yield _analysis(self._engine.snapshot(), moves)

    def _limits(self, limit: Limit) -> tuple[float, int, int]:
        depths = [depth for depth in (self._depth, limit.depth) if depth]
        nodes = [nodes for nodes in (self._nodes, limit.nodes) if nodes]
        return (
            native_seconds(replace(limit, seconds=limit.most or limit.seconds)),
            min(nodes, default=0),
            min(depths, default=0),
        )


def _soft(limit: Limit) -> float:
    """On a game clock, the fair share of this move; the search may go beyond it when it is not sure."""
    return limit.seconds or 0.0 if limit.most else 0.0


def value_of(score: int) -> float:
    """A score of the engine as a value in [-1, 1]; only a proven end reaches 1."""
    if abs(score) > _core.ALPHABETA_SURE_WIN:
        return 1.0 if score > 0 else -1.0
    return max(-0.99, min(0.99, _core.expected_result(score)))


def _analysis(report: _core.AlphaBetaReport, moves: int) -> Analysis:
    # A snapshot may be taken while the moves of a depth are still being searched, so their order is settled here.
    ranked = sorted(report.lines[:moves], key=lambda line: -line.score)
    lines = [line for line in ranked if line.score > -_core.ALPHABETA_MATE] or ranked[:1]
    candidates = tuple(Candidate(line.move, value_of(line.score), pv=tuple(line.pv)) for line in lines)
    return Analysis(candidates, candidates[0].value, report.nodes, report.seconds, report.depth)
