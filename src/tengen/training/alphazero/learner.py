"""The learner: gradient steps on the AlphaZero loss, a rate that adapts to KL, averaged weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save
from torch import Tensor
from torch.nn import functional as F

from tengen.files import write_atomic
from tengen.nets.network import NetworkSpec, PolicyValueNetwork, build_network
from tengen.training.alphazero.batches import Batcher, TrainingBatch
from tengen.training.alphazero.config import LearnConfig
from tengen.training.knowledge.targets import TARGETS
from tengen.training.run.device import chosen
from tengen.training.run.gradient import descend
from tengen.training.run.tensors import load_optimizer, optimizer_tensors, read_tensors, state_tensors
from tengen.training.samples.games import TrainingGame
from tengen.training.samples.window import ReplayWindow, Samples

Metrics = dict[str, float]
PROBE = 256
"""Positions on which the policies before and after an update are compared."""
Tick = Callable[[int, int], None]


class Learner:
    """A network, its optimiser and its averaged copy. Random only through the generator it is given."""

    def __init__(self, spec: NetworkSpec, config: LearnConfig, heads: dict[str, float], seed: int) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(seed)
        self.config, self.heads = config, heads
        self.device = chosen(config.device)
        self.network = build_network(spec).to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.average = build_network(spec).requires_grad_(False).eval().to(self.device)
        self.average.load_state_dict(self.network.state_dict())
        self._averaged = _floats(self.average), _floats(self.network)
        self.optimizer = _optimizer(self.network, config)
        self.factor = 1.0
        """The adaptive factor on the learning rate."""
        self.steps = 0

    def learn(self, window: ReplayWindow, batcher: Batcher, steps: int, rate: float, rng: np.random.Generator,
              tick: Tick) -> Metrics:  # fmt: skip
        """Up to `steps` gradient steps in updates of `kl_steps`; the rate adapts after each update."""
        size = min(self.config.batch, max(2, window.samples))
        losses: list[Metrics] = []
        divergences: list[float] = []
        for first in range(0, steps, self.config.kl_steps):
            count = min(self.config.kl_steps, steps - first)
            rows, divergence = self._update(window, batcher, count, size, rate, rng)
            losses += rows
            divergences.append(divergence)
            self._adapt(divergence, self._target(rate))
            tick(first + count, steps)
        return _mean(losses) | {
            "kl": float(np.mean(divergences)) if divergences else 0.0,
            "rate": rate * self.factor,
            "rate_factor": self.factor,
            "steps": float(len(losses)),
            "steps_skipped": float(steps - len(losses)),
            "batch": float(size),
        }

    def _update(self, window: ReplayWindow, batcher: Batcher, steps: int, size: int, rate: float,
                rng: np.random.Generator) -> tuple[list[Metrics], float]:  # fmt: skip
        """`kl_steps` gradient steps. Ends halfway if the KL is far over the target already."""
        probe = batcher.draw(window, min(PROBE, size), rng).planes
        before = self._log_policy(probe)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * self.factor
        rows: list[Metrics] = []
        divergence = 0.0
        for count in (steps // 2, steps - steps // 2):
            rows += [self._step(batcher.draw(window, size, rng)) for _ in range(count)]
            divergence = _divergence(before, self._log_policy(probe))
            if self.config.kl_target and divergence > self.config.kl_stop * self._target(rate):
                break
        return rows, divergence

    def _step(self, batch: TrainingBatch) -> Metrics:
        self.network.train()
        batch = batch.to(self.device)
        planes = batch.planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.config.precision == "bfloat16"):
            outputs: dict[str, Tensor] = self.network(planes)
        loss, parts = self._loss({name: output.float() for name, output in outputs.items()}, batch)
        norm = descend(loss, self.network, self.optimizer, self.config.clip)
        self.steps += 1
        self._average_weights()
        return parts | {"loss": float(loss.detach()), "gradient": norm}

    def _loss(self, outputs: dict[str, Tensor], batch: TrainingBatch) -> tuple[Tensor, Metrics]:
        """(z - v)^2 - pi . log p, with weights, plus the auxiliary losses. L2 is the optimiser's part."""
        log_policy = F.log_softmax(outputs["policy"], dim=1)
        policy = -(batch.policy * log_policy).sum(dim=1).mean()
        value = F.mse_loss(outputs["value"], batch.value)
        loss = self.config.policy_weight * policy + self.config.value_weight * value
        parts = {"loss_policy": float(policy.detach()), "loss_value": float(value.detach())}
        for name, weight in self.heads.items():
            target = TARGETS[name]
            extra = target.loss(outputs[target.output or name], batch.targets[name])
            parts[f"loss_{name}"] = float(extra.detach())
            loss = loss + weight * extra
        return loss, parts | _diagnostics(log_policy, batch)

    def _average_weights(self) -> None:
        """An exponential average; at the start it forgets faster, so that it does not hold the first weights."""
        decay = min(self.config.average, self.steps / (self.steps + 9.0)) if self.config.average else 0.0
        means, new = self._averaged
        with torch.no_grad():
            torch._foreach_lerp_(means, new, 1 - decay)

    def _log_policy(self, planes: Tensor) -> Tensor:
        self.network.eval()
        with torch.no_grad():
            return F.log_softmax(self.network(planes.to(self.device))["policy"], dim=1)

    def surprises(self, game: TrainingGame, batcher: Batcher) -> NDArray[np.float32]:
        """For every row of a game the KL divergence of its search policy from that of the averaged network."""
        rows = np.arange(len(game.policies))
        samples = Samples(game.variant, [game] * len(rows), rows)
        batch = replace(batcher, heads=[]).make(samples, np.zeros(len(rows), np.intp)).to(self.device)
        with torch.no_grad():
            prior = F.log_softmax(self.average(batch.planes)["policy"].float(), dim=1)
        found: NDArray[np.float32] = F.kl_div(prior, batch.policy, reduction="none").sum(dim=1).cpu().numpy()
        return found

    def _target(self, rate: float) -> float:
        """The KL aimed at. It falls with the scheduled rate, or the factor would work against the schedule."""
        return self.config.kl_target * rate / self.config.rate

    def _adapt(self, divergence: float, target: float) -> None:
        """Far over the target: lower the rate. Far under it: raise it."""
        if target and divergence > 2 * target:
            self.factor = max(self.config.factor_min, self.factor / 1.5)
        elif target and divergence < target / 2:
            self.factor = min(self.config.factor_max, self.factor * 1.5)

    def save(self, folder: Path) -> None:
        write_atomic(folder / "network.safetensors", save(state_tensors(self.network)))
        write_atomic(folder / "average.safetensors", save(state_tensors(self.average)))
        write_atomic(folder / "optimizer.safetensors", save(optimizer_tensors(self.optimizer)))

    def load(self, folder: Path) -> None:
        self.network.load_state_dict(read_tensors(folder / "network.safetensors", self.network.state_dict()))
        self.average.load_state_dict(read_tensors(folder / "average.safetensors", self.average.state_dict()))
        load_optimizer(self.optimizer, folder / "optimizer.safetensors")


