"""The Q-networks of the DQN course report, and the heads of the DQN family: dueling, noisy, distributional."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class QNetSpec:
    """All that is needed to build a Q-network again: stored beside every set of weights."""

    width: int
    height: int
    body: Literal["conv", "pooled", "dense", "free"] = "conv"
    channels: tuple[int, int, int] = (64, 128, 128)
    rows: int = 0
    """The stones in a row that win, if the network is shown the rows (`RowMaps`); 0: it sees stones alone."""
    dueling: bool = False
    noisy: bool = False
    atoms: int = 1
    """1: a plain value a cell; more: a distribution over [low, high]."""
    low: float = -10.0
    high: float = 10.0

    @property
    def size_free(self) -> bool:
        """Whether one set of weights plays every board."""
        return self.body == "free"

    @property
    def planes(self) -> int:
        """What the first convolution gets."""
        return 2 + RowMaps.added(self.rows)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class QNet(nn.Module):
    """`forward` gives Q [B, A]; `logits` the distribution [B, A, atoms] of a distributional network."""

    support: Tensor

    def __init__(self, spec: QNetSpec) -> None:
        super().__init__()
        self.spec = spec
        cells = 1 if spec.size_free else spec.width * spec.height
        body, features = _BODIES[spec.body](spec)
        self.body = nn.Sequential(RowMaps(spec.rows), *body) if spec.rows else body
        dense = NoisyLinear if spec.noisy else nn.Linear
        self.advantage = dense(features, cells * spec.atoms)
        self.state_value = dense(features, spec.atoms) if spec.dueling else None
        self.register_buffer("support", torch.linspace(spec.low, spec.high, spec.atoms))

    def logits(self, planes: Tensor) -> Tensor:
        return self.heads(self.body(planes))

    def heads(self, features: Tensor) -> Tensor:
        """Features are [B, F], of a size-free network [B, F, H, W]: each cell is then judged by its own, and the state
        by their mean."""
        if self.spec.size_free:
            features = features.flatten(2).transpose(1, 2)  # [B, cells, F]
        out: Tensor = self.advantage(features).flatten(1).unflatten(1, (-1, self.spec.atoms))
        if self.state_value is None:
            return out
        value: Tensor = self.state_value(features.mean(dim=1) if self.spec.size_free else features)
        return value.unsqueeze(1) + out - out.mean(dim=1, keepdim=True)

    def forward(self, planes: Tensor) -> Tensor:
        return self.expected(self.logits(planes))

    def expected(self, logits: Tensor) -> Tensor:
        """Q [B, A] of what `logits` gave."""
        if self.spec.atoms == 1:
            return logits.squeeze(2)
        return (F.softmax(logits, dim=2) * self.support).sum(dim=2)

    def draw_noise(self, generator: torch.Generator) -> None:
        """New noise for noisy layers; nothing for others."""
        for module in self.modules():
            if isinstance(module, NoisyLinear):
                module.draw(generator)


class RowMaps(nn.Module):
    """Adds maps to planes of own and the opponent's stones: for either side and n = 1 to k - 1, how many rows of k
    cells through each cell hold n of its stones and none of the other's."""

    across: Tensor
    down: Tensor
    falling: Tensor
    rising: Tensor

    def __init__(self, k: int) -> None:
        super().__init__()
        self.k = k
        line = torch.eye(k)
        kernels = {"across": torch.ones(1, k), "down": torch.ones(k, 1), "falling": line, "rising": line.flip(0)}
        for name, kernel in kernels.items():
            self.register_buffer(name, kernel[None, None], persistent=False)

    @staticmethod
    def added(k: int) -> int:
        return 2 * (k - 1) if k else 0

    def forward(self, planes: Tensor) -> Tensor:
        ways = ((self.across, (0, self.k - 1)), (self.down, (self.k - 1, 0)),
                (self.falling, (self.k - 1, self.k - 1)), (self.rising, (self.k - 1, self.k - 1)))  # fmt: skip
        return torch.cat([planes, torch.stack([self._through(planes, *way) for way in ways]).sum(dim=0)], dim=1)

    def _through(self, planes: Tensor, kernel: Tensor, padding: tuple[int, int]) -> Tensor:
        """The maps [B, 2 (k - 1), H, W] of rows that run one way."""
        own, other = F.conv2d(planes[:, :1], kernel), F.conv2d(planes[:, 1:2], kernel)
        kinds = [(side == n) & (rival == 0) for side, rival in ((own, other), (other, own)) for n in range(1, self.k)]
        rows = torch.cat(kinds, dim=1).to(planes.dtype)
        found = F.conv2d(rows.flatten(0, 1).unsqueeze(1), kernel, padding=padding)
        return found.view(-1, len(kinds), found.shape[2], found.shape[3])


class NoisyLinear(nn.Module):
    """A dense layer whose weights carry learned noise, factorised; without noise in evaluation mode."""

    noise_in: Tensor
    noise_out: Tensor

    def __init__(self, inputs: int, outputs: int, sigma: float = 0.5) -> None:
        super().__init__()
        bound = 1 / math.sqrt(inputs)
        self.weight = nn.Parameter(torch.empty(outputs, inputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(outputs).uniform_(-bound, bound))
        self.weight_sigma = nn.Parameter(torch.full((outputs, inputs), sigma * bound))
        self.bias_sigma = nn.Parameter(torch.full((outputs,), sigma * bound))
        self.register_buffer("noise_in", torch.zeros(inputs))
        self.register_buffer("noise_out", torch.zeros(outputs))

    def draw(self, generator: torch.Generator) -> None:
        for noise in (self.noise_in, self.noise_out):
            x = torch.randn(noise.shape, generator=generator)
            noise.copy_(x.sign() * x.abs().sqrt())

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return F.linear(x, self.weight, self.bias)
        noise = torch.outer(self.noise_out, self.noise_in)
        return F.linear(x, self.weight + self.weight_sigma * noise, self.bias + self.bias_sigma * self.noise_out)


def _conv_block(inputs: int, outputs: int, kernel: int) -> list[nn.Module]:
    return [nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2), nn.BatchNorm2d(outputs), nn.ReLU()]


def _conv(spec: QNetSpec) -> tuple[nn.Sequential, int]:
    layers, features = _free(spec)
    return nn.Sequential(*layers, nn.Flatten()), features * spec.width * spec.height


def _free(spec: QNetSpec) -> tuple[nn.Sequential, int]:
    a, b, c = spec.channels
    return nn.Sequential(*_conv_block(spec.planes, a, 5), *_conv_block(a, b, 3), *_conv_block(b, c, 3)), c


def _pooled(spec: QNetSpec) -> tuple[nn.Sequential, int]:
    a, b, c = spec.channels
    layers = [
        *_conv_block(spec.planes, a, 5), *_conv_block(a, b, 3), nn.MaxPool2d(2), *_conv_block(b, c, 3), nn.Flatten(),
    ]  # fmt: skip
    return nn.Sequential(*layers), c * (spec.width // 2) * (spec.height // 2)


def _dense(spec: QNetSpec) -> tuple[nn.Sequential, int]:
    layers = [
        nn.Flatten(),
        nn.Linear(spec.planes * spec.width * spec.height, 512),
        nn.ReLU(),
        nn.Linear(512, 512),
        nn.ReLU(),
    ]
    return nn.Sequential(*layers), 512


_BODIES = {"conv": _conv, "pooled": _pooled, "dense": _dense, "free": _free}
