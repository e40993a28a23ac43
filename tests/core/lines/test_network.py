"""The line network of the core: exact under play and undo, the same bits on every kernel, and equal to torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen import _core
from tengen.board import Board
from tengen.inference.lines import LineShape
from tengen.nets.lines import LineNet
from tengen.rules import Variant
from tests.helpers.lines import VARIANTS, random_board, random_network, random_tensors, shape_for


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(VARIANTS), st.integers(0, 60), st.integers(0, 2**32))
def test_play_and_undo_are_exact(variant: Variant, moves: int, seed: int) -> None:
    board = random_board(variant, moves, seed)
    assert _core.line_walk_is_exact(random_network(shape_for(variant)), board.core, 200, seed)


@pytest.mark.parametrize("channels", [16, 32, 64])
@pytest.mark.parametrize("variant", VARIANTS[:2], ids=str)
def test_every_kernel_gives_the_same_bits(variant: Variant, channels: int) -> None:
    nets = [random_network(shape_for(variant, channels, 32), kernels=name) for name in _core.line_kernels()]
    for seed in range(20):
        board = random_board(variant, 3 * seed, seed)
        answers = [net.evaluate(board.core) for net in nets]
        assert len({(scores.tobytes(), value) for scores, value in answers}) == 1


@pytest.mark.parametrize("channels", [16, 32, 64])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_torch_agrees(variant: Variant, channels: int) -> None:
    shape = shape_for(variant, channels, 32)
    tensors = random_tensors(shape)
    core, net = shape.network(shape.flat(tensors)), LineNet(tensors)
    for seed in range(10):
        board = random_board(variant, 5 * seed, seed)
        scores, value = core.evaluate(board.core)
        views = [torch.tensor(_core.line_sights(board.core, side).astype(np.int64))[None] for side in (False, True)]
        with torch.no_grad():
            expected, judged = net(*views, torch.tensor([board.turn == 0]))
        empty = [m for m in range(board.variant.cells) if board.at(m) is None]
        # A gate that falls between two integers may be rounded either way: one step of it, no more.
        np.testing.assert_allclose(scores[empty], expected[0].numpy()[empty], atol=0.02)
        assert np.median(np.abs(scores[empty] - expected[0].numpy()[empty])) < 1e-3
        assert value == pytest.approx(float(judged[0]), abs=1e-3)


def test_the_network_does_not_change_under_symmetries() -> None:
    board = random_board(VARIANTS[0], 30, 3)
    turned = Board(Variant(15), [m % 15 * 15 + m // 15 for m in board.moves])
    net = random_network(LineShape())
    (scores, value), (other, same) = net.evaluate(board.core), net.evaluate(turned.core)
    assert value == same
    assert np.array_equal(scores.reshape(15, 15).T, other.reshape(15, 15))


def test_windows_are_numbered_as_the_files_expect() -> None:
    def extents(rule: str) -> tuple[int, ...]:
        return LineShape(5, rule, 16, 16).tensors()["table"]

    assert extents("freestyle") == (1, 3146, 16)
    assert extents("standard") == extents("caro") == (1, 14858, 16)
    assert extents("renju") == (2, 14858, 16)


@pytest.mark.parametrize("spoil", ["nan", "large", "bias", "short"])
def test_bad_weights_are_refused(spoil: str) -> None:
    shape = LineShape(5, "freestyle", 16, 16)
    tensors = random_tensors(shape)
    if spoil == "nan":
        tensors["value_2"][0, 0] = np.nan
    elif spoil == "large":
        tensors["table"][0, 5, 5] = 40
    elif spoil == "bias":
        tensors["bias"][0, 0] = 0.5
    weights = shape.flat(tensors)[: -1 if spoil == "short" else None]
    with pytest.raises(ValueError, match=r"weight|bias"):
        shape.network(weights)
