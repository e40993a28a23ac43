"""The alphabeta engine: sound wins, forced answers, limits, reproducibility, analysis, clocks."""

from __future__ import annotations

import random
import threading
import time

import pytest

from tengen import _core, registry
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.lines import load_network
from tengen.inference.models import engine_network, load_model
from tengen.players.alphabeta import AlphaBetaPlayer, value_of
from tengen.players.base import Analyser, Player
from tengen.rules import Color, Limit, Rule, Variant, parse_move
from tests.helpers.timing import within

SIZES = [(15, 15, 5), (20, 20, 5), (9, 9, 5), (7, 5, 4), (6, 6, 4), (4, 4, 3), (22, 22, 6)]


def setup(black: str, white: str, size: int = 15, turn: Color = Color.BLACK, rule: Rule = Rule.FREESTYLE) -> Board:
    def cells(names: str) -> list[int]:
        return [parse_move(name, size, size) for name in names.split()]

    return Board.from_stones(cells(black), cells(white), turn, Variant(size, rule=rule))


def names(board: Board, agent: Player, limit: Limit) -> str:
    return board.name(agent.choose(board, limit).move)


def wins_against_all(board: Board, plies: int) -> bool:
    """Every answer of the opponent tried: does the side to move really win within `plies`?"""
    if plies <= 0:
        return False
    for move in board.legal_moves():
        board.play(move)
        won = board.core.won or (plies >= 3 and not board.outcome() and loses_against_all(board, plies - 1))
        board.undo()
        if won:
            return True
    return False


def loses_against_all(board: Board, plies: int) -> bool:
    for move in board.legal_moves():
        board.play(move)
        escaped = board.core.won or bool(board.outcome()) or not wins_against_all(board, plies - 1)
        board.undo()
        if escaped:
            return False
    return True


def random_small_board(rule: Rule, draw: random.Random, most: int) -> Board | None:
    """After 5 to `most` random moves; None if the game ended on the way."""
    board = Board(Variant(6, k=5, rule=rule)) if rule == Rule.RENJU else Board(Variant(5, k=4, rule=rule))
    for _ in range(draw.randint(5, most)):
        board.play(draw.choice(board.legal_moves()))
        if board.outcome():
            return None
    return board


@pytest.mark.parametrize("rule", list(Rule))
def test_claimed_wins_are_wins(rule: Rule) -> None:
    """Short wins that the engine claims on random small boards are proven by trying everything."""
    draw, checked = random.Random(5), 0
    while checked < 40:
        board = random_small_board(rule, draw, 12)
        if board is None:
            continue
        report = run(board, depth=3)
        plies = _core.ALPHABETA_MATE - abs(report.lines[0].score)
        if plies > 3 or report.lines[0].score < 0:
            continue
        checked += 1
        # Caro's solver shows one of several answers, so the win may take longer than its line.
        assert wins_against_all(board, plies + 4 * (rule == Rule.CARO)), f"{board!r} {plies}"


@pytest.mark.parametrize("rule", list(Rule))
def test_announced_losses_are_losses(rule: Rule) -> None:
    """The threats that decide a position without search do so against every defence."""
    draw, checked = random.Random(7), 0
    while checked < (3 if rule == Rule.RENJU else 12):
        board = random_small_board(rule, draw, 12)
        if board is None:
            continue
        score = run(board, depth=2).lines[0].score
        if score >= 0 or (plies := _core.ALPHABETA_MATE + score) > 4:
            continue
        checked += 1
        assert loses_against_all(board, plies), f"{board!r} {plies}"


def test_caro_stops_a_five_on_its_cell_or_behind_its_row() -> None:
    board = setup("e5 f5 g5 h5", "d5 a1 c1 e1", turn=Color.WHITE, rule=Rule.CARO)
    assert {board.name(line.move) for line in run(board, depth=2, lines=5).lines} == {"i5", "j5"}
    edge = setup("l5 m5 n5 k5", "j5 a1 c1 e1", turn=Color.WHITE, rule=Rule.CARO)
    assert {edge.name(line.move) for line in run(edge, depth=2, lines=5).lines} == {"o5"}
    # A stone at one end of this four takes the other end's five away, since that row is closed there already.
    half = setup("e5 f5 g5", "i5 a1 c1", rule=Rule.CARO)
    assert run(half, depth=3).lines[0].score < 29000
    assert run(setup("e5 f5 g5", "j5 a1 c1", rule=Rule.CARO), depth=1).lines[0].score > 29000


