"""One gradient step, the same for every method."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def descend(loss: Tensor, network: nn.Module, optimizer: torch.optim.Optimizer, clip: float | None = None) -> float:
    """A step down the gradient of `loss`, whose norm is cut to `clip`; returns the norm it had, 0 without a clip."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    norm = 0.0 if clip is None else float(torch.nn.utils.clip_grad_norm_(network.parameters(), clip))
    optimizer.step()
    return norm
