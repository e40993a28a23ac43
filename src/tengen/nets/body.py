"""What every policy-value network is: a torch module whose class says what it takes and how it can be set."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol

import torch
from pydantic import BaseModel, ConfigDict
from torch import Tensor, nn
from torch.nn import functional as F


class Prediction(NamedTuple):
    """What a network makes of planes [B, C, H, W], for the side to move."""

    policy: Tensor
    """[B, H * W] logits of the cells: their softmax is the policy."""
    value: Tensor
    """[B] in -1 to 1."""
    features: Tensor
    """[B, F, H, W] the trunk's last layer, on which auxiliary heads stand."""
    mask: Tensor | None = None
    """[B, 1, H, W] 1 on the board; only size-free networks have one."""


class Options(BaseModel):
    """The settings of a network; each field has a default and a description. Subclass it beside the network."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Body(Protocol):
    """A network class, one per file: built from its number of planes, the board and its options."""

    size_free: ClassVar[bool]
    """One set of weights plays every board. Plane 0 must then be the mask of the board."""
    encodings: ClassVar[tuple[str, ...]]
    """The encodings it can take; the first is the default."""
    options: ClassVar[type[Options]]
    features: int
    """Channels of `Prediction.features`."""

    def __init__(self, planes: int, width: int, height: int, options: Any = ...) -> None: ...

    def __call__(self, planes: Tensor) -> Prediction: ...


def dense_heads(
    x: Tensor,
    policy_conv: nn.Module,
    policy_dense: nn.Module,
    value_conv: nn.Module,
    value_hidden: nn.Module,
    value_out: nn.Module,
) -> Prediction:
    """Policy and value by dense layers on the features of one board size."""
    p = F.relu(policy_conv(x)).flatten(1)
    v = F.relu(value_conv(x)).flatten(1)
    v = value_out(F.relu(value_hidden(v)))
    return Prediction(F.log_softmax(policy_dense(p), dim=1), torch.tanh(v).squeeze(1), x)
