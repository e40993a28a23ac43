"""Ratings by maximum likelihood: Bradley-Terry with draws (Davidson's form) and a term for the first move.

With d = rating of black - rating of white + first-move term, black's win, draw and loss are as likely as
exp(d/2) : nu : exp(-d/2). This is a multinomial logit, so the log-likelihood is concave and Newton's method finds its
one maximum. Ratings are scaled so that a small difference means the same expected score as in the usual Elo formula,
however many games are drawn.

scipy is imported where it is used: it takes half a second, and most who import this module only name its types.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tengen.arena.score import FAULTS, Z95, Interval, observations
from tengen.errors import TengenError
from tengen.records import GameRecord
from tengen.rules import Color

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Array = npt.NDArray[np.float64]
ELO = 400 / math.log(10)


@dataclass(frozen=True, slots=True)
class Rating:
    """`elo` has its interval from the covariance; `bootstrap` from resampled openings."""

    player: str
    elo: Interval
    bootstrap: Interval | None
    games: int
    score: float
    draws: float
    faults: int
    seconds: float
    """Mean thinking time per move."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """Best player first. `los[i][j]` is how likely it is that player i is stronger than player j."""

    ratings: list[Rating]
    first_move: Interval
    draw_rate: Interval
    """Between equal players."""
    los: list[list[float]]
    anchor: str
    games: int


@dataclass(frozen=True, slots=True)
class _Games:
    """Counts a cell: a cell is one player with black against one with white."""

    black: npt.NDArray[np.int64]  # [C]
    white: npt.NDArray[np.int64]  # [C]
    counts: Array  # [C, 3]: black's wins, draws, losses
    clusters: csr_matrix  # [K, 3 * C]: the same counts for each opening
    strata: npt.NDArray[np.int64]  # [K]: which two players the opening belongs to


@dataclass(frozen=True, slots=True)
class _Fit:
    """Parameters: ratings of all players (summing to zero), first-move term, log of nu; with their covariance."""

    x: Array  # [P + 2]
    covariance: Array  # [P + 2, P + 2]

    @property
    def scale(self) -> float:
        """Elo for one unit of rating."""
        return ELO * 2 / (2 + math.exp(self.x[-1]))


def rate(
    records: list[GameRecord],
    anchor: tuple[str, float] | None = None,
    *,
    prior: float = 1.0,
    bootstrap: int = 200,
    seed: int = 0,
) -> RatingTable:
    """Rates all players of the records. Without an anchor the mean rating is zero.

    `prior` is how many imaginary games, half won and half lost, each player adds to the real ones, spread over its
    opponents: it keeps the rating of a player that won or lost everything finite.
    """
    players = sorted({name for record in records for name in (record.black, record.white)})
    if anchor and anchor[0] not in players:
        raise TengenError(f"no games of the anchor '{anchor[0]}'; there are games of {', '.join(players)}")
    games = _count(records, players)
    _check_connected(games, players)
    weights = _prior(games, len(players), prior)
    fit = _fit(games, games.counts + weights, len(players))
    samples = [
        _fit(games, counts + weights, len(players), fit.x)
        for counts in _resampled(games, bootstrap, np.random.default_rng(seed))
    ]
    return _table(records, players, anchor, fit, samples)


def _count(records: list[GameRecord], players: list[str]) -> _Games:
    from scipy.sparse import csr_matrix

    number = {name: i for i, name in enumerate(players)}
    cells: dict[tuple[int, int], int] = {}
    clusters: dict[tuple[int, int, object], int] = {}
    rows, columns = [], []
    for record, unit in zip(records, observations(records), strict=True):
        b, w = number[record.black], number[record.white]
        cell = cells.setdefault((b, w), len(cells))
        cluster = clusters.setdefault((min(b, w), max(b, w), unit), len(clusters))
        rows.append(cluster)
        columns.append(3 * cell + int(2 - 2 * record.score(Color.BLACK)))
    table = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(clusters), 3 * len(cells)))
    pairings: dict[tuple[int, int], int] = {}
    strata = [pairings.setdefault((low, high), len(pairings)) for low, high, _ in clusters]
    counts = np.asarray(table.sum(axis=0), dtype=np.float64).reshape(-1, 3)
    black, white = (np.array(side, dtype=np.int64) for side in zip(*cells, strict=True))
    return _Games(black, white, counts, table, np.array(strata, dtype=np.int64))


def _check_connected(games: _Games, players: list[str]) -> None:
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    size = len(players)
    graph = csr_matrix((np.ones(len(games.black)), (games.black, games.white)), shape=(size, size))
    groups, label = connected_components(graph, directed=False)
    if groups > 1:
        ones = [next(p for p, g in zip(players, label, strict=True) if g == group) for group in range(2)]
        raise TengenError(f"no chain of games joins {ones[0]} and {ones[1]}; they cannot be rated together")


def _prior(games: _Games, players: int, prior: float) -> Array:
    """Imaginary games for each cell, as many as each player is due, in proportion to its real ones."""
    total = games.counts.sum(axis=1)
    own = np.bincount(games.black, total, players) + np.bincount(games.white, total, players)
    share = prior * total * (1 / own[games.black] + 1 / own[games.white]) / 2
    share[games.black == games.white] = 0
    return np.stack([share / 2, np.zeros_like(share), share / 2], axis=1)


def _fit(games: _Games, counts: Array, players: int, start: Array | None = None) -> _Fit:
    """Newton's method with halved steps. The mean rating is held at zero by a penalty that changes nothing else."""
    design = np.zeros((len(counts), players + 1))  # [C, P + 1]: how each cell's d depends on the parameters
    cell = np.arange(len(counts))
    design[cell, games.black] += 1
    design[cell, games.white] -= 1
    design[:, -1] = 1
    drawn = bool(counts[:, 1].sum() > 0)
    x = np.zeros(players + 2) if start is None else start.copy()
    x[-1] = x[-1] if drawn and np.isfinite(x[-1]) else (0.0 if drawn else -np.inf)
    value = _log_likelihood(x, design, counts)
    for _ in range(100):
        gradient, hessian = _derivatives(x, design, counts, drawn)
        step = np.linalg.solve(hessian, gradient)
        length = 1.0
        while (better := _log_likelihood(x + length * step, design, counts)) < value - 1e-9 and length > 1e-6:
            length /= 2
        x, value = x + length * step, better
        if np.abs(step).max() < 1e-7:
            break
    covariance = np.linalg.inv(_derivatives(x, design, counts, drawn)[1])
    centre = np.eye(players + 2)
    centre[:players, :players] -= 1 / players
    return _Fit(centre @ x if drawn else _recentred(x, players), centre @ covariance @ centre.T)


