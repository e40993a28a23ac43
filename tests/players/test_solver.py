"""Forced wins: every win is checked without the solver, and what it misses is looked for by brute force."""

from __future__ import annotations

import json
import time
from functools import cache
from random import Random
from threading import Timer

import pytest

from tengen import _core
from tengen.board import Board
from tengen.players.solver import Mode, Solution, Solver
from tengen.rules import Color, Limit, Rule, Variant, parse_moves
from tests.helpers.paths import DATA
from tests.helpers.referee import BadWin, CoreReferee, SlowReferee, check_every_answer, check_line, check_tree
from tests.helpers.timing import within

BLACK, WHITE = Color.BLACK, Color.WHITE
ENOUGH = Limit(nodes=2_000_000)


def puzzles(mode: str) -> list[Board]:
    boards = []
    for line in (DATA / f"renju15-{mode}.jsonl").read_text().splitlines():
        data = json.loads(line)
        black, white = ([y * 15 + x for x, y in data[color]] for color in ("black", "white"))
        boards.append(Board.from_stones(black, white, BLACK if data["side"] == "B" else WHITE, Variant(rule="renju")))
    return boards


def position(black: str, white: str, turn: Color, rule: str = "freestyle", size: int = 15, k: int = 5) -> Board:
    stones = (parse_moves(text, size, size) for text in (black, white))
    return Board.from_stones(*stones, turn, Variant(size, k=k, rule=rule))


def solve(board: Board, mode: str = "vcf", attacker: Color | None = None, limit: Limit = ENOUGH) -> Solution:
    return Solver(mode, 1 << 14).solve(board, limit, attacker)


def names(board: Board, solution: Solution) -> list[str]:
    return [board.name(move) for move in solution.moves]


def random_position(random: Random, width: int, height: int, k: int, rule: str, stones: int) -> Board | None:
    """Stones near one another, as in a game; None when somebody already has five."""
    cells = [random.randrange(width * height)]
    while len(cells) < stones:
        row, col = divmod(random.choice(cells), width)
        row, col = row + random.randint(-2, 2), col + random.randint(-2, 2)
        if 0 <= row < height and 0 <= col < width and row * width + col not in cells:
            cells.append(row * width + col)
    turn = random.choice([BLACK, WHITE])
    try:
        return Board.from_stones(cells[::2], cells[1::2], turn, Variant(width, height, k, rule))
    except ValueError:
        return None


# ------------------------------------------------------------------------------------------- puzzle files


@pytest.mark.parametrize("number", range(0, 153, 17))
def test_continuous_fours_solve_every_puzzle(number: int) -> None:
    solver = Solver(Mode.VCF)
    for board in puzzles("vcf")[number : number + 17]:
        solution = solver.solve(board, ENOUGH)
        assert solution.solved
        check_line(SlowReferee(board), solution.moves)


@pytest.mark.parametrize("number", range(0, 60, 10))
def test_continuous_threats_hold_against_every_reply(number: int) -> None:
    solver = Solver(Mode.VCT)
    for board in puzzles("vct")[number : number + 10]:
        solution = solver.solve(board, ENOUGH)
        assert solution.solved
        assert check_tree(CoreReferee(board), range(board.cells), solution.tree) > 100


