"""Games on a real Ray cluster: the same games as here, a lost node costs only time, a new one helps at once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="the extra `cluster` is not installed")
pytest.importorskip("torch")

from ray.cluster_utils import Cluster  # noqa: E402

from tengen.inference.search_options import SearchOptions  # noqa: E402
from tengen.nets.network import NetworkSpec, build_network  # noqa: E402
from tengen.nets.onnx import export_onnx  # noqa: E402
from tengen.rules import Variant  # noqa: E402
from tengen.training.alphazero.config import check_config  # noqa: E402
from tengen.training.alphazero.selfplay import SelfPlayTask, play_games  # noqa: E402
from tengen.training.alphazero.trainer import AlphaZeroTrainer  # noqa: E402
from tengen.training.dqn.trainer import DqnTrainer  # noqa: E402
from tengen.training.methods import checked  # noqa: E402
from tengen.training.ppo.trainer import PpoTrainer  # noqa: E402
from tengen.training.run.logs import NoLog  # noqa: E402
from tengen.training.run.workers import InlineWorkers, RayWorkers, make_workers  # noqa: E402
from tests.training.run.test_parts import RUNS, WEIGHTS, learned  # noqa: E402

OPTIONS = asdict(SearchOptions(sims=8, opening_moves_max=3))
AHEAD = {
    "board": {"width": 6, "height": 6, "k": 4}, "network": {"blocks": 1, "channels": 8},
    "selfplay": {"games": 4, "slots": 2, "sims_first": 4, "sims_last": 4, "lag": 1},
    "learn": {"batch": 16, "max_steps": 2, "threads": 1},
}  # fmt: skip
TRAINERS: dict[str, Any] = {"ppo": PpoTrainer, "dqn": DqnTrainer}
TASKS = [SelfPlayTask(Variant(6, k=4), "shapes", 4, 4, seed, OPTIONS) for seed in range(6)]


@pytest.fixture(scope="module")
def model() -> bytes:
    return export_onnx(build_network(NetworkSpec("tengen", "shapes", 6, 6, {"blocks": 1, "channels": 8})))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    # Two loopback addresses stand for two machines; Ray would replace 127.0.0.1 by an outer address.
    head = {"num_cpus": 1, "include_dashboard": False, "node_ip_address": "127.0.0.2"}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.add_node(num_cpus=1, node_ip_address="127.0.0.3")
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def workers(cluster: Any) -> RayWorkers:
    made = make_workers("ray", cluster.address)
    assert isinstance(made, RayWorkers) and made.count == 2
    return made


@pytest.fixture(scope="module")
def expected(model: bytes) -> dict[int, Any]:
    return dict(InlineWorkers().map(play_games, model, TASKS))


def moves(results: dict[int, Any]) -> dict[int, list[list[int]]]:
    return {index: [game.moves.tolist() for game in result.games] for index, result in results.items()}


def test_no_cluster_at_the_address_is_one_line() -> None:
    with pytest.raises(ValueError, match=r"cannot reach a Ray cluster at '127\.0\.0\.1:1'") as error:
        RayWorkers("127.0.0.1:1")
    assert "\n" not in str(error.value)


def test_two_nodes_play_the_same_games(workers: RayWorkers, model: bytes, expected: dict[int, Any]) -> None:
    played = dict(workers.map(play_games, model, TASKS))
    assert moves(played) == moves(expected)
    for index, result in played.items():
        for a, b in zip(result.games, expected[index].games, strict=True):
            assert np.array_equal(a.policies, b.policies)


def alive() -> set[str]:
    return {node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}


def test_a_lost_node_costs_only_its_unfinished_games_and_a_new_one_joins(
    cluster: Any, workers: RayWorkers, model: bytes, expected: dict[int, Any]
) -> None:
    results: dict[int, Any] = {}
    for index, result in workers.map(play_games, model, TASKS):
        if not results:
            (second,) = cluster.worker_nodes
            cluster.remove_node(second, allow_graceful=False)
            cluster.add_node(num_cpus=1, node_ip_address="127.0.0.4")
        results[index] = result
    assert moves(results) == moves(expected)
    deadline = time.monotonic() + 30  # Ray hears of a node's end a while after its tasks have been taken over
    while alive() != {"127.0.0.2", "127.0.0.4"}:
        assert time.monotonic() < deadline, alive()
        time.sleep(0.1)


def test_actors_play_on_while_the_network_learns(workers: RayWorkers, tmp_path: Path) -> None:
    """The learner takes what is there; no game is more than an iteration behind."""
    (tmp_path / "games").mkdir()
    trainer = AlphaZeroTrainer(check_config(AHEAD, "test"), tmp_path, workers, NoLog())
    rows = [trainer.iterate() for _ in range(3)]
    assert max(row["lag_max"] for row in rows) == 1 and rows[-1]["games"] >= 12


@pytest.mark.parametrize("method", RUNS)
def test_the_other_methods_play_there_too_while_nodes_come_and_go(
    method: str, cluster: Any, workers: RayWorkers, tmp_path: Path
) -> None:
    """The first iteration loses a node in the middle of its games; the others have a new one. What is learned is the
    same as here."""
    _, expected = learned(method, tmp_path / "here", "1")
    trainer = TRAINERS[method](checked({"method": method} | RUNS[method], "test"), NoLog(), workers)
    (second,) = cluster.worker_nodes
    with ThreadPoolExecutor(1) as player:
        first = player.submit(trainer.iterate)
        cluster.remove_node(second, allow_graceful=False)
        cluster.add_node(num_cpus=1, node_ip_address=f"127.0.0.{5 + list(RUNS).index(method)}")
        rows = [first.result(), trainer.iterate(), trainer.iterate()]
    trainer.save(tmp_path)
    assert (tmp_path / WEIGHTS[method]).read_bytes() == expected
    assert all(row["workers_cpu_seconds"] > 0 for row in rows)
