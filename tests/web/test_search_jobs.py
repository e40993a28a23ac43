"""What worker processes do, called directly; and what a room does with a bad answer."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from tengen.board import Board
from tengen.players.base import Analysis, Candidate
from tengen.registry import create
from tengen.rules import Variant, parse_moves
from tengen.web.game import Game
from tengen.web.messages import Play, Settings, Think
from tengen.web.room import Room
from tengen.web.search_jobs import MAX_CANDIDATES, analysis_json, run_job
from tengen.web.search_pool import Refused, SearchPool
from tengen.web.swap2 import swap2_answer
from tengen.web.tasks import Tasks


def position(text: str, **changes: Any) -> dict[str, Any]:
    shape = {"width": 15, "height": 15, "k": 5, "rule": "freestyle", "setup": None} | changes
    return shape | {"moves": parse_moves(text, 15, 15)}


def run(kind: str, text: str, **job: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    frames: list[dict[str, Any]] = []
    result = run_job({"kind": kind, "position": position(text), **job}, frames.append, threading.Event())
    return result, frames


def test_a_player_without_a_search_shows_the_value_of_every_cell() -> None:
    many = tuple(Candidate(move, 0.5 - move / 100, prior=2.0) for move in range(49))
    frame = analysis_json(Analysis(many, 0.5, 1, 0.0))
    assert len(frame["candidates"]) == MAX_CANDIDATES
    assert len(frame["values"]) == 49 and frame["values"]["48"] == 0.02
    searched = tuple(Candidate(move, 0.1, visits=9) for move in range(49))
    assert analysis_json(Analysis(searched, 0.1, 9, 0.0))["values"] == {}


def test_a_player_that_cannot_stream_is_asked_once() -> None:
    result, _ = run("analyse", "h8i9", spec="random", seconds=1.0)
    assert result["live"] is False and len(result["candidates"]) >= 1


def test_a_stopped_analysis_ends() -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    job = {"kind": "analyse", "position": position("h8i9j7"), "spec": "alphabeta", "seconds": 60.0}
    assert run_job(job, lambda frame: None, stop)["candidates"]


def test_threats_of_both_sides() -> None:
    found, _ = run("threats", "h8h9i8i9j8j9", spec="solver", seconds=1.0)
    assert found["own"]["kind"] in ("vcf", "vct") and found["opponent"]["kind"] in ("vcf", "vct")
    quiet, _ = run("threats", "h8", spec="solver", seconds=0.2)
    assert quiet["own"] is None


def test_a_review_looks_at_every_position() -> None:
    _, frames = run("review", "a1a15b1b15c1c15d1d14e1", spec="alphabeta", seconds=0.05)
    assert [frame["ply"] for frame in frames] == list(range(10))
    assert frames[-1]["forced"] == 1 and frames[-1]["best"] is None
    assert frames[-2]["forced"] == 1 and frames[-2]["best"] == parse_moves("e1", 15, 15)[0]


def test_a_machine_picks_the_better_colour() -> None:
    winning_for_white = Board.from_text("a1h8a2i8a3j8a5", Variant(15))
    answer = swap2_answer("choose", winning_for_white, create("alphabeta"), 0.3)
    assert answer["choice"] == "white"


@pytest.mark.parametrize("stones", ["", "h8", "h8i9", "h8i9j7", "h8i9j7g7"])
def test_a_machine_places_legal_opening_stones(stones: str) -> None:
    board = Board.from_text(stones, Variant(15))
    assert board.is_legal(swap2_answer("place3", board, create("greedy"), 0.1)["move"])


@pytest.mark.parametrize(
    ("code", "failed"), [(None, False), (0, False), (130, False), (-9, False), (1, True), (2, True)]
)
def test_a_task_that_was_stopped_has_not_failed(code: int | None, failed: bool) -> None:
    tasks = Tasks()
    tasks._processes["x"] = SimpleNamespace(returncode=code)  # type: ignore[assignment]
    assert tasks.failed("x") is failed


def room_of_full_server() -> tuple[Room, list[dict[str, Any]]]:
    """And what its pages are going to hear."""
    game = Game("x" * 12, Settings.model_validate({"width": 9, "height": 9, "white": "random"}))
    return Room(game, SearchPool(0, max_queue=0), SearchPool(0), lambda room: None), []


def test_a_move_stands_when_the_answer_finds_no_room() -> None:
    room, heard = room_of_full_server()
    room.pages.add(heard.append)
    room.obey(Play(type="play", node=0, move=40))
    assert room.game.moves() == (40,) and room.paused
    assert heard[-1]["type"] == "error" and heard[-1]["code"] == "busy"
    with pytest.raises(Refused):
        room.obey(Think(type="think"))
    assert room.game.moves() == (40,) and room.paused


def test_a_page_may_join_when_the_answer_finds_no_room() -> None:
    room, heard = room_of_full_server()
    room.game.play(40)
    room.join(heard.append)
    assert heard[0]["type"] == "game" and heard[-1]["code"] == "busy"


@pytest.mark.parametrize("move", [40, 81, -1])
def test_a_player_that_answers_badly_changes_nothing(move: int) -> None:
    game = Game("x" * 12, Settings.model_validate({"width": 9, "height": 9, "white": "random"}))
    game.play(40)
    heard: list[dict[str, Any]] = []
    room = Room(game, SearchPool(0), SearchPool(0), lambda room: None)
    room.pages.add(heard.append)
    room._accept({"move": move, "value": None, "pv": []})
    assert game.moves() == (40,)
    assert heard[-1]["code"] == "player-failed" and room.paused
