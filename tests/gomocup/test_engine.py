"""The Gomocup engine, by transcripts: what the manager says on the left, what must come back on the right."""

from __future__ import annotations

import random
import re
import threading
import time

import pytest

from tengen import create
from tengen.board import Board
from tengen.errors import TengenError
from tengen.gomocup.engine import EndOfInput, Engine, ManagerGone
from tengen.gomocup.session import Resources
from tengen.players.base import Analysis, Candidate, Decision
from tengen.rules import Limit
from tests.helpers.timing import within

CELL = r"\d+,\d+"


class Talk:
    """An engine in this process. `say` sends lines and returns what came back."""

    def __init__(self, agent: object = None) -> None:
        self.said: list[str] = []
        self.built: list[Resources] = []
        self.agent = agent
        self.engine = Engine(self._make, self.said.append, 'name="Test"')

    def _make(self, granted: Resources):
        self.built.append(granted)
        return self.agent or create("greedy:seed=1")

    def say(self, *lines: str) -> list[str]:
        before = len(self.said)
        for line in lines:
            self.engine.handle(line)
        return [line for line in self.said[before:] if not line.startswith("MESSAGE")]


class Recorder:
    """Remembers the boards and limits it was asked about; plays the first legal move."""

    def __init__(self, value: float | None = None) -> None:
        self.boards: list[Board] = []
        self.limits: list[Limit] = []
        self.value = value

    def choose(self, board: Board, limit: Limit) -> Decision:
        self.boards.append(board.copy())
        self.limits.append(limit)
        return Decision(board.legal_moves()[0], self.value)


class Starter(Recorder):
    """Has to get ready before a game."""

    def __init__(self) -> None:
        super().__init__()
        self.ready_for: list[Board] = []

    def prepare(self, board: Board) -> None:
        self.ready_for.append(board.copy())


class Sleeper:
    """Thinks until it is stopped, or for ever if it is deaf."""

    def __init__(self, deaf: bool = False) -> None:
        self.deaf, self.told, self.released = deaf, threading.Event(), threading.Event()

    def choose(self, board: Board, limit: Limit) -> Decision:
        (self.released if self.deaf else self.told).wait(60)
        return Decision(board.cells - 1)

    def stop(self) -> None:
        self.told.set()


def test_a_player_gets_ready_when_the_game_is_announced() -> None:
    player = Starter()
    talk = Talk(player)
    assert talk.say("START 15") == ["OK"]
    assert [board.variant.width for board in player.ready_for] == [15]
    assert not player.boards


