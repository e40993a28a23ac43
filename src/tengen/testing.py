"""Contracts for code outside of this tree: is my player, environment or network what Tengen expects?

Each check is a plain function that raises AssertionError, saying what is wrong. Call it from any test runner:

    def test_my_player() -> None:
        check_player(lambda seed: MyPlayer(seed))

`check_player` puts a player through every size and rule, odd positions, limits and games. A player may refuse a board
it was not built for by TengenError with one line of text; such boards are left out, but it must play at least one.
`check_environment` plays a Gymnasium environment, `check_network` runs a network class as training finds it by name.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Analyser, Decision, Player, Reusable
from tengen.rules import Limit, Move, Rule, Variant

Maker = Callable[[int], Player]
"""From a seed to a fresh player."""

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


def variants() -> Iterator[Variant]:
    for width, height, k in SIZES:
        for rule in Rule:
            if rule.only_k in (None, k):
                yield Variant(width, height, k, rule)


def one_cell_left(width: int = 5) -> Board:
    """A board with one empty cell, and nothing won: rows of pairs, each shifted against the last."""
    board = Board(Variant(width, k=width))
    black, white = (
        [m for m in range(board.cells - 1) if (m % width + 2 * (m // width)) % 4 // 2 == side] for side in (0, 1)
    )
    return Board.from_stones(black, white, board.turn, board.variant)


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


def checked_choice(player: Player, board: Board, limit: Limit = SMALL) -> Decision | None:
    """What the player plays, every promise of a Decision checked; None when it refuses this kind of board."""
    before = snapshot(board)
    try:
        decision = player.choose(board, limit)
    except TengenError as error:
        assert "\n" not in str(error) and str(error), "a refusal is one line that says why"
        assert snapshot(board) == before, "the board is as it was"
        return None
    assert snapshot(board) == before, "the board is as it was"
    check_decision(decision, board)
    return decision


def check_decision(decision: Decision, board: Board) -> None:
    assert board.is_legal(decision.move), f"{decision.move} is not legal on\n{board}"
    assert decision.value is None or -1 <= decision.value <= 1, f"value {decision.value} is not in [-1, 1]"
    assert decision.nodes >= 0 and decision.depth >= 0, "nodes and depth are counts"
    if decision.pv:
        assert decision.pv[0] == decision.move, "the principal variation begins with the move"
        check_line(decision.pv, board)
    if decision.policy is not None:
        fine = all(board.is_legal(m) and 0 <= p <= 1 + 1e-6 for m, p in decision.policy.items())
        assert fine, "the policy gives probabilities to legal moves only"
        assert abs(sum(decision.policy.values()) - 1) < 1e-3, "the policy sums to 1"


def check_line(line: tuple[Move, ...], board: Board) -> None:
    after = board.copy()
    for move in line:
        assert after.is_legal(move), f"the principal variation plays {move}, which is not legal on\n{after}"
        after.play(move)


# ---------------------------------------------------------------------------------------------- a player


def check_player(make: Maker) -> None:
    """The whole contract. `make` gives a fresh player for a seed; it should take a few seconds."""
    check_plays_every_board_it_claims(make)
    for board in edge_cases().values():
        checked_choice(make(2), board)
    check_one_player_plays_many_games(make)
    check_plays_a_game_to_its_end(make)
    check_same_seed_same_move(make)
    check_obeys_limits(make)
    if isinstance(make(0), Analyser):
        check_analysis(make)
    if isinstance(make(0), Reusable):
        check_new_game(make)


def check_plays_every_board_it_claims(make: Maker) -> None:
    played = 0
    for variant in variants():
        board = Board(variant)
        for _ in range(3):
            decision = checked_choice(make(1), board)  # a new player each time: it must cope with a game it never saw
            if decision is None:
                break
            played += 1
            board.play(decision.move)
            if board.outcome():
                break
    assert played, "it refuses every board"


def check_one_player_plays_many_games(make: Maker) -> None:
    """What it kept from one position must not show in the next, whatever size and rule that has."""
    player = make(3)
    for text, game in (("h8i9", "15x15"), ("e5", "9x9 renju"), ("h8i9h9", "15x15 caro"), ("", "6x6 standard")):
        checked_choice(player, Board.from_text(text, Variant.parse(game)))


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
            same = (first.move, first.nodes, first.value) == (second.move, second.nodes, second.value)
            assert same, f"two players of one seed differ under a limit of nodes: {first} and {second}"


def check_new_game(make: Maker) -> None:
    """Only for players that are kept from game to game: after `new_game` nothing of the last game is left."""
    kept = make(6)
    for seed, size in ((7, 9), (8, 7), (9, 15), (7, 9)):
        assert isinstance(kept, Reusable)
        kept.new_game(seed)
        fresh, board = make(seed), Board(Variant(size))
        for _ in range(6):
            ours, theirs = (checked_choice(player, board, Limit(nodes=40)) for player in (kept, fresh))
            if ours is None or theirs is None:
                break
            assert (ours.move, ours.value) == (theirs.move, theirs.value), "new_game left something of an earlier game"
            board.play(ours.move)


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
    player, board = make(10), Board.from_text("e5f6d4", Variant(9))
    assert isinstance(player, Analyser), "it has no analyse()"
    before, nodes = snapshot(board), 0
    for analysis in player.analyse(board, Limit(nodes=200, seconds=0.5)):
        assert analysis.nodes >= nodes and analysis.seconds >= 0, "snapshots grow"
        assert -1 <= analysis.value <= 1, f"value {analysis.value} is not in [-1, 1]"
        assert all(board.is_legal(c.move) and -1 <= c.value <= 1 for c in analysis.candidates), "candidates are legal"
        nodes = analysis.nodes
    assert nodes > 0, "an analysis counts its nodes"
    stream = player.analyse(board, Limit(seconds=30.0))
    next(iter(stream))
    start = time.perf_counter()
    getattr(stream, "close", lambda: None)()
    assert time.perf_counter() - start < 2, "closing the stream ends the search"
    assert snapshot(board) == before, "the board is as it was"


# ---------------------------------------------------------------------------------------------- an environment


def check_environment(make: Callable[[], Any], episodes: int = 3) -> None:
    """A Gymnasium environment: Gymnasium's own checker, masks of legal actions, games that end, seeds that repeat."""
    from gymnasium.utils.env_checker import check_env

    check_env(make().unwrapped, skip_render_check=True)
    for seed in range(episodes):
        first, second = (_episode(make(), seed) for _ in range(2))
        assert first == second, f"two episodes of seed {seed} differ"