def test_a_tree_holds_for_the_slow_rules_too() -> None:
    board = puzzles("vct")[0]
    tree = solve(board, "vct").tree
    near = [m for m in range(board.cells) if 2 <= m // 15 <= 12 and 2 <= m % 15 <= 12][::3]
    answers = {m for node in tree for m in node.answers}
    assert check_tree(SlowReferee(board), sorted({*near, *answers}), tree) > 50


# ------------------------------------------------------------------------------------------- drawn positions


def test_open_four_and_five() -> None:
    board = position("f8g8h8i8", "a1a3a5", BLACK)
    assert names(board, solve(board)) in (["e8"], ["j8"])
    board = position("g8h8i8", "a1a3a5", BLACK)
    solution = solve(board)
    assert solution.solved and len(solution.moves) == 3


def test_a_counter_four_is_respected() -> None:
    # i8 makes a four and a three, and j8 is the forced answer: with j9 to j11 it makes white's own open four.
    black = "f8g8h8i6i7"
    harmless = position(black, "e8a1a3a5", BLACK)
    assert names(harmless, solve(harmless))[:2] == ["i8", "j8"]
    assert solve(position(black, "e8j9j10j11", BLACK)).exhausted


def test_a_five_of_the_defender_leaves_only_its_block() -> None:
    # White threatens b1; black's block there makes no four, so an open three on the other side is worth nothing.
    assert solve(position("g8h8i8g1", "c1d1e1", BLACK)).solved
    threatened = position("g8h8i8g1", "c1d1e1f1", BLACK)
    assert solve(threatened).exhausted
    assert not solve(threatened, "vct").solved


def test_standard_needs_exactly_five() -> None:
    # h8 would make six: a win under freestyle only.
    stones = ("e8f8g8i8j8", "a1a3a5a7a9")
    assert names(position(*stones, BLACK), solve(position(*stones, BLACK)))[0] == "h8"
    assert "h8" not in names(position(*stones, BLACK), solve(position(*stones, BLACK, "standard")))


def test_black_does_not_attack_on_a_forbidden_point() -> None:
    # h8 makes two fours at once: white may, black may not under renju.
    stones, others = "e8f8g8h5h6h7", "d8h4a1a15o1o15"
    assert names(position(stones, others, BLACK), solve(position(stones, others, BLACK)))[0] == "h8"
    renju = position(stones, others, BLACK, "renju")
    assert renju.core.forbidden_reason(parse_moves("h8", 15, 15)[0])
    solution = solve(renju)
    assert not solution.solved or solution.moves[0] != parse_moves("h8", 15, 15)[0]
    mirrored = position(others, stones, WHITE, "renju")
    assert names(mirrored, solve(mirrored))[0] == "h8"


def test_white_wins_where_black_may_not_answer() -> None:
    # White's four on d8 must be stopped on h8, where black would make two threes.
    black, white = "h9h10i7j6c8i8", "e8f8g8a15o15"
    renju = position(black, white, WHITE, "renju")
    solution = solve(renju)
    assert solution.solved and names(renju, solution)[-1] == "d8"
    check_line(SlowReferee(renju), solution.moves)
    assert not solve(position(black, white, WHITE)).solved


def test_caro_looks_at_stones_behind_the_row() -> None:
    # White at d8; black's four e8-h8 can be stopped on i8 and also on j8.
    board = position("e8f8g8", "d8a1a3", BLACK, "caro")
    check = solve(board)
    assert not check.solved
    referee = CoreReferee(board)
    referee.play(parse_moves("h8", 15, 15)[0])
    stops = []
    for name in ("i8", "j8", "k8"):
        referee.play(parse_moves(name, 15, 15)[0])
        stops.append(not referee.fives(0))
        referee.undo()
    assert stops == [True, True, False]


# ------------------------------------------------------------------------------------------- brute force

GROUNDS = [
    (rule, k, width, height)
    for rule in Rule
    for k, width, height in ((3, 5, 4), (4, 6, 6), (5, 7, 7), (5, 8, 6), (6, 8, 7))
    if rule != Rule.RENJU or k == 5
]


def brute_fours(referee: SlowReferee, depth: int = 12) -> bool:
    """Some sequence of fours wins for the side to move: every cell tried, every stopping reply tried."""
    attacker = referee.turn
    if referee.fives(attacker):
        return True
    cells = range(len(referee.grid))
    for attack in cells if depth else ():
        if not referee.legal(attack):
            continue
        referee.play(attack)
        completing = referee.fives(attacker)
        wins = bool(completing) and not referee.fives(1 - attacker)
        replies = cells if referee.rule == "caro" else completing
        for reply in replies if wins else ():
            if not referee.legal(reply):
                continue
            referee.play(reply)
            wins = brute_fours(referee, depth - 1)
            referee.undo()
            if not wins:
                break
        referee.undo()
        if wins:
            return True
    return False


@pytest.mark.parametrize("rule,k,width,height", GROUNDS)
def test_no_win_by_fours_is_missed_or_invented(rule: Rule, k: int, width: int, height: int) -> None:
    random = Random(f"{rule} {k} {width}")
    seen = {True: 0, False: 0}
    for _ in range(24):
        board = random_position(random, width, height, k, rule, random.randint(2 * k, width * height // 2))
        if board is None:
            continue
        found = solve(board)
        assert found.solved != found.exhausted
        assert found.solved == brute_fours(SlowReferee(board)), repr(board) + "\n" + str(board)
        if found.solved:
            check_every_answer(CoreReferee(board), found.moves)
        seen[found.solved] += 1
    assert sum(seen.values()) >= 8


def forces_win(board: Board, attacker: int) -> bool:
    """By looking at every continuation to the end of the game."""
    core = board.core.copy()

    @cache
    def wins(key: int) -> bool:
        if core.over:
            return bool(core.won and core.turn != attacker)
        results = (after(m) for m in core.legal_moves())
        return any(results) if core.turn == attacker else all(results)

    def after(move: int) -> bool:
        core.play(move)
        result = wins(core.key)
        core.undo()
        return result

    return wins(core.key)


@pytest.mark.parametrize("rule,k,width,height", GROUNDS)
def test_continuous_threats_never_claim_a_win_that_is_none(rule: Rule, k: int, width: int, height: int) -> None:
    random = Random(f"{rule} {k} {height}")
    claimed = 0
    for _ in range(60):
        stones = width * height - random.randint(6, 9)
        board = random_position(random, width, height, k, rule, stones)
        if board is None:
            continue
        for attacker in (board.turn, board.turn.other):
            asked = board if attacker == board.turn else flipped(board)
            found = solve(asked, "vct")
            if found.solved:
                claimed += 1
                assert forces_win(asked, attacker), str(asked)
    assert claimed or k >= 5


def flipped(board: Board) -> Board:
    """The same stones with the other side to move."""
    cells = range(board.cells)
    black, white = ([m for m in cells if board.at(m) == color] for color in (BLACK, WHITE))
    return Board.from_stones(black, white, board.turn.other, board.variant)


@pytest.mark.parametrize("rule,k", [(r, k) for r in Rule for k in (4, 5, 6) if r != Rule.RENJU or k == 5])
def test_trees_hold_for_every_rule(rule: Rule, k: int) -> None:
    random = Random(f"{rule} {k}")
    solver, checked = Solver(Mode.VCT, 1 << 14), 0
    fewest, most = {4: (5, 9), 5: (10, 20), 6: (24, 40)}[k]
    for _ in range(600):
        board = random_position(random, 12, 11, k, rule, random.randint(fewest, most))
        if board is None or checked >= 5:
            continue
        found = solver.solve(board, Limit(nodes=15_000))
        if not found.solved or not 3 < len(found.tree) < 40:
            continue
        prove = check_every_answer if rule == Rule.CARO else check_line
        check_tree(CoreReferee(board), range(board.cells), found.tree, prove)
        checked += 1
    assert checked >= 2


# ------------------------------------------------------------------------------------------- the interface


def test_the_other_side_may_be_asked_and_the_board_stays() -> None:
    board = position("g8h8i8", "a1a3a5", WHITE)
    key = board.key
    for mode in Mode:
        assert solve(board, mode, BLACK).solved
        assert not solve(board, mode, WHITE).solved
    assert board.key == key and board.core.is_ok()


def test_limits_are_kept_and_results_repeat() -> None:
    board = next(b for b in puzzles("vcf") if solve(b).nodes > 5_000)
    few = solve(board, limit=Limit(nodes=500))
    assert not few.solved and not few.exhausted and few.nodes <= 500 + 8
    assert solve(board).nodes == solve(board).nodes

    def thought() -> float:
        short = solve(puzzles("vct")[0], "vct", limit=Limit(seconds=1e-6))
        assert not short.exhausted
        return short.seconds

    within(0.2, thought)


def test_a_referee_refuses_what_is_no_win() -> None:
    board = puzzles("vcf")[0]
    moves = solve(board).moves
    for wrong in (moves[:-1], moves[2:], (*moves, 0), (moves[0], moves[2], *moves[2:]), ()):
        with pytest.raises(BadWin):
            check_line(SlowReferee(board), wrong)
    board = next(b for b in puzzles("vct") if len(solve(b, "vct").tree) > 1)
    tree = list(solve(board, "vct").tree)
    missing = dict(list(tree[0].answers.items())[1:])
    tree[0] = type(tree[0])((), tree[0].attack, tree[0].threat, missing)
    with pytest.raises(BadWin):
        check_tree(CoreReferee(board), range(board.cells), tree)


def test_unknown_mode_or_side_is_refused() -> None:
    with pytest.raises(ValueError, match="vcf, vct"):
        Solver("vcx")
    with pytest.raises(ValueError, match="0 for black"):
        _core.Vcf().solve(Board().core, 2, 10)


# No win was found here in 17 million nodes, and nothing shows that there is none.
LONG_THOUGHT = (
    "i13m13g12l12i11g10b9h9i9h8k8i7b6c6a4m4b2d2e2o2e1m1",
    "e14i12e11h11a10d10f10h10i10j9l9h7d6j6a3c3e3k3c2l2f1g1",
)


def test_a_running_search_can_be_stopped() -> None:
    solver = Solver(Mode.VCT)
    timer = Timer(0.2, solver.stop)
    timer.start()
    start = time.perf_counter()
    found = solver.solve(position(*LONG_THOUGHT, BLACK, "renju"), Limit(seconds=60))
    timer.join()
    assert not found.solved and not found.exhausted
    assert 0.1 < time.perf_counter() - start < 10


def test_speed_is_measured() -> None:
    assert _core.vcf_nps(0.05) > 100_000
