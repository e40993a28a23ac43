"""Tree search with the two kinds of network: planes through a runtime in Python, or a line network in the core.

Both give the same object to look at while it searches; only how a search goes on differs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.board import Board
from tengen.inference.base import Evaluator
from tengen.inference.search_options import SearchOptions
from tengen.rules import Move

SLICE_SECONDS = 0.05
"""How long a search in the core goes on before Python looks at it again."""


class Search(Protocol):
    """A search of one position as players see it."""

    def advance(self, moves: list[Move]) -> None: ...
    def best_move(self) -> Move: ...
    def policy(self, temperature: float = 1.0) -> NDArray[np.float32]: ...
    def candidates(self, count: int = 10) -> list[dict[str, Any]]: ...

    @property
    def value(self) -> float: ...
    @property
    def done(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def proven(self) -> str: ...
    @property
    def key(self) -> int: ...


class Searcher(Protocol):
    """Begins searches and carries them on."""

    def begin(self, board: Board, sims: int, seed: int) -> Any:
        """A `Search`."""
        ...

    def go_on(self, search: Any, sims: int, seconds: float | None) -> None:
        """A slice of the search: at most `sims` simulations; `seconds` are left to the player."""
        ...

    def full(self, search: Any) -> bool:
        """The tree has reached its memory and can grow no more."""
        ...


@dataclass
class PlaneSearcher:
    """Leaves are gathered into batches, which a network in Python judges."""

    network: Evaluator
    encoding: str
    options: SearchOptions
    batch: int = 4
    memory_mb: int = 256

    def begin(self, board: Board, sims: int, seed: int) -> _core.Search:
        batch = min(self.batch, max(1, sims // 16))
        self._planes = np.zeros((batch, _core.encoding_planes(self.encoding), board.height, board.width), np.float32)
        return _core.Search(board.core, self.encoding, replace(self.options, sims=sims).to_dict(), seed)

    def go_on(self, search: _core.Search, sims: int, seconds: float | None) -> None:
        n = search.select(self._planes, sims)
        if n:
            search.expand(*self.network.run(self._planes[:n]))

    def full(self, search: _core.Search) -> bool:
        return search.bytes >= self.memory_mb << 20


@dataclass
class LineSearcher:
    """The core does everything; Python only looks in."""

    network: _core.LineNetwork
    options: dict[str, Any]
    """Settings of the core's line search."""
    threads: int = 1

    def begin(self, board: Board, sims: int, seed: int) -> _core.LineSearch:
        return _core.LineSearch(self.network, board.core, self.options)

    def go_on(self, search: _core.LineSearch, sims: int, seconds: float | None) -> None:
        time = SLICE_SECONDS if seconds is None else max(1e-4, min(SLICE_SECONDS, seconds))
        search.think(sims, time, self.threads)

    def full(self, search: _core.LineSearch) -> bool:
        return False  # it makes room by itself
