"""Progress beside long work."""

from __future__ import annotations

import pytest

from tengen.cli.output import GameProgress


def test_a_note_is_computed_only_when_it_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[int] = []

    def note() -> str:
        asked.append(1)
        return "a score"

    with GameProgress(10, every=3600.0) as progress:
        for done in range(5):
            progress.update(done, note)
    assert not asked
    with GameProgress(10, every=0.0) as progress:
        progress.update(5, note)
    assert len(asked) == 1
    assert "5/10  a score" in capsys.readouterr().err
