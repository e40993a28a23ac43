"""The line network of the core: exact under play and undo, the same bits on every kernel, and equal to torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tengen import _core
from tengen.board import Board
from tengen.nets.lines import LineNet
from tengen.rules import Rule, Variant

VARIANTS = [
    (15, 15, 5, Rule.FREESTYLE),
    (15, 15, 5, Rule.RENJU),
    (20, 20, 5, Rule.STANDARD),
    (22, 22, 5, Rule.CARO),
    (6, 9, 4, Rule.FREESTYLE),
    (9, 7, 6, Rule.FREESTYLE),
    (5, 3, 3, Rule.STANDARD),
]


def random_tensors(k: int, rule: str, channels: int = 16, hidden: int = 16, seed: int = 0) -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    tensors = {
        name: rng.normal(0, 0.4, extents).astype(np.float32)
        for name, extents in _core.line_tensors(k, rule, channels, hidden)
    }
    tensors["bias"] = -np.abs(tensors["bias"])
    return tensors


def network(
    k: int, rule: str, channels: int = 16, hidden: int = 16, seed: int = 0, kernels: str = ""
) -> _core.LineNetwork:
    tensors = random_tensors(k, rule, channels, hidden, seed)
    return _core.LineNetwork(k, rule, channels, hidden, flat(tensors), kernels)


def flat(tensors: dict[str, NDArray[Any]]) -> NDArray[np.float32]:
    return np.concatenate([array.ravel() for array in tensors.values()])


def random_board(variant: tuple[int, int, int, Rule], moves: int, seed: int) -> Board:
    board = Board(Variant(*variant))
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        if board.outcome() is not None:
            board.undo()
            break
        board.play(int(rng.choice(board.legal_moves())))
    if board.outcome() is not None:
        board.undo()
    return board


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(VARIANTS), st.integers(0, 60), st.integers(0, 2**32))
def test_play_and_undo_are_exact(variant: tuple[int, int, int, Rule], moves: int, seed: int) -> None:
    board = random_board(variant, moves, seed)
    assert _core.line_walk_is_exact(network(variant[2], variant[3]), board.core, 200, seed)


@pytest.mark.parametrize("channels", [16, 32, 64])
@pytest.mark.parametrize("variant", VARIANTS[:2])
def test_every_kernel_gives_the_same_bits(variant: tuple[int, int, int, Rule], channels: int) -> None:
    nets = [network(variant[2], variant[3], channels, 32, kernels=name) for name in _core.line_kernels()]
    for seed in range(20):
        board = random_board(variant, 3 * seed, seed)
        answers = [net.evaluate(board.core) for net in nets]
        assert len({(scores.tobytes(), value) for scores, value in answers}) == 1


@pytest.mark.parametrize("channels", [16, 32, 64])
@pytest.mark.parametrize("variant", VARIANTS)
def test_torch_agrees(variant: tuple[int, int, int, Rule], channels: int) -> None:
    k, rule = variant[2], variant[3]
    tensors = random_tensors(k, rule, channels, 32)
    core = _core.LineNetwork(k, rule, channels, 32, flat(tensors))
    net = LineNet(tensors)
    for seed in range(10):
        board = random_board(variant, 5 * seed, seed)
        scores, value = core.evaluate(board.core)
        views = [torch.tensor(_core.line_sights(board.core, side).astype(np.int64))[None] for side in (False, True)]
        with torch.no_grad():
            expected, judged = net(*views, torch.tensor([board.turn == 0]))
        empty = [m for m in range(board.cells) if board.at(m) is None]
        if empty:
            # A gate that falls between two integers may be rounded either way: one step of it, no more.
            np.testing.assert_allclose(scores[empty], expected[0].numpy()[empty], atol=0.02)
            assert np.median(np.abs(scores[empty] - expected[0].numpy()[empty])) < 1e-3
        assert value == pytest.approx(float(judged[0]), abs=1e-3)


def test_the_network_does_not_change_under_symmetries() -> None:
    board = random_board(VARIANTS[0], 30, 3)
    turned = Board(Variant(), [m % 15 * 15 + m // 15 for m in board.moves])
    net = network(5, "freestyle")
    (scores, value), (other, same) = net.evaluate(board.core), net.evaluate(turned.core)
    assert value == same
    assert np.array_equal(scores.reshape(15, 15).T, other.reshape(15, 15))


def test_windows_are_numbered_as_the_files_expect() -> None:
    sizes = {
        (rule, k): _core.line_tensors(k, rule, 16, 16)[0][1]
        for rule, k in [("freestyle", 5), ("standard", 5), ("renju", 5), ("caro", 5), ("freestyle", 6)]
    }
    assert sizes[("freestyle", 5)] == [1, 3146, 16]
    assert sizes[("standard", 5)] == sizes[("caro", 5)] == [1, 14858, 16]
    assert sizes[("renju", 5)] == [2, 14858, 16]


@pytest.mark.parametrize("spoil", ["nan", "large", "bias", "short"])
def test_bad_weights_are_refused(spoil: str) -> None:
    tensors = random_tensors(5, "freestyle")
    if spoil == "nan":
        tensors["value_2"][0, 0] = np.nan
    elif spoil == "large":
        tensors["table"][0, 5, 5] = 40
    elif spoil == "bias":
        tensors["bias"][0, 0] = 0.5
    weights = flat(tensors)[: -1 if spoil == "short" else None]
    with pytest.raises(ValueError, match=r"weight|bias"):
        _core.LineNetwork(5, "freestyle", 16, 16, weights)
