"""Games, their files, the replay window and its draws."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.rules import Result, Variant
from tengen.training.samples.games import TrainingGame, load_games, save_games, weighed
from tengen.training.samples.window import ReplayWindow


def make_game(length: int, width: int = 6, opening: int = 2, seed: int = 0, weight: float = 1.0) -> TrainingGame:
    rng = np.random.default_rng(seed)
    rows, cells = length - opening, width * width
    return TrainingGame(
        Variant(width), rng.permutation(cells)[:length].astype(np.int16), opening, list(Result)[rng.integers(3)],
        rng.dirichlet(np.ones(cells), rows).astype(np.float16), rng.uniform(-1, 1, rows).astype(np.float32),
        np.full(rows, weight, np.float32), rng.integers(-1, 2, rows).astype(np.int8),
    )  # fmt: skip


def test_games_survive_a_file(tmp_path: Path) -> None:
    games = [make_game(9, seed=1), make_game(12, width=8, seed=2), make_game(5, opening=0, seed=3)]
    save_games(tmp_path / "g.npz", games)
    for a, b in zip(games, load_games(tmp_path / "g.npz", Variant()), strict=True):
        assert (a.variant, a.opening, a.result) == (b.variant, b.opening, b.result)
        for name in ("moves", "policies", "values", "weights", "proven"):
            assert np.array_equal(getattr(a, name), getattr(b, name))
            assert getattr(a, name).dtype == getattr(b, name).dtype


def test_no_games_survive_a_file_too(tmp_path: Path) -> None:
    save_games(tmp_path / "g.npz", [])
    assert load_games(tmp_path / "g.npz", Variant()) == []


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut short"])
def test_a_foreign_file_of_games_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "g.npz").write_bytes(content)
    with pytest.raises(ValueError, match="not a file of self-play games"):
        load_games(tmp_path / "g.npz", Variant())


def test_a_truncated_file_of_games_is_refused(tmp_path: Path) -> None:
    save_games(tmp_path / "g.npz", [make_game(9)])
    data = (tmp_path / "g.npz").read_bytes()
    (tmp_path / "g.npz").write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match="not a file of self-play games"):
        load_games(tmp_path / "g.npz", Variant())


def test_the_newest_generations_stay() -> None:
    window = ReplayWindow()
    for generation in range(1, 6):
        assert window.add(generation, [make_game(12)]) == 10
    window.shrink(25)
    assert (window.samples, window.oldest, window.seen, window.games) == (30, 3, 50, 3)
    window.shrink(1)
    assert (window.samples, window.oldest) == (10, 5)


def test_draws_follow_the_weights() -> None:
    window = ReplayWindow()
    window.add(1, [make_game(12, seed=1, weight=1.0), make_game(12, seed=2, weight=3.0), make_game(12, weight=0.0)])
    assert window.samples == 20
    samples = window.draw(20_000, np.random.default_rng(0))
    heavy = np.mean([game.weights[0] == 3.0 for game in samples.games])
    assert abs(heavy - 0.75) < 0.02
    assert not any(game.weights[0] == 0 for game in samples.games)
    counts = np.bincount(samples.rows, minlength=10)
    assert counts.min() > 0.8 * counts.mean()


def test_positions_proven_lost_can_be_left_out() -> None:
    game = make_game(8)
    game = replace(game, proven=np.array([0, -1, 1, -1, 0, 0], np.int8))
    assert weighed(game, 0.0).samples().tolist() == [0, 2, 4, 5] and weighed(game, 0.5).weights[1] == 0.5
    assert weighed(game, 1.0) is game
    window = ReplayWindow()
    assert window.add(1, [weighed(game, 0.0)]) == 4
    assert set(window.draw(200, np.random.default_rng(1)).rows.tolist()) == {0, 2, 4, 5}


def test_a_draw_holds_one_size_by_its_share() -> None:
    window = ReplayWindow()
    window.add(1, [make_game(12, width=6)] + [make_game(12, width=8)] * 3)
    rng = np.random.default_rng(0)
    widths = [window.draw(4, rng).variant.width for _ in range(400)]
    assert abs(widths.count(8) / 400 - 0.75) < 0.08


def test_the_same_seed_draws_the_same() -> None:
    window = ReplayWindow()
    window.add(1, [make_game(12, seed=s) for s in range(5)])
    a, b = (window.draw(50, np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(a.rows, b.rows) and a.games == b.games


def test_an_empty_window_says_so() -> None:
    with pytest.raises(ValueError, match="empty"):
        ReplayWindow().draw(4, np.random.default_rng(0))


def test_the_file_keeps_its_old_form(tmp_path: Path) -> None:
    """Winners as 0, 1 and -1: games of older runs are read, and older versions read ours."""
    games = [replace(make_game(5), result=result) for result in (Result.BLACK, Result.WHITE, Result.DRAW)]
    save_games(tmp_path / "g.npz", games)
    with np.load(tmp_path / "g.npz") as data:
        assert data["heads"].tolist() == [[6, 6, 2, winner, 5] for winner in (0, 1, -1)]
