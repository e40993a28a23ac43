"""Games over the network, and the complaints people have about other Gomoku programs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.rules import parse_moves
from tests.web.conftest import Room, Server, eventually, running_server

OpenRoom = Callable[..., Room]


def test_about_lists_players_and_levels(server: Server) -> None:
    about = server.http.get("/api/about").json()
    assert "random" in about["players"]
    assert "gomocup" not in about["players"]
    assert {"9", "15"} <= set(about["levels"])
    for level in about["levels"]["15"]:
        assert 0 < level["seconds"] <= 10


def test_the_api_is_documented(server: Server) -> None:
    schema = server.http.get("/api/openapi.json").json()
    assert {"/api/games", "/api/records", "/api/tournaments", "/api/runs"} <= set(schema["paths"])
    for path in schema["paths"].values():
        assert all(operation.get("description") for operation in path.values())


def test_a_game_against_a_machine(room: OpenRoom) -> None:
    t = room(white="random", width=9, height=9)
    t.say("play", node=0, move=40)
    assert t.wait_thinking()["color"] == "white"
    assert t.wait_turn("black")["cursor"] == 2
    t.say("undo")
    assert t.wait("update")["status"]["cursor"] == 0
    t.say("redo")
    assert t.wait("update")["status"]["cursor"] == 2


def test_the_machine_opens_when_it_has_black(room: OpenRoom) -> None:
    t = room(black="random", width=9, height=9)
    assert t.wait_turn("white")["cursor"] == 1


def test_a_click_on_a_stone_changes_nothing(room: OpenRoom) -> None:
    t = room(white="random", width=9, height=9)
    t.say("play", node=0, move=40)
    cursor = t.wait_turn("black")["cursor"]
    for _ in range(3):
        t.say("play", node=cursor, move=40)
        assert t.wait("error")["code"] == "occupied"
    t.say("go", node=0)
    status = t.wait("update")["status"]
    assert status["cursor"] == 0 and not status["thinking"]


def test_a_late_message_is_refused(room: OpenRoom) -> None:
    t = room(width=9, height=9)
    t.say("play", node=0, move=40)
    t.wait("update")
    t.say("play", node=0, move=41)
    assert t.wait("error")["code"] == "stale"


def test_play_stops_at_five(room: OpenRoom) -> None:
    t = room(width=9, height=9, moves=(0, 9, 1, 10, 2, 11, 3, 12))
    t.say("play", node=8, move=4)
    outcome = t.wait("update")["status"]["outcome"]
    assert outcome == {"winner": "black", "termination": "five", "line": [0, 1, 2, 3, 4]}
    t.say("play", node=9, move=50)
    assert t.wait("error")["code"] == "over"
    t.say("think")
    assert t.wait("error")["code"] == "over"


TRIES = 5
"""Promises of time are about the median: a try that another program held up does not count, nor a lucky one."""


def time_of(t: Room, command: str) -> tuple[float, Any]:
    """How long a command takes while the machine thinks, and the status it leads to."""
    t.wait_thinking()
    started = time.perf_counter()
    t.say(command)
    status = t.wait("update")["status"]
    return time.perf_counter() - started, status


def test_undo_while_the_machine_thinks(room: OpenRoom) -> None:
    t, times = room(white="mcts:playouts=0", seconds=20.0, width=9, height=9), []
    while len(times) < TRIES:
        t.say("play", node=0, move=len(times))
        seconds, status = time_of(t, "undo")
        times.append(seconds)
        assert status["cursor"] == 0 and not status["thinking"] and status["turn"] == "black"
    assert statistics.median(times) < 0.2


def test_a_stop_is_obeyed_within_200_ms(room: OpenRoom) -> None:
    times = []
    while len(times) < TRIES:
        t = room(white="mcts:playouts=0", seconds=20.0, width=9, height=9)
        t.say("play", node=0, move=40)
        seconds, status = time_of(t, "stop")
        times.append(seconds)
        assert status["paused"]
    assert statistics.median(times) < 0.2
    t.say("play", node=1, move=41)  # the machine's stone, placed by hand
    assert t.wait("update")["status"]["cursor"] == 2


@pytest.mark.parametrize("first", [0, 8, 72, 80])
def test_a_first_stone_in_the_corner_is_answered_in_time(room: OpenRoom, first: int) -> None:
    t = room(white="alphabeta", seconds=0.3, width=9, height=9)
    started = time.perf_counter()
    t.say("play", node=0, move=first)
    t.wait_turn("black")
    assert time.perf_counter() - started < 8


def test_only_forbidden_moves_is_a_position_like_any_other(room: OpenRoom) -> None:
    moves = tuple(parse_moves("h8g6f6g5f7g4h7g3g2a1", 15, 15))
    t = room(rule="renju", moves=moves, black="alphabeta", seconds=0.5)
    started = time.perf_counter()
    t.wait_turn("white")
    assert time.perf_counter() - started < 10


def test_forbidden_points_come_with_their_reason(room: OpenRoom) -> None:
    # h8 would make two open threes for black: f8 g8 and h6 h7 (rows from the bottom)
    t = room(rule="renju", moves=tuple(parse_moves("f8a1g8a15h6o1h7o15", 15, 15)))
    cell = str(parse_moves("h8", 15, 15)[0])
    assert "three" in t.start["status"]["forbidden"][cell]
    t.say("play", node=8, move=int(cell))
    assert t.wait("error")["code"] == "forbidden"


def test_a_clock_ends_the_game(room: OpenRoom) -> None:
    t = room(width=9, height=9, clock={"seconds": 5.0, "increment": 0.0})
    t.say("play", node=0, move=40)
    assert t.wait("update")["status"]["clock"]["running"] == "white"
    outcome = t.wait("update", lambda e: e["status"]["outcome"], seconds=8)["status"]["outcome"]
    assert outcome["winner"] == "black" and outcome["termination"] == "time"


def test_resigning_gives_the_game_to_the_machine(room: OpenRoom) -> None:
    t = room(white="random", width=9, height=9)
    t.say("resign")
    outcome = t.wait("update")["status"]["outcome"]
    assert outcome["winner"] == "white" and outcome["termination"] == "resign"


def test_swap2_against_a_machine(room: OpenRoom) -> None:
    t = room(white="alphabeta", opening="swap2", seconds=0.2)
    for node, cell in enumerate((112, 113, 98)):
        t.say("play", node=node, move=cell)
        t.wait("update", lambda e, n=node: e["status"]["cursor"] == n + 1)
    choice = t.wait("update", lambda e: e["decision"])["decision"]["choice"]
    if choice == "more":  # the machine found it even: it places two, and the person picks
        t.wait("update", lambda e: e["status"]["swap2"]["stage"] == "choose2")
        t.say("choose", choice="black")
        choice = "white"
        t.wait("update", lambda e: e["status"]["swap2"]["stage"] == "done")
    assert t.shown()["status"]["seats"][choice] == "alphabeta"


def test_swap2_by_a_machine(room: OpenRoom) -> None:
    t = room(black="alphabeta", opening="swap2", seconds=0.2)
    status = t.wait("update", lambda e: e["status"]["swap2"]["stage"] == "choose")["status"]
    assert status["cursor"] == 3 and status["swap2"]["mover"] == "human"
    t.say("play", node=3, move=0)
    assert t.wait("error")["code"] == "choose-first"
    t.say("choose", choice="more")
    t.wait("update", lambda e: e["status"]["swap2"]["stage"] == "place2")


def test_two_machines_play_to_the_end(room: OpenRoom) -> None:
    t = room(black="greedy", white="random", width=6, height=6, k=4)
    outcome = t.wait("update", lambda e: e["status"]["outcome"], seconds=30)["status"]["outcome"]
    assert outcome["termination"] in ("five", "full")


def test_set_up_stones_and_play_on(server: Server, room: OpenRoom) -> None:
    setup = {"black": [0, 1], "white": [40, 41, 42, 43], "turn": "white"}
    t = room(width=9, height=9, setup=setup)
    t.say("play", node=0, move=44)
    assert t.wait("update")["status"]["outcome"]["winner"] == "white"
    bad = {"settings": {"width": 9, "height": 9}, "setup": {"black": [0], "white": [0], "turn": "black"}}
    assert server.http.post("/api/games", json=bad).status_code == 422


def test_live_analysis_streams_and_follows_the_cursor(room: OpenRoom) -> None:
    t = room(moves=tuple(parse_moves("h8i9j7", 15, 15)))
    t.say("analyse", specs=["alphabeta"])
    first = t.wait("analysis")
    assert first["node"] == 3 and first["frame"]["candidates"]
    t.say("go", node=1)
    assert t.wait("analysis", lambda e: e["node"] == 1)["frame"]["candidates"][0]["move"] != 112
    t.say("analyse", specs=[])
    t.wait("study", lambda e: e["state"] == "stopped")


def test_two_opinions_side_by_side(room: OpenRoom) -> None:
    t = room(moves=(112,))
    t.say("analyse", specs=["alphabeta", "weight"])
    seen = set()
    while seen != {"a", "b"}:
        seen.add(t.wait("analysis")["slot"])


def test_a_hint_is_a_legal_move(room: OpenRoom) -> None:
    t = room(moves=tuple(parse_moves("h8h9i8i9j8j9k8a1", 15, 15)))
    t.say("hint")
    assert t.wait("hint")["move"] in parse_moves("g8l8", 15, 15)


def test_a_forced_win_is_found_for_both_sides(room: OpenRoom) -> None:
    t = room(
        moves=tuple(parse_moves("h8h9i8i9j8j9a1k9", 15, 15))
    )  # black to move has an open three, white an open four
    t.say("threats", seconds=2.0)
    found = t.wait("threats")
    assert found["own"] is None or found["own"]["line"]
    assert found["opponent"]["force"] == "five" and found["opponent"]["moves"] == 1


def test_a_review_marks_the_move_that_gives_the_game_away(room: OpenRoom) -> None:
    # black has a four, h8 to k8, that white must stop at l8; a1 allows a win
    t = room(moves=tuple(parse_moves("h8g8i8g9j8g10k8a1", 15, 15)))
    t.say("review")
    notes = {}
    while not (event := t.wait("review"))["finished"]:
        if event["note"]:
            notes[event["node"]] = event["note"]
    assert set(notes) == set(range(9))
    assert notes[8]["verdict"]["mark"] == "allowed-win"
    reason = notes[8]["verdict"]["reason"]
    assert reason["why"] == "leaves-four" and reason["shape"] == parse_moves("h8i8j8k8", 15, 15)
    t.say("retry", node=7, move=parse_moves("o15", 15, 15)[0])
    assert t.wait("retry")["ok"] is False
    t.say("retry", node=7, move=parse_moves("l8", 15, 15)[0])
    assert t.wait("retry")["ok"] is True


def test_a_reload_finds_everything_again(server: Server) -> None:
    id = server.new_game(width=9, height=9)
    with server.socket(id) as socket:
        t = Room(socket)
        t.say("play", node=0, move=40)
        t.wait("update")
    with server.socket(id) as socket:
        again = Room(socket).start
    assert again["game"]["cursor"] == 1 and again["game"]["nodes"][1][2] == 40


def test_a_restart_finds_everything_again(tmp_path: Path) -> None:
    with running_server(tmp_path, workers=1) as server:
        id = server.new_game(width=9, height=9, moves=(40, 41))
        with server.socket(id) as socket:
            t = Room(socket)
            t.say("play", node=2, move=50)
            t.wait("update")
        server.stop()
    with running_server(tmp_path, workers=1) as server, server.socket(id) as socket:
        start = Room(socket).start
        assert [row[2] for row in start["game"]["nodes"]] == [-1, 40, 41, 50]
        assert start["status"]["turn"] == "white"


def test_a_game_is_deleted_only_when_nobody_has_it_open(server: Server) -> None:
    id = server.new_game()
    with server.socket(id):
        assert server.http.delete(f"/api/games/{id}").status_code == 409
    eventually(lambda: server.http.delete(f"/api/games/{id}").status_code == 204, "the page is gone")
    assert server.http.get(f"/api/games/{id}").status_code == 404


@pytest.mark.parametrize("format", ["sgf", "psq", "pos"])
def test_records_come_back_the_same(server: Server, format: str) -> None:
    moves = parse_moves("h8i9j7a1o15b3", 15, 15)
    id = server.new_game(moves=tuple(moves))
    text = server.http.get(f"/api/games/{id}/record", params={"format": format}).json()["text"]
    again = server.http.post("/api/records", json={"text": text}).json()["id"]
    nodes = server.http.get(f"/api/games/{again}").json()["game"]["nodes"]
    assert [row[2] for row in nodes[1:]] == moves


def test_sgf_keeps_variations_and_analysis(server: Server) -> None:
    id = server.new_game(moves=tuple(parse_moves("h8i9", 15, 15)), rule="renju")
    with server.socket(id) as socket:
        t = Room(socket)
        t.say("go", node=1)
        t.say("play", node=1, move=0)
        t.wait("update", lambda e: e["added"])
        t.say("review")
        t.wait("review", lambda e: e["finished"])
    text = server.http.get(f"/api/games/{id}/record").json()["text"]
    assert text.count("(") == 3 and "V[" in text
    game = server.http.get(f"/api/games/{server.http.post('/api/records', json={'text': text}).json()['id']}").json()[
        "game"
    ]
    assert game["settings"]["rule"] == "renju"
    assert len(game["nodes"]) == 4
    assert any(row[3] and "value" in row[3] for row in game["nodes"])


@pytest.mark.parametrize(
    "text", ["(;GM[1])", "hello", "h8h8", "h99", "(;GM[4]B[zz])", "Piskvorky x", "(" * 5000, "\x00"]
)
def test_a_bad_record_is_refused_in_one_line(server: Server, text: str) -> None:
    answer = server.http.post("/api/records", json={"text": text})
    assert answer.status_code == 422
    assert "\n" not in answer.json()["detail"] and "Traceback" not in answer.text


def test_a_branch_deleted_during_its_review_does_no_harm(room: OpenRoom) -> None:
    t = room(moves=tuple(parse_moves("h8i9j7g7", 15, 15)))
    t.say("review")
    t.wait("review", lambda e: e["node"] == 0)
    t.say("delete", node=2)
    t.wait("review", lambda e: e["finished"])
    t.say("hint")
    t.wait("hint")


def test_a_record_that_goes_on_after_five_opens_up_to_it(server: Server) -> None:
    answer = server.http.post("/api/records", json={"text": "a1a15b1b15c1c15d1d14e1e14f1"}).json()
    assert answer["cut"] is True
    game = server.http.get(f"/api/games/{answer['id']}").json()
    assert len(game["game"]["nodes"]) == 10 and game["status"]["outcome"]["winner"] == "black"
    assert server.http.post("/api/records", json={"text": "h8i9"}).json()["cut"] is False


def test_a_saved_game_says_when_and_who(server: Server) -> None:
    id = server.new_game(moves=tuple(parse_moves("h8i9", 15, 15)), white="level:strongest")
    saved = server.http.get(f"/api/games/{id}/record").json()
    today = time.strftime("%Y-%m-%d")
    assert saved["name"] == f"{today}-human-strongest.sgf"
    assert f"DT[{today}]" in saved["text"] and "PW[level:strongest]" in saved["text"]


def test_answers_are_compressed_and_head_is_answered(server: Server) -> None:
    assert server.http.get("/static/js/lang/zh.js").headers["content-encoding"] == "gzip"
    assert server.http.get("/api/about").headers["content-encoding"] == "gzip"
    for path in ("/", "/static/icon.svg"):
        answer = server.http.head(path)
        assert answer.status_code == 200 and not answer.content


def test_standing_threats_are_told(server: Server) -> None:
    id = server.new_game(moves=tuple(parse_moves("h8h9i8i9j8", 15, 15)))
    threats = server.http.get(f"/api/games/{id}").json()["status"]["threats"]
    assert sorted(threats["black"]["open_four"]) == sorted(parse_moves("g8k8", 15, 15))
    assert threats["black"]["five"] == [] and threats["white"] == {"five": [], "open_four": []}
