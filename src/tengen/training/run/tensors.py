"""Weights and optimiser state as safetensors: no pickle, and no file of another network passes unnoticed."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from tengen.errors import TengenError


def state_tensors(network: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.cpu().contiguous() for name, tensor in network.state_dict().items()}


def read_tensors(path: Path, like: dict[str, Tensor] | None = None) -> dict[str, Tensor]:
    """The tensors of a safetensors file; they must have the names and shapes of `like`."""
    try:
        tensors: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise TengenError(f"{path} is not a safetensors file: {error}") from None
    if like is not None and {n: t.shape for n, t in tensors.items()} != {n: t.shape for n, t in like.items()}:
        raise TengenError(f"{path} holds weights of another network or another board")
    return tensors


def optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    state = optimizer.state_dict()["state"]
    flat = {f"{i}.{key}": torch.as_tensor(t).cpu().contiguous() for i, part in state.items() for key, t in part.items()}
    return flat or {"empty": torch.zeros(1)}


def load_optimizer(optimizer: torch.optim.Optimizer, path: Path) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in read_tensors(path).items():
        index, dot, key = name.partition(".")
        if dot:
            state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
