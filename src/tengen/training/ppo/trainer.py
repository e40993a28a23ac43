"""PPO on the one run loop: play with the policy, learn from what came of it, evaluate without exploration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save

from tengen.envs.episodes import play_each_once
from tengen.envs.vector import Seat, StepResult, VectorEnv
from tengen.files import read_json, write_atomic, write_json
from tengen.nets.network import NetworkSpec, PolicyValueNetwork, build_network, count_parameters
from tengen.nets.onnx import export_onnx
from tengen.training.ppo.config import ENCODING, PpoConfig
from tengen.training.ppo.learner import ILLEGAL, Rollout, RolloutTask, joined, learn, play_part
from tengen.training.run.device import chosen
from tengen.training.run.loop import Budget, Log, Metrics, Trainer
from tengen.training.run.tensors import load_optimizer, optimizer_tensors, read_tensors, state_tensors
from tengen.training.run.workers import Workers, map_in_order, part_workers

_PLAY, _LEARN, _EVALUATE = range(3)
STATE = ("iteration", "games", "transitions", "errors")
"""What a checkpoint keeps beside the weights."""


def network_spec(config: PpoConfig) -> NetworkSpec:
    return NetworkSpec(config.network.kind, ENCODING, config.env.width, config.env.height, config.network.options)


class PpoTrainer:
    """Resumes at iteration borders: unfinished games are dropped, seeds derive from (run seed, iteration)."""

    def __init__(self, config: PpoConfig, log: Log, workers: Workers) -> None:
        torch.set_num_threads(config.learn.threads)
        torch.manual_seed(config.seed)
        self.config, self.workers, self.log = config, workers, log
        self.device = chosen(config.learn.device)
        self.network = build_network(network_spec(config)).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learn.rate, eps=1e-5)
        self.iteration = self.games = self.transitions = 0
        self.errors = max(config.env.errors, config.rollout.easy)
        """How often the opponent errs: often at first, as who never wins learns nothing."""

    def iterate(self) -> Metrics:
        self.iteration += 1
        rate = self._rate()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.log.progress("play", 0, 1)
        played, spent = self._play()
        self.games, self.transitions = self.games + len(played.results), self.transitions + len(played.actions)
        self.log.progress("learn", 0, 1)
        learned = learn(self.network, self.optimizer, played, self.config.learn, self._rng(_LEARN))
        errors, self.errors = self.errors, self._next_errors(_share(played.results, StepResult.WIN))
        return learned | {
            "games": float(self.games),
            "transitions": float(self.transitions),
            "rate": rate,
            "workers_cpu_seconds": spent,
            "opponent_errors": errors,
            "length": float(played.lengths.mean()) if len(played.lengths) else 0.0,
            "train_win": _share(played.results, StepResult.WIN),
            "train_draw": _share(played.results, StepResult.DRAW),
            "train_loss": _share(played.results, StepResult.LOSS),
        }

    def _play(self) -> tuple[Rollout, float]:
        """The rollout of this iteration, and the processor seconds of other processes."""
        rollout = self.config.rollout
        env = self.config.env.model_copy(update={"errors": self.errors})
        seeds = [(self.config.seed, self.iteration, _PLAY, part) for part in range(rollout.parts)]
        boards = [len(own) for own in np.array_split(np.arange(rollout.boards), rollout.parts)]
        tasks = [RolloutTask(env, rollout, count, seed) for count, seed in zip(boards, seeds, strict=True)]
        device = "cpu" if self.workers.count > 1 else str(self.device)
        player = network_spec(self.config), save(state_tensors(self.network)), device
        parts, spent = map_in_order(self.workers, play_part, player, tasks)
        return joined(parts), spent

    def _next_errors(self, won: float) -> float:
        rollout, least = self.config.rollout, self.config.env.errors
        change = rollout.easy_gain * (rollout.easy_wins - won)
        return float(np.clip(self.errors + change, least, max(least, rollout.easy)))

    def evaluate(self) -> Metrics:
        if self.iteration % self.config.evaluate.every:
            return {}
        env, seed = self.config.env, int(self._rng(_EVALUATE).integers(2**62))
        seats: list[Seat] = ["first", "second"] if env.seat == "random" else [env.seat]
        games = -(-self.config.evaluate.games // len(seats))
        found = [play_each_once(VectorEnv(games, env.model_copy(update={"seat": s}), seed), self.best) for s in seats]
        return {f"eval_{key}": float(np.mean([one[key] for one in found])) for key in found[0]}

    def best(self, env: VectorEnv) -> NDArray[np.int64]:
        """The likeliest legal cell of every board."""
        self.network.eval()
        with torch.no_grad():
            policy = self.network.body(torch.from_numpy(env.observe()).to(self.device)).policy.cpu()
        best: NDArray[np.int64] = policy.masked_fill(~torch.from_numpy(env.mask()), ILLEGAL).argmax(dim=1).numpy()
        return best

    def save(self, folder: Path) -> None:
        write_atomic(folder / "network.safetensors", save(state_tensors(self.network)))
        write_atomic(folder / "optimizer.safetensors", save(optimizer_tensors(self.optimizer)))
        write_json(folder / "state.json", {name: getattr(self, name) for name in STATE})

    def load(self, folder: Path) -> None:
        self.network.load_state_dict(read_tensors(folder / "network.safetensors", self.network.state_dict()))
        load_optimizer(self.optimizer, folder / "optimizer.safetensors")
        state: dict[str, Any] = read_json(folder / "state.json")
        for name in STATE:
            setattr(self, name, state[name])

    def _rate(self) -> float:
        """Falls geometrically with what is counted, not with the clock, so that runs repeat."""
        budget, learn = self.config.budget, self.config.learn
        counted = Budget(budget.iterations, games=budget.games)
        spent = min(1.0, counted.spent(self.iteration - 1, {"games": float(self.games)}))
        return float(learn.rate * (learn.rate_last / learn.rate) ** spent)

    def _rng(self, stream: int) -> np.random.Generator:
        return np.random.default_rng((self.config.seed, self.iteration, stream))


def _share(results: NDArray[np.int8], kind: StepResult) -> float:
    return float((results == kind).mean()) if len(results) else 0.0


@contextmanager
def make_trainer(config: PpoConfig, folder: Path, log: Log, workers: str, address: str) -> Iterator[Trainer]:
    hands = part_workers(config.rollout.parts, workers, address)
    try:
        yield PpoTrainer(config, log, hands)
    finally:
        hands.close()


def export_ppo(name: str, config: PpoConfig, checkpoint: Path) -> tuple[bytes, dict[str, Any]]:
    """The network as a model of the player alphazero: `sims=1` plays its policy, more search with it."""
    network: PolicyValueNetwork = build_network(network_spec(config))
    network.load_state_dict(read_tensors(checkpoint / "network.safetensors", network.state_dict()))
    metrics, env, spec = read_json(checkpoint / "metrics.json"), config.env, network.spec
    strength = [
        {"opponent": env.opponent, "win": metrics["eval_win"], "draw": metrics["eval_draw"],
         "loss": metrics["eval_loss"], "games": config.evaluate.games, "seat": env.seat}
    ] if "eval_win" in metrics else []  # fmt: skip
    return export_onnx(network.eval()), {
        "name": name, "method": "ppo", "network": spec.network, "encoding": spec.core_encoding, "size_free": False,
        "width": env.width, "height": env.height, "k": env.k, "rule": str(env.rule),
        "parameters": count_parameters(network.body), "strength": strength,
    }  # fmt: skip