def _recentred(x: Array, players: int) -> Array:
    """As a matrix product would, but safe for the infinite log of a draw term that does not exist."""
    return np.concatenate([x[:players] - x[:players].mean(), x[players:]])


def _probabilities(x: Array, design: Array) -> Array:
    d = design @ x[:-1]
    logits = np.stack([d / 2, np.full_like(d, x[-1]), -d / 2], axis=1)  # [C, 3]
    logits -= logits.max(axis=1, keepdims=True)
    weights = np.exp(logits)
    normal: Array = weights / weights.sum(axis=1, keepdims=True)
    return normal


def _log_likelihood(x: Array, design: Array, counts: Array) -> float:
    p = _probabilities(x, design)
    mean = x[:-2].mean()
    return float((counts * np.log(np.maximum(p, 1e-300))).sum() - mean * mean / 2)


def _derivatives(x: Array, design: Array, counts: Array, drawn: bool) -> tuple[Array, Array]:
    """Gradient of the log-likelihood and minus its Hessian (the information)."""
    p, n = _probabilities(x, design), counts.sum(axis=1)
    lead = p[:, 0] - p[:, 2]
    players = design.shape[1] - 1
    size = players + 2
    gradient, hessian = np.zeros(size), np.zeros((size, size))
    gradient[:-1] = design.T @ ((counts[:, 0] - counts[:, 2] - n * lead) / 2)
    curve = n * (p[:, 0] + p[:, 2] - lead**2) / 4
    hessian[:-1, :-1] = design.T @ (design * curve[:, None])
    if drawn:
        gradient[-1] = (counts[:, 1] - n * p[:, 1]).sum()
        hessian[:-1, -1] = hessian[-1, :-1] = design.T @ (-n * lead * p[:, 1] / 2)
        hessian[-1, -1] = (n * p[:, 1] * (1 - p[:, 1])).sum()
    else:
        hessian[-1, -1] = 1.0
    gradient[:players] -= x[:players].mean() / players
    hessian[:players, :players] += 1 / players**2
    hessian[np.diag_indices(size)] += 1e-9
    return gradient, hessian