TRANSCRIPTS = {
    "opens": [("START 15", "OK"), ("BEGIN", CELL)],
    "answers": [("START 20", "OK"), ("TURN 10,10", CELL), ("TURN 0,19", CELL)],
    "rectangle": [("RECTSTART 9,14", "OK"), ("TURN 8,13", CELL), ("TURN 9,0", "ERROR .*off the board.*8,13")],
    "any case, blanks, CR": [("  start 15 \r", "OK"), ("Turn 7,7", CELL), ("turn  7 , 8", CELL)],
    "restart": [("START 15", "OK"), ("BEGIN", CELL), ("BEGIN", "ERROR .*"), ("RESTART", "OK"), ("BEGIN", CELL)],
    "no board yet": [("BEGIN", "ERROR .*START.*"), ("TURN 1,1", "ERROR .*"), ("RESTART", "ERROR .*")],
    "bad sizes": [
        ("START 4", "ERROR .*5 to 22.*"),
        ("START 23", "ERROR .*5 to 22.*"),
        ("START", "ERROR .*START n.*"),
        ("START x", "ERROR .*"),
        ("START 99999999999999999999999999", "ERROR .*"),
        ("START -15", "ERROR .*"),
        ("RECTSTART 15", "ERROR .*"),
        ("START 15", "OK"),
    ],
    "unknown": [("HELLO", "UNKNOWN .*HELLO.*"), ("", None), ("\x00\x01", "UNKNOWN .*"), ("SUGGEST 1,1", "UNKNOWN .*")],
    "about": [("ABOUT", 'name="Test"')],
    "occupied": [("START 15", "OK"), ("PLAY 7,7", "7,7"), ("TURN 7,7", "ERROR .*occupied.*"), ("TURN 8,8", CELL)],
    "take back": [
        ("START 15", "OK"),
        ("PLAY 3,4", "3,4"),
        ("PLAY 4,4", "4,4"),
        ("PLAY 5,4", "5,4"),
        ("TAKEBACK 9,9", "ERROR .*no stone.*"),
        ("TAKEBACK 5,4", "OK"),
        ("TAKEBACK 3,4", "OK"),  # not the last one
        ("TURN 3,4", CELL),
    ],
    "board in order": [("START 15", "OK"), ("BOARD", None), ("7,7,2", None), ("DONE", CELL)],
    "empty board": [("START 15", "OK"), ("BOARD", None), ("DONE", CELL)],
    "bad board lines": [
        ("START 15", "OK"),
        *[("BOARD", None), ("7,7,2", None), ("rubbish", None), ("DONE", "ERROR .*x,y,field.*")],
        *[("BOARD", None), ("7,7,4", None), ("DONE", "ERROR .*field 4.*")],
        *[("BOARD", None), ("7,7,1", None), ("7,7,2", None), ("DONE", "ERROR .*twice.*")],
        *[("BOARD", None), ("15,7,1", None), ("DONE", "ERROR .*off the board.*")],
        *[("BOARD", None), ("7,7,3", None), ("DONE", "ERROR .*continuous.*")],
        *[("BOARD", None), ("7,7,1", None), ("BEGIN", f"ERROR BOARD was not closed by DONE\n{CELL}")],
        ("DONE", "ERROR .*"),
    ],
    "five on the board": [
        ("START 15", "OK"),
        *[("BOARD", None)],
        *[(f"{x},2,1", None) for x in range(5)],
        *[(f"{x},9,2", None) for x in (0, 2, 4, 6, 8)],
        ("DONE", "ERROR .*"),
        ("RESTART", "OK"),
    ],
    "rules reported late": [
        ("START 15", "OK"),
        ("INFO rule 9", None),
        ("BEGIN", "ERROR rule 9 is not supported; choose 0 .freestyle., 1 .standard., 4 .renju., 8 .caro."),
        ("START 15", "ERROR rule 9.*"),
        ("INFO rule 1", None),
        ("BEGIN", CELL),
    ],
    "info never answers": [
        ("INFO", None),
        ("INFO nonsense", None),
        ("INFO nonsense 12", None),
        ("INFO timeout_turn x", None),
        ("INFO timeout_turn 1e999", None),
        ("INFO evaluate 3,3", None),
        ("INFO folder /a folder/with blanks", None),
        ("INFO timeout_turn 99999999999999999999999999999999", None),
        ("INFO max_depth 99999999999", None),
    ],
    "yixin board": [
        ("START 15", "OK"),
        ("INFO rule 4", None),
        *[("YXBOARD", None), ("7,7,1", None), ("6,6,2", None), ("DONE", None)],
        ("YXSHOWFORBID", r"FORBID \."),
        ("YXHASHCLEAR", None),
        ("YXSTOP", None),
        ("YXNBEST x", "ERROR .*"),
    ],
    "yixin's number for renju": [
        ("INFO rule 2", None),
        ("START 15", "ERROR rule 2.*"),
        ("YXSHOWINFO", None),
        ("INFO rule 2", None),
        ("START 15", "OK"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(name: str) -> None:
    talk = Talk()
    for line, expected in TRANSCRIPTS[name]:
        answer = "\n".join(talk.say(line))
        assert re.fullmatch(expected or "", answer), f"{line!r} -> {answer!r}, expected {expected!r}"


def test_forbidden_cells_are_listed_column_first():
    talk = Talk()
    talk.say("START 15", "INFO rule 4", "YXBOARD")
    # Black threes in row 2 and column 6 cross at x=6, y=2: playing there makes a double three.
    talk.say("4,2,1", "0,14,2", "5,2,1", "2,14,2", "6,3,1", "4,14,2", "6,4,1", "6,14,2", "DONE")
    assert talk.say("YXSHOWFORBID") == ["FORBID 0602."]


def test_moves_alternate_and_stand_where_they_were_put():
    agent = Recorder()
    talk = Talk(agent)
    talk.say("RECTSTART 12,9", "TURN 3,1")
    board = agent.boards[0]
    assert (board.width, board.height) == (12, 9)
    assert board.moves == (1 * 12 + 3,)
    assert board.name(board.moves[0]) == "d8"


@pytest.mark.parametrize("seed", range(5))
def test_board_lines_in_any_order_give_the_same_position(seed: int):
    lines = ["7,7,2", "8,7,1", "7,8,2", "8,8,1", "3,9,2"]
    random.Random(seed).shuffle(lines)
    agent = Recorder()
    Talk(agent).say("START 15", "BOARD", *lines, "DONE")
    board = agent.boards[0]
    assert board.turn == 1 and board.stones == 5
    black = {m for m in range(225) if board.at(m) == 0}
    assert black == {7 * 15 + 7, 8 * 15 + 7, 9 * 15 + 3}


def test_board_keeps_the_order_of_play():
    agent = Recorder()
    Talk(agent).say("START 15", "INFO rule 4", "BOARD", "7,7,1", "8,8,2", "7,6,1", "9,9,2", "DONE")
    assert agent.boards[0].moves == (7 * 15 + 7, 8 * 15 + 8, 6 * 15 + 7, 9 * 15 + 9)


def test_unbalanced_board_is_set_up_with_us_to_move():
    agent = Recorder()
    Talk(agent).say("START 15", "BOARD", "7,7,2", "8,8,2", "9,9,2", "DONE")
    board = agent.boards[0]
    assert board.stones == 3 and board.at(7 * 15 + 7) == board.turn.other


def test_opponents_forbidden_stone_is_left_to_the_referee():
    talk = Talk()
    talk.say("START 15", "INFO rule 4", "YXBOARD")
    talk.say("4,2,1", "0,14,2", "5,2,1", "2,14,2", "6,3,1", "4,14,2", "6,4,1", "6,14,2", "DONE")
    assert re.fullmatch(CELL, talk.say("TURN 6,2")[0])


class TestLimits:
    def limit(self, *info: str) -> Limit:
        agent = Recorder()
        Talk(agent).say("START 15", *(f"INFO {line}" for line in info), "BEGIN")
        return agent.limits[0]

    def test_turn(self):
        assert 0.8 < self.limit("timeout_turn 1000").seconds < 1.0

    def test_answer_at_once(self):
        assert self.limit("timeout_turn 0").seconds <= 0.02
        assert self.limit("timeout_turn 5000", "timeout_match 100000", "time_left -20").seconds <= 0.02

    def test_match_time_is_shared_out(self):
        seconds = self.limit("timeout_turn 30000", "timeout_match 180000", "time_left 180000").seconds
        assert 3 < seconds < 20
        assert self.limit("timeout_turn 30000", "timeout_match 180000", "time_left 500").seconds < 0.1

    def test_unlimited_match(self):
        assert self.limit("timeout_turn 2000", "time_left 2147483647").seconds > 1.8

    def test_nodes_and_depth(self):
        limit = self.limit("max_node 1234", "max_depth 7")
        assert (limit.nodes, limit.depth, limit.seconds) == (1234, 7, None)

    def test_no_limit_at_all_means_seconds_not_for_ever(self):
        assert 1 <= self.limit().seconds <= 10

    def test_match_clock_runs_without_time_left(self):
        agent = Recorder()
        talk = Talk(agent)
        talk.say("START 15", "INFO timeout_match 10000", "BEGIN")
        talk.engine._session.spend(9.0)
        talk.say("TURN 14,14")
        assert agent.limits[1].seconds < agent.limits[0].seconds / 3

    def test_resources_rebuild_the_player_once(self):
        talk = Talk()
        talk.say("START 15", "INFO max_memory 367001600", "INFO thread_num 2", "BEGIN", "TURN 0,0", "TURN 0,2")
        assert talk.built == [Resources(), Resources(memory_bytes=367001600, threads=2)]
        talk.say("INFO thread_num 1", "TURN 0,4")
        assert [granted.threads for granted in talk.built] == [0, 2, 1]


class TestSwap2:
    def test_first_three_are_laid(self):
        (line,) = Talk().say("START 15", "INFO timeout_turn 200", "SWAP2BOARD", "DONE")[1:]
        cells = line.split(" ")
        assert len(set(cells)) == 3 and all(re.fullmatch(CELL, cell) for cell in cells)

    @pytest.mark.parametrize("stones", [3, 5])
    @pytest.mark.parametrize(("value", "answer"), [(-0.4, "SWAP"), (0.4, CELL), (None, "SWAP")])
    def test_takes_the_better_colour(self, stones: int, value: float | None, answer: str):
        lines = [f"{x},{x % 3}" for x in range(2, 2 + stones)]
        (line,) = Talk(Recorder(value)).say("START 15", "SWAP2BOARD", *lines, "DONE")[1:]
        assert re.fullmatch(answer, line)

    def test_lays_two_more_when_neither_colour_is_better(self):
        stones = ["7,7", "8,8", "6,9"]
        talk = Talk(Recorder(0.05))
        (line,) = talk.say("START 15", "SWAP2BOARD", *stones, "DONE")[1:]
        laid = line.split(" ")
        assert len(laid) == 2 and all(re.fullmatch(CELL, cell) for cell in laid) and not {*laid} & {*stones}
        (line,) = talk.say("SWAP2BOARD", *stones, *laid, "DONE")
        assert re.fullmatch(CELL, line), "with five stones there is no third way"

    def test_wrong_number_of_stones(self):
        (line,) = Talk().say("START 15", "SWAP2BOARD", "1,1", "DONE")[1:]
        assert line.startswith("ERROR") and "0, 3 or 5" in line

    def test_smallest_board(self):
        (line,) = Talk().say("START 5", "SWAP2BOARD", "DONE")[1:]
        assert len(line.split(" ")) == 3


class TestWhileThinking:
    def test_stop_answers_at_once(self):
        talk = Talk(Sleeper())
        talk.say("START 15", "INFO timeout_turn 50000")
        threading.Timer(0.1, talk.engine.inbox.put, ["YXSTOP"]).start()
        began = time.monotonic()
        assert talk.say("BEGIN") == ["14,14"]
        assert time.monotonic() - began < 4

    def test_end_leaves_a_deaf_player_behind(self):
        talk = Talk(sleeper := Sleeper(deaf=True))
        talk.say("START 15", "INFO timeout_turn 50000")
        threading.Timer(0.1, talk.engine.inbox.put, ["END"]).start()
        with pytest.raises(ManagerGone):
            talk.engine.handle("BEGIN")
        sleeper.released.set()

    def test_late_player_is_answered_for(self):
        def answered() -> float:
            talk = Talk(sleeper := Sleeper(deaf=True))
            talk.say("START 15", "INFO timeout_turn 100")
            began = time.monotonic()
            error, move = talk.say("BEGIN")
            taken = time.monotonic() - began
            sleeper.released.set()
            assert error.startswith("ERROR") and move == "7,7"
            return taken

        within(2.0, answered)

    def test_other_lines_wait_their_turn(self):
        talk = Talk(Sleeper())
        for line in ("START 15", "BEGIN", "ABOUT", "YXSTOP", "nonsense"):
            talk.engine.inbox.put(line)
        talk.engine.inbox.put(EndOfInput())
        talk.engine.run()
        assert talk.said[0] == "OK" and talk.said[1] == "14,14"
        assert talk.said[2] == 'name="Test"' and talk.said[3].startswith("UNKNOWN")

    def test_end_of_input_stops_an_endless_search(self):
        talk = Talk(Sleeper())
        talk.say("START 15", "INFO max_node 1000000000")
        threading.Timer(0.1, talk.engine.inbox.put, [EndOfInput()]).start()
        assert talk.say("BEGIN") == ["14,14"]


class Expecting:
    """Expects the last cell as an answer, and thinks about it until it is stopped."""

    def __init__(self) -> None:
        self.thought_about: list[int] = []
        self.thinking, self.told = threading.Event(), threading.Event()

    def choose(self, board: Board, limit: Limit) -> Decision:
        self.thought_about.append(len(board.moves))
        if limit == Limit():
            self.thinking.set()
            assert self.told.wait(10)
            self.told.clear()
        return Decision(board.legal_moves()[0], pv=(board.legal_moves()[0], board.cells - 1))

    def stop(self) -> None:
        self.told.set()


class TestPondering:
    def test_thinks_about_the_expected_answer_until_the_next_command(self):
        player = Expecting()
        talk = Talk(player)
        talk.say("START 15", "INFO pondering 1", "TURN 7,7")
        assert player.thinking.wait(10) and player.thought_about == [1, 3]
        assert talk.say("ABOUT", "INFO timeout_turn 1000") == ['name="Test"'] and not player.told.is_set()
        assert re.fullmatch(CELL, talk.say("TURN 9,9")[0])
        assert player.thought_about[2] == 3 and len(talk.built) == 1
        with pytest.raises(ManagerGone):
            talk.engine.handle("END")

    def test_is_off_by_default(self):
        player = Expecting()
        Talk(player).say("START 15", "TURN 7,7", "TURN 9,9")
        assert player.thought_about == [1, 3]

    def test_a_player_that_cannot_be_stopped_rests(self):
        player = Recorder()
        Talk(player).say("START 15", "INFO pondering 1", "TURN 7,7", "TURN 9,9")
        assert len(player.boards) == 2

    def test_the_engine_goes_on_from_what_it_found(self):
        talk = Talk(create("alphabeta:hash_mb=4"))
        said = talk.say("START 15", "INFO pondering 1", "INFO timeout_turn 100", "TURN 7,7", "TURN 0,0", "TURN 14,0")
        assert len(said) == 4 and all(re.fullmatch(CELL, line) for line in said[1:])


class Broken:
    def choose(self, board: Board, limit: Limit) -> Decision:
        raise RuntimeError("no\nidea")


class Cheat:
    def choose(self, board: Board, limit: Limit) -> Decision:
        return Decision(board.cells + 5)


@pytest.mark.parametrize("agent", [Broken(), Cheat()])
def test_a_failing_player_still_gives_a_legal_move(agent: object):
    error, move = Talk(agent).say("START 15", "TURN 7,7")[1:]
    assert error.startswith("ERROR the player failed") and "\n" not in error
    assert re.fullmatch(CELL, move) and move != "7,7"


class Showing:
    """An Analyser with two candidates."""

    def choose(self, board: Board, limit: Limit) -> Decision:
        return Decision(0, 0.25, (0, 1), 10, 3)

    def analyse(self, board: Board, limit: Limit):
        candidates = (Candidate(17, 0.5, 7, pv=(17, 18)), Candidate(4, -0.25, 3))
        yield Analysis(candidates, 0.5, 10, 0.5, 3)


def test_progress_for_people_and_programs():
    talk = Talk(Showing())
    talk.engine.handle("START 15")
    talk.engine.handle("BEGIN")
    assert talk.said[1:] == ["MESSAGE DEPTH 3 EVAL 250 NODES 10 PV A15 B15", "0,0"]
    talk.engine.handle("INFO show_detail 1")
    talk.engine.handle("TURN 5,5")
    assert "MESSAGE DEPTH 3 EVAL 500 NODES 10 PV C14 D14" in talk.said


def test_nbest_prints_a_block_for_each_candidate():
    talk = Talk(Showing())
    talk.say("START 15", "TURN 7,7")
    said = talk.say("YXNBEST 2")
    assert said[-1] == "2,1"
    assert said.count("INFO PV 0") >= 1 and said.count("INFO PV 1") >= 1
    assert "INFO BESTLINE 2,1 3,1" in said and "INFO EVAL -250" in said and "INFO WINRATE 0.7500" in said


WORDS = ["START", "TURN", "BOARD", "DONE", "INFO", "BEGIN", "TAKEBACK", "PLAY", "YXBOARD", "SWAP2BOARD", "rule",
         "RESTART", "RECTSTART", "YXNBEST", "YXSHOWFORBID", "YXHASHCLEAR", "timeout_turn", "max_memory", "7,7",
         "7,7,1", "8,8,2", "-1,-1,1", "0", "15", "4", "9", "é", "\x00", ",", "1e9", "99999999999999999999", "%s",
         "ABOUT", "max_node 5", "rule 4", "8,7,3"]  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_garbage_is_always_survived(seed: int):
    rng = random.Random(seed)
    talk = Talk(create("random:seed=1"))
    talk.say("START 8")
    for _ in range(300):
        line = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3)))
        for answer in talk.say(line):
            assert re.match(r"(OK|ERROR|UNKNOWN|FORBID|INFO|SWAP|name=|\d+,\d+)", answer), (line, answer)
            assert "Error:" not in answer, (line, answer)  # a fault of ours, caught by the last net
    talk.say("DONE", "INFO rule 0")
    assert talk.say("START 15") == ["OK"] and re.fullmatch(CELL, talk.say("BEGIN")[0])


