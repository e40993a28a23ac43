"""The contract of a player, as checks that any agent can be put through. docs/architecture.md tells how to use it.

Every check takes `make`, a function from a seed to a fresh agent. A player may refuse a board it was not built for by a
ValueError with one line of text; such boards are left out, but it must play at least one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from tengen.board import Board
from tengen.players.base import Analyser, Decision, Player
from tengen.rules import Limit, Move, Rule, Variant

Maker = Callable[[int], Player]

SMALL = Limit(nodes=60, seconds=2.0)
"""Enough for a move, little enough for many boards."""
GRACE = 1.0
"""Seconds over the limit that a referee forgives; a busy machine needs some of them."""
BATCH = 64
"""Nodes over the limit that a player which thinks in batches may need to finish one."""

SIZES = ((3, 3, 3), (4, 4, 3), (6, 6, 4), (7, 5, 5), (9, 9, 5), (12, 7, 4), (15, 15, 5), (20, 20, 5), (22, 22, 6))

# Rows counted from the bottom.
CORNER = "a1"
NO_DEFENCE = "h8g6f6g5f7g4h7g3g2a1"
"""Renju, black to move: white threatens g7, which is forbidden to black."""
ONE_LEGAL = "c5a4c6d2c1e1a2e4b2d4f2f3b4a5f1a6b6a1c4f4e6c2e5b1e3d6d1f6f5d3e2a3"
"""Renju on 6x6, black to move: four cells are empty, three of them forbidden."""


def sizes_and_rules() -> Iterator[tuple[int, int, int, Rule]]:
    for width, height, k in SIZES:
        for rule in Rule:
            if rule != Rule.RENJU or k == 5:
                yield width, height, k, rule


def one_cell_left(width: int = 5) -> Board:
    """A board with one empty cell, and nothing won: rows of pairs, each shifted against the last."""
    board = Board(Variant(width, k=width))
    cells = [
        sorted(m for m in range(board.cells - 1) if (m % width + 2 * (m // width)) % 4 // 2 == side) for side in (0, 1)
    ]
    return Board.from_stones(*cells, board.turn, board.variant)


def edge_cases() -> dict[str, Board]:
    return {
        "empty board": Board(Variant(15)),
        "empty even board": Board(Variant(8)),
        "stone in a corner": Board.from_text(CORNER, Variant(15)),
        "one cell left": one_cell_left(),
        "no defence that is legal": Board.from_text(NO_DEFENCE, Variant(rule=Rule.RENJU)),
        "one legal move among forbidden ones": Board.from_text(ONE_LEGAL, Variant(6, rule=Rule.RENJU)),
        "set up, white to move, no history": Board.from_stones([112, 113], [97], Board.from_text("a1").turn),
    }


# ---------------------------------------------------------------------------------------------- one decision


def snapshot(board: Board) -> tuple[object, ...]:
    return board.key, board.turn, board.moves, tuple(board.at(m) for m in range(board.cells)), board.core.is_ok()


def checked_choice(agent: Player, board: Board, limit: Limit = SMALL) -> Decision | None:
    """What the agent plays, every promise of a Decision checked; None when it refuses this kind of board."""
    before = snapshot(board)
    try:
        decision = agent.choose(board, limit)
    except ValueError as error:
        assert "\n" not in str(error) and str(error), "a refusal is one line that says why"
        assert snapshot(board) == before
        return None
    assert snapshot(board) == before, "the board is as it was"
    check_decision(decision, board)
    return decision


def check_decision(decision: Decision, board: Board) -> None:
    assert board.is_legal(decision.move), f"{decision.move} is not legal on\n{board}"
    assert decision.value is None or -1 <= decision.value <= 1
    assert decision.nodes >= 0 and decision.depth >= 0
    if decision.pv:
        assert decision.pv[0] == decision.move
        check_line(decision.pv, board)
    if decision.policy is not None:
        assert all(board.is_legal(m) and 0 <= p <= 1 + 1e-6 for m, p in decision.policy.items())
        assert abs(sum(decision.policy.values()) - 1) < 1e-3


def check_line(line: tuple[Move, ...], board: Board) -> None:
    after = board.copy()
    for move in line:
        after.play(move)  # raises on a move that is not legal


# ---------------------------------------------------------------------------------------------- the contract


def check_plays_every_board_it_claims(make: Maker) -> None:
    played = 0
    for width, height, k, rule in sizes_and_rules():
        board = Board(Variant(width, height, k, rule))
        for _ in range(3):
            decision = checked_choice(make(1), board)  # a new agent each time: it must cope with a game it never saw
            if decision is None:
                break
            played += 1
            board.play(decision.move)
            if board.outcome():
                break
    assert played, "it refuses every board"


def check_edge_case(make: Maker, board: Board) -> None:
    checked_choice(make(2), board)


def check_one_agent_plays_many_games(make: Maker) -> None:
    """What it kept from one position must not show in the next, whatever size and rule that has."""
    agent = make(3)
    for text, size, rule in (
        ("h8i9", 15, "freestyle"),
        ("e5", 9, "renju"),
        ("h8i9h9", 15, "caro"),
        ("", 6, "standard"),
    ):
        checked_choice(agent, Board.from_text(text, Variant(size, rule=rule)))


def check_plays_a_game_to_its_end(make: Maker, width: int = 6, k: int = 4) -> None:
    black, white = make(4), make(5)
    board = Board(Variant(width, k=k))
    while not board.outcome():
        decision = checked_choice(black if board.turn == 0 else white, board, Limit(nodes=20, seconds=1.0))
        if decision is None:
            return
        board.play(decision.move)


def check_same_seed_same_move(make: Maker) -> None:
    for text, size in (("", 9), ("e5f6", 9), ("h8i9j7", 15)):
        board = Board.from_text(text, Variant(size))
        first, second = (checked_choice(make(6), board, Limit(nodes=40)) for _ in range(2))
        if first and second:
            assert (first.move, first.nodes, first.value) == (second.move, second.nodes, second.value)


def check_obeys_limits(make: Maker) -> None:
    for size, limit in ((9, Limit(seconds=0.05)), (15, Limit(seconds=0.05)), (15, Limit(seconds=0.0))):
        board = Board.from_text("e5f6d4", Variant(size))
        start = time.perf_counter()
        checked_choice(make(7), board, limit)
        assert time.perf_counter() - start < (limit.seconds or 0) + GRACE, "over its time"
    for nodes in (1, 50, 500):
        decision = checked_choice(make(8), Board.from_text("e5f6d4", Variant(9)), Limit(nodes=nodes, seconds=5.0))
        assert decision is None or decision.nodes <= nodes + BATCH, "over its nodes"


def check_obeys_depth(make: Maker) -> None:
    """Only for players that look a number of moves ahead; a search by visits has no use for such a limit."""
    decision = checked_choice(make(9), Board.from_text("e5f6d4", Variant(9)), Limit(depth=1, nodes=2000, seconds=2.0))
    assert decision is None or decision.depth <= 1, "over its depth"


def check_analysis(make: Maker) -> None:
    """Only for players that show their thinking: snapshots grow, closing the stream ends the search."""
    agent, board = make(10), Board.from_text("e5f6d4", Variant(9))
    assert isinstance(agent, Analyser)
    before, nodes = snapshot(board), 0
    for analysis in agent.analyse(board, Limit(nodes=200, seconds=0.5)):
        assert analysis.nodes >= nodes and analysis.seconds >= 0 and -1 <= analysis.value <= 1
        assert all(board.is_legal(c.move) and -1 <= c.value <= 1 for c in analysis.candidates)
        nodes = analysis.nodes
    assert nodes > 0
    stream = agent.analyse(board, Limit(seconds=30.0))
    next(iter(stream))
    start = time.perf_counter()
    getattr(stream, "close", lambda: None)()
    assert time.perf_counter() - start < 2, "closing the stream ends the search"
    assert snapshot(board) == before


# ---------------------------------------------------------------------------------------------- what it sees

# (name, position, rule, answers); rows from the bottom, black or white to move as the stones say.
WINS = (
    ("four in a row", "h8a1i8a3j8a5k8c2", "freestyle", "g8l8"),
    ("four with a gap", "h8a1i8a3k8a5l8c2", "freestyle", "j8"),
    ("white's diagonal", "a1h8a3i9a5j10c1k11o1", "standard", "g7l12"),
    ("at the edge", "a1h8a2h9a3h11a4j8", "caro", "a5"),
    ("exactly five, not six", "h8a1i8a3j8a5k8c2m8c4", "standard", "g8"),
    ("renju, black", "h8a1i8a3j8a5k8c2m8c4", "renju", "g8"),
    ("rather than block", "h8a1i8a2j8a3k8a4", "freestyle", "g8l8"),
)
THREATS = (
    ("four with one open end", "h8g8i8a3j8a5k8", "freestyle", "l8"),
    ("four with a gap", "h8a1i8a3k8a5l8", "freestyle", "j8"),
    ("on the diagonal", "h8g7i9a3j10a5k11", "standard", "l12"),
    ("renju, white's five", "a1h8c13i8n3j8g8k8", "renju", "l8"),
)
MATES = (
    ("open three becomes a straight four", "h8a1i8o1j8o15", "freestyle", "g8k8"),
    ("split three becomes a straight four", "h8a1i8o1k8o15", "freestyle", "j8"),
    ("white's open three", "a1h8o1i9o15j10a8", "standard", "g7k11"),
)


def check_takes_a_win_without_thinking(make: Maker) -> None:
    """Even one node is enough for a win that is on the board, with a threat of the opponent beside it."""
    board = Board.from_text("a6c4d2f2c2b2", Variant(6, 7, 3))
    decision = checked_choice(make(12), board, Limit(nodes=1))
    if decision is not None:
        board.play(decision.move)
        assert board.outcome(), f"it had a row of three\n{board}"


def check_answers(make: Maker, text: str, rule: str, answers: str, limit: Limit) -> None:
    board = Board.from_text(text, Variant(rule=rule))
    decision = checked_choice(make(11), board, limit)
    if decision is not None:
        wanted = {board.name(m) for m in Board.from_text(answers).moves}
        assert board.name(decision.move) in wanted, f"played {board.name(decision.move)} on\n{board}"
