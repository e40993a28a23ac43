"""Warnings about a run's figures, with suggestions, for people training their first network."""

from __future__ import annotations

from collections.abc import Sequence

from tengen.training.run.loop import Metrics

ROWS = 5
"""Consecutive iterations that must show a problem before it is reported."""

DRAWN = (
    "over 90 % of the games are drawn, so there is little to learn from: try a smaller k or a larger board (on small "
    "boards five in a row is a draw), or unbalanced starts with search.opening_moves_max"
)
ONE_SIDED = "black wins over 95 % of the games: try balanced starts with search.opening_moves_max = 4 to 6"
DEAD = (
    "the policy has stopped changing (KL divergence near 0) although the rate is high: lower learn.rate or "
    "learn.factor_max and start again"
)
LOST = "every game is lost, so there is no win to learn from: try an easier opponent first, or shaped rewards"
STALLED = (
    "the scores have not risen over the last four ladders: try more simulations, a larger network, or a lower rate"
)


def hint(history: Sequence[Metrics]) -> str:
    """The first warning that the newest iterations give; empty when nothing looks wrong."""
    newest = history[-ROWS:]
    if len(newest) < ROWS:
        return ""
    if _all(newest, "draws", 0.9) or _all(newest, "eval_draw", 0.9):
        return DRAWN
    if _all(newest, "black_wins", 0.95):
        return ONE_SIDED
    if all(row.get("kl", 1.0) < 1e-5 and row.get("rate_factor", 1.0) > 1.5 for row in newest):
        return DEAD
    if _all(newest, "train_loss", 0.999):
        return LOST
    return STALLED if _stalled(history) else ""


def _all(rows: Sequence[Metrics], key: str, bound: float) -> bool:
    return all(row.get(key, 0.0) > bound for row in rows)


def _stalled(history: Sequence[Metrics]) -> bool:
    """Four ladders in a row without a point more against anyone, and not all won."""
    ladders = [{k: v for k, v in row.items() if k.startswith("ladder/")} for row in history]
    ladders = [ladder for ladder in ladders if ladder][-4:]
    if len(ladders) < 4 or all(score == 100 for score in ladders[-1].values()):
        return False
    return all(ladder.get(key, 0.0) <= ladders[0].get(key, 0.0) for ladder in ladders[1:] for key in ladder)
