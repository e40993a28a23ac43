"""The game behind the page: tree, undo, clock, swap2, judging. No server needed."""

from __future__ import annotations

import json

import pytest

from tengen.board import Board
from tengen.players.base import Decision
from tengen.rules import Color, Limit, Rule, Value, Variant
from tengen.study.verdicts import Look, Mark, Verdict
from tengen.web.events import Chosen
from tengen.web.game import ROOT, Game, GameError
from tengen.web.game_clock import GameClock
from tengen.web.messages import Clock, ImportRecord, Settings, SetUp
from tengen.web.notes import Note, read_note
from tengen.web.record_io import export_game, import_game
from tengen.web.snapshot import GameFiles, restored, stored
from tengen.web.swap2 import Stage, Swap2, swap2_answer


def settings(**changes: object) -> Settings:
    return Settings.model_validate({"width": 9, "height": 9} | changes)


def game(*moves: int, **changes: object) -> Game:
    made = Game("x" * 12, settings(**changes))
    for move in moves:
        made.play(move)
    return made


def test_undo_takes_back_both_plies_against_a_machine() -> None:
    played = game(40, 41, 30, white="random")
    played.undo()  # white has not answered: only black's stone goes
    assert played.moves() == (40, 41)
    played.undo()
    assert played.moves() == ()
    played.redo()
    assert played.moves() == (40, 41)


def test_undo_between_people_takes_one_ply() -> None:
    played = game(40, 41, 30)
    played.undo()
    assert played.moves() == (40, 41)


def test_the_machines_opening_stone_is_not_taken_back() -> None:
    played = game(40, black="random")
    with pytest.raises(GameError) as error:
        played.undo()
    assert error.value.code == "no-undo"


def test_branches_are_kept_and_entered_again() -> None:
    played = game(40, 41, 30)
    first = played.cursor
    played.go(played.nodes[first].parent)
    second = played.play(31)
    assert played.nodes[played.nodes[first].parent].children == [first, second]
    played.go(played.nodes[first].parent)
    assert played.play(30) == first
    assert played.nodes[played.nodes[first].parent].children[-1] == first  # redo follows the branch played last


def test_deleting_a_branch_moves_the_cursor_out_of_it() -> None:
    played = game(40, 41, 30, 31)
    gone = played.delete(2)
    assert sorted(gone) == [2, 3, 4]
    assert played.moves() == (40,)
    with pytest.raises(GameError):
        played.delete(ROOT)


def test_no_stone_on_a_stone_and_none_after_five() -> None:
    played = game(0, 9, 1, 10, 2, 11, 3, 12, 4)
    assert played.outcome() is not None and played.outcome().winner == Color.BLACK
    with pytest.raises(GameError) as error:
        played.play(50)
    assert error.value.code == "over"
    again = game(0)
    with pytest.raises(GameError) as error:
        again.play(0)
    assert error.value.code == "occupied"
    assert again.moves() == (0,)


def test_a_forbidden_point_says_why() -> None:
    renju = game(40, 0, 41, 8, 31, 80, 49, 72, rule="renju")  # black h-v open twos through the middle
    renju_forbidden = renju.board().forbidden()
    for cell in renju_forbidden:
        with pytest.raises(GameError) as error:
            renju.play(cell)
        assert error.value.code == "forbidden"
        assert renju_forbidden[cell] in str(error.value)


def test_a_stored_game_comes_back_the_same() -> None:
    played = game(40, 41, 30, clock={"seconds": 60.0, "increment": 1.0}, white="random")
    played.go(1)
    played.play(50)
    played.nodes[1].note.value = Value(0.25, Color.WHITE)
    played.resign(Color.WHITE)
    again = restored(json.loads(json.dumps(stored(played))))
    assert stored(again) == stored(played)
    assert again.outcome() == played.outcome()


def test_a_set_up_game_comes_back_the_same() -> None:
    placed = Game("y" * 12, settings(), SetUp(black=(1, 2), white=(3,), turn="white"))
    placed.play(40)
    assert placed.board().at(40) == Color.WHITE
    assert stored(restored(json.loads(json.dumps(stored(placed))))) == stored(placed)


def test_a_damaged_file_is_no_game(tmp_path) -> None:  # type: ignore[no-untyped-def]
    files = GameFiles(tmp_path)
    (tmp_path / "abcdefghijkl.json").write_text("{")
    assert files.read("abcdefghijkl") is None
    assert files.read("../../etc/passwd") is None


def test_a_clock_runs_for_one_side_and_adds_its_increment() -> None:
    clock = GameClock.start(Clock(seconds=60.0, increment=2.0))
    clock.run(Color.BLACK, now=100.0)
    assert clock.remaining(Color.BLACK, now=110.0) == 50
    clock.moved(Color.BLACK, now=110.0)
    clock.run(Color.WHITE, now=110.0)
    assert clock.remaining(Color.BLACK, now=130.0) == 52
    assert clock.remaining(Color.WHITE, now=200.0) == 0


def test_swap2_settles_the_seats() -> None:
    opening = Swap2("human", "random")
    for _ in range(3):
        opening.stone_placed()
    assert opening.mover == "random"
    assert opening.choose("more") is None
    for _ in range(2):
        opening.stone_placed()
    assert opening.mover == "human"
    with pytest.raises(ValueError):
        opening.choose("more")
    assert opening.choose("white") == ("random", "human")
    assert opening.done


def test_stones_of_the_opening_stay() -> None:
    played = game(40, 41, 30, white="human", opening="swap2")
    assert played.swap2 is not None
    played.swap2.choose("white")
    played.play(50)
    played.undo()
    with pytest.raises(GameError):
        played.undo()


