"""Makes verdicts.json: moves with a verdict that is known from exhaustive solving, for several rules and boards.

    python tests/study/make_verdicts.py tests/study/verdicts.json

Games are played by a fast engine that is made to err. A position goes into the set when the solver, with the effort of
a review's last pass, leaves no doubt: a win is proven, or all of its threats are searched without one and a deeper
engine search agrees. Stopped early, it leaves a smaller set. The committed one has 118 rows. Eight of the
first 126 were refuted: six when the solver grew stronger, which found wins of 11 to 21 moves, or one as fast, where
none was known; two when the engine did, which found a win in 8 where 12 was the fastest known, and saw a drop of 0.3 in
a second move of renju that an earlier search of 120,000 nodes had preferred.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tengen.board import Board
from tengen.players.alphabeta import AlphaBetaPlayer
from tengen.players.solver import Mode, Solver
from tengen.rules import Limit, Move, Variant
from tengen.study.proofs import Effort, Force, Prover

VARIANTS = ("15x15 freestyle", "15x15 renju", "15x15 standard", "15x15 caro", "9x9 freestyle", "20x20 freestyle")
TRUTH = Effort(1_000_000, 1_000_000)
PER_KIND = 2
"""For each kind and variant."""
SURE_NODES = 120_000

PROVER, ENGINE = Prover(1 << 20), AlphaBetaPlayer(hash_mb=64)
VCT = Solver(Mode.VCT, 1 << 20)


def games(variant: Variant, rng: random.Random) -> Iterator[list[Board]]:
    """Positions of games in which every fourth move or so is a mistake."""
    while True:
        board, line = Board(variant), []
        while board.outcome() is None and board.stones < 50:
            line.append(board.copy())
            board.play(erring_move(board, rng))
        yield line


def erring_move(board: Board, rng: random.Random) -> Move:
    if board.stones < 3 or rng.random() < 0.25:
        row, col = board.height // 2, board.width // 2
        near = [m for m in board.legal_moves() if max(abs(m // board.width - row), abs(m % board.width - col)) <= 3]
        return rng.choice(near or board.legal_moves())
    return ENGINE.choose(board, Limit(nodes=3_000)).move


def played(board: Board, move: Move) -> Board:
    after = board.copy()
    after.play(move)
    return after


def nobody_wins(board: Board) -> bool:
    """No forced win of the side to move, all threats searched; and a long search sees no end either."""
    if board.outcome():
        return False
    found = VCT.solve(board, Limit(nodes=TRUTH.threats))
    value = ENGINE.choose(board, Limit(nodes=SURE_NODES)).value or 0.0
    return not found.solved and found.exhausted and abs(value) < 0.6


def cases(board: Board, rng: random.Random) -> Iterator[tuple[str, Move]]:
    """Moves of this position with a verdict beyond doubt: (kind, move)."""
    win = PROVER.win(board, TRUTH)
    if win:
        yield from winning(board, win.force, win.line[0], rng)
        return
    threat = PROVER.win(board, TRUTH, board.turn.other)
    if threat is None:
        if nobody_wins(board):
            yield from quiet(board)
        return
    loss = PROVER.loss(board, TRUTH)
    if loss:
        yield from lost(board, loss.line[0], loss.moves, rng)
    else:
        yield from defended(board, threat.moves, rng)


def winning(board: Board, force: Force, best: Move, rng: random.Random) -> Iterator[tuple[str, Move]]:
    yield ("makes-five" if force == Force.FIVE else "wins"), best
    kind = {Force.FIVE: "misses-five", Force.FOURS: "misses-vcf", Force.THREATS: "misses-vct"}[force]
    for move in rng.sample(legal := board.legal_moves(), min(6, len(legal))):
        after = played(board, move)
        if after.outcome() is None and nobody_wins(after) and not PROVER.loss(after, TRUTH):
            yield kind, move
            return


def quiet(board: Board) -> Iterator[tuple[str, Move]]:
    best = ENGINE.choose(board, Limit(nodes=SURE_NODES)).move
    if nobody_wins(played(board, best)):
        yield "quiet", best


def lost(board: Board, stubborn: Move, moves: int, rng: random.Random) -> Iterator[tuple[str, Move]]:
    yield "lost", stubborn
    for move in rng.sample(board.legal_moves(), 3):
        win = PROVER.win(played(board, move), TRUTH)
        if win and len(win.line) == 1 and moves > 2:
            yield "gives-in-to-a-four", move
            return


def defended(board: Board, threat: int, rng: random.Random) -> Iterator[tuple[str, Move]]:
    """The opponent threatens to win and some move stops it; one that does not allows the win."""
    for move in rng.sample(legal := board.legal_moves(), min(8, len(legal))):
        win = PROVER.win(played(board, move), TRUTH)
        if win:
            kind = {1: "leaves-four", 3: "leaves-three"}.get(len(win.line), f"allows-{win.force}")
            yield kind, move
            return


def collect(variant: Variant, rng: random.Random, games_at_most: int = 25) -> Iterator[dict[str, object]]:
    count: Counter[str] = Counter()
    for _, line in zip(range(games_at_most), games(variant, rng), strict=False):
        for board in rng.sample(line, min(8, len(line))):
            for kind, move in cases(board, rng):
                if count[kind] < PER_KIND:
                    count[kind] += 1
                    names = "".join(map(board.name, (*board.moves, move)))
                    yield {"kind": kind, "variant": str(variant), "moves": names}
        if len(count) >= 10 and all(n >= PER_KIND for n in count.values()):
            return


def main() -> None:
    rng, rows = random.Random(20), []
    for name in VARIANTS:
        for row in collect(Variant.parse(name), rng):
            rows.append(row)
            print(row, flush=True)
    text = ",\n".join(json.dumps(row) for row in sorted(rows, key=lambda row: str(row["kind"])))
    Path(sys.argv[1]).write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
