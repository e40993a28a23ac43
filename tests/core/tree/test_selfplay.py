"""Self-play of many games: records that make sense, whatever the options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tengen import Board, _core
from tengen.inference.search_options import SearchOptions
from tengen.rules import Variant

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
        board = Board(Variant(7))
        for ply, move in enumerate(game["moves"]):
            if ply >= game["opening"]:
                policy = game["policies"][ply - game["opening"]]
                assert all(board.is_legal(int(m)) for m in np.flatnonzero(policy))
            board.play(int(move))


def test_results_agree_with_the_board_when_games_are_played_out() -> None:
    games = play(SearchOptions(sims=8, resign_proven=False), size=6, k=4)
    winners = set()
    for game in games:
        outcome = Board(Variant(6, k=4), map(int, game["moves"])).outcome()
        assert outcome is not None
        assert game["winner"] == (-1 if outcome.winner is None else outcome.winner)
        winners.add(game["winner"])
    assert len(winners) > 1


def same(a: list[Game], b: list[Game]) -> bool:
    keys = ("moves", "policies", "root_values", "weights")
    return len(a) == len(b) and all(np.array_equal(x[k], y[k]) for x, y in zip(a, b, strict=True) for k in keys)


@pytest.mark.parametrize("gumbel", [True, False])
def test_the_seed_decides_every_game(gumbel: bool) -> None:
    options = SearchOptions(sims=8, gumbel=gumbel, opening_moves_min=2, opening_moves_max=4, random_symmetry=True)
    first, again, other = (play(options, rounds=600, seed=seed) for seed in (3, 3, 4))
    assert first and same(first, again) and not same(first, other)


def test_proven_roots_end_games_with_the_proven_result() -> None:
    games = play(SearchOptions(sims=16, opening_moves_min=3, opening_moves_max=5))
    decided = [game for game in games if game["winner"] >= 0]
    assert decided
    for game in decided:
        assert (game["proven"][:-1] == 0).all()  # the first proof ends the game
        mover = (len(game["moves"]) - 1) % 2
        if game["proven"][-1]:
            assert game["proven"][-1] == (1 if game["winner"] == mover else -1)
            assert game["root_values"][-1] == game["proven"][-1]
        if game["proven"][-1] == 1:
            assert game["policies"][-1][game["moves"][-1]] == 1


def test_fast_moves_are_not_learned_from() -> None:
    games = play(SearchOptions(sims=16, fast_fraction=0.5, fast_sims=4))
    weights = np.concatenate([game["weights"] for game in games])
    assert set(weights) == {0, 1}
    assert 0.3 < weights.mean() < 0.75


def test_openings_vary_and_leave_the_game_open() -> None:
    games = play(SearchOptions(sims=2, opening_moves_min=2, opening_moves_max=5), slots=16)
    openings = {tuple(game["moves"][: game["opening"]]) for game in games}
    assert len(openings) > 0.9 * len(games)
    assert {len(opening) for opening in openings} == {2, 3, 4, 5}
    for opening in openings:
        board = Board(Variant(7), map(int, opening))
        search = _core.Search(board.core, "stones", {}, 0)
        search.select(np.zeros((1, 4, 7, 7), np.float32), 1)
        assert search.proven == ""


def test_the_last_opening_move_balances() -> None:
    """A network that finds only one cell level for the last opening move: games begin with it, when it was tried."""
    options = SearchOptions(sims=1, opening_moves_min=2, opening_moves_max=2, opening_tries=48, solver=False)
    games = _core.SelfPlay(7, 7, 5, "freestyle", "stones", 8, 1, options.to_dict())
    planes = np.zeros((8, 4, 7, 7), np.float32)
    level = 3 * 7 + 3
    finished: list[Game] = []
    for _ in range(1500):
        n = games.select(planes)
        value = np.where(planes[:n, 2].reshape(n, -1)[:, level] == 1, 0.0, 0.95).astype(np.float32)
        games.expand(np.zeros((n, 49), np.float32), value)
        finished += games.take_games()
    near = [g for g in finished if max(abs(g["moves"][0] // 7 - 3), abs(g["moves"][0] % 7 - 3)) in (1, 2)]
    assert len(near) > 5
    assert np.mean([game["moves"][1] == level for game in near]) > 0.9


def test_a_number_of_games_is_kept() -> None:
    games = _core.SelfPlay(6, 6, 4, "freestyle", "stones", 4, 1, SearchOptions(sims=4).to_dict(), games=10)
    planes = np.zeros((4, 4, 6, 6), np.float32)
    while n := games.select(planes):
        games.expand(np.zeros((n, 36), np.float32), np.zeros(n, np.float32))
    assert len(games.take_games()) == games.stats()["games"] == 10
    assert games.take_games() == []


def test_random_moves_leave_the_policy() -> None:
    games = play(SearchOptions(sims=8, gumbel=False, temperature=0.0, random_move=0.5, solver=False))
    ranks = [
        int((policy > policy[move]).sum())
        for game in games
        for policy, move in zip(game["policies"], game["moves"][game["opening"] :], strict=True)
    ]
    assert 0.25 < np.mean([rank > 0 for rank in ranks]) < 0.6


def test_misuse_is_explained() -> None:
    games = _core.SelfPlay(7, 7, 5, "freestyle", "stones", 2, 1, {})
    planes = np.zeros((2, 4, 7, 7), np.float32)
    with pytest.raises(ValueError, match="planes must have shape"):
        games.select(planes[:1])
    assert games.select(planes) == 2
    with pytest.raises(ValueError, match="expand the leaves"):
        games.select(planes)
    with pytest.raises(ValueError, match="expected policy"):
        games.expand(np.zeros((1, 49), np.float32), np.zeros(1, np.float32))
    with pytest.raises(ValueError, match="slots"):
        _core.SelfPlay(7, 7, 5, "freestyle", "stones", 0, 1, {})
    with pytest.raises(ValueError, match="unknown rule"):
        _core.SelfPlay(7, 7, 5, "go", "stones", 1, 1, {})
