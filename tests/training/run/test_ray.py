"""Self-play on a real Ray cluster of two nodes: the same games as here, and a lost node costs nothing but time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
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
from tengen.training.alphazero.selfplay import SelfPlayTask, play_games  # noqa: E402
from tengen.training.run.workers import InlineWorkers, RayWorkers, make_workers  # noqa: E402

OPTIONS = asdict(SearchOptions(sims=8, opening_moves_max=3))
TASKS = [SelfPlayTask(Variant(6, k=4), "shapes", 4, 4, seed, OPTIONS) for seed in range(6)]


@pytest.fixture(scope="module")
def model() -> bytes:
    return export_onnx(build_network(NetworkSpec("tengen", "shapes", 6, 6, {"blocks": 1, "channels": 8})))


@pytest.fixture
def cluster() -> Iterator[Any]:
    # Two loopback addresses stand for two machines; Ray would replace 127.0.0.1 by an outer address.
    head = {"num_cpus": 1, "include_dashboard": False, "node_ip_address": "127.0.0.2"}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.add_node(num_cpus=1, node_ip_address="127.0.0.3")
    yield made
    ray.shutdown()
    made.shutdown()


def moves(results: dict[int, Any]) -> dict[int, list[list[int]]]:
    return {index: [game.moves.tolist() for game in result.games] for index, result in results.items()}


def test_two_nodes_play_the_same_games(cluster: Any, model: bytes) -> None:
    workers = make_workers("ray", cluster.address)
    assert isinstance(workers, RayWorkers) and workers.count == 2
    played = dict(workers.map(play_games, model, TASKS))
    expected = dict(InlineWorkers().map(play_games, model, TASKS))
    assert moves(played) == moves(expected)
    for index, result in played.items():
        for a, b in zip(result.games, expected[index].games, strict=True):
            assert np.array_equal(a.policies, b.policies)
    workers.close()


def test_a_lost_node_costs_only_its_unfinished_games(cluster: Any, model: bytes) -> None:
    workers = RayWorkers(cluster.address)
    results: dict[int, Any] = {}
    for index, result in workers.map(play_games, model, TASKS):
        if not results:
            (second,) = cluster.worker_nodes
            cluster.remove_node(second, allow_graceful=False)
        results[index] = result
    assert moves(results) == moves(dict(InlineWorkers().map(play_games, model, TASKS)))
    workers.close()


def test_no_cluster_at_the_address_is_one_line() -> None:
    with pytest.raises(ValueError, match=r"cannot reach a Ray cluster at '127\.0\.0\.1:1'") as error:
        RayWorkers("127.0.0.1:1")
    assert "\n" not in str(error.value)
