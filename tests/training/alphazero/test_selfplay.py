"""Self-play tasks: all games are finished, rows fit the moves, the seed decides everything."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen.board import Board  # noqa: E402
from tengen.inference.search_options import SearchOptions  # noqa: E402
from tengen.nets.network import NetworkSpec, build_network  # noqa: E402
from tengen.nets.onnx import export_onnx  # noqa: E402
from tengen.rules import Result, Variant  # noqa: E402
from tengen.training.alphazero.selfplay import SelfPlayTask, play_games  # noqa: E402

OPTIONS = SearchOptions(sims=8, opening_moves_max=3, resign_proven=False)


@pytest.fixture(scope="module")
def model() -> bytes:
    torch.manual_seed(1)
    return export_onnx(build_network(NetworkSpec("tengen", "shapes", 6, 6, {"blocks": 1, "channels": 8})))


def task(games: int, slots: int, seed: int = 1, options: SearchOptions = OPTIONS, width: int = 6) -> SelfPlayTask:
    return SelfPlayTask(Variant(width, 6, 4), "shapes", games, slots, seed, asdict(options))


@pytest.mark.parametrize(("games", "slots"), [(5, 5), (7, 3), (2, 8)])
def test_exactly_the_games_asked_for_are_finished(model: bytes, games: int, slots: int) -> None:
    result = play_games(model, task(games, slots))
    assert len(result.games) == games == result.stats["games"]
    for game in result.games:
        board = Board(Variant(6, k=4), game.moves.tolist())
        outcome = board.outcome()
        assert outcome is not None, "a game was cut short"
        assert game.result is outcome.result
        rows = len(game.moves) - game.opening
        assert game.policies.shape == (rows, 36)
        assert len(game.values) == len(game.weights) == len(game.proven) == rows
        assert np.allclose(game.policies.astype(np.float32).sum(1), 1, atol=1e-2)


def test_the_seed_decides_the_games(model: bytes) -> None:
    first, again, other = (play_games(model, task(4, 4, seed)).games for seed in (1, 1, 2))
    assert [g.moves.tolist() for g in first] == [g.moves.tolist() for g in again]
    assert all(np.array_equal(a.policies, b.policies) for a, b in zip(first, again, strict=True))
    assert [g.moves.tolist() for g in first] != [g.moves.tolist() for g in other]


def test_a_proven_game_ends_at_once(model: bytes) -> None:
    long = play_games(model, task(12, 12)).games
    short = play_games(model, task(12, 12, options=replace(OPTIONS, resign_proven=True))).games
    assert sum(len(g.moves) for g in short) < sum(len(g.moves) for g in long)
    assert all(
        g.result is Result.DRAW or Board(Variant(6, k=4), g.moves.tolist()).outcome() or g.proven[-1] for g in short
    )


def test_one_network_plays_rectangles(model: bytes) -> None:
    assert {(g.variant.width, g.variant.height) for g in play_games(model, task(2, 2, width=8)).games} == {(8, 6)}
