"""`compact`: a few narrow convolutions without batch norm, for small boards and policy-gradient learners."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.nets.body import Options, Prediction, dense_heads


class CompactOptions(Options):
    channels: int = Field(32, ge=4, description="channels of every convolution")
    convolutions: int = Field(3, ge=1, description="3x3 convolutions")


class CompactNet(nn.Module):
    """3x3 convolutions of one width, and the heads of `base`. Its heads are sized to one board."""

    size_free: ClassVar[bool] = False
    encodings: ClassVar[tuple[str, ...]] = ("stones", "two-stones", "shapes")
    options: ClassVar[type[Options]] = CompactOptions

    def __init__(self, planes: int, width: int, height: int, options: CompactOptions = CompactOptions()) -> None:  # noqa: B008
        super().__init__()
        self.features = channels = options.channels
        cells = width * height
        inputs = [planes, *[channels] * (options.convolutions - 1)]
        self.convolutions = nn.ModuleList(nn.Conv2d(count, channels, 3, padding=1) for count in inputs)
        self.policy_conv = nn.Conv2d(channels, 4, 1)
        self.policy_dense = nn.Linear(4 * cells, cells)
        self.value_conv = nn.Conv2d(channels, 2, 1)
        self.value_hidden = nn.Linear(2 * cells, 64)
        self.value_out = nn.Linear(64, 1)

    def forward(self, planes: Tensor) -> Prediction:
        x = planes
        for convolution in self.convolutions:
            x = F.relu(convolution(x))
        return dense_heads(x, self.policy_conv, self.policy_dense, self.value_conv, self.value_hidden, self.value_out)