def test_caro_does_not_take_three_open_threes_of_the_opponent_for_its_own_win() -> None:
    """The cells that make open fours are worth much: their sum must not overflow."""
    board = setup("e5 f5 g5 e9 f9 g9 l5 l6 l7", "a1 c1 e1 h1 a15 c15 e15 h15", turn=Color.WHITE, rule=Rule.CARO)
    assert run(board, depth=1).lines[0].score < 0


def run(board: Board, depth: int = 0, nodes: int = 0, lines: int = 1) -> _core.AlphaBetaReport:
    engine = _core.AlphaBeta(1, 4, 0)
    engine.arm()
    return engine.run(board.core, 0.0, nodes, depth, lines)


VARIANTS = [Variant(*size, rule) for rule in Rule for size in SIZES if rule != Rule.RENJU or size[2] == 5]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_plays_legally_to_the_end_everywhere(variant: Variant) -> None:
    board = Board(variant)
    agent = AlphaBetaPlayer(hash_mb=1)
    while not board.outcome() and len(board.moves) < 60:
        before = (board.moves, board.key)
        found = agent.choose(board, Limit(nodes=300))
        assert (board.moves, board.key) == before
        assert found.value is not None and -1 <= found.value <= 1
        board.play(found.move)


@pytest.mark.parametrize("rule", list(Rule))
def test_takes_five_blocks_five_and_makes_the_open_four(rule: Rule) -> None:
    agent = AlphaBetaPlayer(hash_mb=1)
    win = setup("b5 c5 d5 e5", "f5 a2 b2 c2 d2", rule=rule)
    assert names(win, agent, Limit(nodes=1)) == "a5"
    block = setup("f5 a9 b9 c9", "b5 c5 d5 e5", rule=rule)
    assert names(block, agent, Limit(nodes=1)) == "a5"
    four = setup("f5 g5 h5", "h9 i9 l2", rule=rule)
    assert names(four, agent, Limit(nodes=2000)) in {"e5", "i5"}


def test_acceptance_position_of_the_protocol() -> None:
    board = Board.from_text("h8h9i8i9j8j9k8k9")
    found = AlphaBetaPlayer().choose(board, Limit(nodes=1000))
    assert board.name(found.move) in {"g8", "l8"} and found.value == 1.0


def test_answers_an_open_three_and_sees_a_four_three() -> None:
    agent = AlphaBetaPlayer(hash_mb=4)
    three = setup("a1 o15", "g8 h8 i8")
    assert names(three, agent, Limit(nodes=20_000)) in {"e8", "f8", "j8", "k8"}
    # h8 makes a four along the row and an open three along the column.
    fork = setup("e8 f8 g8 h9 h10", "d8 a1 o15 a15")
    found = agent.choose(fork, Limit(nodes=20_000))
    assert found.value == 1.0 and fork.name(found.move) in {"h8", "i8"}


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD])
def test_plays_the_double_three_that_wins(rule: Rule) -> None:
    # f5 makes open threes along the row and the column; white can make no four.
    board = setup("d5 e5 f6 f7", "a1 o1 a15 o15", rule=rule)
    found = AlphaBetaPlayer(hash_mb=4).choose(board, Limit(nodes=2000))
    assert found.value == 1.0
    lost = setup("a1 c1 o1 a15 o15", "f8 g8 h8 i8", rule=rule)
    assert len(run(lost, depth=1).lines) > 5


def test_forbidden_points_are_respected_by_and_used_against_black() -> None:
    agent = AlphaBetaPlayer(hash_mb=4)
    black = setup("g8 h8 i9 i10", "a1 a15 o1 o15", rule=Rule.RENJU)
    assert "i8" in {black.name(m) for m in black.forbidden()}
    assert names(black, agent, Limit(nodes=5000)) != "i8"
    # White's four can only be stopped on a point that is forbidden to black: it wins.
    trap = setup("g8 h8 i9 i10 m8", "i4 i5 i6 a1 a3", turn=Color.WHITE, rule=Rule.RENJU)
    assert agent.choose(trap, Limit(nodes=20_000)).value == 1.0


