"""The distillation teacher of the 9x9 research report: the small trunk with the six-count head."""

from __future__ import annotations

from torch import Tensor, nn

from tengen.nets.base import BaseTrunk
from tengen.nets.heads import CountsHead

ENCODING = "stones"
PLANES = 4


class TeacherNet(nn.Module):
    """Planes of the encoding `stones` -> own and opponent's open fours, fours and open threes, [B, 6]."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.trunk = BaseTrunk(PLANES)
        self.counts = CountsHead(self.trunk.features, width, height)

    def forward(self, planes: Tensor) -> Tensor:
        counts: Tensor = self.counts(self.trunk(planes), None)
        return counts
