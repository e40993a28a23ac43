"""`enhanced`: the residual network of the 9x9 research report. Its heads are sized to one board."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.nets.body import Options, Prediction, dense_heads


class EnhancedOptions(Options):
    blocks: int = Field(6, ge=1, description="residual blocks")
    channels: int = Field(128, ge=4, description="channels of the trunk")


class EnhancedNet(nn.Module):
    """3x3 convolution to 128, six residual blocks of 128, heads of a 1x1 convolution and dense layers."""

    size_free: ClassVar[bool] = False
    encodings: ClassVar[tuple[str, ...]] = ("stones", "shapes")
    options: ClassVar[type[Options]] = EnhancedOptions

    def __init__(self, planes: int, width: int, height: int, options: EnhancedOptions = EnhancedOptions()) -> None:  # noqa: B008
        super().__init__()
        self.features = channels = options.channels
        cells = width * height
        self.stem = ConvNorm(planes, channels, 3)
        self.blocks = nn.Sequential(*(ResidualBlock(channels, channels) for _ in range(options.blocks)))
        self.policy_conv = ConvNorm(channels, 4, 1)
        self.policy_dense = nn.Linear(4 * cells, cells)
        self.value_conv = ConvNorm(channels, 2, 1)
        self.value_hidden = nn.Linear(2 * cells, 128)
        self.value_out = nn.Linear(128, 1)

    def forward(self, planes: Tensor) -> Prediction:
        x = self.blocks(F.relu(self.stem(planes)))
        return dense_heads(x, self.policy_conv, self.policy_dense, self.value_conv, self.value_hidden, self.value_out)


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
