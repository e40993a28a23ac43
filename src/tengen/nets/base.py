"""`base`: the small convolutional network of the 2025 journal paper. Heads are sized to one board."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

Outputs = dict[str, Tensor]
"""`policy` [B, A] log-probabilities or logits, `value` [B] for the side to move, and a tensor a further head."""


class BaseNet(nn.Module):
    """3x3 convolutions 32-64-128; a 4-channel policy head and a 2-channel value head with one dense layer each."""

    size_free = False

    def __init__(self, planes: int, width: int, height: int, value_hidden: int = 64) -> None:
        super().__init__()
        self.trunk = BaseTrunk(planes)
        self.features = self.trunk.features
        cells = width * height
        self.policy_conv = nn.Conv2d(self.features, 4, 1)
        self.policy_dense = nn.Linear(4 * cells, cells)
        self.value_conv = nn.Conv2d(self.features, 2, 1)
        self.value_hidden = nn.Linear(2 * cells, value_hidden)
        self.value_out = nn.Linear(value_hidden, 1)

    def forward(self, planes: Tensor) -> tuple[Outputs, Tensor, Tensor | None]:
        """Outputs, the trunk's features [B, F, H, W] for further heads, and a mask (none: one board only)."""
        x = self.trunk(planes)
        p = F.relu(self.policy_conv(x)).flatten(1)
        v = F.relu(self.value_conv(x)).flatten(1)
        v = self.value_out(F.relu(self.value_hidden(v)))
        return (
            {"policy": F.log_softmax(self.policy_dense(p), dim=1), "value": torch.tanh(v).squeeze(1)},
            x,
            None,
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
