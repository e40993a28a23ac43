"""The distillation teacher of the 9x9 research report: a network that learns to count shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor
from torch.nn import functional as F

from tengen.errors import TengenError
from tengen.files import write_atomic
from tengen.nets.teacher import TeacherNet
from tengen.training.knowledge.config import TeacherConfig
from tengen.training.knowledge.features import Features
from tengen.training.run.gradient import descend
from tengen.training.run.tensors import read_tensors, state_tensors
from tengen.training.samples.planes import QUARTER_TURNS, turned

HELD_OUT = 10
"""Every tenth game is kept for the test."""


def train_teacher(
    features: Features, config: TeacherConfig, seed: int, bfloat16: bool = False
) -> tuple[TeacherNet, float]:
    """A teacher, and the share of the counts' variance it explains in games it has not seen."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 7])
    height, width = features.planes.shape[2:]
    network = TeacherNet(width, height).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.Adam(network.parameters(), lr=config.rate)
    seen = np.flatnonzero(features.games % HELD_OUT != 0)
    if not len(seen):
        raise TengenError("a teacher needs at least two games to learn from")
    for step in range(config.steps):
        for group in optimizer.param_groups:
            group["lr"] = config.rate * (1 - step / config.steps)
        rows = rng.choice(seen, config.batch)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            said = network(_turned(features.planes[rows], rng))
        descend(F.mse_loss(said.float(), _floats(features.counts[rows])), network, optimizer)
    return network.eval().requires_grad_(False), explained(network, features)


def _turned(planes: np.ndarray, rng: np.random.Generator) -> Tensor:
    """The batch under one random symmetry of its board; counts do not change by it."""
    quarter = 1 if planes.shape[2] == planes.shape[3] else 2
    turns, mirrored = quarter * int(rng.integers(4)) % 4, int(rng.integers(2))
    return _floats(turned(planes, QUARTER_TURNS[4 * mirrored + turns])).contiguous(memory_format=torch.channels_last)


def _floats(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array.astype(np.float32))


def explained(network: TeacherNet, features: Features) -> float:
    """1 knows all counts of the held-out games, 0 no more than their means."""
    rows = np.flatnonzero(features.games % HELD_OUT == 0)
    with torch.no_grad():
        said = torch.cat(
            [network(_floats(features.planes[part])) for part in np.array_split(rows, len(rows) // 512 + 1)]
        )
    true = _floats(features.counts[rows])
    return float(1 - F.mse_loss(said, true) / true.var(dim=0, correction=0).mean().clamp_min(1e-6))


def save_teacher(path: Path, network: TeacherNet) -> None:
    write_atomic(path, save(state_tensors(network)))


def load_teacher(path: Path, width: int, height: int) -> TeacherNet:
    network = TeacherNet(width, height)
    network.load_state_dict(read_tensors(path, network.state_dict()))
    return network.eval().requires_grad_(False)
