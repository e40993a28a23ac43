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
    fpu: float = _doc(0.2, "an untried move counts as the node's value minus this times sqrt(prior already tried)")
    fpu_zero: bool = _doc(False, "count an untried move as 0 instead, as the published systems do")

    gumbel: bool = _doc(True, "Gumbel root: sequential halving and completed-Q targets; off: PUCT at the root too")
    gumbel_considered: int = _doc(16, "moves the Gumbel root starts with")
    gumbel_scale: float = _doc(1.0, "scale of the Gumbel noise; 0 for play without noise")
    c_visit: float = _doc(50.0, "sigma(q) = (c_visit + max visits) * c_scale * (q + 1) / 2")
    c_scale: float = _doc(1.0, "see c_visit")

    noise_alpha: float = _doc(0.3, "Dirichlet parameter of PUCT's root noise")
    noise_fraction: float = _doc(0.25, "fraction of noise in the root's priors; 0 for none (Gumbel never uses it)")
    temperature: float = _doc(1.0, "PUCT: moves are drawn by visits ** (1 / temperature); 0 plays the best")
    temperature_moves: int = _doc(10, "PUCT: moves per game drawn this way, after the opening; then the best is played")
    random_move: float = _doc(0.0, "probability of a random move instead of the chosen one")

    solver: bool = _doc(True, "settle wins, forced blocks and open fours by shapes, without the network")
    vcf_nodes: int = _doc(0, "search for continuous fours at each leaf with this many nodes; 0 for none")
    resign_proven: bool = _doc(True, "self-play ends a game once its result is proven")

    opening_moves_min: int = _doc(0, "self-play games start with at least this many random stones")
    opening_moves_max: int = _doc(0, "and at most this many")
    opening_tries: int = _doc(12, "candidates for the last opening move, drawn by how even they leave the game")

    reuse_tree: bool = _doc(True, "keep the subtree of the move played")
    fast_fraction: float = _doc(0.0, "fraction of self-play moves searched with fast_sims and not learned from")
    fast_sims: int = _doc(16, "simulations of such a move")
    cache_size: int = _doc(0, "positions whose evaluation is remembered")
    random_symmetry: bool = _doc(False, "show each position to the network under a random symmetry")

    def to_dict(self) -> dict[str, Any]:
        """What `_core.SelfPlay` and `_core.Search` take as their config."""
        return asdict(self)
