"""The learner: targets under every symmetry, the AlphaZero loss, the adaptive rate, averaged weights, state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen import _core  # noqa: E402
from tengen.board import Board  # noqa: E402
from tengen.nets.network import NetworkSpec  # noqa: E402
from tengen.rules import Result, Variant  # noqa: E402
from tengen.training.alphazero.batches import Batcher, policy_targets, value_targets  # noqa: E402
from tengen.training.alphazero.config import LearnConfig  # noqa: E402
from tengen.training.alphazero.learner import Learner, read_tensors  # noqa: E402
from tengen.training.knowledge.targets import TARGETS, Context, Target  # noqa: E402
from tengen.training.samples.games import TrainingGame  # noqa: E402
from tengen.training.samples.planes import symmetry_maps  # noqa: E402
from tengen.training.samples.window import ReplayWindow, Samples  # noqa: E402

SPEC = NetworkSpec("tengen", "shapes", 6, 6, {"blocks": 1, "channels": 8}, ("counts", "reply", "shapes"))
HEADS = {"counts": 0.1, "reply": 0.1, "shapes": 0.1}


def random_game(seed: int, width: int = 6, height: int = 6) -> TrainingGame:
    """A random game of four in a row; the policy target is the move that was played."""
    rng = np.random.default_rng(seed)
    board = Board(Variant(width, height, 4))
    while not board.outcome():
        board.play(int(rng.choice(board.legal_moves())))
    outcome = board.outcome()
    assert outcome is not None
    rows, opening = len(board.moves) - 1, 1
    policies = np.zeros((rows, width * height), np.float16)
    policies[np.arange(rows), board.moves[opening:]] = 1
    return TrainingGame(
        board.variant, np.array(board.moves, np.int16), opening, outcome.result, policies,
        rng.uniform(-1, 1, rows).astype(np.float32), np.ones(rows, np.float32), np.zeros(rows, np.int8),
    )  # fmt: skip


def filled_window(games: int = 20) -> ReplayWindow:
    window = ReplayWindow()
    window.add(1, [random_game(seed) for seed in range(games)])
    return window


def batcher(**changes: object) -> Batcher:
    settings = {"encoding": "shapes", "value_mix": 0.0, "symmetries": True}
    return Batcher(**settings | {"heads": list(HEADS)} | changes)  # type: ignore[arg-type]


def learner(**changes: object) -> Learner:
    return Learner(SPEC, LearnConfig(threads=1, batch=32, **changes), HEADS, seed=5)  # type: ignore[arg-type]


def learn(made: Learner, steps: int, seed: int = 0, window: ReplayWindow | None = None) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    return made.learn(window or filled_window(), batcher(), steps, 3e-3, rng, lambda done, total: None)


@pytest.mark.parametrize("size", [(6, 6), (7, 5)])
def test_planes_and_targets_turn_together(size: tuple[int, int]) -> None:
    """Under every symmetry the sample is the planes and the move of the game played on the turned board."""
    game = random_game(3, *size)
    maps = symmetry_maps(*size)
    for symmetry, cell_map in enumerate(maps):
        row = 2
        samples = Samples(game.variant, [game], np.array([row]))
        batch = batcher().make(samples, np.array([symmetry]))
        turned = Board(Variant(*size, 4), [int(cell_map[m]) for m in game.moves[: game.opening + row]])
        assert np.array_equal(batch.planes[0].numpy(), _core.encode(turned.core, "shapes"))
        assert torch.equal(batch.targets["shapes"][0], batch.planes[0, 5:15])
        assert int(batch.policy[0].argmax()) == cell_map[game.moves[game.opening + row]]
        assert int(batch.targets["reply"][0].argmax()) == cell_map[game.moves[game.opening + row + 1]]


def test_value_targets_are_for_the_side_to_move() -> None:
    game = random_game(1)
    assert game.result is not Result.DRAW
    rows = np.arange(len(game.values))
    samples = Samples(game.variant, [game] * len(rows), rows)
    results = value_targets(samples, 0.0)
    assert results[-1] == 1, "the last move was the winner's"
    assert np.array_equal(results[1:], -results[:-1])
    assert np.allclose(value_targets(samples, 1.0), game.values)
    assert np.allclose(value_targets(samples, 0.25), 0.75 * results + 0.25 * game.values)


def test_a_proven_position_counts_as_proven() -> None:
    game = random_game(1)
    game.proven[0], game.proven[1] = 1, -1
    assert value_targets(Samples(game.variant, [game, game], np.array([0, 1])), 0.5).tolist() == [1, -1]


def test_policy_rows_sum_to_one() -> None:
    game = random_game(2)
    game.policies[0] = np.float16(1 / 36)
    samples = Samples(game.variant, [game], np.array([0]))
    assert abs(policy_targets(samples, symmetry_maps(6, 6)[:1]).sum() - 1) < 1e-6


@pytest.mark.parametrize("rule", ["renju", "standard"])
def test_the_counts_head_learns_the_rule_that_is_played(rule: str) -> None:
    """Black's four with an own stone one cell further on: open in freestyle, not where six do not win."""
    black, white = (37, 38, 39, 40, 42), (0, 2, 4, 6, 8)  # row 4 of 9x9
    moves = np.array([move for pair in zip(black, white, strict=True) for move in pair] + [80], np.int16)
    row = len(moves) - 1

    def counts(variant: Variant) -> list[float]:
        game = TrainingGame(variant, moves, 0, Result.DRAW, *(np.zeros(len(moves)),) * 4)
        context = Context(Samples(variant, [game], np.array([row])), np.array([0]), symmetry_maps(9, 9))
        return TARGETS["counts"].make(context)[0].tolist()

    assert counts(Variant(9))[:3] == [1, 0, 0]
    assert counts(Variant(9, rule=rule))[:3] == [0, 1, 0]


