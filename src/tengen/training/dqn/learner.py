"""Deep Q-learning: targets, losses and gradient steps of DQN and its family."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save
from torch import Tensor
from torch.nn import functional as F

from tengen.files import write_atomic
from tengen.nets.qnet import QNet, QNetSpec
from tengen.training.dqn.config import QLearnConfig
from tengen.training.dqn.replay import Replay, Transitions, joined
from tengen.training.run.device import chosen
from tengen.training.run.gradient import descend
from tengen.training.run.tensors import load_optimizer, optimizer_tensors, read_tensors, state_tensors
from tengen.training.samples.planes import QUARTER_TURNS, symmetry_maps, turned

Metrics = dict[str, float]
_NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Source:
    """A memory, and what a batch takes and learns from it."""

    memory: Replay
    count: int
    margin: float = 0.0
    """By how much the moves should lead all others."""
    returns: bool = True
    """Learn also what the moves brought."""


class QLearner:
    """An online network, its target copy, its averaged copy and its optimiser."""

    def __init__(self, spec: QNetSpec, config: QLearnConfig, seed: int) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(seed)
        self.config, self.device = config, chosen(config.device)
        self.online = QNet(spec)
        self.online.to(self.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.target, self.average = _frozen(self.online), _frozen(self.online)
        self.optimizer = torch.optim.AdamW(self.online.parameters(), lr=config.rate, weight_decay=config.decay)
        self.steps = 0

    def values(self, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Q [B, A] of the network that plays for strength."""
        with torch.no_grad():
            q: NDArray[np.float32] = self.playing.eval()(self._tensor(planes)).cpu().numpy()
        return q

    def _tensor(self, array: NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self.device)

    @property
    def playing(self) -> QNet:
        """The network that is measured and exported: the averaged one where weights are averaged."""
        return self.average if self.config.average else self.online

    def learn(self, sources: Sequence[Source], steps: int, spent: float, rng: np.random.Generator) -> Metrics:
        """Gradient steps; `spent` is the used part of the run's budget, for the schedules."""
        noise = torch.Generator().manual_seed(int(rng.integers(2**31)))
        beta = self.config.beta_first + (1 - self.config.beta_first) * min(1.0, spent)
        rate = self.config.rate + ((self.config.rate_last or self.config.rate) - self.config.rate) * min(1.0, spent)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        rows = [self._step(sources, beta, rng, noise) for _ in range(steps)]
        return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]} | {"rate": rate} if rows else {}

    def _step(
        self, sources: Sequence[Source], beta: float, rng: np.random.Generator, noise: torch.Generator
    ) -> Metrics:
        batch = reduce(joined, [source.memory.draw(source.count, rng, beta) for source in sources])
        counts = [source.count for source in sources]
        margin = self._tensor(np.repeat(np.array([source.margin for source in sources], np.float32), counts))
        returns = self._tensor(np.repeat(np.array([source.returns for source in sources], np.float32), counts))
        if self.config.symmetries:
            batch = under_symmetry(batch, QUARTER_TURNS[int(rng.integers(8))])
        self.online.train()
        self.online.draw_noise(noise)
        each, error, mean_q = self._losses(batch, margin, returns)
        loss = (each * self._tensor(batch.weight)).mean()
        norm = descend(loss, self.online, self.optimizer, self.config.clip)
        self.steps += 1
        self._add_to_average()
        if self.steps % self.config.target_every == 0:
            self.target.load_state_dict(self.online.state_dict())
        ends = np.cumsum(counts)
        for source, end in zip(sources, ends, strict=True):
            if source.memory.alpha:
                rows = slice(end - source.count, end)
                source.memory.update(batch.index[rows], error[rows])
        return {"loss": float(loss.detach()), "gradient": norm, "q": mean_q}

    def _add_to_average(self) -> None:
        """Batch norm's moments are averaged like weights; early on the average is young and so follows faster."""
        if not self.config.average:
            return
        share = 1 - min(self.config.average, self.steps / (self.steps + 10))
        with torch.no_grad():
            for mean, new in zip(self.average.state_dict().values(), self.online.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.lerp_(new, share)
                else:
                    mean.copy_(new)

    def _logits(self, net: QNet, planes: Tensor) -> Tensor:
        return logits(net, planes, self.config)

    def _q(self, net: QNet, planes: Tensor) -> Tensor:
        return net.expected(self._logits(net, planes))

    def _losses(self, batch: Transitions, margin: Tensor, returns: Tensor) -> tuple[Tensor, NDArray[np.float32], float]:
        """Loss and error of each transition [B], and the mean Q of what was played."""
        state, action = self._tensor(batch.state).float(), self._tensor(batch.action)
        logits = self._logits(self.online, state)  # [B, A, atoms]
        each, error, mean_q = self._temporal(batch, logits[torch.arange(len(action)), action])
        each, error = each * returns, error * returns.cpu().numpy()
        rows = margin.nonzero().squeeze(1)
        if not len(rows):
            return each, error, mean_q
        q = self.online.expected(logits[rows]).masked_fill(state[rows].sum(dim=1).flatten(1) > 0, _NEVER)
        behind = torch.zeros_like(each).index_add(0, rows, margin_loss(q, action[rows], margin[rows]))
        return each + behind, error + behind.detach().cpu().numpy(), mean_q

    def _temporal(self, batch: Transitions, played: Tensor) -> tuple[Tensor, NDArray[np.float32], float]:
        """The loss of Q-learning for the outputs [B, atoms] of what was played."""
        if self.online.spec.atoms == 1:
            target = self._scalar_target(batch)
            q = played.squeeze(1)
            error = (q.detach() - target).abs()
            return F.smooth_l1_loss(q, target, reduction="none"), error.cpu().numpy(), float(q.detach().mean())
        each = -(self._distribution_target(batch) * F.log_softmax(played, dim=1)).sum(dim=1)
        q = (F.softmax(played.detach(), dim=1) * self.online.support).sum(dim=1)
        return each, each.detach().cpu().numpy(), float(q.mean())

    def _next_action(self, batch: Transitions) -> tuple[Tensor, Tensor]:
        """The next state's best legal action and the next planes. A full board's choice is never used."""
        planes = self._tensor(batch.next_state).float()
        chooser = self.online if self.config.double else self.target
        taken = planes.sum(dim=1).flatten(1) > 0
        was_training = chooser.training
        chooser.eval()
        with torch.no_grad():
            best = self._q(chooser, planes).masked_fill(taken, _NEVER).argmax(dim=1)
        chooser.train(was_training)
        return best, planes

    def _scalar_target(self, batch: Transitions) -> Tensor:
        best, planes = self._next_action(batch)
        with torch.no_grad():
            following: Tensor = self._q(self.target, planes).gather(1, best.unsqueeze(1)).squeeze(1)
        return self._tensor(batch.reward) + self._tensor(batch.discount) * following

    def _distribution_target(self, batch: Transitions) -> Tensor:
        """The next state's distribution, moved by the reward and projected back on the support."""
        best, planes = self._next_action(batch)
        spec, support = self.online.spec, self.online.support
        with torch.no_grad():
            following = F.softmax(self._logits(self.target, planes)[torch.arange(len(best)), best], dim=1)
        reward, discount = self._tensor(batch.reward), self._tensor(batch.discount)
        moved = (reward.unsqueeze(1) + discount.unsqueeze(1) * support).clamp(spec.low, spec.high)
        place = (moved - spec.low) / (spec.high - spec.low) * (spec.atoms - 1)
        below = place.floor().clamp(0, spec.atoms - 2)
        upper_share = place - below
        target = torch.zeros_like(following)
        target.scatter_add_(1, below.long(), following * (1 - upper_share))
        target.scatter_add_(1, below.long() + 1, following * upper_share)
        return target

    def save(self, folder: Path) -> None:
        write_atomic(folder / "online.safetensors", save(state_tensors(self.online)))
        write_atomic(folder / "target.safetensors", save(state_tensors(self.target)))
        if self.config.average:
            write_atomic(folder / "average.safetensors", save(state_tensors(self.average)))
        write_atomic(folder / "optimizer.safetensors", save(optimizer_tensors(self.optimizer)))

    def load(self, folder: Path) -> None:
        self.online.load_state_dict(read_tensors(folder / "online.safetensors", self.online.state_dict()))
        self.target.load_state_dict(read_tensors(folder / "target.safetensors", self.target.state_dict()))
        if self.config.average:
            self.average.load_state_dict(read_tensors(folder / "average.safetensors", self.average.state_dict()))
        load_optimizer(self.optimizer, folder / "optimizer.safetensors")


def logits(net: QNet, planes: Tensor, config: QLearnConfig) -> Tensor:
    """The body may compute in low precision; the heads, which tell values apart, never do."""
    with torch.autocast(planes.device.type, torch.bfloat16, enabled=config.precision == "bfloat16"):
        features: Tensor = net.body(planes.contiguous(memory_format=torch.channels_last))
    return net.heads(features.float())


def exploring_values(
    net: QNet, planes: NDArray[np.float32], noise: torch.Generator, config: QLearnConfig
) -> NDArray[np.float32]:
    """Q [B, A] of a network that explores: noisy layers draw new noise."""
    net.eval()
    if net.spec.noisy:
        net.draw_noise(noise)
        for module in (net.advantage, net.state_value):
            if module is not None:
                module.train()
    with torch.no_grad():
        said = logits(net, torch.from_numpy(planes).to(net.support.device), config)
        q: NDArray[np.float32] = net.expected(said).cpu().numpy()
    return q


def _frozen(net: QNet) -> QNet:
    """A copy that does not learn."""
    return copy.deepcopy(net).requires_grad_(False).eval()


def margin_loss(q: Tensor, action: Tensor, margin: Tensor) -> Tensor:
    """By how much an action fails to lead every other one by its margin, [B]."""
    own = q.gather(1, action.unsqueeze(1))
    return (q + margin.unsqueeze(1)).scatter(1, action.unsqueeze(1), own).amax(dim=1) - own.squeeze(1)


def under_symmetry(batch: Transitions, symmetry: int) -> Transitions:
    """The batch under one of the symmetries of its board."""
    height, width = batch.state.shape[2:]
    image = symmetry_maps(width, height)[symmetry]
    return replace(
        batch,
        state=turned(batch.state, symmetry),
        next_state=turned(batch.next_state, symmetry),
        action=image[batch.action],
    )
