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
    body: Literal["conv", "pooled", "dense"] = "conv"
    channels: tuple[int, int, int] = (64, 128, 128)
    dueling: bool = False
    noisy: bool = False
    atoms: int = 1
    """1: a plain value a cell; more: a distribution over [low, high]."""
    low: float = -10.0
    high: float = 10.0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class QNet(nn.Module):
    """`forward` gives Q [B, A]; `logits` the distribution [B, A, atoms] of a distributional network."""

    support: Tensor

    def __init__(self, spec: QNetSpec) -> None:
        super().__init__()
        self.spec = spec
        cells = spec.width * spec.height
        self.body, features = _BODIES[spec.body](spec)
        dense = NoisyLinear if spec.noisy else nn.Linear
        self.advantage = dense(features, cells * spec.atoms)
        self.state_value = dense(features, spec.atoms) if spec.dueling else None
        self.register_buffer("support", torch.linspace(spec.low, spec.high, spec.atoms))

    def logits(self, planes: Tensor) -> Tensor:
        return self.heads(self.body(planes))

    def heads(self, features: Tensor) -> Tensor:
        out: Tensor = self.advantage(features).view(-1, self.spec.width * self.spec.height, self.spec.atoms)
        if self.state_value is None:
            return out
        value: Tensor = self.state_value(features)
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


def _conv(spec: QNetSpec) -> tuple[nn.Module, int]:
    a, b, c = spec.channels
    layers = [*_conv_block(2, a, 5), *_conv_block(a, b, 3), *_conv_block(b, c, 3), nn.Flatten()]
    return nn.Sequential(*layers), c * spec.width * spec.height


def _pooled(spec: QNetSpec) -> tuple[nn.Module, int]:
    a, b, c = spec.channels
    layers = [
        *_conv_block(2, a, 5), *_conv_block(a, b, 3), nn.MaxPool2d(2), *_conv_block(b, c, 3), nn.Flatten(),
    ]  # fmt: skip
    return nn.Sequential(*layers), c * (spec.width // 2) * (spec.height // 2)


def _dense(spec: QNetSpec) -> tuple[nn.Module, int]:
    layers = [nn.Flatten(), nn.Linear(2 * spec.width * spec.height, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU()]
    return nn.Sequential(*layers), 512


_BODIES = {"conv": _conv, "pooled": _pooled, "dense": _dense}