def _episode(env: Any, seed: int) -> list[tuple[int, float]]:
    """Plays the first legal action until the end; returns actions and rewards."""
    import numpy as np

    _, info = env.reset(seed=seed)
    played: list[tuple[int, float]] = []
    for _ in range(int(env.action_space.n) + 1):
        mask = np.asarray(info["action_mask"])
        assert mask.shape == (env.action_space.n,) and mask.any(), "info['action_mask'] marks every legal action"
        action = int(np.flatnonzero(mask)[seed % int(mask.sum())])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation), "an observation is outside of its space"
        assert math.isfinite(float(reward)), f"reward {reward} is not finite"
        assert not info.get("illegal"), f"action {action} is legal by the mask and was refused"
        played.append((action, float(reward)))
        if terminated or truncated:
            return played
    raise AssertionError("an episode has more steps than the board has cells")


# ---------------------------------------------------------------------------------------------- a network


def check_network(name: str, width: int = 9, height: int = 9) -> None:
    """A network by its name: shapes and ranges of its outputs, rows that do not mix, gradients, ONNX that agrees."""
    from tengen.nets.network import NetworkSpec
    from tengen.nets.registry import network_class

    body = network_class(name)
    assert body.encodings, "a network names at least one encoding"
    for encoding in body.encodings:
        sizes = [(width, height), (7, 6)] if body.size_free else [(width, height)]
        _check_built(NetworkSpec(name, encoding, width, height), sizes)


def _check_built(spec: Any, sizes: list[tuple[int, int]]) -> None:
    import torch

    from tengen.nets.fit import check_fits, check_outputs
    from tengen.nets.network import build_network
    from tengen.nets.onnx import check_parity, export_onnx

    torch.manual_seed(1)
    network = build_network(spec).eval()
    model = export_onnx(network)
    try:
        check_fits(spec)
        for width, height in sizes:
            planes = torch.from_numpy(_positions(spec.core_encoding, width, height))
            check_outputs(network, planes)
            check_parity(network, model, planes.numpy())
    except TengenError as error:
        raise AssertionError(str(error)) from error


def _positions(encoding: str, width: int, height: int) -> Any:
    """Planes of the positions of a random game, [B, C, H, W]."""
    import random

    import numpy as np

    from tengen import _core

    board, draw, planes = Board(Variant(width, height)), random.Random(1), []
    while board.stones < 8 and not board.outcome():
        planes.append(_core.encode(board.core, encoding))
        board.play(draw.choice(board.legal_moves()))
    return np.stack(planes)
