"""The tactics probe: does a network see a five at hand, a five to block, an open four at hand?

Positions come from games of a simple player that errs now and then, so they hold what learners must meet; they are the
same for every network. The search has no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tengen import _core
from tengen.board import Board
from tengen.rules import Move, Variant

KINDS = ("five", "block", "open_four")
ERRORS = 0.25
SEED = 20261117
Chooser = Callable[[Board], Move]


@dataclass(frozen=True, slots=True)
class Probe:
    """A position, and the moves that solve it."""

    kind: str
    moves: tuple[Move, ...]
    solutions: frozenset[Move]


@lru_cache(maxsize=4)
def probe_positions(variant: Variant, count: int) -> tuple[Probe, ...]:
    """`count` positions of each kind, at most one of a kind from a game; fewer where a small board offers no more."""
    rng = np.random.default_rng(SEED)
    found: dict[str, list[Probe]] = {kind: [] for kind in KINDS}
    for _ in range(60 * count):
        seen: set[str] = set()
        for board in _game(variant, rng):
            probe = classify(board)
            if probe and probe.kind not in seen and len(found[probe.kind]) < count:
                seen.add(probe.kind)
                found[probe.kind].append(probe)
        if all(len(probes) == count for probes in found.values()):
            break
    return tuple(probe for kind in KINDS for probe in found[kind])


def classify(board: Board) -> Probe | None:
    """What the side to move must see, when it is one of the three."""
    core, us = board.core, int(board.turn)
    own, theirs = core.cells_with(us, _core.Group.FIVE), core.cells_with(1 - us, _core.Group.FIVE)
    legal = set(board.legal_moves())
    if own:
        return Probe("five", board.moves, frozenset(own))
    if len(theirs) == 1 and theirs[0] in legal:
        return Probe("block", board.moves, frozenset(theirs))
    if theirs:
        return None
    open_fours = [m for m in legal if core.threat(us, m) == _core.Threat.OPEN_FOUR]
    if not open_fours:
        return None
    doubles = [m for m in legal if core.threat(us, m) == _core.Threat.DOUBLE_FOUR]
    return Probe("open_four", board.moves, frozenset(open_fours + doubles))


def solved(probes: tuple[Probe, ...], variant: Variant, choose: Chooser) -> dict[str, float]:
    """Percent of the positions of each kind in which a player finds a solution."""
    hits: dict[str, list[bool]] = {}
    for probe in probes:
        hits.setdefault(probe.kind, []).append(choose(Board(variant, probe.moves)) in probe.solutions)
    return {f"probe/{kind}": 100 * float(np.mean(found)) for kind, found in hits.items()}


def probe_metrics(
    network: _core.LineNetwork, probes: tuple[Probe, ...], variant: Variant, sims: int
) -> dict[str, float]:
    def choose(board: Board) -> Move:
        search = _core.LineSearch(network, board.core, {"solver": False, "memory_mb": 4})
        search.think(sims)
        return search.best_move()

    return solved(probes, variant, choose)


def _game(variant: Variant, rng: np.random.Generator) -> Iterator[Board]:
    """The positions of one game after its first moves."""
    board = Board(variant)
    while board.outcome() is None:
        if board.stones > 4:
            yield board
        at_random = board.stones < 4 or rng.random() < ERRORS
        board.play(_near(board, rng) if at_random else int(rng.choice(_core.weight_moves(board.core))))


def _near(board: Board, rng: np.random.Generator) -> Move:
    """A random legal move at most two cells from a stone; the first is near the centre."""
    width, height = board.variant.width, board.variant.height
    stones = [divmod(m, width) for m in board.moves] or [(height // 2, width // 2)]
    legal = board.legal_moves()
    near = [m for m in legal if any(max(abs(m // width - r), abs(m % width - c)) <= 2 for r, c in stones)]
    return int(rng.choice(near or legal))
