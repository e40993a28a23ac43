"""Auxiliary heads: further targets that share the trunk. They shape its features and are not needed in play.

A head is a module `(features [B, F, H, W], mask or None) -> Tensor`; its target and loss are named in
`tengen.training.knowledge.targets` under the same name.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.nets.tengen import masked_pool

COUNTS = 6
"""Own and opponent's open fours, fours and open threes."""


SHAPE_MAPS = 10
"""Five maps of shapes for each side, as in the encoding `shapes`."""


class CountsHead(nn.Module):
    """The six-count head of the 9x9 research report: 1x1 convolution to 2 channels, dense 128, 64, 6."""

    def __init__(self, features: int, width: int, height: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(features, 2, 1)
        self.dense = nn.Sequential(
            nn.Linear(2 * width * height, 128),
            nn.ReLU(),
            nn.Linear(128, 64),
            nn.ReLU(),
            nn.Linear(64, COUNTS),
        )

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        counts: Tensor = self.dense(F.relu(self.conv(x)).flatten(1))
        return counts


class PooledCountsHead(nn.Module):
    """The same six counts for a size-free network, from pooled features."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(features, 16, 1)
        self.dense = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, COUNTS))

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        assert mask is not None
        counts: Tensor = self.dense(masked_pool(F.relu(self.conv(x)), mask))
        return counts


class MapHead(nn.Module):
    """One logit a cell and map: the opponent's reply, the winning line, maps of shapes."""

    def __init__(self, features: int, maps: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(features, maps, 1)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        maps: Tensor = self.conv(x)
        return maps


class SoonHead(nn.Module):
    """One value in [-1, 1] from pooled features: how the game will stand soon."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(features, 16, 1)
        self.dense = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        seen = F.relu(self.conv(x))
        value: Tensor = self.dense(masked_pool(seen, torch.ones_like(seen[:, :1]) if mask is None else mask))
        return value.squeeze(1)


def _counts(features: int, width: int, height: int, size_free: bool) -> nn.Module:
    return PooledCountsHead(features) if size_free else CountsHead(features, width, height)


def _map(features: int, width: int, height: int, size_free: bool) -> nn.Module:
    return MapHead(features, 1)


def _shapes(features: int, width: int, height: int, size_free: bool) -> nn.Module:
    return MapHead(features, SHAPE_MAPS)


def _soon(features: int, width: int, height: int, size_free: bool) -> nn.Module:
    return SoonHead(features)


HeadFactory = Callable[[int, int, int, bool], nn.Module]

HEADS: dict[str, HeadFactory] = {
    # name: factory(features, width, height, size_free)
    "counts": _counts,
    "reply": _map,
    "shapes": _shapes,
    "soon": _soon,
    "five": _map,
}
