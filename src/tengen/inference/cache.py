"""A cache that wraps another evaluator. (Tree searches have their own, native one.)"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.base import Evaluation, Evaluator, Floats

Key = tuple[int, int, int, int, int, str]


class CachedEvaluator:
    """Remembers the last `size` positions. The key holds the last move too, since networks see it."""

    def __init__(self, inner: Evaluator, size: int = 100_000) -> None:
        if size < 1:
            raise TengenError(f"a cache of {size} positions is no cache; give 1 or more")
        self._inner = inner
        self._size = size
        self._rows: OrderedDict[Key, tuple[Floats, float]] = OrderedDict()
        self.hits = 0

    def evaluate(self, boards: Sequence[Board]) -> Evaluation:
        keys = [_key(board) for board in boards]
        missing = {key: board for key, board in zip(keys, boards, strict=True) if key not in self._rows}
        self.hits += len(boards) - len(missing)
        found = {key: self._rows[key] for key in keys if key in self._rows}
        if missing:
            fresh = self._inner.evaluate(list(missing.values()))
            found |= {k: (fresh.policy[i], float(fresh.value[i])) for i, k in enumerate(missing)}
        self._remember(found)
        policy = np.stack([found[key][0] for key in keys])
        return Evaluation(policy, np.array([found[key][1] for key in keys], dtype=np.float32))

    def _remember(self, rows: dict[Key, tuple[Floats, float]]) -> None:
        for key, row in rows.items():
            self._rows[key] = row
            self._rows.move_to_end(key)
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)


def _key(board: Board) -> Key:
    return board.key, board.moves[-1] if board.moves else -1, board.width, board.height, board.k, str(board.rule)
