"""Signatures of the searches: what each finds on fixed positions, in eight digits.

A signature changes when its search finds another move, score, line or number of nodes. Everything here is the same on
every machine: one thread, limits of nodes, fixed seeds, and a made-up network that computes in whole numbers.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tengen import _core
from tengen.board import Board
from tengen.inference.search_options import SearchOptions
from tengen.rules import Color, Rule, Variant, parse_move

MIDDLE_GAMES = (
    "l5n6m4l4m3k2o5j7n5m5k3k7k6n3",
    "f5e4g2f4h4e5e6g4g3e3d4e2e1i5g5i3d7i6i4h5f3j5",
    "j9i10h9j10i9k9h10j8g9f9h8h7i7f10i6f8f11i8f6g7g11h11g10g12e14e12",
    "f8g9f10h7g7h6f9f7h8g6f6e5f11f12",
    "h8g8h9h7i8g10g7j9i10",
    "d6b6d7d4c5b4b5e5c4c6e7f6g7f7f8g9e9d10f5e10f10c8d9d8d3e2",
)
"""15x15, freestyle, even to a short search, no move forced."""
SMALL_GAMES = ("e5d4e6e4f5d6", "e5f6e7d6f4", "e5e6d5f5d7c6d4")
"""9x9."""
FOURS = (
    ("k11 h9 h8 g7 l6 h5 f3", "j12 k12 i10 e9 g6 j5 l5", Color.BLACK),
    ("g10 h10 j10 i9 h8 e7 f7 j7 k7 f6 g6 i6 f5 g5 h5 i5 i4",
     "g11 i10 g9 d8 e8 g8 i8 k8 g7 h7 j6 e5 j5 f4 g4 i3 j3", Color.BLACK),
)  # fmt: skip
"""15x15, a win by continuous fours: black stones, white stones, the side to move."""
THREES = (
    ("h10 j10 g9 h8 g7 j7 k7 j6 k6", "h9 i9 j9 f8 j8 h7 l6 k5", Color.WHITE),
    ("h11 g10 i10 j10 g9 h8 i8", "g12 i11 h10 i9 g8 i7", Color.WHITE),
)
"""15x15, a win by continuous threats."""

Facts = Iterable[tuple[object, ...]]


def boards(rules: Iterable[Rule] = tuple(Rule)) -> list[Board]:
    """The games of both sizes under every rule."""
    of_size = [(15, text) for text in MIDDLE_GAMES] + [(9, text) for text in SMALL_GAMES]
    return [Board.from_text(text, Variant(size, rule=rule)) for rule in rules for size, text in of_size]


def set_up(black: str, white: str, turn: Color, rule: Rule) -> Board:
    def cells(names: str) -> list[int]:
        return [parse_move(name, 15, 15) for name in names.split()]

    return Board.from_stones(cells(black), cells(white), turn, Variant(15, rule=rule))


def alphabeta() -> Facts:
    for text in MIDDLE_GAMES:
        engine = _core.AlphaBeta(1, 4, 0)
        engine.arm()
        report = engine.run(Board.from_text(text).core, 0.0, 20_000, 0, 1)
        yield report.nodes, report.depth, report.lines[0].move, report.lines[0].score


def minimax() -> Facts:
    for text in SMALL_GAMES:
        found = _core.Minimax(Board.from_text(text, Variant(9)).core, 0).run(0.0, 0, 4)
        yield found.nodes, found.move, found.score


def greedy() -> Facts:
    return ((_core.greedy_moves(board.core),) for board in boards())


def weight() -> Facts:
    return ((_core.weight_moves(board.core),) for board in boards())


def mcts() -> Facts:
    for board in boards((Rule.FREESTYLE, Rule.RENJU)):
        search = _core.Mcts(board.core, 1.4, 200, 7)
        search.run(300, 0.0)
        yield [visited[:2] for visited in search.candidates()], search.pv()


def rollout() -> Facts:
    return (tuple(_core.rollout(board.core, seed, 400) for seed in range(40)) for board in boards())


def vcf() -> Facts:
    return (attack(_core.Vcf(), *position, rule) for position in FOURS for rule in Rule)


def vct() -> Facts:
    return (attack(_core.Vct(), *position, rule) for position in (*FOURS, *THREES) for rule in Rule)


def attack(solver: _core.Vcf | _core.Vct, black: str, white: str, turn: Color, rule: Rule) -> tuple[object, ...]:
    board = set_up(black, white, turn, rule)
    found = solver.solve(board.core, board.core.turn, 3000)
    return found.win, found.nodes, solver.line() if found.win else []


def puct() -> Facts:
    for options in (SearchOptions(gumbel=False, noise_fraction=0.0), SearchOptions()):
        for board in boards((Rule.FREESTYLE, Rule.RENJU))[4:9]:
            yield tree(board, options, 120)


def tree(board: Board, options: SearchOptions, sims: int) -> tuple[object, ...]:
    search = _core.Search(board.core, "shapes", options.to_dict() | {"sims": sims}, 3)
    planes = np.zeros((4, _core.encoding_planes("shapes"), board.height, board.width), np.float32)
    while search.done < sims and not search.proven:
        search.expand(*made_up(planes[: search.select(planes, sims - search.done)]))
    seen = [(found["move"], found["visits"]) for found in search.candidates(8)]
    return seen, search.line(), search.depth, search.proven, search.best_move()


def selfplay() -> Facts:
    options = SearchOptions().to_dict() | {"sims": 16}
    games = _core.SelfPlay(9, 9, 5, "renju", "shapes", 4, 11, options, 4)
    planes = np.zeros((64, _core.encoding_planes("shapes"), 9, 9), np.float32)
    done: list[dict[str, Any]] = []
    while len(done) < 4:
        games.expand(*made_up(planes[: games.select(planes)]))
        done += games.take_games()
    return sorted((game["moves"].tolist(), int(game["winner"])) for game in done)


def lines() -> Facts:
    for rule in Rule:
        tensors = _core.line_tensors(5, rule.value, 16, 16)
        weights = np.concatenate([whole_numbers(name, extents) for name, extents in tensors])
        network = _core.LineNetwork(5, rule.value, 16, 16, weights)
        for board in boards((rule,))[:3]:
            policy, value = network.evaluate(board.core)
            yield zlib.crc32(policy.tobytes()), value


def whole_numbers(name: str, extents: list[int]) -> NDArray[np.float32]:
    """Weights in sixty-fourths; a bias is never above zero."""
    numbers = np.arange(np.prod(extents)) * 2654435761 % 64 - (64 if name == "bias" else 32)
    return (numbers / 64).astype(np.float32)


def made_up(planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A network nobody trained: logits and values in sixteenths, from whole-number sums of the planes."""
    n, channels, height, width = planes.shape
    marks = (planes != 0).reshape(n, channels, height * width).astype(np.int64)
    cells = (marks * (np.arange(channels) * 7 + 3)[:, None]).sum(1)
    mixed = (cells * 2654435761 + np.arange(height * width) * 40503 + cells.sum(1, keepdims=True) * 97) % 61
    return (mixed / 16).astype(np.float32), ((cells.sum(1) % 29 - 14) / 16).astype(np.float32)


SEARCHES: dict[str, Callable[[], Facts]] = {
    search.__name__: search
    for search in (alphabeta, minimax, greedy, weight, mcts, rollout, vcf, vct, puct, selfplay, lines)
}


def signature(facts: Facts) -> str:
    return f"{zlib.crc32(repr(list(facts)).encode()):08x}"


def signatures() -> dict[str, str]:
    """Of every search by its name, and of all together as "total"."""
    parts = {name: signature(search()) for name, search in SEARCHES.items()}
    return parts | {"total": signature([tuple(parts.values())])}
