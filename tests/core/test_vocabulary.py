"""What Python declares beside the core says the same as the core."""

from __future__ import annotations

import pytest

from tengen import _core
from tengen.board import Board, symmetries
from tengen.envs.reward import Reward
from tengen.envs.vector import EnvConfig
from tengen.gomocup.wire import RULE_CODES
from tengen.rules import MAX_K, MAX_SIZE, MIN_K, Color, Forbidden, Rule, Variant
from tengen.study.proofs import Force
from tengen.study.trainer import State
from tengen.study.verdicts import Mark, Why


def test_rules_limits_and_reasons() -> None:
    assert _core.rule_names() == list(Rule)
    assert _core.forbidden_names() == list(Forbidden)
    assert (_core.MAX_SIZE, _core.MIN_K, _core.MAX_K) == (MAX_SIZE, MIN_K, MAX_K)


def test_every_rule_has_a_code_and_a_sentence() -> None:
    assert all(RULE_CODES[rule.gomocup] is rule and rule.help for rule in Rule)
    assert len({rule.gomocup for rule in Rule}) == len(Rule)
    assert Rule("renju") is Rule.RENJU and f"{Rule.CARO}" == "caro" and Rule.RENJU.only_k == 5


def test_proofs_classes_and_reasons() -> None:
    assert (_core.force_names(), _core.mark_names(), _core.why_names()) == (list(Force), list(Mark), list(Why))
    assert _core.state_names() == list(State)


def test_rewards_and_environments_have_the_defaults_of_the_core() -> None:
    assert Reward().numbers() == _core.reward_defaults()
    assert EnvConfig().model_dump(exclude={"reward"}) == _core.env_defaults()


def test_shapes_and_threats_by_name() -> None:
    board = Board.from_text("h8a1i8a3j8a5")
    four = board.core.best_shape(Color.BLACK, Board.from_text("k8").moves[0])
    assert four is _core.Shape.OPEN_FOUR
    assert board.core.threat(Color.BLACK, Board.from_text("k8").moves[0]) is _core.Threat.OPEN_FOUR
    assert Board.from_text("k8").moves[0] in board.core.cells_with(Color.BLACK, _core.Group.FOUR)


def test_cells_near_stones() -> None:
    assert Board(Variant(9)).cells_near(2) == [40]
    near = Board.from_text("a1b1", Variant(9)).cells_near(1)
    assert [Board(Variant(9)).name(m) for m in near] == ["a2", "b2", "c2", "c1"]


@pytest.mark.parametrize(("width", "height", "count"), [(7, 7, 8), (9, 6, 4)])
def test_symmetries_keep_lines_together(width: int, height: int, count: int) -> None:
    images = symmetries(width, height)
    assert len(set(images)) == len(images) == count and images[0] == tuple(range(width * height))
    board = Board(Variant(width, height), [0, 40, 1, 41, 2])
    for image in images:
        turned = Board(board.variant, [image[m] for m in board.moves])
        assert turned.core.score(0) == board.core.score(0) and turned.core.score(1) == board.core.score(1)
    with pytest.raises(ValueError, match="1 to 22"):
        symmetries(23, 5)