class OnlyNine:
    """Plays 9x9 freestyle and nothing else."""

    def check_board(self, board: Board) -> None:
        if str(board.variant) != "9x9 freestyle":
            raise TengenError(f"I play 9x9 freestyle, not {board.variant}")

    def choose(self, board: Board, limit: Limit) -> Decision:
        return Decision(board.legal_moves()[0])


def test_a_player_that_cannot_play_the_board_says_so_at_once() -> None:
    said: list[str] = []
    engine = Engine(lambda granted: OnlyNine(), said.append, "about")
    for line in ("START 15", "BEGIN", "START 9", "BEGIN", "INFO rule 1", "TURN 4,4", "INFO rule 0", "TURN 5,5"):
        engine.handle(line)
    refusals = [f"ERROR I play 9x9 freestyle, not {other}" for other in ("15x15 freestyle", "9x9 standard")]
    assert said == [refusals[0], refusals[0], "OK", "0,0", refusals[1], refusals[1], "1,0"]


def test_a_player_that_cannot_be_made_is_reported_at_the_start() -> None:
    def make(granted: Resources) -> OnlyNine:
        raise TengenError("there is no model file x.onnx")

    said: list[str] = []
    Engine(make, said.append, "about").handle("START 15")
    assert said == ["ERROR there is no model file x.onnx"]
