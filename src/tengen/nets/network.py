"""A network for one training: a body by name, its auxiliary heads, and the spec that builds it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import ValidationError
from torch import Tensor, nn

from tengen import _core
from tengen.errors import TengenError, explain
from tengen.nets.body import Options, Prediction
from tengen.nets.encodings import core_encoding, derived, encoding_planes
from tengen.nets.heads import HEADS
from tengen.nets.registry import network_class

Outputs = dict[str, Tensor]
"""`policy` [B, A] logits, `value` [B] for the side to move, and a tensor per auxiliary head."""

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
        """Planes the network's body gets."""
        return encoding_planes(self.encoding)

    @property
    def core_encoding(self) -> str:
        """What the core computes for it."""
        return core_encoding(self.encoding)

    @property
    def core_planes(self) -> int:
        return _core.encoding_planes(self.core_encoding)

    @property
    def size_free(self) -> bool:
        return network_class(self.network).size_free


class PolicyValueNetwork(nn.Module):
    """A body with policy and value, and the auxiliary heads on its features."""

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        self.spec = spec
        options = network_options(spec.network, spec.options)
        body, derive = network_class(spec.network), derived(spec.encoding)
        self.derive = cast(nn.Module, derive()) if derive else nn.Identity()
        self.body = cast(nn.Module, body(spec.planes, spec.width, spec.height, options))
        features: int = self.body.features  # type: ignore[assignment]
        self.heads = nn.ModuleDict(
            {name: HEADS[name](features, spec.width, spec.height, spec.size_free) for name in spec.heads}
        )

    def forward(self, planes: Tensor) -> Outputs:
        said: Prediction = self.body(self.derive(planes))
        outputs = {"policy": said.policy, "value": said.value}
        return outputs | {name: head(said.features, said.mask) for name, head in self.heads.items()}


def network_options(name: str, given: dict[str, Any]) -> Options:
    """Options with their defaults filled in. Raises TengenError in one line for what the network does not have."""
    body = network_class(name)
    if unknown := [key for key in given if key not in body.options.model_fields]:
        known = ", ".join(body.options.model_fields) or "none"
        raise TengenError(f"the network '{name}' has no option '{unknown[0]}'; its options: {known}")
    try:
        return body.options.model_validate(given)
    except ValidationError as error:
        raise TengenError(explain(error.errors())) from None


def check_encoding(network: str, encoding: str) -> None:
    """A derived encoding fits every network: it says how many planes it makes."""
    allowed = network_class(network).encodings
    if derived(encoding) is None and encoding not in allowed:
        allowed_text = " or ".join(f"'{name}'" for name in allowed)
        raise TengenError(f"the network '{network}' needs the encoding {allowed_text}, not '{encoding}'")


def build_network(spec: NetworkSpec) -> PolicyValueNetwork:
    """A fresh network; the weights come from torch's generator, so seed it first."""
    check_encoding(spec.network, spec.encoding)
    if unknown := [name for name in spec.heads if name not in HEADS]:
        raise TengenError(f"unknown head '{unknown[0]}'; choose one of {', '.join(HEADS)}")
    return PolicyValueNetwork(spec)


def count_parameters(network: nn.Module) -> int:
    return sum(p.numel() for p in network.parameters())
