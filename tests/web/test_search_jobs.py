"""What worker processes do, called directly; and what a room does with a bad answer."""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from tengen.board import Board
from tengen.errors import TengenError
from tengen.players.base import Analysis, Candidate
from tengen.registry import create
from tengen.rules import Color, Variant, parse_moves
from tengen.study.proofs import Force, Proof
from tengen.study.verdicts import Look
from tengen.web.events import AnalysisFrame, Chosen
from tengen.web.game import Game
from tengen.web.live_analysis import MAX_CANDIDATES, analysis_frame
from tengen.web.messages import ImportRecord, Play, Position, Settings, Think
from tengen.web.room import Room
from tengen.web.search_jobs import AnalyseJob, AnyJob, ImportJob, RetryJob, ReviewJob, ThreatsJob, run_job
from tengen.web.search_pool import Refused, SearchPool
from tengen.web.swap2 import swap2_answer
from tengen.web.tasks import Tasks


def position(text: str) -> Position:
    return Position(variant=Variant(15), moves=tuple(parse_moves(text, 15, 15)))


def run(job: AnyJob, stop: threading.Event | None = None) -> tuple[Any, list[Any]]:
    frames: list[Any] = []
    return run_job(job.model_dump(mode="json"), frames.append, stop or threading.Event()), frames


def test_a_player_without_a_search_shows_the_value_of_every_cell() -> None:
    many = tuple(Candidate(move, 0.5 - move / 100, prior=2.0) for move in range(49))
    frame = analysis_frame(Analysis(many, 0.5, 1, 0.0), Color.BLACK)
    assert len(frame.candidates) == MAX_CANDIDATES
    assert len(frame.values) == 49 and frame.values[48] == 0.02
    searched = tuple(Candidate(move, 0.1, visits=9) for move in range(49))
    assert analysis_frame(Analysis(searched, 0.1, 9, 0.0), Color.BLACK).values == {}


def test_numbers_of_a_player_are_made_finite() -> None:
    odd = (Candidate(3, float("nan")), Candidate(4, float("inf")), Candidate(5, -1.0))
    frame = analysis_frame(Analysis(odd, float("nan"), 1, 0.0, policy={3: float("nan"), 4: 0.5}), Color.BLACK)
    assert [c.value for c in frame.candidates] == [0.0, 0.0, -0.99] and frame.value == 0.0
    assert frame.policy == {4: 0.5}
    json.loads(frame.model_dump_json(), parse_constant=lambda text: pytest.fail(text))


def test_an_analysis_has_no_limit_of_its_players() -> None:
    """A level's nodes, simulations and depth bound its moves, not an analysis that goes on until it is stopped."""
    for spec in ("alphabeta:nodes=300,depth=2,hash_mb=8", "mcts:playouts=20", "alphazero:model=base-9,sims=8"):
        stop = threading.Event()

        def heard(frame: Any, stop: threading.Event = stop) -> None:
            if frame.nodes > 5_000:
                stop.set()

        board = Position(variant=Variant(9), moves=(40, 41, 31))
        timer = threading.Timer(60, stop.set)
        timer.start()
        last = run_job(AnalyseJob(spec=spec, position=board).model_dump(mode="json"), heard, stop)
        timer.cancel()
        assert isinstance(last, AnalysisFrame) and last.nodes > 5_000, spec


def test_only_a_proof_is_a_certain_win() -> None:
    """A player's claim stays short of 100 %; a proof comes first and stays, whatever a later search thinks."""
    claimed = Analysis((Candidate(3, 1.0), Candidate(4, 0.2)), 1.0, 1, 0.0)
    assert analysis_frame(claimed, Color.BLACK).candidates[0].value == 0.99
    win = Proof(Color.BLACK, (4, 5, 6), Force.FOURS, 2)
    frame = analysis_frame(claimed, Color.BLACK, proof=win)
    assert frame.candidates[0].move == 4 and frame.candidates[0].value == 1.0 and frame.candidates[0].proof == win
    loss = Proof(Color.WHITE, (4, 5, 6, 7), Force.FOURS, 2)
    lost = analysis_frame(claimed, Color.BLACK, proof=loss)
    assert lost.candidates[0].move == 4 and {c.value for c in lost.candidates} == {-1.0} and lost.value == -1.0


def test_a_player_that_cannot_stream_is_asked_once() -> None:
    result, _ = run(AnalyseJob(spec="random", position=position("h8i9")))
    assert result.live is False and len(result.candidates) >= 1


@pytest.mark.parametrize("spec", ["alphabeta", "mcts:playouts=10", "alphazero:sims=8"])
def test_an_analysis_goes_on_until_it_is_stopped(spec: str) -> None:
    """Also of players that think for a fixed number of simulations."""
    stop, frames = threading.Event(), []

    def say(frame: Any) -> None:
        frames.append(frame)
        if len(frames) == 6:
            stop.set()

    job = AnalyseJob(spec=spec, position=position("h8i9j7"), lines=2)
    result: Any = run_job(job.model_dump(mode="json"), say, stop)
    assert len(frames) >= 6 and 1 <= len(result.candidates) <= 2
    assert result.nodes > 10


def test_an_analysis_proves_what_can_be_proved_and_keeps_it() -> None:
    stop = threading.Event()
    threading.Timer(1.5, stop.set).start()
    result, _ = run(AnalyseJob(spec="alphabeta", position=position("h8h9i8i9j8j9k8a1")), stop)
    assert result.proof and result.proof.winner == Color.BLACK and result.proof.moves == 1
    stop = threading.Event()
    threading.Timer(0.8, stop.set).start()
    again, _ = run(AnalyseJob(spec="random", position=position("h8h9i8i9j8j9k8a1"), proof=result.proof), stop)
    assert again.proof == result.proof