def _resampled(games: _Games, samples: int, rng: np.random.Generator) -> Array:
    """Counts [S, C, 3] of games drawn again opening by opening, as many for each two players as they really played."""
    if not samples:
        return np.zeros((0, *games.counts.shape))
    weights = np.zeros((samples, len(games.strata)))
    for stratum in range(int(games.strata.max()) + 1):
        members = np.flatnonzero(games.strata == stratum)
        weights[:, members] = rng.multinomial(len(members), np.full(len(members), 1 / len(members)), size=samples)
    counts: Array = np.asarray(games.clusters.T @ weights.T).T.reshape(samples, -1, 3)
    return counts


def _table(
    records: list[GameRecord], players: list[str], anchor: tuple[str, float] | None, fit: _Fit, samples: list[_Fit]
) -> RatingTable:
    size = len(players)
    shift = np.eye(size)  # ratings relative to the anchor, or to the mean
    base = 0.0
    if anchor:
        shift[:, players.index(anchor[0])] -= 1
        base = anchor[1]
    elo = base + fit.scale * (shift @ fit.x[:size])
    error = fit.scale * np.sqrt(np.maximum(np.diag(shift @ fit.covariance[:size, :size] @ shift.T), 0))
    drawn = np.array([base + s.scale * (shift @ s.x[:size]) for s in samples])  # [S, P]
    order = sorted(range(size), key=lambda i: -elo[i])
    totals = _totals(records)
    ratings = []
    for i in order:
        span = Interval(float(elo[i]), float(elo[i] - Z95 * error[i]), float(elo[i] + Z95 * error[i]))
        boot = None
        if samples:
            low, high = np.percentile(drawn[:, i], [2.5, 97.5])
            boot = Interval(float(elo[i]), float(low), float(high))
        ratings.append(Rating(players[i], span, boot, *totals[players[i]]))
    name = anchor[0] if anchor else ""
    los = _superiority(fit, order)
    return RatingTable(ratings, _first_move(fit, size), _draw_rate(fit), los, name, len(records))


def _totals(records: list[GameRecord]) -> dict[str, tuple[int, float, float, int, float]]:
    """For each player: games, score, share of draws, losses by a fault, mean seconds per move."""
    games, draws, faults, turns = (Counter[str]() for _ in range(4))
    points, seconds = (defaultdict[str, float](float) for _ in range(2))
    for record in records:
        for color, name in ((Color.BLACK, record.black), (Color.WHITE, record.white)):
            score = record.score(color)
            games[name] += 1
            points[name] += score
            draws[name] += score == 0.5
            faults[name] += record.termination in FAULTS and score == 0
            own = record.seconds[(record.opening + color) % 2 :: 2]
            seconds[name] += sum(own)
            turns[name] += len(own)
    return {
        name: (n, points[name] / n, draws[name] / n, faults[name], seconds[name] / max(turns[name], 1))
        for name, n in games.items()
    }


def _first_move(fit: _Fit, size: int) -> Interval:
    value = fit.scale * fit.x[size]
    error = Z95 * fit.scale * math.sqrt(max(fit.covariance[size, size], 0))
    return Interval(float(value), float(value - error), float(value + error))


def _draw_rate(fit: _Fit) -> Interval:
    if not np.isfinite(fit.x[-1]):
        return Interval(0.0, 0.0, 0.0)
    error = Z95 * math.sqrt(max(fit.covariance[-1, -1], 0))
    value, low, high = (float(np.exp(x) / (2 + np.exp(x))) for x in fit.x[-1] + np.array([0, -error, error]))
    return Interval(value, low, high)


def _superiority(fit: _Fit, order: list[int]) -> list[list[float]]:
    from scipy.special import ndtr

    rows = []
    for i in order:
        row = []
        for j in order:
            c = fit.covariance
            deviation = math.sqrt(max(c[i, i] + c[j, j] - 2 * c[i, j], 1e-18))
            row.append(0.5 if i == j else float(ndtr((fit.x[i] - fit.x[j]) / deviation)))
        rows.append(row)
    return rows
