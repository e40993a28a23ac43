"""The AlphaZero player: honest about limits, exact where shapes decide, the same for the same seed."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tengen import Board, Limit, create
from tengen.inference.lines import LineShape, to_bytes
from tengen.inference.models import Model, ModelError, model_from_bytes
from tengen.players.alphazero import AlphaZeroPlayer, PlayOptions
from tengen.players.base import Analyser, Player
from tengen.rules import Variant
from tests.helpers.lines import random_tensors
from tests.helpers.networks import write_network


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def free_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_network(tmp_path_factory.mktemp("models"), "free", encoding="shapes", size_free=True)


def test_is_agent_and_analyser_and_leaves_the_board_alone(model: Path) -> None:
    agent = create(f"alphazero:model={model},sims=50")
    assert isinstance(agent, Player) and isinstance(agent, Analyser)
    board = Board.from_text("d4e5d5", Variant(7))
    key, moves = board.key, board.moves
    decision = agent.choose(board, Limit())
    assert (board.key, board.moves) == (key, moves)
    assert board.is_legal(decision.move)
    assert decision.nodes == 50
    assert decision.policy is not None and sum(decision.policy.values()) == pytest.approx(1, abs=1e-4)
    assert decision.pv[0] == decision.move


@pytest.mark.parametrize("options", ["", ",gumbel=on", ",solver=off", ",symmetry=on", ",formula=printed", ",batch=8"])
def test_same_seed_same_move(model: Path, options: str) -> None:
    board = Board.from_text("d4e5", Variant(7))
    first, second = (create(f"alphazero:model={model},sims=64,seed=3{options}") for _ in range(2))
    a = first.choose(board, Limit(nodes=64))
    assert a == second.choose(board, Limit(nodes=64))
    assert a == first.choose(board, Limit(nodes=64))
    assert a.nodes == 64


@pytest.mark.parametrize(("solver", "sims"), [("on", 100), ("off", 8000)])
def test_wins_now_and_blocks(model: Path, solver: str, sims: int) -> None:
    agent = create(f"alphazero:model={model},sims={sims},solver={solver}")
    four = Board.from_text("a1a7b1b7c1c7d1d7", Variant(7))
    win = agent.choose(four, Limit())
    assert (four.name(win.move), win.value) == ("e1", 1.0)
    block = Board.from_text("a1a7b1b7c1c7d1", Variant(7))
    assert block.name(agent.choose(block, Limit()).move) == "e1"


def test_an_open_four_ends_the_search_at_once(model: Path) -> None:
    board = Board.from_text("c3a7d3g7e3a1", Variant(7))
    decision = create(f"alphazero:model={model},sims=1000").choose(board, Limit())
    assert board.name(decision.move) in {"b3", "f3"}
    assert (decision.value, decision.nodes) == (1.0, 0)


def test_time_limit_and_stop(model: Path) -> None:
    board = Board.from_text("d4", Variant(7))
    agent = create(f"alphazero:model={model},sims=0")
    start = time.perf_counter()
    assert agent.choose(board, Limit(seconds=0.3)).nodes > 50
    assert time.perf_counter() - start < 1.5
    threading.Timer(0.2, agent.stop).start()  # type: ignore[attr-defined]
    start = time.perf_counter()
    assert board.is_legal(agent.choose(board, Limit(seconds=30)).move)
    assert time.perf_counter() - start < 5


def test_analysis_streams_and_can_be_closed(model: Path) -> None:
    agent = create(f"alphazero:model={model},sims=0")
    assert isinstance(agent, Analyser)
    snapshots = agent.analyse(Board.from_text("d4", Variant(7)), Limit())
    first, second = next(snapshots), next(snapshots)
    snapshots.close()  # type: ignore[attr-defined]
    assert second.nodes > first.nodes > 0
    best = second.candidates[0]
    assert best.visits == max(c.visits for c in second.candidates)
    assert best.pv[0] == best.move and best.prior is not None
    assert -1 <= best.value <= 1


def test_tree_reuse_plays_on_and_survives_other_boards(model: Path) -> None:
    agent = create(f"alphazero:model={model},sims=100,reuse=on")
    board = Board(Variant(7))
    for _ in range(6):
        board.play(agent.choose(board, Limit()).move)
    other = Board.from_text("a1b2", Variant(7))
    assert other.is_legal(agent.choose(other, Limit()).move)
    assert board.outcome() or board.is_legal(agent.choose(board, Limit()).move)


def test_temperature_gives_variety_by_seed(model: Path) -> None:
    board = Board(Variant(7))
    spec = f"alphazero:model={model},sims=100,temperature_moves=2"
    moves = [create(spec, seed=seed).choose(board, Limit()).move for seed in range(8)]
    assert len(set(moves)) > 1
    assert create(spec, seed=5).choose(board, Limit()).move == moves[5]


def test_size_free_model_plays_every_board(free_model: Path) -> None:
    agent = create(f"alphazero:model={free_model},sims=30")
    for size in (6, 9, 15):
        board = Board(Variant(size))
        assert board.is_legal(agent.choose(board, Limit()).move)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("alphazero:model=nobody", "unknown model 'nobody'"),
        ("alphazero:model=nowhere.onnx", "no model file"),
        ("alphazero:model={model},sims=-1", "sims=-1"),
        ("alphazero:model={model},batch=0", "batch=0"),
    ],
)
def test_bad_specs(model: Path, spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        create(spec.format(model=model))


def test_wrong_board_is_refused(model: Path) -> None:
    agent = create(f"alphazero:model={model}")
    for board, words in [
        (Board(Variant(9)), "plays 7x7"),
        (Board(Variant(7, k=4)), "5 in a row"),
        (Board(Variant(7, rule="renju")), "freestyle"),
    ]:
        with pytest.raises(ValueError, match=words):
            agent.choose(board, Limit())


def test_formula_must_exist(model: Path) -> None:
    with pytest.raises(ValueError, match="formula=ucb is not supported"):
        create(f"alphazero:model={model},formula=ucb").choose(Board(Variant(7)), Limit())


class Even:
    """A network that answers at once and prefers nothing."""

    def run(self, planes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((len(planes), planes.shape[2] * planes.shape[3]), np.float32), np.zeros(len(planes), np.float32)


@pytest.fixture(scope="module")
def line_bytes() -> bytes:
    shape = LineShape(5, "freestyle", 16, 16)
    return to_bytes(shape, shape.flat(random_tensors(shape)))


def line_model(data: bytes, search: object) -> Model:
    card = {"name": "n", "encoding": "lines", "width": 15, "height": 15, "k": 5, "rule": "freestyle", "search": search}
    return model_from_bytes(data, card, ".safetensors")


def test_the_card_says_how_flat_the_policy_is_taken(line_bytes: bytes) -> None:
    board = Board(Variant(15), [112, 113, 97])
    top = []
    for temperature in (1.0, 3.0):
        player = AlphaZeroPlayer.from_model(line_model(line_bytes, {"policy_temperature": temperature}))
        *_, last = player.analyse(board, Limit(nodes=30))
        top.append(max(c.prior for c in last.candidates if c.prior is not None))
    assert top[1] < top[0] < 3 * top[1]


@pytest.mark.parametrize(
    "search", [{"policy_temperature": "hot"}, {"policy_temperature": 0}, {"policy_temperature": True}, 5]
)
def test_a_wrong_temperature_in_a_card_is_refused(line_bytes: bytes, search: object) -> None:
    with pytest.raises(ModelError, match=r"search\.policy_temperature must be 0\.1 to 10"):
        AlphaZeroPlayer.from_model(line_model(line_bytes, search))


def test_a_full_tree_ends_the_search() -> None:
    board = Board(Variant(15))
    player = AlphaZeroPlayer.with_network(Even(), "stones", play=PlayOptions(sims=1_000_000, batch=64, memory_mb=2))
    assert 0 < player.choose(board, Limit()).nodes < 100_000
