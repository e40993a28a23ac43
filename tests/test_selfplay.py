"""Self-play of many games: records that make sense, whatever the options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tengen import Board, _core
from tengen.evaluators.search_options import SearchOptions

Game = dict[str, Any]


def play(
    options: SearchOptions, rounds: int = 1500, size: int = 7, k: int = 5, rule: str = "freestyle",
    encoding: str = "stones", slots: int = 8, seed: int = 1,
) -> list[Game]:  # fmt: skip
    """Games with a network that answers at random (but the same for the same call order)."""
    games = _core.SelfPlay(size, size, k, rule, encoding, slots, seed, options.to_dict())
    planes = np.zeros((slots, _core.encoding_planes(encoding), size, size), np.float32)
    rng = np.random.default_rng(seed)
    finished: list[Game] = []
    for _ in range(rounds):
        n = games.select(planes)
        policy = rng.normal(size=(n, size * size)).astype(np.float32)
        games.expand(policy, np.tanh(0.5 * rng.normal(size=n)).astype(np.float32))
        finished += games.take_games()
    return finished


@pytest.mark.parametrize("gumbel", [True, False])
@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize("encoding", ["stones", "shapes"])
def test_games_are_legal_and_targets_are_distributions(gumbel: bool, solver: bool, encoding: str) -> None:
    options = SearchOptions(
        sims=16, gumbel=gumbel, solver=solver, opening_moves_min=1, opening_moves_max=4, cache_size=256
    )
    games = play(options, encoding=encoding)
    assert len(games) >= 5
    for game in games:
        chosen = len(game["moves"]) - game["opening"]
        assert 1 <= game["opening"] <= 4
        assert game["policies"].shape == (chosen, 49)
        assert {len(game[key]) for key in ("root_values", "weights", "proven")} == {chosen}
        np.testing.assert_allclose(game["policies"].sum(axis=1), 1, atol=1e-4)
        board = Board(7)
        for ply, move in enumerate(game["moves"]):
            if ply >= game["opening"]:
                policy = game["policies"][ply - game["opening"]]
                assert all(board.is_legal(int(m)) for m in np.flatnonzero(policy))
            board.play(int(move))


def test_results_agree_with_the_board_when_games_are_played_out() -> None:
    games = play(SearchOptions(sims=8, resign_proven=False), size=6, k=4)
    winners = set()
    for game in games:
        outcome = Board(6, k=4, moves=map(int, game["moves"])).outcome()
        assert outcome is not None
        assert game["winner"] == (-1 if outcome.winner is None else outcome.winner)
        winners.add(game["winner"])
    assert len(winners) > 1