@pytest.mark.parametrize(
    ("stage", "value", "choice"),
    [("choose", 0.4, "white"), ("choose", -0.4, "black"), ("choose", 0.03, "more"), ("choose", -0.03, "more"),
     ("choose2", 0.03, "white"), ("choose2", -0.03, "black"), ("choose", None, "black")],
)  # fmt: skip
def test_a_machine_judges_a_swap2_opening(stage: Stage, value: float | None, choice: str) -> None:
    class Judge:
        def choose(self, board: Board, limit: Limit) -> Decision:
            return Decision(board.legal_moves()[0], value)

    board = Board(Variant(15), (112, 113, 98))
    assert swap2_answer(stage, board, Judge(), 0.1) == Chosen(choice=choice, value=value)


def test_a_review_comes_back_with_its_record() -> None:
    played = game(40, 41, 30)
    for id, (best, value) in enumerate(((40, 0.0), (5, -0.4), (5, 0.2))):
        played.nodes[id].note.saw(Look(Value(value, Color.BLACK), best))
    played.nodes[1].note.comment = "bold"
    played.nodes[1].note.verdict = Verdict(Mark.BEST)
    played.nodes[2].note.verdict = Verdict(Mark.BLUNDER, 0.6)
    _, text = export_game(played, "sgf")
    assert "C[bold]" in text and "BM[2]" in text
    again = import_game(ImportRecord(text=text))
    assert again.nodes[1].note.verdict == Verdict(Mark.BEST) and again.nodes[1].note.comment == "bold"
    verdict = again.nodes[2].note.verdict
    assert verdict and verdict.mark == Mark.BLUNDER and verdict.drop == pytest.approx(0.6)
    assert export_game(again, "sgf")[1].count("bold") == 1


OLD_GAME = """{"id": "oldoldoldold", "settings": {
 "width": 9, "height": 9, "k": 5, "rule": "freestyle", "black": "human",
 "white": "human", "seconds": 1.0, "clock": null, "opening": "free"}, "setup": null, "cursor": 2, "ending": null,
 "nodes": [[0, -1, -1, {"r": {"value": 0.1, "best": 40, "pv": [40, 41], "forced": 0}, "v": 0.1}],
 [1, 0, 40, {"v": 0.2, "c": "first"}], [2, 1, 41, {"v": 1.0, "mark": "allowed-win", "drop": 0.8,
 "r": {"value": 1, "best": 42, "pv": [42], "forced": 1}}]], "swap2": null, "children": {}, "clock": null,
 "created": 1.0, "touched": 2.0}"""


def test_a_game_saved_by_an_earlier_version_is_read() -> None:
    old = restored(json.loads(OLD_GAME))
    assert old.moves() == (40, 41) and old.next_id == 3
    assert old.nodes[0].note.look == Look(Value(0.1, Color.BLACK), 40, (40, 41))
    assert old.nodes[1].note == Note(Value(0.2, Color.BLACK), "first")
    assert old.nodes[2].note.verdict == Verdict(Mark.ALLOWED_WIN, 0.8)
    assert stored(restored(json.loads(json.dumps(stored(old))))) == stored(old)


@pytest.mark.parametrize("note", [{"v": 1e999}, {"v": "x"}, {"r": {}}, {"value": {"number": 1e999, "side": 0}}, 7, [1],
                                  {"value": {"number": 0.1, "side": 9}}, {"mark": "nonsense"}])  # fmt: skip
def test_a_note_that_makes_no_sense_is_dropped(note: object) -> None:
    assert read_note(note) == Note()


def test_moves_played_since_the_file_was_written_come_back(tmp_path) -> None:  # type: ignore[no-untyped-def]
    files, played = GameFiles(tmp_path), game(40)
    files.write(played.id, json.dumps(stored(played)))
    for move in (41, 30):
        files.log_moves(played, [played.play(move)])
    with (tmp_path / f"{played.id}.moves").open("a") as log:
        log.write("[4, 3")  # a line that was cut off
    again = files.read(played.id)
    assert again is not None and again.moves() == (40, 41, 30) and again.next_id == 4
    gone = played.delete(2)
    files.write(played.id, json.dumps(stored(played)))
    again = files.read(played.id)
    assert gone and again is not None and again.moves() == (40,)  # what was deleted does not rise again
    files.forget_moves(played.id)
    assert files.read(played.id) is not None and list(tmp_path.glob("*.moves")) == []


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("e5f6", "9x9 caro"),  # cells alone: the board and the rule on show
        ("renju h8", "15x15 renju"),
        ("9x9 k=4 e5", "9x9 k=4 freestyle"),
        ("20x20 h8i9", "20x20 freestyle"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n", "15x15 caro"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\nAnn\nBen\n-1\n1,Renju\n", "15x15 renju"),
        ("(;GM[4]SZ[15]RU[standard];B[hh])", "15x15 standard"),
    ],
)
def test_a_text_that_names_its_game_is_taken_at_its_word(text: str, variant: str) -> None:
    asked = ImportRecord(text=text, width=9, height=9, rule=Rule.CARO)
    assert str(import_game(asked).variant) == variant


def test_a_game_comes_back_from_its_text() -> None:
    for changes in ({"rule": "renju"}, {"k": 4}, {"width": 20, "height": 12}, {"width": 15, "height": 15}):
        played = game(40, 41, 30, **changes)
        again = import_game(ImportRecord(text=export_game(played, "pos")[1]))
        assert again.variant == played.variant and again.moves() == played.moves()
