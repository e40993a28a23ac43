"""Live analysis in a search process: frames at a steady rate until it is stopped, and proofs beside it."""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator

from tengen.board import Board
from tengen.players.alphabeta import AlphaBetaPlayer
from tengen.players.base import Analyser, Analysis, Candidate, Decision, Player
from tengen.rules import Color, Limit, Move
from tengen.study.proofs import Effort, Proof, Prover, carried_back
from tengen.web.events import AnalysisFrame, LineShown

Say = Callable[[AnalysisFrame], None]
FRAME_SECONDS = 0.12
"""Between two frames: about eight a second."""
MAX_CANDIDATES = 12
ENDLESS = Limit(seconds=24 * 3600.0)
PROOF_NODES = (2_000, 20_000, 200_000, 2_000_000)
SURE = 0.9
"""From here on a player's claim to win is put to the proof: its move may be quiet, which no solver begins with."""
CLAIM_NODES = 200_000
CLAIM = 0.99
"""The most that a player's own claim of a win is shown as: only a proof is certain."""


def analyse(player: Player, board: Board, lines: int, known: Proof | None, say: Say,
            stop: threading.Event) -> AnalysisFrame:  # fmt: skip
    """Streams frames. A player that cannot stream is asked once: its decision is the one frame."""
    if not isinstance(player, Analyser):
        snapshot = _snapshot_of(player.choose(board, Limit(seconds=1.0)))
        return analysis_frame(snapshot, board.turn, lines, known).model_copy(update={"live": False})
    frames = _Frames(say, board.turn, lines)
    proofs = _Proofs(board, known, frames)
    try:
        for snapshot in _snapshots(player, board, lines):
            frames.latest = snapshot
            if stop.is_set():
                break
        while not (stop.is_set() or proofs.done):  # the player has nothing more to say
            stop.wait(FRAME_SECONDS)
    finally:
        proofs.close()
        frames.close()
    return frames.last()


def _snapshots(player: Analyser, board: Board, lines: int) -> Iterator[Analysis]:
    """Every player's own stream; the engine is told how many lines to work out."""
    if isinstance(player, AlphaBetaPlayer):
        return player.analyse(board, ENDLESS, lines)
    return player.analyse(board, ENDLESS)


class _Proofs:
    """Searches for a proof beside the analysis, harder and harder, on a thread of its own; then for one of what the
    player claims."""

    def __init__(self, board: Board, known: Proof | None, frames: _Frames) -> None:
        self._board, self._frames, self._stopped = board, frames, threading.Event()
        self._doubted = set[tuple[Move, int]]()
        self.done = known is not None
        if known:
            frames.prove(known)
        else:
            threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        self._prover = Prover(1 << 18)  # its tables are large: the player need not wait for them
        for nodes in PROOF_NODES:
            if self._stopped.is_set() or self._told(self._proof(self._board, nodes) or self._claimed(nodes)):
                self._stopped.set()
                break
        self.done = True
        while not (self._stopped.wait(FRAME_SECONDS) or self._told(self._claimed(CLAIM_NODES))):
            pass

    def _told(self, proof: Proof | None) -> bool:
        if proof:
            self._frames.prove(proof)
        return proof is not None

    def _proof(self, board: Board, nodes: int) -> Proof | None:
        return self._prover.prove(board.copy(), Effort(nodes, nodes), self._stopped.is_set)

    def _claimed(self, most: int) -> Proof | None:
        """The player's best move proven to win, if it claims that; each claim is looked at once with each effort."""
        best, nodes = self._frames.best(), min(most, CLAIM_NODES)
        if best is None or best.value < SURE or (best.move, nodes) in self._doubted:
            return None
        self._doubted.add((best.move, nodes))
        after = self._board.copy()
        after.play(best.move)
        proof = None if after.outcome() else self._proof(after, nodes)
        return carried_back(proof, best.move, self._board.turn) if proof else None


class _Frames:
    """Sends the newest snapshot at a steady rate, however fast or slowly the search makes them."""

    def __init__(self, say: Say, turn: Color, lines: int) -> None:
        self.latest: Analysis | None = None
        self._proof: Proof | None = None
        self._say, self._turn, self._lines = say, turn, lines
        self._done, self._started = threading.Event(), time.perf_counter()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def prove(self, proof: Proof) -> None:
        self._proof = proof

    def best(self) -> Candidate | None:
        return self.latest.candidates[0] if self.latest and self.latest.candidates else None

    def close(self) -> None:
        self._done.set()
        self._thread.join()

    def last(self) -> AnalysisFrame:
        if self.latest is None:
            return AnalysisFrame(proof=self._proof)
        frame = analysis_frame(self.latest, self._turn, self._lines, self._proof)
        return frame.model_copy(update={"seconds": time.perf_counter() - self._started})

    def _run(self) -> None:
        wait = 0.03
        while not self._done.wait(wait):
            if self.latest is not None:
                wait = FRAME_SECONDS
                self._say(self.last())


def _snapshot_of(decision: Decision) -> Analysis:
    policy = decision.policy or {}
    value = decision.value or 0.0
    first = Candidate(decision.move, value, decision.nodes, policy.get(decision.move), decision.pv)
    others = sorted((m for m in policy if m != decision.move), key=lambda m: -policy[m])[:9]
    rest = (Candidate(m, value, 0, policy[m]) for m in others)
    return Analysis((first, *rest), value, decision.nodes, 0.0, decision.depth, policy)


def analysis_frame(a: Analysis, turn: Color, lines: int = MAX_CANDIDATES, proof: Proof | None = None) -> AnalysisFrame:
    """The best candidates and the policy; a player that values every cell without a search (Q-values) shows all."""
    candidates = [
        LineShown(move=c.move, value=_claimed(c.value), visits=c.visits, prior=c.prior, pv=tuple(c.pv)[:16])
        for c in itertools.islice(a.candidates, MAX_CANDIDATES)
    ]
    all_valued = len(a.candidates) > MAX_CANDIDATES and not any(c.visits for c in a.candidates)
    shown = _with_proof(candidates, proof, turn)[: MAX_CANDIDATES if all_valued else lines]
    values = {c.move: round(finite(c.value) or 0.0, 3) for c in a.candidates} if all_valued else {}
    policy = {m: round(p, 4) for m, p in a.policy.items() if math.isfinite(p) and abs(p) >= 0.0005}
    value = shown[0].value if proof and shown else _claimed(a.value)
    return AnalysisFrame(candidates=tuple(shown), value=value, nodes=a.nodes, seconds=a.seconds, depth=a.depth,
                         policy=policy, values=values, proof=proof)  # fmt: skip


def finite(value: float | None) -> float | None:
    """A number a player gave, kept within [-1, 1]; None for what is no number."""
    return max(-1.0, min(1.0, value)) if value is not None and math.isfinite(value) else None


def _claimed(value: float) -> float:
    return max(-CLAIM, min(CLAIM, finite(value) or 0.0))


def _with_proof(candidates: list[LineShown], proof: Proof | None, turn: Color) -> list[LineShown]:
    """The proven move comes first; in a position that is proven lost every move loses."""
    if proof is None or not proof.line:
        return candidates
    wins = proof.winner == turn
    first = LineShown(move=proof.line[0], value=1.0 if wins else -1.0, pv=proof.line[:16], proof=proof)
    rest = [c for c in candidates if c.move != first.move]
    return [first, *(rest if wins else (c.model_copy(update={"value": -1.0}) for c in rest))]
