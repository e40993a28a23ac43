"""Pairs of games between two settings of the line search, or against an engine build of any revision, in one process.

    python benchmarks/lines_duel.py "lines:sims=1000" "lines:sims=1000,c_puct=1.6" --pairs 100 --test 0 20
    python benchmarks/lines_duel.py "lines:sims=4000" "engine:revision=7462b16,nodes=80000" --out games.jsonl

Players are limited by simulations or nodes, so a busy machine does not change the games; the processor time that each
side took is printed, to choose limits that cost the same. A line player keeps its tree from move to move; options:
model, sims, and everything of the core's line search. Openings are the even ones of `tengen ab`.
"""

from __future__ import annotations

import argparse
import ctypes
import time
from pathlib import Path
from typing import Any, Protocol

from tengen import Board, _core
from tengen.arena.score import Score, match_score
from tengen.arena.sprt import Sprt
from tengen.inference.lines import load_network
from tengen.inference.models import load_model
from tengen.lab.ab_build import build
from tengen.lab.ab_openings import load_openings
from tengen.records import GameRecord, append_record, read_records
from tengen.rules import Rule, Variant

RULES = ("freestyle", "standard", "renju", "caro")


class Side(Protocol):
    def begin(self) -> None: ...
    def choose(self, board: Board) -> int: ...


class LineSide:
    def __init__(self, options: dict[str, str]) -> None:
        model = load_model(options.pop("model", "lines"))
        card = model.card.get("search", {})
        self._network, self._sims = load_network(model.path, model.name), int(options.pop("sims"))
        self._settings: dict[str, Any] = {"memory_mb": 64} | card | {name: _number(x) for name, x in options.items()}

    def begin(self) -> None:
        self._search: _core.LineSearch | None = None

    def choose(self, board: Board) -> int:
        if self._search is None:
            self._search = _core.LineSearch(self._network, board.core, self._settings)
        else:
            self._search.advance(list(board.moves[self._seen :]))
        self._seen = len(board.moves)
        self._search.think(self._sims)
        return self._search.best_move()


class Found(ctypes.Structure):
    _fields_ = (
        ("move", ctypes.c_int32),
        ("proven", ctypes.c_int32),
        ("logit", ctypes.c_double),
        ("nodes", ctypes.c_uint64),
        ("depth", ctypes.c_int32),
    )


class EngineSide:
    """A build of alphabeta behind the C interface of cpp/bench/engine/abi.h."""

    def __init__(self, options: dict[str, str], variant: Variant) -> None:
        self._library = ctypes.CDLL(str(build(options.get("revision", "")) / "libtengen_engine.so"))
        self._library.tengen_create.restype = ctypes.c_void_p
        rule = RULES.index(str(variant.rule))
        self._engine = ctypes.c_void_p(
            self._library.tengen_create(variant.width, variant.height, variant.k, rule, 1, 32)
        )
        self._nodes = ctypes.c_uint64(int(options["nodes"]))

    def begin(self) -> None:
        self._library.tengen_reset(self._engine, ctypes.c_uint64(1))

    def choose(self, board: Board) -> int:
        moves, found = (ctypes.c_int16 * len(board.moves))(*board.moves), Found()
        self._library.tengen_search(
            self._engine, moves, len(moves), self._nodes, ctypes.c_double(0), ctypes.byref(found)
        )
        return int(found.move)


def _number(text: str) -> float | int | bool:
    if text in ("on", "off"):
        return text == "on"
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def make_side(spec: str, variant: Variant) -> Side:
    kind, _, rest = spec.partition(":")
    options = dict(part.split("=", 1) for part in rest.split(",") if part)
    return EngineSide(options, variant) if kind == "engine" else LineSide(options)


def play_game(sides: list[Side], names: list[str], board: Board, pair: int, cost: dict[str, float]) -> GameRecord:
    opening, seconds = len(board.moves), []
    for side in sides:
        side.begin()
    while board.outcome() is None:
        turn = len(board.moves) % 2
        start = time.process_time()
        move = sides[turn].choose(board)
        seconds.append(round(time.process_time() - start, 6))
        cost[names[turn]] = cost.get(names[turn], 0.0) + seconds[-1]
        board.play(move)
    outcome = board.outcome()
    assert outcome is not None
    return GameRecord(
        black=names[0], white=names[1], variant=board.variant, moves=tuple(board.moves), result=outcome.result,
        termination=outcome.termination, opening=opening, pair=f"1.{pair}", seconds=tuple(seconds),
        tags={"clock": "processor"},
    )  # fmt: skip


def text_of(score: Score, test: Sprt | None) -> str:
    rate, elo = score.rate, score.elo
    percent = f"{100 * rate.value:.1f} % ({100 * rate.low:.0f} to {100 * rate.high:.0f})"
    llr = f", llr {test.llr(score.pairs):+.2f}" if test else ""
    return (
        f"{score.games} games +{score.wins} ={score.draws} -{score.losses}: {percent}, "
        f"Elo {elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f}){llr}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--rule", choices=RULES, default="freestyle")
    parser.add_argument("--test", type=float, nargs=2, metavar=("ELO0", "ELO1"), help="stop when one is certain")
    parser.add_argument("--out", type=Path, help="records; games that are there are not played again")
    args = parser.parse_args()
    variant, names = Variant(args.size, rule=Rule(args.rule)), [args.new, args.old]
    test = Sprt(*args.test) if args.test else None
    sides, cost = [make_side(name, variant) for name in names], dict.fromkeys(names, 0.0)
    records = list(read_records(args.out)) if args.out and args.out.is_file() else []
    for number, opening in enumerate(load_openings(variant)[: args.pairs]):
        for leg in (0, 1):
            if 2 * number + leg < len(records):
                continue
            order = [leg, 1 - leg]
            record = play_game(
                [sides[i] for i in order], [names[i] for i in order], Board(variant, opening), number, cost
            )
            records.append(record)
            if args.out:
                append_record(args.out, record)
        score = match_score(records, args.new)
        print(f"\r{text_of(score, test)}", end="", flush=True)
        if test and test.verdict(score.pairs):
            break
    print("\nprocessor seconds: " + ", ".join(f"{name} {seconds:.1f}" for name, seconds in cost.items()))


if __name__ == "__main__":
    main()
