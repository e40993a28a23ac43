"""`tengen`: a small residual network that plays every board size with one set of weights.

Plane 0 of the input is the mask of the board (1 on the board). Cells off the board are held at zero in front of every
convolution and left out of every pooling, so a board padded with zeros gives the same answer as the bare board.
"""

from __future__ import annotations

from typing import ClassVar

import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.nets.body import Options, Prediction
from tengen.nets.enhanced import ConvNorm

OFF_BOARD = -1e4
"""Logit of a cell outside the mask: no probability, yet finite."""


HEAD_CHANNELS = 16


class TengenOptions(Options):
    blocks: int = Field(4, ge=1, description="residual blocks")
    channels: int = Field(48, ge=4, description="channels of the trunk")
    value_hidden: int = Field(48, ge=4, description="units of the dense layer of the value head")


class TengenNet(nn.Module):
    """Residual blocks, every second one with global pooling; convolutional policy; value from pooled features."""

    size_free: ClassVar[bool] = True
    encodings: ClassVar[tuple[str, ...]] = ("shapes",)
    options: ClassVar[type[Options]] = TengenOptions

    def __init__(self, planes: int, width: int, height: int, options: TengenOptions = TengenOptions()) -> None:  # noqa: B008
        super().__init__()
        self.features = channels = options.channels
        head, value_hidden = HEAD_CHANNELS, options.value_hidden
        self.stem = ConvNorm(planes, channels, 3)
        self.blocks = nn.ModuleList(_block(i, channels) for i in range(options.blocks))
        self.policy_conv = ConvNorm(channels, head, 1)
        self.policy_pool = GlobalBias(head, head)
        self.policy_out = nn.Conv2d(head, 1, 1)
        self.value_conv = ConvNorm(channels, head, 1)
        self.value_hidden = nn.Linear(2 * head, value_hidden)
        self.value_out = nn.Linear(value_hidden, 1)

    def forward(self, planes: Tensor) -> Prediction:
        mask = planes[:, :1]  # [B, 1, H, W]
        x = F.relu(self.stem(planes)) * mask
        for block in self.blocks:
            x = block(x, mask)
        return Prediction(self._policy(x, mask), self._value(x, mask), x, mask)

    def _policy(self, x: Tensor, mask: Tensor) -> Tensor:
        p = self.policy_conv(x)
        p = F.relu(p + self.policy_pool(F.relu(p), mask))
        logits: Tensor = self.policy_out(p)
        return (logits * mask + OFF_BOARD * (1 - mask)).flatten(1)

    def _value(self, x: Tensor, mask: Tensor) -> Tensor:
        pooled = masked_pool(F.relu(self.value_conv(x)), mask)
        return torch.tanh(self.value_out(F.relu(self.value_hidden(pooled)))).squeeze(1)


class Block(nn.Module):
    """A residual block that keeps cells off the board at zero; `pool` adds a bias from the whole board."""

    def __init__(self, channels: int, pool: bool) -> None:
        super().__init__()
        self.first = ConvNorm(channels, channels, 3)
        self.second = ConvNorm(channels, channels, 3)
        self.pool = GlobalBias(channels, channels) if pool else None

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        y = F.relu(self.first(x)) * mask
        if self.pool is not None:
            y = (y + self.pool(y, mask)) * mask
        return F.relu(self.second(y) + x) * mask


class GlobalBias(nn.Module):
    """Mean and maximum of every channel over the board, mixed into one bias per channel."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.dense = nn.Linear(2 * inputs, outputs)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        bias: Tensor = self.dense(masked_pool(x, mask))
        return bias[:, :, None, None]


def masked_pool(x: Tensor, mask: Tensor) -> Tensor:
    """Mean and maximum over the cells of the board, [B, 2C]. `x` is not negative."""
    x = x * mask
    mean = x.sum(dim=(2, 3)) / mask.sum(dim=(2, 3))
    return torch.cat([mean, x.amax(dim=(2, 3))], dim=1)


def _block(index: int, channels: int) -> Block:
    return Block(channels, pool=index % 2 == 1)
