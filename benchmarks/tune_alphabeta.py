"""Learns the numbers of the alphabeta engine's evaluation and move ordering from its own games.

    python benchmarks/tune_alphabeta.py play games.jsonl --games 4000 --nodes 2000 --seed 1
    python benchmarks/tune_alphabeta.py fit games.jsonl cpp/evaluation_weights.h

`play` appends games from random openings that a short search calls even. `fit` writes the header: a logistic fit of the
results for the evaluation, a softmax fit of the moves played for the ordering. Rebuild, then let the new engine play
the old one (docs/alphabeta.md) before keeping it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import optimize, sparse, special

from tengen import _core
from tengen.board import Board
from tengen.rules import Color, Variant

SHAPES, THREAT_BITS = 12, 11
EVAL_UNIT, MOVE_UNIT = 200, 256
EVEN = 0.6
"""An opening is even when a short search values it within this."""
DECISIVE = {8: 8.0, 9: 10.0, 10: 24.0}
"""Double four, open four and five: where no game shows such a cell, because the search knows the result, it is worth
this much. Other rules than freestyle do meet them."""
MIN_SEEN = 200
"""Combinations of shapes rarer than this get no number of their own."""


# Playing ---------------------------------------------------------------------------------------------------------


def play_games(path: Path, games: int, nodes: int, seed: int, rule: str) -> None:
    draw, engine = random.Random(seed), _core.AlphaBeta(1, 8, seed)
    with path.open("a", encoding="utf-8") as file:
        while games > 0:
            board = random_opening(draw, 15 if draw.random() < 0.8 else 20, rule)
            if board.outcome() or abs(_core.expected_result(best_line(engine, board, nodes).score)) > EVEN:
                continue
            file.write(json.dumps(play_on(draw, engine, board, nodes)) + "\n")
            file.flush()
            games -= 1


def best_line(engine: _core.AlphaBeta, board: Board, nodes: int) -> _core.AlphaBetaLine:
    engine.arm()
    return engine.run(board.core, 0.0, nodes, 0, 1).lines[0]


def random_opening(draw: random.Random, size: int, rule: str) -> Board:
    board, stones = Board(Variant(size, rule=rule)), draw.randint(2, 9)
    middle = [draw.randint(3, size - 4) for _ in range(2)]
    board.play(middle[0] * size + middle[1])
    while len(board.moves) < stones:
        row, col = divmod(draw.choice(board.moves), size)
        row, col = row + draw.randint(-2, 2), col + draw.randint(-2, 2)
        if 0 <= row < size and 0 <= col < size and board.is_legal(row * size + col):
            board.play(row * size + col)
    return board


def play_on(draw: random.Random, engine: _core.AlphaBeta, board: Board, nodes: int) -> dict[str, Any]:
    """Now and then any move that makes or takes a shape is played, marked by a missing score."""
    opening, scores = len(board.moves), []
    while not board.outcome():
        line = best_line(engine, board, nodes)
        move, score = line.move, line.score
        if draw.random() < 0.03 and abs(score) < 10 * EVAL_UNIT:
            move, score = draw.choice(shaping_moves(board) or [move]), None
        scores.append(score)
        board.play(move)
    outcome = board.outcome()
    winner = None if outcome is None or outcome.winner is None else int(outcome.winner)
    return {"size": board.width, "rule": board.rule, "moves": list(board.moves), "opening": opening,
            "scores": scores, "winner": winner}  # fmt: skip


def shaping_moves(board: Board) -> list[int]:
    return [m for m in board.legal_moves() if board.core.threat(0, m) or board.core.threat(1, m)]


# Reading positions -----------------------------------------------------------------------------------------------


def sort_codes() -> np.ndarray:
    """code -> the same shapes in falling order; codes that hold no shape number are never met."""
    codes = np.arange(1 << 16)
    nibbles = np.sort(np.stack([codes >> 4 * d & 15 for d in range(4)]), axis=0)
    return nibbles[3] << 12 | nibbles[2] << 8 | nibbles[1] << 4 | nibbles[0]


SORTED = sort_codes()


class Sample:
    """One position: sorted codes of the empty cells for the side to move and the other, result, move played."""

    __slots__ = ("chosen", "mask", "moving", "result", "waiting")

    def __init__(self, board: Board, result: float, move: int | None) -> None:
        codes = np.array(_core.cell_codes(board.core), dtype=np.uint32)
        black, white = SORTED[codes & 0xFFFF], SORTED[codes >> 16]
        moving, waiting = (black, white) if board.turn == Color.BLACK else (white, black)
        live = np.flatnonzero(codes)
        self.moving, self.waiting = moving[live].astype(np.uint16), waiting[live].astype(np.uint16)
        self.mask, self.result = _core.threat_mask(board.core), result
        where = np.flatnonzero(live == move) if move is not None else ()
        self.chosen = int(where[0]) if len(where) else -1


def samples(paths: list[Path], limit: int, seed: int) -> Iterator[Sample]:
    """Positions in which neither side can make five and the side to move has no open or double four."""
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    random.Random(seed).shuffle(lines)
    for line in lines[:limit]:
        game = json.loads(line)
        board = Board(Variant(game["size"], rule=game.get("rule", "freestyle")), game["moves"][: game["opening"]])
        for move, score in zip(game["moves"][game["opening"] :], game["scores"], strict=True):
            if not _core.decided(board.core):
                result = 0.5 if game["winner"] is None else float(game["winner"] == board.turn)
                yield Sample(board, result, None if score is None else move)
            board.play(move)


# Fitting ---------------------------------------------------------------------------------------------------------


def shape_counts(codes: np.ndarray) -> np.ndarray:
    """[n] codes -> [n, SHAPES] how often each shape occurs."""
    counts = np.zeros((len(codes), SHAPES))
    for d in range(4):
        counts[np.arange(len(codes)), np.minimum(codes >> 4 * d & 15, SHAPES - 1)] += 1
    counts[:, 0] = 0
    return counts


class Codes:
    """One side's codes by cell; a code's features are its shapes and, if it is common, itself."""

    def __init__(self, arrays: list[np.ndarray]) -> None:
        self.rows = np.repeat(np.arange(len(arrays)), [len(a) for a in arrays])
        self.cells = np.concatenate(arrays)
        seen = np.bincount(self.cells, minlength=1 << 16)
        seen[0] = 0
        self.codes = np.flatnonzero(seen >= MIN_SEEN)
        own = np.zeros((1 << 16, len(self.codes)), dtype=np.float32)
        own[self.codes, np.arange(len(self.codes))] = 1
        self.features = np.hstack([shape_counts(np.arange(1 << 16)), own])  # [65536, SHAPES + common codes]
        self.pull = np.array([0.01] * SHAPES + [1.0] * len(self.codes))

    def per_sample(self, count: int) -> sparse.csr_matrix:
        """[samples, features] summed over the cells of a sample."""
        table = sparse.csr_matrix((np.ones(len(self.cells)), (self.rows, self.cells)), shape=(count, 1 << 16))
        return sparse.csr_matrix(table @ sparse.csr_matrix(self.features))

    def numbers(self, name: str, weights: np.ndarray, unit: int) -> dict[str, Any]:
        shapes, own = weights[:SHAPES].copy(), weights[SHAPES:]
        met = self.features[:, :SHAPES][np.unique(self.cells)].any(axis=0)
        for shape, weight in DECISIVE.items():
            shapes[shape] = shapes[shape] if met[shape] else weight
        return {f"{name}Shapes": scaled(shapes, unit), f"{name}Codes": corrections(self.codes, scaled(own, unit))}


def minimise(loss: Callable[[np.ndarray], tuple[float, np.ndarray]], pull: np.ndarray, name: str) -> np.ndarray:
    """Weights that make loss (value and gradient) plus the pull towards zero small."""

    def penalised(w: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = loss(w)
        return value + (pull * w**2).sum(), gradient + 2 * pull * w

    found = optimize.minimize(penalised, np.zeros(len(pull)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    print(f"{name}: loss {loss(found.x)[0]:.4f} after {found.nit} steps")
    return found.x


def fit_evaluation(data: list[Sample]) -> dict[str, Any]:
    """Logistic: the result by what the cells are worth to either side and by which threats stand."""
    moving, waiting = Codes([s.moving for s in data]), Codes([s.waiting for s in data])
    masks = np.array([s.mask for s in data])
    common = np.flatnonzero(np.bincount(masks, minlength=1 << THREAT_BITS) >= MIN_SEEN)
    bits = masks[:, None] >> np.arange(THREAT_BITS) & 1
    parts = [moving.per_sample(len(data)), -waiting.per_sample(len(data)), np.ones((len(data), 1)), bits,
             masks[:, None] == common]  # fmt: skip
    matrix = sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(p) for p in parts]))
    pull = np.concatenate([moving.pull, waiting.pull, [0.0], [0.01] * THREAT_BITS, [0.5] * len(common)])
    result = np.array([s.result for s in data])
    held_out = np.arange(len(data)) // 256 % 10 == 0  # whole games, nearly: neighbours share a result

    train, test = (matrix[~held_out], result[~held_out]), (matrix[held_out], result[held_out])

    def loss(w: np.ndarray, x: sparse.csr_matrix = train[0], y: np.ndarray = train[1]) -> tuple[float, np.ndarray]:
        logit = x @ w
        return (np.logaddexp(0, logit) - y * logit).mean(), x.T @ (special.expit(logit) - y) / len(y)

    w = minimise(loss, pull * 20 / len(data), "evaluation")
    print(f"evaluation: held-out loss {loss(w, *test)[0]:.4f}")
    a, b = len(moving.pull), len(moving.pull) + len(waiting.pull)
    threats = w[b + 1 :]
    numbers = moving.numbers("Moving", w[:a], EVAL_UNIT) | waiting.numbers("Waiting", w[a:b], EVAL_UNIT)
    numbers |= {"Tempo": scaled(w[b : b + 1], EVAL_UNIT)[0]}
    numbers |= {"ThreatBitValues": scaled(threats[:THREAT_BITS], EVAL_UNIT)}
    return numbers | {"ThreatMasks": corrections(common, scaled(threats[THREAT_BITS:], EVAL_UNIT))}


def fit_moves(data: list[Sample]) -> dict[str, Any]:
    """Softmax over the cells that have any shape: the move a search chose against the others."""
    data = [s for s in data if s.chosen >= 0]
    own, other = Codes([s.moving for s in data]), Codes([s.waiting for s in data])
    rows, n = own.rows, len(data)
    starts = np.cumsum([0] + [len(s.moving) for s in data[:-1]])
    chosen = starts + np.array([s.chosen for s in data])
    a = len(own.pull)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        logit = (own.features @ w[:a])[own.cells] + (other.features @ w[a:])[other.cells]
        top = np.maximum.reduceat(logit, starts)
        share = np.exp(logit - top[rows])
        total = np.bincount(rows, share)
        gradient = share / total[rows]
        gradient[chosen] -= 1
        parts = [c.features.T @ np.bincount(c.cells, gradient, minlength=1 << 16) for c in (own, other)]
        return (np.log(total) + top - logit[chosen]).mean(), np.concatenate(parts) / n

    w = minimise(loss, np.concatenate([own.pull, other.pull]) * 10 / n, "moves")
    return own.numbers("OwnMove", w[:a], MOVE_UNIT) | other.numbers("OpponentMove", w[a:], MOVE_UNIT)


def scaled(weights: np.ndarray, unit: int) -> list[int]:
    return [round(unit * x) for x in weights.tolist()]


def corrections(codes: np.ndarray, values: list[int]) -> list[tuple[int, int]]:
    return [(int(code), value) for code, value in zip(codes, values, strict=True) if value]


# Writing ---------------------------------------------------------------------------------------------------------


def header(numbers: dict[str, Any]) -> str:
    lines = ["// Written by benchmarks/tune_alphabeta.py: do not edit.", "#pragma once", "", "#include <array>", "",
             '#include "types.h"', "", "namespace tengen::weights {", "", "struct Correction {", "  int code, value;",
             "};", ""]  # fmt: skip
    for name, value in numbers.items():
        lines += declaration(name, value)
    return "\n".join([*lines, "", "}  // namespace tengen::weights", ""])


def declaration(name: str, value: Any) -> list[str]:
    if isinstance(value, int):
        return [f"constexpr int k{name} = {value};"]
    if name.endswith(("Codes", "Masks")):
        items = [f"{{0x{code:04x}, {number}}}" for code, number in value]
        kind = f"std::array<Correction, {len(items)}>"
    else:
        items, kind = [str(x) for x in value], f"std::array<int, {len(value)}>"
    return [f"constexpr {kind} k{name} = {{{{", *wrap(items), "}};"]


def wrap(items: list[str]) -> list[str]:
    lines, line = [], "   "
    for item in items:
        if len(line) + len(item) > 116:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return [*lines, line]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    play = commands.add_parser("play")
    play.add_argument("games_file", type=Path)
    play.add_argument("--games", type=int, default=4000)
    play.add_argument("--nodes", type=int, default=2000)
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--rule", default="freestyle")
    fit = commands.add_parser("fit")
    fit.add_argument("games_files", type=Path, nargs="+")
    fit.add_argument("header", type=Path)
    fit.add_argument("--limit", type=int, default=20_000, help="most games used")
    fit.add_argument("--move-samples", type=int, default=30_000, help="most positions used for the move ordering")
    arguments = parser.parse_args()
    if arguments.command == "play":
        play_games(arguments.games_file, arguments.games, arguments.nodes, arguments.seed, arguments.rule)
        return
    data = list(samples(arguments.games_files, arguments.limit, seed=1))
    print(f"{len(data)} positions")
    numbers = fit_evaluation(data) | fit_moves(data[: arguments.move_samples])
    arguments.header.write_text(header(numbers), encoding="utf-8")


if __name__ == "__main__":
    main()
