"""Networks by name, built for a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn

from tengen.errors import TengenError
from tengen.nets.base import BaseNet, Outputs
from tengen.nets.enhanced import EnhancedNet
from tengen.nets.heads import HEADS
from tengen.nets.size_free import TengenNet

PLANES = {"stones": 4, "shapes": 16}
"""Planes of each encoding."""

SIZE_FREE_TRACE = 9
"""Side of the board a size-free network is traced on when it is exported."""


@dataclass(frozen=True)
class NetworkSpec:
    """All that is needed to build a network again: stored beside every set of weights."""

    network: str
    encoding: str
    width: int
    height: int
    options: dict[str, Any] = field(default_factory=dict)
    heads: tuple[str, ...] = ()

    @property
    def planes(self) -> int:
        return PLANES[self.encoding]

    @property
    def size_free(self) -> bool:
        return self.network == "tengen"


class Network(nn.Module):
    """A body with policy and value, and the auxiliary heads on its features."""

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        self.spec = spec
        self.body = NETWORKS[spec.network](spec)
        features: int = self.body.features  # type: ignore[assignment]
        self.heads = nn.ModuleDict(
            {name: HEADS[name](features, spec.width, spec.height, spec.size_free) for name in spec.heads}
        )

    def forward(self, planes: Tensor) -> Outputs:
        outputs: Outputs
        outputs, features, mask = self.body(planes)
        return outputs | {name: head(features, mask) for name, head in self.heads.items()}


def _base(spec: NetworkSpec) -> nn.Module:
    return BaseNet(spec.planes, spec.width, spec.height, **spec.options)


def _enhanced(spec: NetworkSpec) -> nn.Module:
    return EnhancedNet(spec.planes, spec.width, spec.height, **spec.options)


def _tengen(spec: NetworkSpec) -> nn.Module:
    return TengenNet(spec.planes, **spec.options)


NETWORKS: dict[str, Callable[[NetworkSpec], nn.Module]] = {
    "base": _base,
    "enhanced": _enhanced,
    "tengen": _tengen,
}


def build_network(spec: NetworkSpec) -> Network:
    """A fresh network; the weights come from torch's generator, so seed it first."""
    if spec.network not in NETWORKS:
        raise TengenError(f"unknown network '{spec.network}'; choose one of {', '.join(NETWORKS)}")
    if spec.encoding not in PLANES:
        raise TengenError(f"unknown encoding '{spec.encoding}'; choose one of {', '.join(PLANES)}")
    if unknown := [name for name in spec.heads if name not in HEADS]:
        raise TengenError(f"unknown head '{unknown[0]}'; choose one of {', '.join(HEADS)}")
    if spec.size_free and spec.encoding != "shapes":
        raise TengenError("the size-free network 'tengen' needs the mask plane of the encoding 'shapes'")
    return Network(spec)


def count_parameters(network: nn.Module) -> int:
    return sum(p.numel() for p in network.parameters())
