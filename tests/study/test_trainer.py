"""The puzzle trainer: judging answers, rating, repetition, and what a person's progress survives."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from tengen.board import Board
from tengen.errors import TengenError
from tengen.rules import Color, parse_moves
from tengen.study.forced import ForcedPlay
from tengen.study.progress import Progress, Wish, checked_lines
from tengen.study.puzzles import Kind, Puzzle, bundled_puzzles, check_puzzle
from tengen.study.rating import Rating, after_games, after_puzzle
from tengen.study.repetition import DAY, Review, after_attempt
from tengen.study.store import Store
from tengen.study.trainer import Hint, State, Trainer, idea_of

BUNDLED = bundled_puzzles()


def first(kind: Kind) -> Puzzle:
    return next(puzzle for puzzle in BUNDLED if puzzle.kind is kind)


def test_glicko_agrees_with_the_example_of_its_paper() -> None:
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    new = after_games(Rating(1500, 200, 0.06), opponents)
    assert (round(new.value, 2), round(new.deviation, 2), round(new.volatility, 5)) == (1464.05, 151.52, 0.06)


def test_ratings_settle_where_a_person_solves_every_other_puzzle() -> None:
    person, dice = Rating(), random.Random(1)
    for _ in range(400):
        puzzle = dice.uniform(person.value - 200, person.value + 200)
        person = after_puzzle(person, puzzle, dice.random() < 1 / (1 + 10 ** ((puzzle - 1700) / 400)))
    assert abs(person.value - 1700) < 120 and person.deviation < 100


def test_a_failed_puzzle_comes_back_after_growing_pauses() -> None:
    review = after_attempt(None, False, 0.0)
    assert review == Review(0, DAY)
    assert after_attempt(review, True, DAY / 2) == review  # too early to count
    days = []
    while review:
        days.append(round(review.due / DAY))
        review = after_attempt(review, True, review.due)
    assert days == [1, 4, 11, 32]
    assert after_attempt(None, True, 0.0) is None


@pytest.mark.parametrize("puzzle", [*BUNDLED[:6], *BUNDLED[-6:]], ids=lambda p: p.id)
def test_a_solution_is_played_to_its_end(puzzle: Puzzle) -> None:
    trainer, moves = Trainer(), []
    for _ in range(40):
        clue = trainer.clue(puzzle, moves, Hint.MOVE)
        answer = trainer.answer(puzzle, [*moves, clue.cells[0]])
        assert answer.state is not State.WRONG
        if answer.state is State.SOLVED:
            return
        assert answer.reply is not None
        moves += [clue.cells[0], answer.reply]
    pytest.fail("the puzzle did not end")


def test_every_solution_counts_and_a_wrong_move_is_refuted() -> None:
    trainer, puzzle = Trainer(), first(Kind.DEFENCE)
    for move in puzzle.solutions:
        assert trainer.answer(puzzle, [move]).state is State.SOLVED
    wrong = next(move for move in puzzle.board().legal_moves() if move not in puzzle.solutions)
    answer = trainer.answer(puzzle, [wrong])
    assert answer.state is State.WRONG and answer.loses
    board = puzzle.board()
    for move in (wrong, *answer.refutation):
        board.play(move)
    assert board.outcome() is not None and board.outcome().winner == puzzle.turn.other  # type: ignore[union-attr]


def test_a_quiet_move_does_not_win() -> None:
    puzzle = first(Kind.VCF)
    corner = next(m for m in (0, 14, 210, 224) if puzzle.board().at(m) is None)
    answer = Trainer().answer(puzzle, [corner])
    assert answer.state is State.WRONG


def test_impossible_answers_are_refused() -> None:
    trainer, puzzle = Trainer(), first(Kind.VCF)
    for moves in ([], [puzzle.black[0]], [puzzle.solutions[0], puzzle.black[0], 0]):
        with pytest.raises(TengenError):
            trainer.answer(puzzle, moves)


def test_hints_come_in_steps() -> None:
    trainer, puzzle = Trainer(), first(Kind.VCT)
    area = trainer.clue(puzzle, [], Hint.AREA)
    move = trainer.clue(puzzle, [], Hint.MOVE)
    assert len(area.cells) == 25 and set(move.cells) < set(area.cells)
    assert move.cells[0] in puzzle.solutions
    assert trainer.clue(puzzle, [], Hint.IDEA).idea


@pytest.mark.parametrize(
    ("black", "white", "move", "idea"),
    [("e8f8g8h8", "a1c3e1g1", "i8", "five"), ("e8f8g8", "a1c3e1", "h8", "double-four"),
     ("d8e8f8", "c8a1e1", "g8", "four"), ("f8g8h9h10", "a1c3e1k2", "h8", "double-three"), ("a1", "c3", "o15", "quiet")],
)  # fmt: skip
def test_ideas_are_named(black: str, white: str, move: str, idea: str) -> None:
    stones = (parse_moves(text, 15, 15) for text in (black, white))
    board = Board.from_stones(*stones, Color.BLACK)
    assert idea_of(board, parse_moves(move, 15, 15)[0]) == idea


def test_progress_is_kept_and_chooses_what_comes_next(tmp_path: Path) -> None:
    progress = Progress(Store(tmp_path / "study.sqlite"))
    puzzle = progress.next(Wish(), 0.0, choose=lambda n: 0)
    assert abs(puzzle.rating - 1200) == min(abs(p.rating - 1200) for p in BUNDLED)
    failed = progress.attempted(puzzle.id, False, 0, 10.0)
    assert failed.rating.value < 1200 and failed.streak == 0
    other = progress.next(Wish(), 20.0)
    assert other.id != puzzle.id
    solved = progress.attempted(other.id, True, 0, 30.0)
    assert solved.streak == 1 and solved.rating.value > failed.rating.value
    again = Progress(Store(tmp_path / "study.sqlite"))
    assert again.standing(30.0) == solved
    assert again.next(Wish(), 10.0 + DAY).id == puzzle.id
    assert again.standing(10.0 + DAY).due == 1


def test_a_hint_costs_the_puzzle_its_points(tmp_path: Path) -> None:
    progress = Progress(Store(tmp_path / "study.sqlite"))
    helped = progress.attempted(BUNDLED[0].id, True, 1, 0.0)
    assert helped.rating.value < 1200 and helped.solved == 0 and helped.due == 0


def test_wishes_are_met(tmp_path: Path) -> None:
    progress = Progress(Store(tmp_path / "study.sqlite"))
    assert progress.next(Wish(frozenset([Kind.DEFENCE])), 0.0).kind is Kind.DEFENCE
    with pytest.raises(LookupError):
        progress.next(Wish(source="own"), 0.0)


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    Store(path).close()
    path.write_bytes(b"this is no database" * 500)
    store = Store(path)
    assert store.set_aside and store.set_aside.read_bytes().startswith(b"this is no database")
    with store.change() as db:
        db.execute("insert into lessons values ('five', 1)")
    store.close()
    with sqlite3.connect(path) as db:
        assert db.execute("select count(*) from lessons").fetchone()[0] == 1


def test_wrong_claims_of_a_file_are_refused_line_by_line() -> None:
    forced, puzzle = ForcedPlay(10_000), first(Kind.DEFENCE)
    lie = puzzle.to_json().replace(f'"solutions":"{puzzle.board().name(puzzle.solutions[0])}"', '"solutions":"a1"')
    assert lie != puzzle.to_json()
    good, bad = checked_lines(f"{puzzle.to_json()}\n\nnonsense\n{lie}\n", lambda p: check_puzzle(p, forced))
    assert [p.id for p in good] == [puzzle.id]
    assert [text.split(":")[0] for text in bad] == ["line 3", "line 4"]
