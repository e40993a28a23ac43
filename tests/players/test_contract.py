"""Every registered player keeps the contract of tengen.testing, and sees what its level promises."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tengen import _core, testing
from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Analyser, Player, Reusable
from tengen.registry import PLAYERS, SpecError, create
from tengen.rules import Limit, Rule, Variant
from tengen.testing import Maker
from tests.helpers import sight
from tests.helpers.networks import write_network, write_q_network

OUTSIDE = {"human": "a person at a terminal", "gomocup": "another engine's program"}
"""Players that need something this test does not have."""


NETWORKS = tempfile.TemporaryDirectory()
SPECS = {
    "alphazero": f"alphazero:model={write_network(Path(NETWORKS.name), encoding='shapes', size_free=True)}",
    "dqn": f"dqn:model={write_q_network(Path(NETWORKS.name))}",
}
"""How a player is made that cannot be made by its name alone: with a network of random weights, for one."""

LIMIT = Limit(nodes=20_000, seconds=3.0)


@dataclass(frozen=True)
class Level:
    """What a player must see within `limit`: 0 nothing, 1 its own five, 2 the opponent's, 3 a straight four."""

    sees: int
    limit: Limit = LIMIT
    spec: str = ""
    """How the player is set up to show it, where its defaults are too weak."""


LEVELS = {
    "random": Level(0),
    "greedy": Level(2),
    "weight": Level(3),
    "minimax": Level(3),
    "person": Level(3, spec="person:sees=1"),
    "alphabeta": Level(3),
    "alphazero": Level(3),
    "dqn": Level(0),  # what it sees it must have learned, and these weights are random
    "mcts": Level(2, Limit(nodes=120_000, seconds=20.0), "mcts:playouts=0"),
}
DEFAULT = Level(0)

NAMES = sorted(set(PLAYERS) - set(OUTSIDE))


def maker(name: str) -> Maker:
    """Makes agents of a player's name or of a whole spec."""

    def make(seed: int) -> Player:
        return create(SPECS.get(name, name), seed=seed)

    return make


def level(name: str) -> Level:
    return LEVELS.get(name, DEFAULT)


ANALYSERS = {"alphabeta", "alphazero", "dqn", "mcts"}
"""Those that show their thinking."""
players = pytest.mark.parametrize("name", NAMES)


@players
def test_plays_every_board_it_claims(name: str) -> None:
    testing.check_plays_every_board_it_claims(maker(name))


@players
@pytest.mark.parametrize("case", list(testing.edge_cases()))
def test_edge_cases(name: str, case: str) -> None:
    testing.checked_choice(maker(name)(2), testing.edge_cases()[case])


@players
def test_refuses_a_finished_board(name: str) -> None:
    board = Board.from_text("a1b1a2b2a3b3a4b4a5", Variant(7))
    assert board.outcome() is not None
    with pytest.raises(TengenError):
        maker(name)(1).choose(board, Limit(seconds=0.1))


@players
def test_one_agent_plays_many_games(name: str) -> None:
    testing.check_one_player_plays_many_games(maker(name))


@players
def test_plays_a_game_to_its_end(name: str) -> None:
    testing.check_plays_a_game_to_its_end(maker(name))


@players
def test_same_seed_same_move(name: str) -> None:
    testing.check_same_seed_same_move(maker(name))


@players
def test_obeys_limits(name: str) -> None:
    testing.check_obeys_limits(maker(name))


@pytest.mark.parametrize("name", [n for n in NAMES if "depth" in PLAYERS[n].options])
def test_obeys_depth(name: str) -> None:
    testing.check_obeys_depth(maker(name))


@players
def test_analysis(name: str) -> None:
    assert isinstance(maker(name)(0), Analyser) == (name in ANALYSERS)
    if name in ANALYSERS:
        testing.check_analysis(maker(name))


@pytest.mark.parametrize("name", ["alphazero", "dqn"])
def test_a_kept_player_starts_afresh(name: str) -> None:
    assert isinstance(maker(name)(0), Reusable)
    testing.check_new_game(maker(name))


@pytest.mark.parametrize("name", [n for n in NAMES if level(n).sees])
def test_takes_a_win_without_thinking(name: str) -> None:
    sight.check_takes_a_win_without_thinking(maker(name))


def cases(least: int, positions: tuple[tuple[str, str, str, str], ...]) -> list[object]:
    """Each position for each player that must see so much."""
    return [
        pytest.param(name, *position[1:], id=f"{name}-{position[0]}")
        for name in NAMES
        if level(name).sees >= least
        for position in positions
    ]


@pytest.mark.parametrize(
    ("name", "text", "rule", "answers"), [*cases(1, sight.WINS), *cases(2, sight.THREATS), *cases(3, sight.MATES)]
)
def test_sees_what_its_level_promises(name: str, text: str, rule: str, answers: str) -> None:
    wanted = level(name)
    sight.check_answers(maker(wanted.spec or name), text, rule, answers, wanted.limit)


# ---------------------------------------------------------------------------------------------- the checks can fail


class Broken:
    """An agent with one fault."""

    def __init__(self, fault: str) -> None:
        self._fault = fault

    def choose(self, board: Board, limit: Limit) -> object:
        from dataclasses import replace

        decision = create("minimax:depth=1").choose(board, Limit())
        if self._fault == "touches the board":
            board.play(decision.move)
        if self._fault == "value":
            return replace(decision, value=3.0)
        if self._fault == "illegal":
            return replace(decision, move=next((m for m in range(board.cells) if not board.is_legal(m)), -1))
        if self._fault == "pv":
            return replace(decision, pv=(decision.move, decision.move))
        return decision


