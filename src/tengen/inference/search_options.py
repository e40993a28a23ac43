"""Settings of the tree search and of self-play, shared by players and training."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


def _doc(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Field by field and default by default what cpp/tree/search_options.h holds; a test compares the two."""

    sims: int = _doc(64, "simulations per move")
    c_puct: float = _doc(2.0, "weight of the prior against the value in PUCT")
    formula: str = _doc("puct", "puct: c P sqrt(N) / (1 + n); printed: c P sqrt(N / (1 + n))")
    fpu: float = _doc(0.2, "an unvisited move counts as the node's value minus this times sqrt(visited prior)")
    fpu_zero: bool = _doc(False, "count an unvisited move as 0 instead, as the published systems do")

    gumbel: bool = _doc(True, "Gumbel root: sequential halving and completed-Q targets; off: PUCT at the root too")
    gumbel_considered: int = _doc(16, "moves initially considered at a Gumbel root")
    gumbel_scale: float = _doc(1.0, "scale of the Gumbel noise; 0 for play without noise")
    c_visit: float = _doc(50.0, "sigma(q) = (c_visit + max visits) * c_scale * (q + 1) / 2")
    c_scale: float = _doc(1.0, "see c_visit")

    noise_alpha: float = _doc(0.3, "Dirichlet parameter of PUCT's root noise")
    noise_fraction: float = _doc(0.25, "fraction of noise in the root's priors; 0 for none (Gumbel never uses it)")
    temperature: float = _doc(1.0, "PUCT: moves are sampled by visits ** (1 / temperature); 0: play the best")
    temperature_moves: int = _doc(
        10, "PUCT: moves per game sampled this way, after the opening; then the best is played"
    )
    random_move: float = _doc(0.0, "probability of a random move instead of the chosen one")

    solver: bool = _doc(True, "resolve wins, forced blocks and open fours by shapes, without the network")
    vcf_nodes: int = _doc(0, "nodes of the VCF search at each leaf; 0: no search")
    resign_proven: bool = _doc(True, "self-play ends a game once its result is proven")

    opening_moves_min: int = _doc(0, "self-play games start with at least this many random stones")
    opening_moves_max: int = _doc(0, "self-play games start with at most this many random stones")
    opening_tries: int = _doc(12, "candidates for the last opening move, sampled in favour of balanced positions")

    reuse_tree: bool = _doc(True, "keep the subtree of the move played")
    fast_fraction: float = _doc(0.0, "fraction of self-play moves searched with fast_sims and not learned from")
    fast_sims: int = _doc(16, "simulations per move for such moves")
    cache_size: int = _doc(0, "number of positions in the evaluation cache")
    random_symmetry: bool = _doc(False, "evaluate each position under a random symmetry")

    def to_dict(self) -> dict[str, Any]:
        """What `_core.SelfPlay` and `_core.Search` take as their config."""
        return asdict(self)
