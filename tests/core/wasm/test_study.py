"""Reviews, puzzles and ratings in WebAssembly are those of the native core."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from tengen import _core
from tengen.board import Board
from tengen.inference.models import load_model
from tengen.players.alphabeta import AlphaBetaPlayer
from tengen.players.clock import budget
from tengen.rules import Color, Value, Variant, parse_moves
from tengen.study.library import Score, estimate
from tengen.study.proofs import Force, Proof
from tengen.study.puzzles import Kind, Puzzle, bundled_puzzles
from tengen.study.rating import Rating, after_puzzle
from tengen.study.repetition import Review as Repetition
from tengen.study.repetition import after_attempt
from tengen.study.review import Finding, Review, second_try
from tengen.study.trainer import Trainer, idea_of
from tengen.study.verdicts import Look, judge
from tests.core.wasm.test_parity import engine_folder

__all__ = ["engine_folder"]
GAME = parse_moves("h8h9i8i9j8g8k8a1a3l8", 15, 15)
NETWORK = "lines"
KNOWN = Proof(Color.WHITE, tuple(GAME[3:8]), Force.THREATS, 3)
"""What an analysis may have found after three moves; reviews take it as it is."""
LOOK = Look(Value(0.25, Color.BLACK), GAME[4], (GAME[4], GAME[5]), None)
WON = Look.proven(Proof(Color.BLACK, tuple(GAME[4:9]), Force.FOURS, 3))
TRIED = [(0, LOOK), (GAME[4], WON), (0, WON)]
"""Second tries after four moves: move, and what a review has seen there."""


def some_puzzles() -> list[Puzzle]:
    """Two of each kind."""
    return [puzzle for kind in Kind for puzzle in [one for one in bundled_puzzles() if one.kind is kind][:2]]


def tries() -> list[tuple[Puzzle, int]]:
    """A right and a wrong first move of each puzzle."""
    wrong = [next(m for m in one.board().legal_moves() if m not in one.solutions) for one in some_puzzles()]
    return [(p, m) for p, bad in zip(some_puzzles(), wrong, strict=True) for m in (p.solutions[0], bad)]


def request(puzzle: Puzzle, move: int) -> dict[str, Any]:
    return {
        "variant": shape(puzzle.variant), "black": puzzle.black, "white": puzzle.white, "turn": int(puzzle.turn),
        "move": move, "defence": puzzle.kind is Kind.DEFENCE,
    }  # fmt: skip


def shape(v: Variant) -> dict[str, Any]:
    return {"width": v.width, "height": v.height, "k": v.k, "rule": str(v.rule)}


@pytest.fixture(scope="module")
def said(engine_folder: Path) -> dict[str, Any]:
    rating = {"value": 1200.0, "deviation": 350.0, "volatility": 0.06}
    puzzles, network = [request(*one) for one in tries()], str(load_model(NETWORK).source)
    tried = [{"move": move, "before": plain(look)} for move, look in TRIED]
    known = {"known": [[3, plain(KNOWN)]], "tried": tried}
    asked = json.dumps({"moves": GAME, "puzzles": puzzles, "rating": rating, "network": network} | known)
    command = ["node", str(Path(__file__).parent / "study.mjs"), str(engine_folder)]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, timeout=280)
    return dict(json.loads(done.stdout))


def test_names(said: dict[str, Any]) -> None:
    assert (said["FORCES"], said["MARKS"], said["WHYS"]) == (_core.force_names(), _core.mark_names(), _core.why_names())
    assert said["STATES"] == _core.state_names()
    assert said["THREAT"] == {name: getattr(_core.Threat, name).value for name in ("OPEN_FOUR", "FIVE")}


def plain(value: object) -> Any:
    """As the page has it."""
    return TypeAdapter(type(value)).dump_python(value, mode="json")


def rounded(data: Any) -> Any:
    """Exponential functions differ in the last bit."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return round(data, 12) if isinstance(data, float) else data


def engine(network: str) -> AlphaBetaPlayer:
    return AlphaBetaPlayer(hash_mb=16, seed=1, network=network)


