"""Masked proximal policy optimisation (Schulman et al. 2017): roll out, estimate advantages, take clipped steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load
from torch import Tensor
from torch.nn import functional as F

from tengen.envs.vector import EnvConfig, StepResult, VectorEnv
from tengen.nets.network import NetworkSpec, PolicyValueNetwork, build_network
from tengen.training.ppo.config import PpoLearnConfig, RolloutConfig
from tengen.training.run.gradient import descend
from tengen.training.run.loop import Metrics
from tengen.training.samples.planes import symmetry_maps

ILLEGAL = -1e9


@dataclass(frozen=True, slots=True)
class RolloutTask:
    """A part of an iteration's boards, to be played anywhere."""

    env: EnvConfig
    config: RolloutConfig
    boards: int
    seed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rollout:
    """Transitions in one row each, and what became of the games that ended."""

    planes: NDArray[np.float32]  # [M, 2, H, W]
    legal: NDArray[np.bool_]  # [M, cells]
    actions: NDArray[np.int64]  # [M]
    log_chance: NDArray[np.float32]  # [M] of the action when it was drawn
    advantages: NDArray[np.float32]  # [M]
    returns: NDArray[np.float32]  # [M]
    lengths: NDArray[np.int32]
    results: NDArray[np.int8]


def joined(parts: Sequence[Rollout]) -> Rollout:
    return Rollout(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Rollout)))


def play_part(player: tuple[NetworkSpec, bytes, str], task: RolloutTask) -> Rollout:
    """Rolls a part out with the network of these weights on a device."""
    spec, weights, device = player
    network = build_network(spec)
    network.load_state_dict(load(weights))
    rng = np.random.default_rng(task.seed)
    env = VectorEnv(task.boards, task.env, seed=int(rng.integers(2**62)))
    noise = torch.Generator().manual_seed(int(rng.integers(2**31)))
    return roll_out(network.to(device), env, task.config, noise)


def judged(network: PolicyValueNetwork, planes: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
    """Log-policy [B, cells] over legal cells and values [B], in main memory, wherever the network computes. The
    planes are those of the body."""
    said = network.body(planes.to(next(network.parameters()).device))
    return F.log_softmax(said.policy.cpu().masked_fill(~legal, ILLEGAL), dim=1), said.value.cpu()


def roll_out(network: PolicyValueNetwork, env: VectorEnv, config: RolloutConfig, noise: torch.Generator) -> Rollout:
    """Plays `steps` steps on every board; actions are drawn from the policy. With `symmetries` the network sees every
    position rotated or mirrored at random, and learns from it as it saw it: turned afterwards, the chance of an action
    would be compared with that of another position."""
    network.eval()
    steps: list[tuple[Any, ...]] = []
    lengths, results = [], []
    with torch.no_grad():
        for _ in range(config.steps):
            planes, legal = torch.from_numpy(env.observe()), torch.from_numpy(env.mask())
            symmetry = torch.randint(8 if config.symmetries else 1, (env.size,), generator=noise)
            planes, legal, origin = turned(planes, legal, symmetry)
            log_policy, value = judged(network, planes, legal)
            action = torch.multinomial(log_policy.exp(), 1, generator=noise).squeeze(1)
            step = env.step(origin.gather(1, action[:, None]).squeeze(1).numpy())
            done = step.results != StepResult.ONGOING
            chance = log_policy.gather(1, action[:, None]).squeeze(1)
            steps.append((planes, legal, action, chance, value, torch.from_numpy(step.rewards), torch.from_numpy(done)))
            lengths.append(step.lengths[done])
            results.append(step.results[done])
        _, last = judged(network, torch.from_numpy(env.observe()), torch.from_numpy(env.mask()))
    planes, legal, action, chance, value, reward, done = (torch.stack(column) for column in zip(*steps, strict=True))
    advantage = advantages(reward, value, done, last, config)
    columns = (planes, legal, action, chance, advantage, advantage + value)
    rows: list[Any] = [column.flatten(0, 1).numpy() for column in columns]
    return Rollout(*rows, *(np.concatenate(ended) for ended in (lengths, results)))


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
            rows.append(_step(network, optimizer, rollout, order[first : first + config.batch], config))
    return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]} | {"steps": float(len(rows))}


def _step(network: PolicyValueNetwork, optimizer: torch.optim.Optimizer, rollout: Rollout, pick: NDArray[np.intp],
          config: PpoLearnConfig) -> Metrics:  # fmt: skip
    columns = (rollout.planes, rollout.legal, rollout.actions, rollout.log_chance, rollout.advantages, rollout.returns)
    planes, legal, actions, log_chance, advantage, returns = (torch.from_numpy(column[pick]) for column in columns)
    log_policy, value = judged(network, planes, legal)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    change = log_policy.gather(1, actions[:, None]).squeeze(1) - log_chance
    ratio = change.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
    value_loss = F.mse_loss(value, returns.clamp(-1, 1))
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


def turned(planes: Tensor, legal: Tensor, symmetry: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Planes [B, C, H, W] and legal cells [B, cells], each position under its own symmetry [B], and for each turned
    cell the one that it was [B, cells]."""
    maps = torch.from_numpy(symmetry_maps(planes.shape[3], planes.shape[2]))
    origin = torch.argsort(maps, dim=1)[symmetry]
    moved = planes.flatten(2).gather(2, origin[:, None].expand(-1, planes.shape[1], -1))
    return moved.view(planes.shape), legal.gather(1, origin), origin