def test_same_seed_and_nodes_give_the_same_search_whatever_came_before() -> None:
    board = Board.from_text("h8i9h9h7i8")
    used, fresh = AlphaBetaPlayer(seed=3), AlphaBetaPlayer(seed=3)
    used.choose(Board.from_text("h8g7h7"), Limit(nodes=20_000))
    used.choose(board, Limit(seconds=0.05))
    assert used.choose(board, Limit(nodes=30_000)) == fresh.choose(board, Limit(nodes=30_000))


def test_limits_are_obeyed() -> None:
    board = Board.from_text("h8i9h9h7i8")
    agent = AlphaBetaPlayer()
    assert agent.choose(board, Limit(nodes=5000)).nodes <= 5000 + 1
    assert agent.choose(board, Limit(depth=3)).depth == 3
    assert AlphaBetaPlayer(depth=2).choose(board, Limit(depth=5)).depth == 2

    def thought() -> float:
        start = time.perf_counter()
        agent.choose(board, Limit(seconds=0.1))
        seconds = time.perf_counter() - start
        assert seconds > 0.05
        return seconds

    within(0.5, thought)


def test_more_nodes_look_deeper() -> None:
    board = Board.from_text("h8i9h9h7i8")
    agent = AlphaBetaPlayer()
    assert agent.choose(board, Limit(nodes=100_000)).depth > agent.choose(board, Limit(nodes=5000)).depth >= 4


def test_two_threads_search_together_and_stop_from_a_third() -> None:
    agent = AlphaBetaPlayer(threads=2, hash_mb=8)
    board = Board.from_text("h8i9h9h7i8")
    timer = threading.Timer(0.2, agent.stop)
    timer.start()
    start = time.perf_counter()
    found = agent.choose(board, Limit())
    assert board.is_legal(found.move) and time.perf_counter() - start < 5
    timer.join()


def test_analysis_streams_several_exact_moves_and_stops_when_closed() -> None:
    agent = registry.create("alphabeta:hash_mb=8")
    assert isinstance(agent, Analyser)
    board = Board.from_text("h8i9h9h7i8")
    stream = agent.analyse(board, Limit(seconds=20))
    start = time.perf_counter()
    seen = [next(stream), next(stream)]
    stream.close()
    assert time.perf_counter() - start < 10
    assert seen[0].depth < seen[1].depth and seen[0].nodes < seen[1].nodes
    for analysis in seen:
        values = [candidate.value for candidate in analysis.candidates]
        assert len(values) == 5 and values == sorted(values, reverse=True)
        assert all(candidate.pv[0] == candidate.move for candidate in analysis.candidates)
        assert all(board.is_legal(candidate.move) for candidate in analysis.candidates)


def test_analysis_ends_by_itself_at_its_limit() -> None:
    agent = AlphaBetaPlayer(hash_mb=4)
    last = list(agent.analyse(Board.from_text("h8i9"), Limit(depth=4)))[-1]
    assert last.depth == 4 and len(last.candidates) == 5


def test_bad_options_name_the_choices() -> None:
    for spec, hint in [("threads=0", "1 to 64"), ("hash_mb=0", "1 to"), ("depth=-1", "0 to 100")]:
        with pytest.raises(ValueError, match=hint):
            registry.create(f"alphabeta:{spec}")


@pytest.mark.parametrize("game", ["15x15", "20x20", "15x15 standard", "15x15 renju"])
def test_the_bundled_network_values_positions_unless_told_otherwise(game: str) -> None:
    board = Board.from_text("h8i9i7g9h9h7", Variant.parse(game))
    usual, named, none = (
        AlphaBetaPlayer(hash_mb=4, network=name).choose(board, Limit(nodes=5000))
        for name in ("auto", engine_network(board.variant).name, "none")
    )
    assert usual == named != none


@pytest.mark.parametrize("game", ["15x15 caro", "9x9 k=4"])
def test_where_no_network_helps_the_tables_play_alone(game: str) -> None:
    board = Board.from_text("e5d6d4e6", Variant.parse(game))
    usual, none = (AlphaBetaPlayer(network=name).choose(board, Limit(nodes=5000)) for name in ("auto", "none"))
    assert usual == none


def test_one_player_takes_the_network_of_each_game_it_is_asked_about() -> None:
    agent, boards = (
        AlphaBetaPlayer(hash_mb=4),
        [Board(Variant.parse(g)) for g in ("15x15 standard", "15x15", "7x7 k=4")],
    )
    for board in boards * 2:
        assert agent.choose(board, Limit(nodes=500)) == AlphaBetaPlayer(hash_mb=4).choose(board, Limit(nodes=500))