def _divergence(before: Tensor, after: Tensor) -> float:
    """Mean KL divergence of log-policies [B, A]."""
    return float((before.exp() * (before - after)).sum(dim=1).mean())


def _diagnostics(log_policy: Tensor, batch: TrainingBatch) -> Metrics:
    with torch.no_grad():
        entropy = -(log_policy.exp() * log_policy).sum(dim=1).mean()
        target_entropy = -(batch.policy * batch.policy.clamp_min(1e-9).log()).sum(dim=1).mean()
        top = (log_policy.argmax(dim=1) == batch.policy.argmax(dim=1)).float().mean()
    return {
        "entropy": float(entropy),
        "target_entropy": float(target_entropy),
        "top_move": float(top),
        "value_variance": float(batch.value.var(correction=0)),
    }


def _optimizer(network: PolicyValueNetwork, config: LearnConfig) -> torch.optim.Optimizer:
    parameters = list(network.parameters())
    if config.optimizer == "sgd":
        return torch.optim.SGD(parameters, lr=config.rate, momentum=0.9, nesterov=True, weight_decay=config.l2)
    if config.optimizer == "adamw":
        return torch.optim.AdamW(parameters, lr=config.rate, weight_decay=config.l2, foreach=True)
    return torch.optim.Adam(parameters, lr=config.rate, weight_decay=config.l2, foreach=True)


def _floats(network: PolicyValueNetwork) -> list[Tensor]:
    """Weights and running statistics; the counters of batch norms matter to nobody."""
    return [t for t in (*network.parameters(), *network.buffers()) if t.is_floating_point()]


def _mean(rows: list[Metrics]) -> Metrics:
    """Means over steps. `explained` is taken of the means: in a batch of draws alone it would mean nothing."""
    if not rows:
        return {}
    means = {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}
    return means | {"explained": 1 - means["loss_value"] / max(means.pop("value_variance"), 1e-6)}
