"""Notes for people who train: said when the figures show it, and not otherwise."""

from __future__ import annotations

import pytest

from tengen.cli.display import PlainDisplay
from tengen.cli.training_hints import DEAD, DRAWN, LOST, ONE_SIDED, STALLED, hint
from tengen.training.run.loop import Budget

FINE = {"draws": 0.3, "black_wins": 0.5, "kl": 0.02, "rate_factor": 1.0, "iteration": 1.0}


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({}, ""),
        ({"draws": 0.95}, DRAWN),
        ({"eval_draw": 1.0}, DRAWN),
        ({"black_wins": 0.99}, ONE_SIDED),
        ({"kl": 0.0, "rate_factor": 10.0}, DEAD),
        ({"kl": 0.0}, ""),
        ({"train_loss": 1.0}, LOST),
        ({"ladder/greedy": 20.0}, STALLED),
        ({"ladder/greedy": 100.0}, ""),
    ],
)
def test_a_note_is_given_when_every_recent_iteration_shows_it(change: dict[str, float], note: str) -> None:
    rows = [FINE | change] * 5
    assert hint(rows) == note
    assert hint(rows[:3]) == ""


def test_a_ladder_that_still_rises_is_not_stalled() -> None:
    assert hint([FINE | {"ladder/greedy": float(score)} for score in (10, 20, 20, 30, 30)]) == ""


def test_the_plain_display_says_it_once(capsys: pytest.CaptureFixture[str]) -> None:
    display = PlainDisplay(Budget(iterations=9))
    for iteration in range(1, 9):
        display.write(iteration, FINE | {"draws": 1.0})
    assert capsys.readouterr().out.count("note: over 90 %") == 1
