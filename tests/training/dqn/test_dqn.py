"""Replay, targets and the trainer of the DQN family."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from pydantic import ValidationError

import tengen
from tengen.board import Board
from tengen.envs import EnvConfig, Reward, StepResult
from tengen.lab.reproduce.plan import MilestonePlan, VariantPlan, load_plan
from tengen.lab.reproduce.variants import cases, settings
from tengen.nets.qnet import QNet, QNetSpec, RowMaps
from tengen.players.dqn import DqnPlayer
from tengen.rules import Variant
from tengen.training.dqn.config import (
    DqnConfig,
    PlanConfig,
    QEvaluateConfig,
    QLearnConfig,
    QNetworkConfig,
    QPlayConfig,
    WonConfig,
)
from tengen.training.dqn.learner import QLearner, exploring_values, under_symmetry
from tengen.training.dqn.method import PANELS
from tengen.training.dqn.replay import NStep, Replay, Transitions
from tengen.training.dqn.trainer import DqnTrainer
from tengen.training.methods import checked
from tengen.training.run.config import read_settings
from tengen.training.run.logs import NoLog
from tengen.training.run.loop import RunFolder
from tengen.training.run.plots import draw_run
from tests.helpers.dqn_cases import planes, small_config
from tests.helpers.paths import EXPERIMENTS


def push(steps: NStep, memory: Replay, before: int, reward: float, done: bool, after: int) -> None:
    steps.push(planes(before)[None], np.array([before], np.int32), np.array([reward], np.float32),
               np.array([done]), planes(after)[None], memory)  # fmt: skip


def test_n_step_sums_rewards_and_ends_with_the_game() -> None:
    memory = Replay(10, 3, 3)
    steps = NStep(1, 2, 0.5, alternating=False)
    push(steps, memory, 0, 1.0, False, 1)
    assert memory.size == 0
    push(steps, memory, 1, 2.0, False, 2)
    push(steps, memory, 2, 4.0, True, 3)
    assert memory.reward[:3].tolist() == [1 + 0.5 * 2, 2 + 0.5 * 4, 4]
    assert memory.discount[:3].tolist() == [0.25, 0, 0]
    assert (memory.state[0] == planes(0)).all() and (memory.next_state[0] == planes(2)).all()


def test_self_play_counts_the_opponents_reward_negative() -> None:
    memory = Replay(10, 3, 3)
    steps = NStep(1, 2, 0.5, alternating=True)
    push(steps, memory, 0, 0.0, False, 1)
    push(steps, memory, 1, 8.0, True, 2)
    assert memory.reward[:2].tolist() == [-4, 8]
    single = NStep(1, 1, 0.5, alternating=True)
    push(single, memory, 0, 0.0, False, 1)
    assert memory.discount[2] == -0.5


def test_replay_replaces_the_oldest_and_refuses_a_batch_it_cannot_fill() -> None:
    memory = Replay(4, 3, 3)
    with pytest.raises(ValueError, match="fewer than a batch"):
        memory.draw(2, np.random.default_rng(0))
    for i in range(6):
        memory.add(planes(i)[None], np.array([i]), np.array([i], np.float32), planes(i)[None], np.zeros(1, np.float32))
    assert sorted(memory.action.tolist()) == [2, 3, 4, 5]


def test_priority_draws_what_surprised_and_corrects_for_it() -> None:
    memory = Replay(100, 3, 3, alpha=1.0)
    for i in range(100):
        memory.add(planes(0)[None], np.array([i]), np.zeros(1, np.float32), planes(0)[None], np.zeros(1, np.float32))
    memory.update(np.arange(100), np.where(np.arange(100) == 7, 99.0, 1.0).astype(np.float32))
    batch = memory.draw(100, np.random.default_rng(1))
    share = (batch.action == 7).mean()
    assert 0.45 < share < 0.55
    assert batch.weight[batch.action == 7].max() < batch.weight[batch.action != 7].min()


def test_turned_moves_stones_and_action_together() -> None:
    rng = np.random.default_rng(2)
    state = (rng.random((5, 2, 7, 7)) < 0.3).astype(np.uint8)
    action = rng.integers(49, size=5)
    state[np.arange(5), 0, action // 7, action % 7] = 1
    state[:, 1] = 0
    only = np.zeros_like(state)
    only[np.arange(5), 0, action // 7, action % 7] = 1
    batch = Transitions(
        only, action, np.zeros(5, np.float32), state, np.zeros(5, np.float32), np.ones(5, np.float32), action
    )
    images = set()
    for symmetry in range(8):
        image = under_symmetry(batch, symmetry)
        assert (image.state[np.arange(5), 0, image.action // 7, image.action % 7] == 1).all()
        images.add(image.next_state.tobytes())
    assert len(images) == 8


def one_transition(reward: float, discount: float) -> Transitions:
    return Transitions(planes(0)[None], np.array([4]), np.array([reward], np.float32), planes(0, 4)[None],
                 np.array([discount], np.float32), np.ones(1, np.float32), np.array([0]))  # fmt: skip


@pytest.mark.parametrize("double", [False, True])
def test_scalar_target_skips_occupied_cells(double: bool) -> None:
    learner = QLearner(QNetSpec(3, 3, body="dense"), QLearnConfig(double=double), seed=1)
    batch = one_transition(1.0, 0.5)
    with torch.no_grad():
        q = learner.target(torch.from_numpy(batch.next_state).float())[0]
    free = [c for c in range(9) if c not in (0, 4)]
    assert learner._scalar_target(batch).item() == pytest.approx(1.0 + 0.5 * float(q[free].max()), abs=1e-5)


def test_double_takes_the_online_choice_and_the_target_value() -> None:
    learner = QLearner(QNetSpec(3, 3, body="dense"), QLearnConfig(double=True), seed=1)
    torch.manual_seed(5)
    learner.online.load_state_dict(QNet(learner.online.spec).state_dict())
    batch = one_transition(0.0, 1.0)
    state = torch.from_numpy(batch.next_state).float()
    learner.online.eval()
    with torch.no_grad():
        online = learner.online(state)[0].masked_fill(state.sum(dim=1).flatten() > 0, -1e9)
        expected = learner.target(state)[0][online.argmax()]
    assert learner._scalar_target(batch).item() == pytest.approx(float(expected), abs=1e-5)


def test_distribution_target_is_a_distribution_with_the_right_mean() -> None:
    learner = QLearner(QNetSpec(3, 3, body="dense", atoms=41, low=-4, high=4), QLearnConfig(), seed=1)
    ended = learner._distribution_target(one_transition(1.13, 0.0))[0]
    assert ended.sum().item() == pytest.approx(1, abs=1e-5)
    assert (ended * learner.online.support).sum().item() == pytest.approx(1.13, abs=1e-4)
    flipped = learner._distribution_target(one_transition(0.0, -1.0))[0]
    best, state = learner._next_action(one_transition(0.0, -1.0))
    with torch.no_grad():
        q = learner.target(state)[0, best]
    assert (flipped * learner.online.support).sum().item() == pytest.approx(-q.item(), abs=1e-3)


def test_learns_three_in_a_row_from_the_result_alone() -> None:
    trainer = DqnTrainer(small_config(), NoLog())
    first = trainer.learner.values(np.zeros((1, 2, 4, 4), np.float32))
    for _ in range(59):
        trainer.iterate()
    metrics = trainer.iterate() | trainer.evaluate()
    assert metrics["eval_win"] > 0.9
    assert (trainer.learner.values(np.zeros((1, 2, 4, 4), np.float32)) != first).any()


def test_the_average_follows_the_weights_and_is_what_plays() -> None:
    trainer = DqnTrainer(small_config(learn=QLearnConfig(batch=16, fill=16, average=0.9, threads=1)), NoLog())
    planes = np.zeros((1, 2, 4, 4), np.float32)
    for _ in range(3):
        trainer.iterate()
    learner = trainer.learner
    assert learner.playing is learner.average
    online = learner.online.eval()(torch.from_numpy(planes)).detach().numpy()
    assert (learner.values(planes) != online).any()
    learner.steps = 0  # young again: the average takes what is there
    learner.config = learner.config.model_copy(update={"average": 1e-9})
    learner._add_to_average()
    assert np.allclose(learner.values(planes), online, atol=1e-6)


def test_few_digits_change_values_little() -> None:
    spec = QNetSpec(7, 7, channels=(8, 8, 8))
    planes = (np.random.default_rng(1).random((8, 2, 7, 7)) < 0.2).astype(np.float32)
    noise = torch.Generator().manual_seed(1)
    configs = [QLearnConfig(precision="float32"), QLearnConfig(precision="bfloat16")]
    exact, coarse = (exploring_values(QLearner(spec, c, seed=1).online, planes, noise, c) for c in configs)
    assert 0 < np.abs(exact - coarse).max() < 0.05


def test_both_seats_are_evaluated_apart() -> None:
    env = EnvConfig(width=4, height=4, k=3, opponent="random", seat="random")
    trainer = DqnTrainer(small_config(env=env, evaluate=QEvaluateConfig(every=1, games=20)), NoLog())
    metrics = trainer.iterate() | trainer.evaluate()
    assert metrics["eval_win"] == pytest.approx((metrics["eval_win_first"] + metrics["eval_win_second"]) / 2)


def test_curves_of_a_dqn_run_are_those_of_the_report(tmp_path: Path) -> None:
    trainer = DqnTrainer(small_config(evaluate=QEvaluateConfig(every=1, games=4)), NoLog())
    rows = [trainer.iterate() | trainer.evaluate() | {"iteration": float(i)} for i in (1, 2)]
    assert {key for _, keys, _ in PANELS for key in keys} <= rows[1].keys()
    draw_run(rows, "small", tmp_path / "curves.svg", PANELS)
    drawn = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert drawn.count('id="axes_') == len(PANELS)


RAINBOW = {
    "network": QNetworkConfig(body="dense", dueling=True, noisy=True, atoms=21, low=-2, high=2),
    "learn": QLearnConfig(batch=32, fill=64, memory=500, rate=1e-3, double=True, n_step=3, priority=0.5, threads=1),
}


@pytest.mark.parametrize("changes", [{}, RAINBOW], ids=["vanilla", "rainbow"])
def test_resume_is_exact(changes: dict[str, object], tmp_path: Path) -> None:
    straight = DqnTrainer(small_config(**changes), NoLog())
    for _ in range(3):
        straight.iterate()
    straight.save(tmp_path)
    resumed = DqnTrainer(small_config(**changes), NoLog())
    resumed.load(tmp_path)
    assert straight.iterate() == resumed.iterate()
    for a, b in zip(straight.learner.online.parameters(), resumed.learner.online.parameters(), strict=True):
        assert torch.equal(a, b)


@pytest.mark.parametrize(
    "changes",
    [
        {"env": EnvConfig(width=7, height=8)},
        {"won": WonConfig(first=1)},
        {"won": WonConfig(recall=0.5)},
        {"won": WonConfig(share=0.5), "env": EnvConfig(opponent="self")},
        {"plan": PlanConfig(quiet=2, share=0.6), "won": WonConfig(share=0.4)},
        {"learn": QLearnConfig(fill=10)},
        {"env": EnvConfig(rule="renju")},
        {"env": EnvConfig(reward=Reward(win=0))},
        {"env": EnvConfig(opening=1), "play": QPlayConfig(hard=0.5)},
        {"learn": QLearnConfig(memory=100, fill=300)},
        {"network": QNetworkConfig(atoms=21, low=2, high=2)},
        {"network": {"channels": (8, 0, 8)}},
        {"learn": QLearnConfig(rate_last=1e-6), "budget": {"minutes": 5}},
        {"won": WonConfig(share=0.5), "budget": {"cpu_minutes": 5}},
    ],  # type: ignore[arg-type]
)
def test_settings_that_cannot_work_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        small_config(**changes)


def test_schedules_may_follow_what_is_counted() -> None:
    small_config(learn=QLearnConfig(rate_last=1e-6), budget={"minutes": 5, "games": 100})
    small_config(learn=QLearnConfig(rate_last=1e-6), budget={"minutes": 5, "iterations": 100})
    small_config(network=QNetworkConfig(atoms=1, low=2, high=2))


def test_our_own_experiments_are_valid() -> None:
    folder = EXPERIMENTS
    for path in sorted(folder.glob("dqn-[0-9b]*.toml")):
        assert isinstance(checked(read_settings(path), path.name), DqnConfig)
    for smoke in (False, True):
        milestones = load_plan(folder / "b-dqn-7.toml", smoke)
        assert isinstance(milestones, MilestonePlan) and checked(milestones.train | {"name": "b"}, "b-dqn-7")
        ablation = load_plan(folder / "dqn-ablation.toml", smoke)
        assert isinstance(ablation, VariantPlan)
        for case in cases(ablation):
            assert isinstance(checked(settings(ablation, case), case.name), DqnConfig)


def test_a_cut_memory_is_one_line(tmp_path: Path) -> None:
    trainer = DqnTrainer(small_config(), NoLog())
    trainer.iterate()
    trainer.save(tmp_path)
    whole = (tmp_path / "memory.npz").read_bytes()
    for part in (whole[: len(whole) // 2], b"", whole[:-30]):
        (tmp_path / "memory.npz").write_bytes(part)
        with pytest.raises(ValueError, match=r"memory\.npz is not a replay memory"):
            DqnTrainer(small_config(), NoLog()).load(tmp_path)


def test_a_checkpoint_of_an_earlier_layout_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", "dqn", small_config().resolved())
    trainer = DqnTrainer(small_config(), NoLog())
    trainer.iterate()
    folder.save(trainer, 1, {})
    (folder.checkpoint() / "won.npz").unlink()
    state = json.loads((folder.checkpoint() / "state.json").read_text())
    del state["won"]
    (folder.checkpoint() / "state.json").write_text(json.dumps(state))
    again = DqnTrainer(small_config(), NoLog())
    assert folder.resume(again) == (1, {}) and again.games == trainer.games
    del state["steps"]
    (folder.checkpoint() / "state.json").write_text(json.dumps(state))
    with pytest.raises(ValueError, match="it lacks 'steps'"):
        folder.resume(again)


def test_network_variants_have_the_right_outputs() -> None:
    for body, dueling, rows in product(("conv", "pooled", "dense", "free"), (False, True), (0, 4)):
        net = QNet(QNetSpec(7, 7, body=body, dueling=dueling, rows=rows, atoms=5)).eval()  # type: ignore[arg-type]
        assert net(torch.zeros(2, 2, 7, 7)).shape == (2, 49)
        assert net.logits(torch.zeros(2, 2, 7, 7)).shape == (2, 49, 5)


def test_maps_count_the_rows_through_each_cell() -> None:
    k, size = 4, 6
    position = np.random.default_rng(2).integers(0, 4, (size, size))  # 1: own, 2: the opponent's
    planes = np.stack([position == 1, position == 2]).astype(np.float32)
    expected = np.zeros((2, k - 1, size, size))
    for row, column, (down, right) in product(range(size), range(size), ((0, 1), (1, 0), (1, 1), (-1, 1))):
        cells = [(row + i * down, column + i * right) for i in range(k)]
        if all(0 <= r < size and 0 <= c < size for r, c in cells):
            own, other = (sum(planes[side][cell] for cell in cells) for side in (0, 1))
            for side, stones, rival in ((0, own, other), (1, other, own)):
                if stones and not rival and stones < k:
                    for cell in cells:
                        expected[side, int(stones) - 1][cell] += 1
    found = RowMaps(k)(torch.from_numpy(planes)[None])[0].numpy()
    assert np.array_equal(found, np.concatenate([planes, expected.reshape(-1, size, size)]))


def test_a_network_without_dense_layers_plays_every_board(tmp_path: Path) -> None:
    network = {"body": "free", "rows": True, "dueling": True, "channels": [4, 4, 4]}
    settings = {"env": {"width": 7, "height": 7}, "network": network, "play": {"boards": 4, "steps": 4},
                "learn": {"batch": 16, "fill": 16, "threads": 1}, "evaluate": {"every": 9}}  # fmt: skip
    run = tengen.train("dqn-b", name="free", runs=tmp_path, show=False, budget={"iterations": 1}, **settings)
    player = run.player()
    assert isinstance(player, DqnPlayer)
    for size in (7, 15):
        board = Board(Variant(size), [0, 1, size + 3])
        q = player.q_values(board)
        assert len(q) == size * size - 3 and len(set(q.values())) > size


def test_settings_and_counters_under_their_old_names_are_read(tmp_path: Path) -> None:
    """Runs, checkpoints and model cards of older versions hold them."""
    old = {"explore": {"restless": 0.25, "by": "calm"}, "play": {"hard": 0.5}, "env": {"reward": {"rival_low": 0.4}}}
    config = DqnConfig.model_validate(old)
    assert (config.explore.random_board_fraction, config.explore.by) == (0.25, "forced")
    assert (config.play.first_stone_bias, config.env.reward.answer_low) == (0.5, 0.4)
    assert not {"restless", "hard", "rival_low"} & set(re.findall(r"'(\w+)'", str(config.resolved())))
    trainer = DqnTrainer(small_config(), NoLog())
    trainer.owed_steps = 0.75
    trainer.save(tmp_path)
    state = json.loads((tmp_path / "state.json").read_text())
    state["debt"] = state.pop("owed_steps")
    (tmp_path / "state.json").write_text(json.dumps(state))
    again = DqnTrainer(small_config(), NoLog())
    again.load(tmp_path)
    assert again.owed_steps == 0.75


def test_results_of_a_step_are_named_by_the_core() -> None:
    assert {result.name: int(result) for result in StepResult} == {"LOSS": -1, "ONGOING": 0, "WIN": 1, "DRAW": 2}
