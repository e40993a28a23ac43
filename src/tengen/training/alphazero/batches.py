"""Batches for the learner: planes and targets of samples, rotated and mirrored at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen.nets.teacher import TeacherNet
from tengen.training.knowledge.targets import Context, make_targets
from tengen.training.samples.planes import encode_samples, symmetry_maps
from tengen.training.samples.window import ReplayWindow, Samples


@dataclass(frozen=True, slots=True, eq=False)
class TrainingBatch:
    planes: Tensor  # [B, C, H, W]
    policy: Tensor  # [B, cells]
    value: Tensor  # [B]
    targets: dict[str, Tensor]

    def to(self, device: torch.device) -> TrainingBatch:
        """The same batch on a device."""
        targets = {name: target.to(device) for name, target in self.targets.items()}
        return TrainingBatch(self.planes.to(device), self.policy.to(device), self.value.to(device), targets)


@dataclass(frozen=True, slots=True)
class Batcher:
    """Draws batches for one network. `value_mix` is the fraction of the root value in the value target."""

    encoding: str
    value_mix: float
    symmetries: bool
    heads: list[str]
    teacher: TeacherNet | None = None

    def draw(self, window: ReplayWindow, count: int, rng: np.random.Generator) -> TrainingBatch:
        samples = window.draw(count, rng)
        kinds = len(symmetry_maps(samples.variant.width, samples.variant.height)) if self.symmetries else 1
        return self.make(samples, rng.integers(0, kinds, count))

    def make(self, samples: Samples, symmetries: NDArray[np.intp]) -> TrainingBatch:
        maps = symmetry_maps(samples.variant.width, samples.variant.height)
        context = Context(samples, symmetries, maps, self.teacher)
        return TrainingBatch(
            torch.from_numpy(encode_samples(samples, symmetries, self.encoding)),
            torch.from_numpy(policy_targets(samples, maps[symmetries])),
            torch.from_numpy(value_targets(samples, self.value_mix)),
            make_targets(self.heads, context),
        )


def policy_targets(samples: Samples, maps: NDArray[np.intp]) -> NDArray[np.float32]:
    """Search policies under each sample's symmetry; `maps` [B, cells]. Rows sum to one."""
    policy = np.stack([game.policies[row] for game, row in zip(samples.games, samples.rows, strict=True)])
    turned = np.empty(policy.shape, np.float32)
    np.put_along_axis(turned, maps, policy.astype(np.float32), axis=1)
    turned /= np.maximum(turned.sum(axis=1, keepdims=True), 1e-9)
    return turned


def value_targets(samples: Samples, mix: float) -> NDArray[np.float32]:
    """Result for the side to move, mixed with the root value; a proven position counts as what is proven."""
    targets = np.empty(len(samples), np.float32)
    for i, (game, row) in enumerate(zip(samples.games, samples.rows, strict=True)):
        known = int(game.proven[row])
        targets[i] = known if known else (1 - mix) * game.sign(row) + mix * float(game.values[row])
    return targets
