"""`base`: the convolutional network of Liu & Qiu (2025). Its heads are sized to one board."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional as F

from tengen.nets.body import Options, Prediction, dense_heads


class BaseOptions(Options):
    value_hidden: int = Field(64, ge=4, description="units of the dense layer of the value head")


class BaseNet(nn.Module):
    """3x3 convolutions 32-64-128; a 4-channel policy head and a 2-channel value head with one dense layer each."""

    size_free: ClassVar[bool] = False
    encodings: ClassVar[tuple[str, ...]] = ("stones", "shapes")
    options: ClassVar[type[Options]] = BaseOptions

    def __init__(self, planes: int, width: int, height: int, options: BaseOptions = BaseOptions()) -> None:  # noqa: B008
        super().__init__()
        self.trunk = BaseTrunk(planes)
        self.features = self.trunk.features
        cells = width * height
        self.policy_conv = nn.Conv2d(self.features, 4, 1)
        self.policy_dense = nn.Linear(4 * cells, cells)
        self.value_conv = nn.Conv2d(self.features, 2, 1)
        self.value_hidden = nn.Linear(2 * cells, options.value_hidden)
        self.value_out = nn.Linear(options.value_hidden, 1)

    def forward(self, planes: Tensor) -> Prediction:
        return dense_heads(
            self.trunk(planes), self.policy_conv, self.policy_dense, self.value_conv, self.value_hidden, self.value_out
        )


class BaseTrunk(nn.Module):
    """The three convolutions, also the trunk of a distillation teacher."""

    features = 128

    def __init__(self, planes: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(planes, 32, 3, padding=1)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.conv3 = nn.Conv2d(64, self.features, 3, padding=1)

    def forward(self, planes: Tensor) -> Tensor:
        x = F.relu(self.conv1(planes))
        x = F.relu(self.conv2(x))
        return F.relu(self.conv3(x))
