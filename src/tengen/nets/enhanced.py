"""`enhanced`: the residual network of the research report. Heads are sized to one board."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.nets.base import Outputs


class EnhancedNet(nn.Module):
    """3x3 convolution to 128, six residual blocks of 128, heads of a 1x1 convolution and dense layers."""

    size_free = False

    def __init__(self, planes: int, width: int, height: int, blocks: int = 6, channels: int = 128) -> None:
        super().__init__()
        self.features = channels
        cells = width * height
        self.stem = ConvNorm(planes, channels, 3)
        self.blocks = nn.Sequential(*(ResidualBlock(channels, channels) for _ in range(blocks)))
        self.policy_conv = ConvNorm(channels, 4, 1)
        self.policy_dense = nn.Linear(4 * cells, cells)
        self.value_conv = ConvNorm(channels, 2, 1)
        self.value_hidden = nn.Linear(2 * cells, 128)
        self.value_out = nn.Linear(128, 1)

    def forward(self, planes: Tensor) -> tuple[Outputs, Tensor, Tensor | None]:
        x = self.blocks(F.relu(self.stem(planes)))
        p = F.relu(self.policy_conv(x)).flatten(1)
        v = F.relu(self.value_conv(x)).flatten(1)
        v = self.value_out(F.relu(self.value_hidden(v)))
        return (
            {"policy": F.log_softmax(self.policy_dense(p), dim=1), "value": torch.tanh(v).squeeze(1)},
            x,
            None,
        )


class ResidualBlock(nn.Module):
    """conv-BN-ReLU-conv-BN, add, ReLU; a 1x1 shortcut where the widths differ."""

    def __init__(self, inputs: int, channels: int) -> None:
        super().__init__()
        self.first = ConvNorm(inputs, channels, 3)
        self.second = ConvNorm(channels, channels, 3)
        self.shortcut = nn.Identity() if inputs == channels else ConvNorm(inputs, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.second(F.relu(self.first(x)))
        return F.relu(y + self.shortcut(x))


class ConvNorm(nn.Module):
    """A convolution without bias that keeps the size, and its batch norm."""

    def __init__(self, inputs: int, outputs: int, kernel: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.norm(self.conv(x))
        return y
