"""Replay, targets and the trainer of the DQN family."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from tengen.arena.reproduce.plan import MilestonePlan, VariantPlan, load_plan
from tengen.arena.reproduce.variants import cases, settings
from tengen.envs import EnvConfig, Reward, Step
from tengen.nets.qnet import QNet, QNetSpec
from tengen.training.config import read_settings
from tengen.training.dqn.config import (
    DqnConfig,
    ExploreConfig,
    QEvaluateConfig,
    QLearnConfig,
    QNetworkConfig,
    QPlayConfig,
    WonConfig,
)
from tengen.training.dqn.explore import Chooser, FirstStones
from tengen.training.dqn.learner import QLearner, turned
from tengen.training.dqn.recall import Recall
from tengen.training.dqn.replay import Batch, NStep, Replay, WonGames
from tengen.training.dqn.trainer import DqnTrainer
from tengen.training.logs import NoLog
from tengen.training.methods import checked
from tengen.training.plots import DQN_PANELS, draw_run
from tengen.training.run import RunFolder


def planes(*cells: int) -> np.ndarray:
    out = np.zeros((2, 3, 3), np.uint8)
    out[0].flat[list(cells)] = 1
    return out


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
    batch = Batch(only, action, np.zeros(5, np.float32), state, np.zeros(5, np.float32), np.ones(5, np.float32), action)
    images = set()
    for symmetry in range(8):
        image = turned(batch, symmetry)
        assert (image.state[np.arange(5), 0, image.action // 7, image.action % 7] == 1).all()
        images.add(image.next_state.tobytes())
    assert len(images) == 8


def one_transition(reward: float, discount: float) -> Batch:
    return Batch(planes(0)[None], np.array([4]), np.array([reward], np.float32), planes(0, 4)[None],
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


def small_config(**changes: object) -> DqnConfig:
    base = {
        "env": EnvConfig(width=4, height=4, k=3, opponent="random", reward=Reward(shaped=False, win=100, loss=-100)),
        "network": QNetworkConfig(body="dense"),
        "learn": QLearnConfig(batch=64, fill=64, memory=5000, rate=1e-3, gamma=0.9, target_every=50, threads=1),
        "explore": ExploreConfig(decay=300, epsilon_min=0.1, by="uniform"),
        "play": QPlayConfig(boards=16, steps=12, updates=0.1, first_random=0),
        "evaluate": QEvaluateConfig(every=30, games=100),
    }
    return DqnConfig(**(base | changes))  # type: ignore[arg-type]


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
    exact, coarse = (
        QLearner(spec, QLearnConfig(precision=precision), seed=1).exploring_values(planes, noise)
        for precision in ("float32", "bfloat16")
    )
    assert 0 < np.abs(exact - coarse).max() < 0.05


def test_both_seats_are_evaluated_apart() -> None:
    env = EnvConfig(width=4, height=4, k=3, opponent="random", seat="random")
    trainer = DqnTrainer(small_config(env=env, evaluate=QEvaluateConfig(every=1, games=20)), NoLog())
    metrics = trainer.iterate() | trainer.evaluate()
    assert metrics["eval_win"] == pytest.approx((metrics["eval_win_first"] + metrics["eval_win_second"]) / 2)


def test_curves_of_a_dqn_run_are_those_of_the_report(tmp_path: Path) -> None:
    trainer = DqnTrainer(small_config(evaluate=QEvaluateConfig(every=1, games=4)), NoLog())
    rows = [trainer.iterate() | trainer.evaluate() | {"iteration": float(i)} for i in (1, 2)]
    assert {key for _, keys, _ in DQN_PANELS for key in keys} <= rows[1].keys()
    draw_run(rows, "small", tmp_path / "curves.svg")
    drawn = (tmp_path / "curves.svg").read_text(encoding="utf-8")
    assert drawn.count('id="axes_') == len(DQN_PANELS)


def test_won_games_are_remembered_whole_and_lost_ones_not() -> None:
    memory = Replay(20, 3, 3)
    games = WonGames(2, QLearnConfig(n_step=1, gamma=0.5, reward_scale=0.1), memory)

    def step(rewards: list[float], results: list[int]) -> Step:
        return Step(np.array(rewards, np.float32), np.array(results, np.int8), np.zeros(2, np.int32))

    state, actions = np.stack([planes(0), planes(1)]), np.array([3, 4], np.int32)
    games.push(state, actions, step([1, 1], [0, 0]))
    games.push(state, actions, step([8, -8], [1, -1]))
    games.push(state, actions, step([2, 2], [0, 2]))
    assert games.count == 1 and memory.size == 2
    assert memory.action[:2].tolist() == [3, 3] and memory.discount[:2].tolist() == [0.5, 0.0]
    assert np.allclose(memory.reward[:2], [0.1, 0.8])


def test_a_won_game_that_is_known_is_not_remembered_again() -> None:
    memory = Replay(20, 3, 3)
    games = WonGames(1, QLearnConfig(n_step=1), memory, Recall(3, 3, symmetries=True))
    goes_on, won = (Step(np.ones(1, np.float32), np.array([r], np.int8), np.ones(1, np.int32)) for r in (0, 1))
    # Corner and then edge are one game however the board lies; corner and then the centre is another.
    for first, second, count in ((0, 1, 1), (0, 3, 1), (8, 5, 1), (0, 4, 2), (2, 4, 2), (8, 7, 2)):
        games.push(planes()[None], np.array([first], np.int32), goes_on)
        games.push(planes(first)[None], np.array([second], np.int32), won)
        assert games.count == count and memory.size == 2 * count


def test_first_stones_fall_more_often_where_games_are_lost() -> None:
    stones = FirstStones(small_config(play=QPlayConfig(first_random=2, hard=0.9)))
    assert len(stones) == 4
    rng = np.random.default_rng(1)
    for _ in range(100):
        stones.begin(4)
        cells = stones.draw(4, rng).astype(np.int32)
        stones.watch(np.zeros((4, 2, 4, 4), np.float32), cells, np.where(cells == 5, -1, 1).astype(np.int8))
    drawn = np.bincount(stones.draw(1000, rng), minlength=16)
    assert drawn.sum() == drawn[[5, 6, 9, 10]].sum() and drawn[5] > 2 * drawn[[6, 9, 10]].max()


def test_restless_boards_go_on_exploring() -> None:
    config = small_config(explore=ExploreConfig(restless=0.25, epsilon_min=0.1))
    rng = np.random.default_rng(1)
    chooser = Chooser(QLearner(QNetSpec(4, 4, body="dense"), config.learn, seed=1), config, rng, explore=True)
    chooser.epsilon = 0.1
    assert chooser._epsilons(8).tolist() == [0.1] * 6 + [0.5] * 2
    chooser.epsilon = 0.9
    assert chooser._epsilons(8).tolist() == [0.9] * 8


def test_moves_of_won_games_are_lifted_above_the_others() -> None:
    learner = QLearner(QNetSpec(3, 3, body="dense"), QLearnConfig(), seed=1, won=WonConfig(share=0.5, margin=0.5))
    q = torch.tensor([[1.0, 0.8, -1e9], [0.0, 2.0, 1.0]])
    assert learner._lag(q, torch.tensor([0, 2])).tolist() == pytest.approx([0.3, 1.5])


def test_won_games_are_gathered_before_learning_and_survive_a_resume(tmp_path: Path) -> None:
    changes = {
        "env": EnvConfig(width=4, height=4, k=3, opponent="random"),
        "explore": ExploreConfig(by="calm", attack=0.5, attack_stones=2),
        "won": WonConfig(share=0.25, margin=0.2, first=30, stones=8, recall=0.5),
    }
    straight = DqnTrainer(small_config(**changes), NoLog())
    straight.iterate()
    assert straight.won.size > 60
    straight.save(tmp_path)
    resumed = DqnTrainer(small_config(**changes), NoLog())
    resumed.load(tmp_path)
    assert straight.iterate() == resumed.iterate()


def test_moves_of_won_games_are_known_again_however_the_board_is_turned() -> None:
    state, action = np.stack([planes(0), planes(4)]), np.array([5, 3])
    state[:, 1, 0, 1] = 1  # the opponent's stone; no symmetry leaves such a position as it is
    state[1, 1, 2, 2] = 1
    recall = Recall(3, 3, symmetries=True)
    recall.learn(state[:0], action[:0])
    assert not recall.moves(state).any()
    recall.learn(np.concatenate([state, state[:1]]), np.append(action, 7))
    for symmetry in range(8):
        for row, count in ((0, 2), (1, 1)):
            one = Batch(state[[row]], action[[row]], *[np.zeros(1, np.float32)] * 5)  # type: ignore[arg-type]
            seen = turned(replace(one, next_state=one.state), symmetry)
            known = recall.moves(seen.state)[0]
            assert known[seen.action[0]] and known.sum() == count
    assert not recall.moves(planes(0)[None]).any()


def test_a_rule_that_never_wins_gathers_nothing_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.training.dqn.explore.GIVE_UP", 2)
    config = small_config(
        env=EnvConfig(width=5, height=5, opponent="minimax"), won=WonConfig(share=0.25, first=1, stones=4)
    )
    with pytest.raises(ValueError, match="wins no game"):
        DqnTrainer(config, NoLog()).iterate()


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
        {"learn": QLearnConfig(fill=10)},
        {"env": EnvConfig(rule="renju")},
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
    folder = Path(__file__).parents[2] / "experiments"
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
    for body in ("conv", "pooled", "dense"):
        for dueling in (False, True):
            net = QNet(QNetSpec(7, 7, body=body, dueling=dueling, atoms=5)).eval()  # type: ignore[arg-type]
            assert net(torch.zeros(2, 2, 7, 7)).shape == (2, 49)
            assert net.logits(torch.zeros(2, 2, 7, 7)).shape == (2, 49, 5)