def test_an_analysis_proves_a_quiet_move_that_the_player_claims_to_win() -> None:
    stop, frames = threading.Event(), []

    def say(frame: Any) -> None:
        frames.append(frame)
        if frame.proof:
            stop.set()

    at_last = threading.Timer(120, stop.set)
    at_last.start()
    job = AnalyseJob(spec="alphabeta", position=position("h8h10i9i10j10g7"))
    result: Any = run_job(job.model_dump(mode="json"), say, stop)
    at_last.cancel()
    assert result.proof and result.proof.winner == Color.BLACK
    assert result.candidates[0].move == result.proof.line[0] == parse_moves("k9", 15, 15)[0]


def test_threats_of_both_sides() -> None:
    found, _ = run(ThreatsJob(position=position("h8h9i8i9j8j9"), seconds=1.0))
    assert found.own.force in ("vcf", "vct") and found.opponent.force in ("vcf", "vct")
    quiet, _ = run(ThreatsJob(position=position("h8"), seconds=0.2))
    assert quiet.own is None


def test_a_review_looks_at_every_position() -> None:
    _, frames = run(ReviewJob(position=position("a1a15b1b15c1c15d1d14e1"), spec="alphabeta"))
    assert {frame.ply for frame in frames} == set(range(10))
    last = {frame.ply: frame for frame in frames}
    assert last[9].verdict.mark == "best" and last[9].look.proof.winner == Color.BLACK
    assert last[8].verdict.mark == "allowed-win" and last[8].look.best == parse_moves("e1", 15, 15)[0]


def test_a_review_heeds_what_was_proven_before() -> None:
    """The game's store of proofs feeds the review: a win that it would not find itself is missed all the same."""
    proof = Proof(Color.BLACK, tuple(parse_moves("i8j8k8", 15, 15)), Force.THREATS, 2)
    _, frames = run(ReviewJob(position=position("h8i9a1"), spec="alphabeta", known={2: proof}))
    last = {frame.ply: frame for frame in frames}
    assert last[2].look.proof == proof and last[3].verdict.mark == "missed-win"


def test_a_second_try_is_judged_by_what_the_review_knows() -> None:
    """A win that the try itself would not find: only the move that keeps it is right."""
    win = Proof(Color.BLACK, tuple(parse_moves("i8j8k8", 15, 15)), Force.THREATS, 2)
    before = Look.proven(win)
    wrong, _ = run(RetryJob(position=position("h8i9"), spec="alphabeta", move=0, before=before))
    assert wrong.verdict.mark == "missed-win"
    right, _ = run(RetryJob(position=position("h8i9"), spec="alphabeta", move=win.line[0], before=before))
    assert right.verdict.mark == "best"


def test_a_record_is_read_in_a_process_of_its_own() -> None:
    result, _ = run(ImportJob(record=ImportRecord(text="h8i9j7")))
    assert [row[2] for row in result.stored["nodes"]] == [-1, *parse_moves("h8i9j7", 15, 15)]
    with pytest.raises(TengenError):
        run(ImportJob(record=ImportRecord(text="hello")))


def test_a_machine_picks_the_better_colour() -> None:
    winning_for_white = Board.from_text("a1h8a2i8a3j8a5", Variant(15))
    answer = swap2_answer("choose", winning_for_white, create("alphabeta"), 0.3)
    assert answer.choice == "white"


@pytest.mark.parametrize("stones", ["", "h8", "h8i9", "h8i9j7", "h8i9j7g7"])
def test_a_machine_places_legal_opening_stones(stones: str) -> None:
    board = Board.from_text(stones, Variant(15))
    assert board.is_legal(swap2_answer("place3", board, create("greedy"), 0.1).move or -1)


@pytest.mark.parametrize(
    ("code", "failed"), [(None, False), (0, False), (130, False), (-9, False), (1, True), (2, True)]
)
def test_a_task_that_was_stopped_has_not_failed(code: int | None, failed: bool) -> None:
    tasks = Tasks()
    tasks._processes["x"] = SimpleNamespace(returncode=code)  # type: ignore[assignment]
    assert tasks.failed("x") is failed


def room_of_full_server() -> tuple[Room, list[Any]]:
    """And what its pages are going to hear."""
    game = Game("x" * 12, Settings.model_validate({"width": 9, "height": 9, "white": "random"}))
    return Room(game, SearchPool(0, max_queue=0), SearchPool(0), lambda room: None), []


def test_a_move_stands_when_the_answer_finds_no_room() -> None:
    room, heard = room_of_full_server()
    room.pages.add(heard.append)
    room.obey(Play(type="play", node=0, move=40))
    assert room.game.moves() == (40,) and room.paused
    assert [event.type for event in heard] == ["update", "error"] and heard[-1].code == "busy"
    with pytest.raises(Refused):
        room.obey(Think(type="think"))
    assert room.game.moves() == (40,) and room.paused


def test_a_page_may_join_when_the_answer_finds_no_room() -> None:
    room, heard = room_of_full_server()
    room.game.play(40)
    room.join(heard.append)
    assert heard[0].type == "game" and heard[-1].code == "busy"


@pytest.mark.parametrize("move", [40, 81, -1])
def test_a_player_that_answers_badly_changes_nothing(move: int) -> None:
    game = Game("x" * 12, Settings.model_validate({"width": 9, "height": 9, "white": "random"}))
    game.play(40)
    heard: list[Any] = []
    room = Room(game, SearchPool(0), SearchPool(0), lambda room: None)
    room.pages.add(heard.append)
    room.accept(Chosen(move=move))
    assert game.moves() == (40,)
    assert heard[-1].code == "player-failed" and room.paused