def test_a_prepared_player_reads_no_file_on_its_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared, board = AlphaBetaPlayer(hash_mb=1), Board(Variant(15, rule=Rule.RENJU))
    prepared.prepare(board)
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: pytest.fail(f"{path} is read"))
    decision = prepared.choose(board, Limit(nodes=500))
    monkeypatch.undo()
    assert decision == AlphaBetaPlayer(hash_mb=1).choose(board, Limit(nodes=500))


def test_a_network_that_does_not_fit_is_refused() -> None:
    with pytest.raises(TengenError, match="unknown model 'linse'"):
        registry.create("alphabeta:network=linse")
    with pytest.raises(TengenError, match="takes line networks, and 'base-9' is none"):
        registry.create("alphabeta:network=base-9")
    with pytest.raises(TengenError, match="'lines-renju' plays renju, not freestyle"):
        registry.create("alphabeta:network=lines-renju").choose(Board(), Limit(nodes=100))
    engine = _core.AlphaBeta(1, 1, 0)
    engine.use(load_network(load_model("lines-renju").path))
    with pytest.raises(ValueError, match="made for another game"):
        engine.run(Board().core, 0.0, 100, 0, 1)


def test_value_is_one_only_for_a_proven_end() -> None:
    assert value_of(29_990) == 1.0 and value_of(-29_990) == -1.0
    assert -1.0 < value_of(-20_000) < value_of(0) == 0.0 < value_of(20_000) < 1.0


# A win by threats, far beyond the depth of a short search: found at the root, announced, and played to its end.
THREATS = (
    "h11 g10 i10 j10 g9 h8 i8",
    "g12 i11 h10 i9 g8 i7",
)


def test_a_win_by_threats_is_announced_and_played_to_its_end() -> None:
    board = setup(*THREATS, turn=Color.WHITE, rule=Rule.RENJU)
    engine, draw = _core.AlphaBeta(1, 4, 0), random.Random(3)
    lengths = []
    while not board.outcome():
        engine.arm()
        best = engine.run(board.core, 20.0, 0, 0, 1).lines[0]
        assert best.score > _core.ALPHABETA_SURE_WIN, f"after {lengths}"
        lengths.append(_core.ALPHABETA_MATE - best.score)
        board.play(best.move)
        if not board.outcome():
            in_line = best.pv[1] if len(best.pv) > 1 and draw.random() < 0.7 else draw.choice(board.legal_moves())
            board.play(in_line)
    assert board.core.won and lengths[0] >= 9


def test_analysis_shows_a_win_by_threats_as_proven_and_goes_on_with_the_other_lines() -> None:
    board = setup(*THREATS, turn=Color.WHITE, rule=Rule.RENJU)
    shown = list(AlphaBetaPlayer(hash_mb=4).analyse(board, Limit(nodes=300_000)))
    proven = [analysis for analysis in shown if analysis.value == 1.0]
    assert len(proven) > 1 and proven == shown[-len(proven) :], "a proof is never forgotten"
    last = shown[-1]
    assert len(last.candidates[0].pv) >= 9 and len(last.candidates) > 1 and last.depth > 6


def test_analysis_shows_more_than_a_win_by_fours_and_than_a_forced_answer() -> None:
    won = setup("f8 g8 h8 f7 f6", "e8 a1 a3 o15 o13", turn=Color.BLACK)
    *_, last = AlphaBetaPlayer(hash_mb=4).analyse(won, Limit(nodes=50_000))
    assert last.value == 1.0 and len(last.candidates) > 1 and last.depth > 1
    forced = setup("f8 g8 h8 i8", "e8 a1 a3", turn=Color.WHITE)
    *_, last = AlphaBetaPlayer(hash_mb=4).analyse(forced, Limit(nodes=200_000))
    assert forced.name(last.candidates[0].move) == "j8" and last.depth > 8


def test_a_sure_search_on_a_game_clock_ends_before_its_limit() -> None:
    board = Board.from_text("h8i9h9h7i8")
    engine = _core.AlphaBeta(1, 4, 0)
    engine.arm()
    report = engine.run(board.core, 20.0, 0, 0, 1, 0.2)
    assert report.seconds < 10.0
    engine.arm()
    forced = setup("f8 g8 h8 i8", "e8 a1 a3", turn=Color.WHITE)
    assert engine.run(forced.core, 20.0, 0, 0, 1).seconds < 2.0
