"""The line network in torch: what cpp/lines computes, for researchers and for tests. docs/lines.md explains it.

Input is what `_core.line_sights` gives for a board, own and with the colours exchanged; weights are those of a model
file (`tengen.inference.lines.read_tensors`). The outputs are those of the core up to the rounding of its integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

FEATURE_UNIT, FEATURE_MAX = 512, 2047
GATE_UNIT, GATE_MAX = 1024, 8191
SUM_SCALE = 16


class LineNet(nn.Module):
    """Move scores [B, A] and values [B] in (-1, 1), for the side to move.

    With `exact` the table and the gate are rounded as the core rounds them; without it gradients flow.
    """

    def __init__(self, tensors: Mapping[str, NDArray[Any]], exact: bool = True) -> None:
        super().__init__()
        self.exact = exact
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(torch.tensor(array, dtype=torch.float32)) for name, array in tensors.items()}
        )

    def forward(self, sights: Tensor, swapped: Tensor, black: Tensor) -> tuple[Tensor, Tensor]:
        """`sights`, `swapped`: window numbers [B, A, 4] of black's view and of white's; `black` [B]: black to move."""
        empty = (sights != 0).any(-1)
        views = [self._features(sights, 0) * empty[..., None], self._features(swapped, -1) * empty[..., None]]
        black_first = torch.cat(views, -1)  # [B, A, 2C]
        white_first = torch.cat(views[::-1], -1)
        x = torch.where(black[:, None, None], black_first, white_first)
        sums = x.sum(1) / SUM_SCALE
        gate, far = self._gate(sums, black)
        scores = torch.where(empty, torch.einsum("bac,bc->ba", x, gate), far[:, None])
        return scores, self._value(sums, black)

    def _features(self, windows: Tensor, view: int) -> Tensor:
        """[B, A, C]; window 0 sees no stone and adds nothing."""
        table, bias = (
            self._rounded(self.weights["table"][view], FEATURE_UNIT),
            self._rounded(self.weights["bias"][view], FEATURE_UNIT),
        )
        rows = table[windows] * (windows != 0)[..., None]
        return (rows.sum(-2) + bias).clamp(0, FEATURE_MAX / FEATURE_UNIT)

    def _head(self, name: str, sums: Tensor, black: Tensor) -> Tensor:
        weight, bias, turn = (self.weights[f"{name}{part}"] for part in ("", "_bias", "_black"))
        return torch.relu(sums @ weight + bias + black[:, None] * turn)

    def _value(self, sums: Tensor, black: Tensor) -> Tensor:
        w = self.weights
        hidden = torch.relu(self._head("value_1", sums, black) @ w["value_2"] + w["value_2_bias"])
        return torch.tanh((hidden @ w["value_3"] + w["value_3_bias"]) / 2)

    def _gate(self, sums: Tensor, black: Tensor) -> tuple[Tensor, Tensor]:
        w = self.weights
        hidden = self._head("gate_1", sums, black)
        gate = (hidden @ w["gate_2"] + w["gate_2_bias"]).clamp(-GATE_MAX / GATE_UNIT, GATE_MAX / GATE_UNIT)
        return self._rounded(gate, GATE_UNIT), hidden @ w["far"] + w["far_bias"]

    def _rounded(self, x: Tensor, unit: int) -> Tensor:
        return torch.round(x * unit) / unit if self.exact else x