@pytest.mark.parametrize("fault", ["touches the board", "value", "illegal", "pv"])
def test_the_contract_finds_faults(fault: str) -> None:
    with pytest.raises((AssertionError, ValueError)):
        testing.checked_choice(Broken(fault), Board.from_text("h8i9"))  # type: ignore[arg-type]
    assert testing.checked_choice(Broken(""), Board.from_text("h8i9"))  # type: ignore[arg-type]


def test_edge_cases_are_what_they_say() -> None:
    boards = testing.edge_cases()
    assert len(boards["one cell left"].legal_moves()) == 1 and boards["one cell left"].outcome() is None
    assert len(boards["one legal move among forbidden ones"].legal_moves()) == 1
    assert len(boards["one legal move among forbidden ones"].forbidden()) == 3
    lost = boards["no defence that is legal"]
    assert lost.name(next(iter(lost.forbidden()))) == "g7" and lost.rule == Rule.RENJU


# ---------------------------------------------------------------------------------------------- the registry


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "unknown player 'nobody'; choose one of .*random"),
        ("mcts:plays=3", "has no option 'plays'; its options: playouts, "),
        ("mcts:playouts", "has no option 'playouts'"),
        ("mcts:playouts=many", "playouts=many is not a whole number"),
        ("mcts:c=wide", "c=wide is not a number"),
        ("minimax:random_depth=maybe", "random_depth=maybe is not on or off"),
        ("mcts:c=nan", "mcts: c=nan is not supported; choose 0 to 100"),
        ("mcts:playouts=-1", "playouts=-1 is not supported; choose 0 to 1000000000"),
        ("mcts:rollout_limit=-2", "rollout_limit=-2 is not supported"),
        ("alphazero:batch=-1", "alphazero: batch=-1 is not supported; choose 1 to 256"),
        ("alphazero:c_puct=inf", "c_puct=inf is not supported; choose 0 to 100"),
        ("alphazero:formula=magic", "formula=magic is not supported; choose puct or printed"),
        ("minimax:depth=99999", "minimax: depth=99999 is not supported; choose 1 to 8"),
        ("alphabeta:seed=" + "9" * 60, "seed=9999.*is not supported"),
        ("gomocup:cmd=x,tolerance=nan", "tolerance=nan is not supported"),
        ("random:seed=1\ud800", "must be printable text"),
    ],
)
def test_wrong_specs_say_what_would_be_right(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        create(spec)


def test_overrides_fill_what_the_spec_leaves_open() -> None:
    board = Board(Variant(15))
    moves = {create("random", seed=s).choose(board, Limit()).move for s in range(20)}
    fixed = {create("random:seed=1", seed=s).choose(board, Limit()).move for s in range(20)}
    assert len(moves) > 5 and len(fixed) == 1


@pytest.mark.parametrize("name", sorted(PLAYERS))
def test_help_texts(name: str) -> None:
    player = PLAYERS[name]
    assert player.help and all(option.help for option in player.options.values())


# ---------------------------------------------------------------------------------------------- greedy and weight


def layers(text: str) -> set[str]:
    """The cells among which greedy draws."""
    board = Board.from_text(text)
    return {board.name(m) for m in _core.greedy_moves(board.core)}


def test_greedy_layers_in_their_order() -> None:
    assert layers("h8h9i8i9j8j9k8k9") == {"g8", "l8"}, "five before stopping a five"
    assert layers("h8a1i8a3j8a5k8") == {"g8", "l8"}, "stopping a five before making four"
    assert layers("h8a1i8a3j8c5") == {"f8", "g8", "k8", "l8"}, "a four before stopping anything"
    assert layers("h8a1i8a3j8") == {"f8", "g8", "k8", "l8"}, "stopping a four before making three"
    assert layers("h8a1i8o1") == {"e8", "f8", "g8", "j8", "k8", "l8"}, "a three before a two"
    assert layers("h8a1") >= {"i8", "g8", "h9", "g7", "i9", "h10"}, "a two on a line with the stone"
    assert len(layers("")) == 225, "anything"


def test_greedy_plays_any_cell_of_its_layer() -> None:
    board = Board.from_text("h8a1i8a3j8")
    assert {board.name(create("greedy", seed=s).choose(board, Limit()).move) for s in range(60)} == layers("h8a1i8a3j8")


def test_greedy_sees_blocked_ends() -> None:
    # White's four between a black stone and the edge can never be five: there is nothing to stop.
    assert "f1" not in layers("e1a1h8b1k11c1n3d1")
    # Three that have room for four cells only are no three.
    assert not layers("e1b1h8c1k11d1") & {"a1"}


def weight_choices(text: str) -> set[str]:
    board = Board.from_text(text)
    return {board.name(m) for m in _core.weight_moves(board.core)}


def test_weight_adds_attack_and_defence() -> None:
    assert weight_choices("") == {"h8"}, "the centre first"
    assert weight_choices("h8a1i8a3j8") <= {"g8", "k8"}, "an open three is stopped at its end"
    assert weight_choices("h8h9i8i9j8j9k8k9") <= {"g8", "l8"}, "its own five rather than a block"
    # g8 makes an open three for black and stops white's on the g column; both count.
    assert weight_choices("h8g9i8g10") == {"g8"}
