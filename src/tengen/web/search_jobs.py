"""What a worker process can be asked to do. Every function takes plain JSON values and gives them back."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from tengen.board import Board
from tengen.players.base import Analyser, Analysis, Candidate, Decision, Player
from tengen.registry import create
from tengen.rules import Color, Limit
from tengen.web import forced_wins
from tengen.web.judge import PROVED
from tengen.web.messages import Position
from tengen.web.swap2 import swap2_answer

Say = Callable[[dict[str, Any]], None]
FRAME_SECONDS = 0.12
"""Between two frames of a live analysis: about eight a second."""
MAX_AGENTS = 3
MAX_CANDIDATES = 12
_agents: OrderedDict[str, Player] = OrderedDict()


def run_job(job: dict[str, Any], say: Say, stop: threading.Event) -> dict[str, Any]:
    kinds = {"choose": _choose, "analyse": _analyse, "threats": _threats, "review": _review, "judge": _judge}
    return kinds[job["kind"]](job, say, stop)


def _agent(spec: str) -> Player:
    """Players are kept between jobs: loading a network costs more than a move."""
    if spec in _agents:
        _agents.move_to_end(spec)
        return _agents[spec]
    _agents[spec] = create(spec, seed=int.from_bytes(os.urandom(4)) >> 1)
    if len(_agents) > MAX_AGENTS:
        _agents.popitem(last=False)
    return _agents[spec]


def _board(job: dict[str, Any]) -> Board:
    return Position.model_validate(job["position"]).board()


def _choose(job: dict[str, Any], say: Say, stop: threading.Event) -> dict[str, Any]:
    board = _board(job)
    if stage := job.get("swap2"):
        return swap2_answer(stage, board, _agent(job["spec"]), job["seconds"])
    started = time.perf_counter()
    decision = _agent(job["spec"]).choose(board, Limit(seconds=job["seconds"]))
    return decision_json(decision) | {"seconds": time.perf_counter() - started}


def decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "move": decision.move,
        "value": decision.value,
        "pv": list(decision.pv),
        "nodes": decision.nodes,
        "depth": decision.depth,
    }


def _analyse(job: dict[str, Any], say: Say, stop: threading.Event) -> dict[str, Any]:
    """Streams snapshots. An agent that cannot stream is asked once: its decision is the one snapshot."""
    board, agent = _board(job), _agent(job["spec"])
    limit = Limit(seconds=job["seconds"])
    if not isinstance(agent, Analyser):
        one_look = Limit(seconds=min(job["seconds"], 1.0))
        return analysis_json(_snapshot_of(agent.choose(board, one_look))) | {"live": False}
    frames = _Frames(say)
    try:
        for snapshot in agent.analyse(board, limit):
            frames.latest = snapshot
            if stop.is_set():
                break
    finally:
        frames.close()
    return analysis_json(frames.latest) if frames.latest else {"candidates": [], "policy": {}}


class _Frames:
    """Sends the newest snapshot at a steady rate, however fast or slowly the search makes them."""

    def __init__(self, say: Say) -> None:
        self.latest: Analysis | None = None
        self._say, self._done, self._started = say, threading.Event(), time.perf_counter()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        wait = 0.03
        while not self._done.wait(wait):
            if self.latest is not None:
                wait = FRAME_SECONDS
                self._say(analysis_json(self.latest) | {"seconds": time.perf_counter() - self._started})


def _snapshot_of(decision: Decision) -> Analysis:
    policy = decision.policy or {}
    value = decision.value or 0.0
    first = Candidate(decision.move, value, decision.nodes, policy.get(decision.move), decision.pv)
    others = sorted((m for m in policy if m != decision.move), key=lambda m: -policy[m])[:9]
    rest = (Candidate(m, value, 0, policy[m]) for m in others)
    return Analysis((first, *rest), value, decision.nodes, 0.0, decision.depth, policy)


def analysis_json(a: Analysis) -> dict[str, Any]:
    """The best candidates and the policy; a player that values every cell without a search (Q-values) shows all."""
    candidates = [
        {"move": c.move, "value": c.value, "visits": c.visits, "prior": c.prior, "pv": list(c.pv)[:16]}
        for c in itertools.islice(a.candidates, MAX_CANDIDATES)
    ]
    all_valued = len(a.candidates) > MAX_CANDIDATES and not any(c.visits for c in a.candidates)
    values = {str(c.move): round(c.value, 3) for c in a.candidates} if all_valued else {}
    policy = {str(m): round(p, 4) for m, p in a.policy.items() if abs(p) >= 0.0005}
    return {"candidates": candidates, "value": a.value, "nodes": a.nodes, "seconds": a.seconds,
            "depth": a.depth, "policy": policy, "values": values}  # fmt: skip


def _threats(job: dict[str, Any], say: Say, stop: threading.Event) -> dict[str, Any]:
    """Forced wins of both sides: what the side to move has, and what it would face if it passed."""
    board, seconds = _board(job), job["seconds"] / 2
    mine = forced_wins.forced_win(board, seconds)
    theirs = forced_wins.threatened_win(board, seconds) if not stop.is_set() else None
    return {"own": mine, "opponent": theirs}


def _review(job: dict[str, Any], say: Say, stop: threading.Event) -> dict[str, Any]:
    """One frame for each position of the line, from the first to the last."""
    position = Position.model_validate(job["position"])
    for ply in range(len(position.moves) + 1):
        if stop.is_set():
            break
        board = position.model_copy(update={"moves": position.moves[:ply]}).board()
        say({"ply": ply, **_verdict(board, job["spec"], job["seconds"])})
    return {"plies": len(position.moves)}


def _judge(job: dict[str, Any], say: Say, stop: threading.Event) -> dict[str, Any]:
    """One position looked at as a review does."""
    return _verdict(_board(job), job["spec"], job["seconds"])


def _verdict(board: Board, spec: str, seconds: float) -> dict[str, Any]:
    """Value for black, best move and whether a win is forced, and by whom."""
    black = 1 if board.turn == Color.BLACK else -1
    if outcome := board.outcome():
        won = 0 if outcome.winner is None else (1 if outcome.winner == Color.BLACK else -1)
        return {"value": won, "best": None, "pv": [], "forced": won}
    if win := forced_wins.forced_win(board, seconds / 2):
        return {"value": black, "best": win["moves"][0], "pv": win["moves"], "forced": black}
    decision = _agent(spec).choose(board, Limit(seconds=seconds))
    value = max(-1.0, min(1.0, decision.value or 0.0))
    forced = 0 if abs(value) < PROVED else (black if value > 0 else -black)
    return {"value": value * black, "best": decision.move, "pv": list(decision.pv)[:16], "forced": forced}