@pytest.mark.parametrize(("number", "network"), [(0, "none"), (1, NETWORK)])
def test_a_review(said: dict[str, Any], number: int, network: str) -> None:
    review = Review(Board(), GAME, engine(network))
    native = TypeAdapter(list[Finding]).dump_python(list(review.run()), mode="json")
    assert rounded(said["findings"][number]) == rounded(native)


def test_the_network_has_a_say_in_a_review(said: dict[str, Any]) -> None:
    assert said["findings"][0] != said["findings"][1]


def test_a_review_takes_what_was_proven_before(said: dict[str, Any]) -> None:
    review = Review(Board(), GAME, engine(NETWORK), {3: KNOWN})
    assert rounded(said["findings"][2]) == rounded([plain(one) for one in review.run()])
    assert plain(KNOWN) in [one["look"]["proof"] for one in said["findings"][2] if one["ply"] == 3]
    assert plain(KNOWN) not in [one["look"]["proof"] for one in said["findings"][1]]


def test_second_tries(said: dict[str, Any]) -> None:
    board = Board(moves=GAME[:4])
    native = [plain(second_try(board, move, before, engine(NETWORK))) for move, before in TRIED]
    assert rounded(said["again"]) == rounded(native)
    assert [one["mark"] for one in native][1:] == ["best", "missed-win"] and native[0]["drop"] > 0


def test_verdicts_by_two_looks(said: dict[str, Any]) -> None:
    native = [plain(judge(Board(moves=GAME[:4]), move, look, look)) for move, look in TRIED]
    assert rounded(said["judged"]) == rounded(native)


def mined(board: Board) -> dict[str, Any]:
    """The puzzle that the native core finds in a position."""
    forced = _core.ForcedPlay(_core.PUZZLE_NODES)
    kind, line = forced.goal(board.core, True)
    solutions = forced.solutions(board.core, kind)
    themes = _core.puzzle_themes(board.core, kind, solutions, (len(line) + 1) // 2)
    facts = {"choices": forced.choices(board.core, kind), "line": line, "solutions": solutions, "themes": themes}
    return {"kind": _core.kind_names()[kind]} | facts


def test_puzzles(said: dict[str, Any]) -> None:
    trainer = _core.PuzzleTrainer(_core.TRAINER_NODES)
    for (puzzle, move), answer in zip(tries(), said["answers"], strict=True):
        board, defence = puzzle.board(), puzzle.kind is Kind.DEFENCE
        state, reply, refutation, loses = trainer.answer(board.core, move, False, defence)
        native = {"state": _core.state_names()[state], "reply": reply, "refutation": refutation, "loses": loses}
        assert answer.pop("mined") == mined(board)
        assert answer == native | {"idea": idea_of(board, move, defence)}, puzzle.id
    assert Trainer().answer(puzzle, [puzzle.solutions[0]])


def test_the_rating_of_a_puzzle(said: dict[str, Any]) -> None:
    assert said["hard"] == _core.puzzle_rating([(400.0, 0.25), (900.0, 0.5), (1500.0, 1.0)], 4, 8, 2)


def test_estimates_and_clocks(said: dict[str, Any]) -> None:
    found = estimate({1000.0: Score(3, 1, 2), 1400.5: Score(1, 0, 4)})
    assert found and said["estimated"] == pytest.approx([found.elo, found.low, found.high], rel=1e-9)
    clocks = [(600.0, 0.0), (10.0, 0.5), (-1.0, 0.0)]
    assert said["budgets"] == pytest.approx([budget(None, left, 1, 225, increment) for left, increment in clocks])


def test_ratings_and_repetition(said: dict[str, Any]) -> None:
    rated = after_puzzle(Rating(), 1400, True)
    assert said["rated"] == pytest.approx(
        {"value": rated.value, "deviation": rated.deviation, "volatility": rated.volatility}, rel=1e-12
    )
    again = after_attempt(Repetition(0, 5), True, 10)
    assert again and said["repeated"] == {"step": again.step, "due": again.due}
