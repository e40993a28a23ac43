"""Won games kept, recalled and imitated, and where exploring begins and goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tengen.envs import EnvConfig, Step, VectorEnv
from tengen.nets.qnet import QNetSpec
from tengen.training.dqn.config import (
    ExploreConfig,
    PlanConfig,
    QLearnConfig,
    QPlayConfig,
    WonConfig,
)
from tengen.training.dqn.explore import Chooser, FirstStones
from tengen.training.dqn.learner import QLearner, Source, margin_loss, under_symmetry
from tengen.training.dqn.recall import Recall
from tengen.training.dqn.replay import Replay, Transitions, WonGames
from tengen.training.dqn.trainer import DqnTrainer
from tengen.training.run.logs import NoLog
from tests.helpers.dqn_cases import planes, small_config


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


def test_some_boards_go_on_exploring() -> None:
    config = small_config(explore=ExploreConfig(random_board_fraction=0.25, epsilon_min=0.1))
    rng = np.random.default_rng(1)
    chooser = Chooser(QLearner(QNetSpec(4, 4, body="dense"), config.learn, seed=1).values, config, rng, explore=True)
    chooser.epsilon = 0.1
    assert chooser._epsilons(8).tolist() == [0.1] * 6 + [0.5] * 2
    chooser.epsilon = 0.9
    assert chooser._epsilons(8).tolist() == [0.9] * 8


def test_the_lag_is_what_a_move_lacks_to_lead_all_others_by_its_margin() -> None:
    q = torch.tensor([[1.0, 0.8, -1e9], [0.0, 2.0, 1.0]])
    assert margin_loss(q, torch.tensor([0, 2]), torch.tensor([0.5, 0.25])).tolist() == pytest.approx([0.3, 1.25])


def test_the_part_of_won_games_fades_and_that_of_planned_ones_does_not() -> None:
    changes = {
        "won": WonConfig(share=0.5, margin=0.4),
        "plan": PlanConfig(quiet=1, share=0.25, margin=0.8),
        "budget": {"iterations": 100},
    }
    trainer = DqnTrainer(small_config(**changes), NoLog())
    for memory in (trainer.won, trainer.planned):
        memory.add(*[np.zeros((40, 2, 4, 4), np.uint8), np.zeros(40, np.int64), np.zeros(40, np.float32),
                     np.zeros((40, 2, 4, 4), np.uint8), np.zeros(40, np.float32)])  # fmt: skip
    parts = {}
    for trainer.iteration in (0, 25, 75):
        parts[trainer.iteration] = [(s.memory, s.count, pytest.approx(s.margin)) for s in trainer._sources()]
    memory, won, planned = trainer.memory, trainer.won, trainer.planned
    assert parts[0] == [(memory, 16, 0), (won, 32, 0.4), (planned, 16, 0.8)]
    assert parts[25] == [(memory, 32, 0), (won, 16, 0.2), (planned, 16, 0.8)]
    assert parts[75] == [(memory, 48, 0), (planned, 16, 0.8)]


def test_a_move_with_a_margin_is_soon_preferred_and_drawn_by_what_it_lacks() -> None:
    learner = QLearner(QNetSpec(3, 3, body="dense"), QLearnConfig(rate=1e-3, symmetries=False, threads=1), seed=1)
    state, none = planes(4)[None], np.zeros(1, np.float32)
    memory, shown = Replay(1, 3, 3), Replay(2, 3, 3, alpha=1.0)
    memory.add(state, np.array([0]), none, state, none)  # playing 0 brought nothing, and so did 5
    for cell in (5, 7):
        shown.add(planes(4 if cell == 5 else 0)[None], np.array([cell]), none, state, none)
    rng = np.random.default_rng(1)
    sources = [Source(memory, 1), Source(shown, 2, margin=0.5)]
    before = learner.values(planes(4)[None].astype(np.float32))[0]
    learner.learn(sources, 1, 0.0, rng)
    assert shown.priority[: shown.size].min() > 0.3  # both lead by nothing yet
    learner.learn(sources, 200, 0.0, rng)
    after = learner.values(planes(4)[None].astype(np.float32))[0]
    free = np.arange(9) != 4
    assert after[5] - after[free & (np.arange(9) != 5)].max() > 0.4 > before[5] - before[free].max()
    assert shown.priority[: shown.size].max() < 0.2


@pytest.mark.parametrize("returns", [True, False])
def test_what_a_move_brought_is_learned_only_where_it_is_asked_for(returns: bool) -> None:
    values = []
    for reward in (0.0, 5.0):
        learner = QLearner(QNetSpec(3, 3, body="dense"), QLearnConfig(rate=1e-3, symmetries=False, threads=1), seed=1)
        memory = Replay(4, 3, 3)
        state, number = np.stack([planes(4)] * 4), np.full(4, reward, np.float32)
        memory.add(state, np.arange(4), number, state, np.zeros(4, np.float32))
        learner.learn([Source(memory, 4, margin=0.5, returns=returns)], 20, 0.0, np.random.default_rng(1))
        values.append(learner.values(planes(4)[None].astype(np.float32)))
    assert np.array_equal(*values) != returns


def test_won_games_are_gathered_before_learning_and_survive_a_resume(tmp_path: Path) -> None:
    changes = {
        "env": EnvConfig(width=4, height=4, k=3, opponent="random"),
        "explore": ExploreConfig(by="forced", attack=0.5, attack_stones=2),
        "won": WonConfig(share=0.25, margin=0.2, first=30, stones=8, recall=0.5),
    }
    straight = DqnTrainer(small_config(**changes), NoLog())
    straight.iterate()
    assert straight.won.size > 60
    straight.save(tmp_path)
    resumed = DqnTrainer(small_config(**changes), NoLog())
    resumed.load(tmp_path)
    assert straight.iterate() == resumed.iterate()


PLANNED = {
    "env": EnvConfig(width=5, height=5, k=4, opponent="greedy"),
    "explore": ExploreConfig(by="forced", attack_stones=3),
    "play": QPlayConfig(boards=16, steps=12, updates=0.1, first_random=3),
    "plan": PlanConfig(quiet=2),
}


def planned_games(trainer: DqnTrainer) -> list[np.ndarray]:
    """Rows of each planned game; a drawn first stone is not among them."""
    planned = trainer.planned
    ends = np.flatnonzero(planned.discount[: planned.size] == 0)
    assert (planned.reward[ends] > 0).all() and ends[-1] == planned.size - 1
    return np.split(np.arange(planned.size), ends[:-1] + 1)


def test_planned_games_are_won_from_every_first_stone_and_each_kept_once() -> None:
    trainer = DqnTrainer(small_config(**PLANNED), NoLog())
    trainer.iterate()
    planned = trainer.planned
    recall, kinds = Recall(5, 5, symmetries=True), set()
    for game in planned_games(trainer):
        own = np.flatnonzero(planned.state[game[0], 0])
        assert len(own) == 1  # the first stone, which was drawn; all that follows was chosen
        kinds.add(tuple(sorted((abs(own[0] // 5 - 2), abs(own[0] % 5 - 2)))))
        assert recall.note(planned.state[game], planned.action[game])
    assert kinds == {(0, 0), (0, 1), (1, 1)}


def test_a_game_in_which_a_plan_fails_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it fails at once in every game, and the wins that are found later do not count."""
    plan = VectorEnv.plan_actions
    found = 0

    def late(env: VectorEnv, quiet: int, stones: int, asked: np.ndarray) -> np.ndarray:
        nonlocal found
        moves = np.where(env.observe().sum(axis=(1, 2, 3)) <= 2, -1, plan(env, quiet, stones))
        found += int((moves >= 0).sum())
        return moves

    monkeypatch.setattr(VectorEnv, "plan_actions", late)
    with pytest.raises(ValueError, match="no plan wins"):
        DqnTrainer(small_config(**PLANNED), NoLog()).iterate()
    assert found > 1000


@pytest.mark.parametrize("opponent", ["greedy", "self"])  # against itself, wins against minimax are planned
def test_planned_games_survive_a_resume(opponent: str, tmp_path: Path) -> None:
    config = small_config(**PLANNED | {"env": PLANNED["env"].model_copy(update={"opponent": opponent, "depth": 1})})  # type: ignore[attr-defined]
    straight = DqnTrainer(config, NoLog())
    straight.iterate()
    assert straight.planned.size and not straight._sources()[-1].returns
    straight.save(tmp_path)
    resumed = DqnTrainer(config, NoLog())
    resumed.load(tmp_path)
    assert straight.iterate() == resumed.iterate()


def test_where_no_plan_wins_it_is_said() -> None:
    config = small_config(env=EnvConfig(width=5, height=5, opponent="minimax"), plan=PlanConfig(quiet=1))
    with pytest.raises(ValueError, match=r"plan\.quiet = 1: no plan wins"):
        DqnTrainer(config, NoLog()).iterate()


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
            one = Transitions(state[[row]], action[[row]], *[np.zeros(1, np.float32)] * 5)  # type: ignore[arg-type]
            seen = under_symmetry(replace(one, next_state=one.state), symmetry)
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
