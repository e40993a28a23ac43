"""A network, its own input planes and a logger in one file:

    tengen train quick --import examples/pebble_net.py --log table \
        --set 'network={kind="pebble", encoding="own-view", channels=16}'
"""

from __future__ import annotations

from pathlib import Path

import torch

import tengen
from tengen.nets.body import Options, Prediction


class PebbleOptions(Options):
    channels: int = 16


@tengen.network("pebble")
class PebbleNet(torch.nn.Module):
    """Two convolutions; policy and value are read off their channels."""

    size_free, encodings, options = True, ("shapes",), PebbleOptions

    def __init__(self, planes: int, width: int, height: int, options: PebbleOptions) -> None:
        super().__init__()
        self.features = options.channels
        self.conv1 = torch.nn.Conv2d(planes, options.channels, 3, padding=1)
        self.conv2 = torch.nn.Conv2d(options.channels, options.channels, 3, padding=1)

    def forward(self, planes: torch.Tensor) -> Prediction:
        x = torch.relu(self.conv2(torch.relu(self.conv1(planes))))
        return Prediction(x[:, 0].flatten(1), torch.tanh(x[:, 1].mean(dim=(1, 2))), x, planes[:, :1])


@tengen.encoding("own-view")
class OwnView(torch.nn.Module):
    """The planes of `shapes` up to the maps of one's own shapes, without the maps of the opponent's."""

    base, planes = "shapes", 10

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        return planes[:, :10]


@tengen.logger("table")
class Table:
    """Appends one line per iteration to RUN/table.txt."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "table.txt"

    def write(self, iteration: int, metrics: dict[str, float]) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.write(f"{iteration} {metrics.get('games', 0):.0f} {metrics.get('loss', float('nan')):.4f}\n")
