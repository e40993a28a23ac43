"""Masked proximal policy optimisation (Schulman et al. 2017): roll out, estimate advantages, take clipped steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from tengen.envs.vector import StepResult, VectorEnv
from tengen.nets.network import PolicyValueNetwork
from tengen.training.ppo.config import PpoLearnConfig, RolloutConfig
from tengen.training.run.gradient import descend
from tengen.training.run.loop import Metrics
from tengen.training.samples.planes import symmetry_maps

ILLEGAL = -1e9


@dataclass(slots=True)
class Rollout:
    """Transitions in one row each, and what became of the games that ended."""

    planes: Tensor  # [M, 2, H, W]
    legal: Tensor  # [M, cells]
    actions: Tensor  # [M]
    log_chance: Tensor  # [M] of the action when it was drawn
    advantages: Tensor  # [M]
    returns: Tensor  # [M]
    lengths: NDArray[np.int32]
    results: NDArray[np.int8]


def judged(network: PolicyValueNetwork, planes: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
    """Log-policy [B, cells] over legal cells and values [B], in main memory, wherever the network computes. The
    planes are those of the body."""
    said = network.body(planes.to(next(network.parameters()).device))
    return F.log_softmax(said.policy.cpu().masked_fill(~legal, ILLEGAL), dim=1), said.value.cpu()


def roll_out(network: PolicyValueNetwork, env: VectorEnv, config: RolloutConfig, noise: torch.Generator) -> Rollout:
    """Plays `steps` steps on every board; actions are drawn from the policy."""
    network.eval()
    steps: list[tuple[Any, ...]] = []
    lengths, results = [], []
    with torch.no_grad():
        for _ in range(config.steps):
            planes, legal = torch.from_numpy(env.observe()), torch.from_numpy(env.mask())
            log_policy, value = judged(network, planes, legal)
            action = torch.multinomial(log_policy.exp(), 1, generator=noise).squeeze(1)
            step = env.step(action.numpy())
            done = step.results != StepResult.ONGOING
            chance = log_policy.gather(1, action[:, None]).squeeze(1)
            steps.append((planes, legal, action, chance, value, torch.from_numpy(step.rewards), torch.from_numpy(done)))
            lengths.append(step.lengths[done])
            results.append(step.results[done])
        _, last = judged(network, torch.from_numpy(env.observe()), torch.from_numpy(env.mask()))
    planes, legal, action, chance, value, reward, done = (torch.stack(column) for column in zip(*steps, strict=True))
    advantage = advantages(reward, value, done, last, config)
    return Rollout(
        planes.flatten(0, 1), legal.flatten(0, 1), action.flatten(), chance.flatten(), advantage.flatten(),
        (advantage + value).flatten(), np.concatenate(lengths), np.concatenate(results),
    )  # fmt: skip


def advantages(reward: Tensor, value: Tensor, done: Tensor, last: Tensor, config: RolloutConfig) -> Tensor:
    """Generalised advantages [T, N]; a finished game has no next value, as its board begins another."""
    result, running = torch.zeros_like(reward), torch.zeros_like(last)
    ahead = last
    for t in reversed(range(len(reward))):
        goes_on = (~done[t]).float()
        error = reward[t] + config.gamma * ahead * goes_on - value[t]
        running = error + config.gamma * config.trace * goes_on * running
        result[t], ahead = running, value[t]
    return result


def learn(network: PolicyValueNetwork, optimizer: torch.optim.Optimizer, rollout: Rollout, config: PpoLearnConfig,
          rng: np.random.Generator) -> Metrics:  # fmt: skip
    """Some epochs of clipped steps over a rollout."""
    network.train()
    rows: list[Metrics] = []
    for _ in range(config.epochs):
        order = rng.permutation(len(rollout.actions))
        for first in range(0, len(order) - config.batch // 2, config.batch):
            rows.append(_step(network, optimizer, rollout, order[first : first + config.batch], config, rng))
    return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]} | {"steps": float(len(rows))}


def _step(network: PolicyValueNetwork, optimizer: torch.optim.Optimizer, rollout: Rollout, pick: NDArray[np.intp],
          config: PpoLearnConfig, rng: np.random.Generator) -> Metrics:  # fmt: skip
    rows = torch.from_numpy(pick)
    planes, legal, actions = rollout.planes[rows], rollout.legal[rows], rollout.actions[rows]
    if config.symmetries:
        planes, legal, actions = turned(planes, legal, actions, int(rng.integers(8)))
    log_policy, value = judged(network, planes, legal)
    advantage = rollout.advantages[rows]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    change = log_policy.gather(1, actions[:, None]).squeeze(1) - rollout.log_chance[rows]
    ratio = change.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    value_loss = F.mse_loss(value, rollout.returns[rows].clamp(-1, 1))
    entropy = -(log_policy.exp() * log_policy).sum(dim=1).mean()
    loss = policy_loss + config.value_weight * value_loss - config.entropy * entropy
    norm = descend(loss, network, optimizer, config.gradient_clip)
    return {
        "loss": float(loss.detach()),
        "loss_policy": float(policy_loss.detach()),
        "loss_value": float(value_loss.detach()),
        "entropy": float(entropy.detach()),
        "kl": float((ratio.detach() - 1 - change.detach()).mean()),
        "clipped": float(((ratio.detach() - 1).abs() > config.clip).float().mean()),
        "gradient": norm,
    }


def turned(planes: Tensor, legal: Tensor, actions: Tensor, symmetry: int) -> tuple[Tensor, Tensor, Tensor]:
    """Planes [B, C, H, W], legal cells [B, cells] and actions [B] under a symmetry of the square board."""
    image = torch.from_numpy(symmetry_maps(planes.shape[3], planes.shape[2])[symmetry])
    origin = torch.argsort(image)
    moved = planes.flatten(2)[..., origin].view(planes.shape)
    return moved, legal[:, origin], image[actions]
