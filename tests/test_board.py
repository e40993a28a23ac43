"""The native board against the oracle, on random games of every size and rule."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tengen.board import Board
from tengen.errors import IllegalMoveError
from tengen.rules import Color, Limit, Outcome, Result, Rule, Termination, Variant, parse_move, parse_moves
from tests.helpers import oracle
from tests.helpers.games import SYMMETRIES, Game, games, map_move, oracle_board

THREATS = [
    "None",
    "Two",
    "ClosedThree",
    "DoubleTwo",
    "Three",
    "ThreePlus",
    "DoubleThree",
    "Four",
    "FourPlus",
    "FourThree",
    "DoubleFour",
    "OpenFour",
    "Five",
    "Forbidden",
]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
random_games = settings(max_examples=100, deadline=None, suppress_health_check=SLOW)


def facts(board: Board) -> tuple[object, ...]:
    """Everything that must come back after undo."""
    cells = range(board.cells)
    shapes = [[board.core.shapes(c, m) for m in cells] for c in Color]
    threats = [[board.core.threat(c, m) for m in cells] for c in Color]
    groups = [[board.core.cells_with(c, g) for g in range(3)] for c in Color]
    stones = [board.at(m) for m in cells]
    scores = [board.core.score(c) for c in Color]
    return (board.key, board.turn, board.moves, stones, board.outcome(), board.legal_moves(), shapes, threats, groups,
            scores, board.forbidden())  # fmt: skip


# ---------------------------------------------------------------------------------------------- the oracle


@given(games())
@random_games
def test_stones_and_turn_follow_the_moves(game: Game) -> None:
    board = game.board()
    expected = {m: Color(i % 2) for i, m in enumerate(game.moves)}
    assert {m: c for m in range(board.cells) if (c := board.at(m)) is not None} == expected
    assert board.turn == len(game.moves) % 2
    assert board.stones == len(game.moves)
    assert board.moves == game.moves


@given(games())
@random_games
def test_outcome_and_winning_line(game: Game) -> None:
    board = game.board()
    truth = oracle_board(board)
    wins = {tuple(r * board.width + c for r, c in run) for run in oracle.winning_runs(truth)}
    outcome = board.outcome()
    if wins:
        assert outcome is not None and outcome.winner == board.turn.other
        assert outcome.termination == Termination.FIVE
        assert outcome.line in wins and board.moves[-1] in outcome.line
        assert board.legal_moves() == []
    elif not truth.empties():
        assert outcome == Outcome(Result.DRAW, Termination.FULL)
    else:
        assert outcome is None or (board.rule == Rule.RENJU and not board.legal_moves())


@given(games(rules=(Rule.RENJU,), max_moves=70))
@random_games
def test_legal_moves_and_forbidden_points(game: Game) -> None:
    board = game.board()
    if board.outcome():
        return
    truth = oracle_board(board)
    reasons = {}
    if board.turn == Color.BLACK:
        reasons = {r * board.width + c: oracle.forbidden(truth, (r, c)) for r, c in truth.empties()}
    refused = {m for m, why in reasons.items() if why}
    found = board.forbidden()
    assert set(found) == refused
    assert all(found[m] in reasons[m] for m in refused)
    empty = {r * board.width + c for r, c in truth.empties()}
    assert set(board.legal_moves()) == empty - refused


@given(games(), st.data())
@random_games
def test_shapes_and_threats_of_every_cell(game: Game, data: st.DataObject) -> None:
    board = game.board(data.draw(st.integers(0, len(game.moves)), "ply"))
    if board.outcome():
        return
    truth = oracle_board(board)
    for row, col in truth.empties():
        for color, side in ((Color.BLACK, "x"), (Color.WHITE, "o")):
            move = row * board.width + col
            expected = [oracle.shape(truth, side, (row, col), d) for d in oracle.DIRECTIONS]
            found = [oracle.SHAPES[s] for s in board.core.shapes(color, move)]
            assert found == expected, f"{side} on {board.name(move)}\n{board}"
            renju_black = board.rule == Rule.RENJU and side == "x"
            assert THREATS[board.core.threat(color, move)] == oracle.threat(expected, renju_black)


@given(games(), st.data())
@random_games
def test_groups_hold_the_cells_of_their_threats(game: Game, data: st.DataObject) -> None:
    board = game.board(data.draw(st.integers(0, len(game.moves)), "ply"))
    members = (
        {"Five"},
        {"Four", "FourPlus", "FourThree", "DoubleFour", "OpenFour"},
        {"Three", "ThreePlus", "DoubleThree"},
    )
    for color in Color:
        threats = [THREATS[board.core.threat(color, m)] for m in range(board.cells)]
        for group, names in enumerate(members):
            assert board.core.cells_with(color, group) == [m for m, t in enumerate(threats) if t in names]


# ---------------------------------------------------------------------------------------------- undo, symmetry


@given(games(max_moves=60), st.data())
@random_games
def test_undo_restores_everything(game: Game, data: st.DataObject) -> None:
    ply = data.draw(st.integers(0, len(game.moves)), "ply")
    board = game.board(ply)
    before = facts(board)
    for move in game.moves[ply:]:
        board.play(move)
        assert board.core.is_ok()
    for move in reversed(game.moves[ply:]):
        assert board.undo() == move
        assert board.core.is_ok()
    assert facts(board) == before == facts(game.board(ply))


@given(games(max_moves=60), st.sampled_from(SYMMETRIES))
@random_games
def test_symmetric_games_are_the_same_game(game: Game, transform: object) -> None:
    here, there = game.board(), game.mapped(transform).board()  # type: ignore[arg-type]
    image = [map_move(m, game.width, game.height, transform) for m in range(here.cells)]  # type: ignore[arg-type]
    for color in Color:
        for move in range(here.cells):
            assert here.core.threat(color, move) == there.core.threat(color, image[move])
            assert sorted(here.core.shapes(color, move)) == sorted(there.core.shapes(color, image[move]))
    assert {image[m] for m in here.legal_moves()} == set(there.legal_moves())
    assert {image[m]: why for m, why in here.forbidden().items()} == there.forbidden()
    ends = here.outcome(), there.outcome()
    assert (ends[0] is None) == (ends[1] is None)
    if ends[0] and ends[1]:
        assert ends[0].winner == ends[1].winner
        assert bool(ends[0].line) == bool(ends[1].line)
        assert not ends[0].line or {image[m] for m in ends[0].line} & set(ends[1].line)


@given(games(max_moves=60), st.data())
@random_games
def test_key_depends_on_stones_and_turn_only(game: Game, data: st.DataObject) -> None:
    board = game.board()
    black = data.draw(st.permutations([m for m in range(board.cells) if board.at(m) == Color.BLACK]))
    white = [m for m in range(board.cells) if board.at(m) == Color.WHITE]
    if board.core.won:
        return
    variant = Variant(game.width, game.height, game.k, game.rule)
    same = Board.from_stones(black, white, board.turn, variant)
    assert same.key == board.key and same.core.is_ok()
    assert Board.from_stones(black, white, board.turn.other, variant).key != board.key
    copy = board.copy()
    if moves := copy.legal_moves():
        copy.play(moves[0])
        assert copy.key != board.key == same.key


# ---------------------------------------------------------------------------------------------- by hand


def test_wins_of_each_rule() -> None:
    row = {"five": [0, 1, 2, 3, 4], "six": [0, 1, 2, 3, 5, 4]}
    for rule, expected in ((Rule.FREESTYLE, True), (Rule.STANDARD, False), (Rule.CARO, True)):
        board = Board(Variant(15, rule=rule))
        for black, white in zip(row["six"], range(30, 42, 2), strict=True):
            board.play(black)
            if not board.outcome():
                board.play(white)
        assert (board.outcome() is not None) == expected, rule


@pytest.mark.parametrize(
    ("white", "wins"),
    [("g8", True), ("m8", True), ("g8m8", False), ("", True)],
)
def test_caro_row_between_two_enemy_stones_does_not_win(white: str, wins: bool) -> None:
    black = parse_moves("h8i8j8k8", 15, 15)
    board = Board.from_stones(black, parse_moves(white, 15, 15), Color.BLACK, Variant(rule=Rule.CARO))
    board.play(parse_move("l8", 15, 15))
    assert (board.outcome() is not None) == wins


def test_caro_edge_does_not_block_and_six_is_free_of_the_rule() -> None:
    edge = Board.from_stones([0, 1, 2, 3], [5], Color.BLACK, Variant(rule=Rule.CARO))
    edge.play(4)
    assert edge.outcome() == Outcome(Result.BLACK, Termination.FIVE, (0, 1, 2, 3, 4))
    six = Board.from_stones([1, 2, 3, 5, 6], [0, 7], Color.BLACK, Variant(rule=Rule.CARO))
    six.play(4)
    assert six.outcome() == Outcome(Result.BLACK, Termination.FIVE, (1, 2, 3, 4, 5, 6))


def test_standard_five_beside_an_overline_wins() -> None:
    across, down = [15 * 7 + c for c in (0, 1, 2, 3, 5)], [15 * r + 4 for r in (3, 4, 5, 6)]
    board = Board.from_stones(across + down, [], Color.BLACK, Variant(rule=Rule.STANDARD))
    board.play(15 * 7 + 4)
    assert board.outcome() == Outcome(Result.BLACK, Termination.FIVE, tuple(15 * r + 4 for r in (3, 4, 5, 6, 7)))


def test_full_board_is_a_draw() -> None:
    board = Board(Variant(3, k=3), [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert board.outcome() == Outcome(Result.DRAW, Termination.FULL)
    assert board.legal_moves() == [] and not board.is_legal(0)


def test_illegal_moves_raise_and_change_nothing() -> None:
    board = Board.from_text("h8")
    before = facts(board)
    for move, message in ((parse_move("h8", 15, 15), "occupied"), (225, "off the board"), (-1, "off the board")):
        with pytest.raises(IllegalMoveError, match=message):
            board.play(move)
    assert facts(board) == before
    with pytest.raises(IllegalMoveError, match="take back"):
        Board().undo()
    won = Board(Variant(15), [0, 15, 1, 16, 2, 17, 3, 18, 4])
    with pytest.raises(IllegalMoveError, match="over"):
        won.play(100)


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ((2, 2, 5, "freestyle"), "sides go from"),
        ((23, 23, 5, "freestyle"), "to 22"),
        ((15, 4, 5, "freestyle"), "15x4"),
        ((15, 15, 7, "freestyle"), "choose 3 to 6"),
        ((15, 15, 4, "renju"), "k = 5"),
        ((15, 15, 5, "gomoku"), "freestyle, standard, renju, caro"),
    ],
)
def test_sizes_and_rules_that_do_not_exist(size: tuple[int, int, int, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board(Variant(*size))


def test_set_up_positions_are_checked() -> None:
    for black, white, message in (
        ([0, 1, 2, 3, 4], [], "five"),
        ([0], [0], "share"),
        ([225], [], "off the board"),
    ):
        with pytest.raises(ValueError, match=message):
            Board.from_stones(black, white, Color.BLACK)
    board = Board.from_stones([7], [8, 9], Color.WHITE)
    assert (board.turn, board.stones, board.moves) == (Color.WHITE, 3, ())


def test_limit_defaults_to_no_limit() -> None:
    assert Limit() == Limit(seconds=None, nodes=None, depth=None)
