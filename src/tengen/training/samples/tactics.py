"""The tactics probe: does a player see what every player must? Positions come from no network.

They come from games of a simple player that errs now and then, so they hold what learners must meet; they are the same
for every network. The truth of a position is what shapes and the search for continuous fours say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tengen import _core
from tengen.board import Board
from tengen.rules import Move, Variant

KINDS = ("five", "block", "open_four", "open_three", "double")
"""Make a five; block the one cell of a five; make an open four; answer an open three; win by a double threat."""
TITLES = dict(
    zip(KINDS, ("five at hand", "block a five", "open four", "answer an open three", "double threat"), strict=True)
)
ERRORS = 0.25
SEED = 20261117
VCF_NODES = 2_000
"""Nodes of the search for continuous fours behind the last two kinds."""
GAMES = 60
"""Games looked through for each position asked for; small boards may not offer all kinds."""
Chooser = Callable[[Board], Move]


@dataclass(frozen=True, slots=True)
class Probe:
    """A position, and the moves that solve it."""

    kind: str
    moves: tuple[Move, ...]
    solutions: frozenset[Move]


@lru_cache(maxsize=8)
def probe_positions(variant: Variant, count: int, kinds: tuple[str, ...] = KINDS) -> tuple[Probe, ...]:
    """`count` positions of each kind, at most one of a kind from a game; fewer where a small board offers no more."""
    rng = np.random.default_rng(SEED)
    found: dict[str, list[Probe]] = {kind: [] for kind in kinds}
    solver = _core.Vcf()
    for _ in range(GAMES * count):
        wanted = {kind for kind, probes in found.items() if len(probes) < count}
        if not wanted:
            break
        for board in _game(variant, rng):
            if (probe := classify(board, solver, wanted)) and probe.kind in wanted:
                wanted.discard(probe.kind)
                found[probe.kind].append(probe)
    return tuple(probe for kind in kinds for probe in found[kind])


def classify(board: Board, solver: _core.Vcf | None = None, wanted: set[str] | None = None) -> Probe | None:
    """What the side to move must see, when it is one of the kinds."""
    core, us = board.core, int(board.turn)
    own, theirs = core.cells_with(us, _core.Group.FIVE), core.cells_with(1 - us, _core.Group.FIVE)
    legal = board.legal_moves()
    if own:
        return Probe("five", board.moves, frozenset(own))
    if len(theirs) == 1 and theirs[0] in legal:
        return Probe("block", board.moves, frozenset(theirs))
    if theirs:
        return None
    threats = {move: core.threat(us, move) for move in legal}
    doubles = [move for move in legal if threats[move] in (_core.Threat.DOUBLE_FOUR, _core.Threat.FOUR_THREE)]
    if open_fours := [move for move in legal if threats[move] == _core.Threat.OPEN_FOUR]:
        sure = [move for move in doubles if threats[move] == _core.Threat.DOUBLE_FOUR]
        return Probe("open_four", board.moves, frozenset(open_fours + sure))
    if solver is None or wanted is None:
        return None
    if doubles and "double" in wanted:
        return _double(board, solver, doubles)
    fours = core.cells_with(us, _core.Group.FOUR)
    return _open_three(board, solver) if not fours and "open_three" in wanted else None


def _double(board: Board, solver: _core.Vcf, doubles: list[Move]) -> Probe | None:
    """Solved by any double threat, and by the first move of the win found, once continuous fours prove a win."""
    if not solver.solve(board.core, int(board.turn), VCF_NODES).win:
        return None
    return Probe("double", board.moves, frozenset([*doubles, solver.line()[0]]))


def _open_three(board: Board, solver: _core.Vcf) -> Probe | None:
    """The opponent threatens an open four: solved by every move after which it has no win by fours."""
    them = 1 - int(board.turn)
    cells = [move for move in range(board.cells) if board.at(move) is None]
    if not any(board.core.threat(them, move) == _core.Threat.OPEN_FOUR for move in cells):
        return None
    holding = []
    for move in board.legal_moves():
        after = board.copy()
        after.play(move)
        result = solver.solve(after.core, them, VCF_NODES)
        if not result.win and result.exhausted:
            holding.append(move)
    fair = holding and len(holding) <= board.cells // 4
    return Probe("open_three", board.moves, frozenset(holding)) if fair else None


def solved(probes: Sequence[Probe], variant: Variant, choose: Chooser, prefix: str = "probe/") -> dict[str, float]:
    """Percent of the positions of each kind in which a player finds a solution."""
    hits: dict[str, list[bool]] = {}
    for probe in probes:
        hits.setdefault(probe.kind, []).append(choose(Board(variant, probe.moves)) in probe.solutions)
    return {f"{prefix}{kind}": 100 * float(np.mean(found)) for kind, found in hits.items()}


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