def test_the_last_position_has_no_reply() -> None:
    game = random_game(4)
    samples = Samples(game.variant, [game], np.array([len(game.values) - 1]))
    context = Context(samples, np.array([0]), symmetry_maps(6, 6))
    assert TARGETS["reply"].make(context).sum() == 0


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_learning_lowers_every_loss(precision: str) -> None:
    made = learner(kl_target=0, average=0.9, precision=precision)
    window = filled_window(3)
    first, *_, last = (learn(made, 20, seed, window) for seed in range(7))
    for part in ("loss", "loss_policy", "loss_value", "loss_counts", "loss_reply", "loss_shapes"):
        assert last[part] < 0.97 * first[part], part
    assert last["explained"] > 0.3 and last["steps"] == 20


def test_a_target_may_teach_an_output_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher's value: no head of its own, compared with the value."""
    losing = Target(lambda c: np.full(len(c.samples.rows), -1, np.float32), torch.nn.functional.mse_loss, "value")
    monkeypatch.setitem(TARGETS, "teacher", losing)
    config = LearnConfig(threads=1, batch=32, kl_target=0, value_weight=0)
    made = Learner(NetworkSpec("base", "stones", 6, 6), config, {"teacher": 1.0}, 1)
    taught = batcher(encoding="stones", heads=["teacher"])
    metrics = made.learn(filled_window(3), taught, 40, 3e-3, np.random.default_rng(0), lambda done, total: None)
    with torch.no_grad():
        values = made.network(taught.draw(filled_window(3), 20, np.random.default_rng(1)).planes)["value"]
    assert values.max() < -0.8 and metrics["loss_teacher"] < 1


def test_a_window_smaller_than_a_batch_still_learns() -> None:
    window = ReplayWindow()
    window.add(1, [random_game(1)])
    metrics = learn(learner(), 3, window=window)
    assert metrics["batch"] == window.samples < 32 and metrics["steps"] == 3


def test_the_rate_follows_the_divergence() -> None:
    made = learner(kl_target=0.02, factor_min=0.4, factor_max=2.0)
    for divergence, factor in [(0.05, 1 / 1.5), (0.05, 1 / 2.25), (0.05, 0.4), (0.02, 0.4), (0.001, 0.6)]:
        made._adapt(divergence, 0.02)
        assert made.factor == pytest.approx(factor)
    for _ in range(9):
        made._adapt(0.0, 0.02)
    assert made.factor == 2.0


def test_a_wild_update_stops_half_way() -> None:
    metrics = learner(kl_target=1e-7, kl_steps=10)
    assert learn(metrics, 20)["steps_skipped"] == 10
    assert learn(learner(kl_target=0, kl_steps=10), 20)["steps_skipped"] == 0


def test_gradients_are_clipped() -> None:
    made = learner(clip=1e-3, optimizer="sgd", l2=0)
    before = [p.detach().clone() for p in made.network.parameters()]
    learn(made, 1)
    moved = torch.sqrt(sum(((a - b) ** 2).sum() for a, b in zip(before, made.network.parameters(), strict=True)))
    assert 0 < moved <= 3e-3 * 1e-3 * 1.91, "rate x clip, with Nesterov momentum"


def test_l2_pulls_weights_towards_zero() -> None:
    free, bound = learner(l2=0), learner(l2=0.3)
    for made in (free, bound):
        learn(made, 60)
    norms = [sum(float((p.detach() ** 2).sum()) for p in made.network.parameters()) for made in (free, bound)]
    assert norms[1] < 0.8 * norms[0]


def test_averaged_weights_trail_the_weights() -> None:
    made = learner(average=0.99)
    first = made.average.state_dict()["body.policy_out.weight"].clone()
    learn(made, 40)
    now, mean = (n.state_dict()["body.policy_out.weight"] for n in (made.network, made.average))
    assert torch.dist(mean, first) > 0 and torch.dist(mean, now) > 0
    assert torch.dist(mean, now) < torch.dist(first, now)
    exact = learner(average=0)
    learn(exact, 5)
    for a, b in zip(exact.network.parameters(), exact.average.parameters(), strict=True):
        assert torch.equal(a, b)


@pytest.mark.parametrize("optimizer", ["adam", "adamw", "sgd"])
def test_a_saved_learner_goes_on_exactly(tmp_path: Path, optimizer: str) -> None:
    whole, parted = learner(optimizer=optimizer), learner(optimizer=optimizer)
    for made in (whole, parted):
        learn(made, 5, seed=1)
    parted.save(tmp_path)
    again = learner(optimizer=optimizer)
    again.load(tmp_path)
    again.factor, again.steps = parted.factor, parted.steps
    for made in (whole, again):
        learn(made, 5, seed=2)
    for a, b in zip(whole.network.state_dict().values(), again.network.state_dict().values(), strict=True):
        assert torch.equal(a, b)
    for a, b in zip(whole.average.state_dict().values(), again.average.state_dict().values(), strict=True):
        assert torch.equal(a, b)


def test_weights_of_another_board_are_refused(tmp_path: Path) -> None:
    small = Learner(NetworkSpec("base", "stones", 6, 6), LearnConfig(threads=1), {}, 1)
    large = Learner(NetworkSpec("base", "stones", 9, 9), LearnConfig(threads=1), {}, 1)
    small.save(tmp_path)
    with pytest.raises(ValueError, match="another network or another board"):
        large.load(tmp_path)
    (tmp_path / "network.safetensors").write_bytes(b"rubbish")
    with pytest.raises(ValueError, match="not a safetensors file"):
        small.load(tmp_path)
    with pytest.raises(ValueError, match="not a safetensors file"):
        read_tensors(tmp_path / "nothing.safetensors")
