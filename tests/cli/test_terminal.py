"""The terminal game, by scripts: what a person types and what must be seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from tengen.board import Board
from tengen.cli.app import main
from tengen.cli.drawing import draw
from tengen.cli.terminal_game import Seats, TerminalGame
from tengen.formats import load_games
from tengen.play.game import play_game
from tengen.players.human import HumanPlayer, Resigned
from tengen.registry import create
from tengen.rules import Color, Limit, Variant
from tests.helpers.paths import SOURCE


def tengen(*args: str, typed: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "tengen", "terminal", *args]
    return subprocess.run(command, input=typed, capture_output=True, text=True, env=env, timeout=60, cwd=cwd)


def play(*typed: str, size: int = 15, human: Color = Color.BLACK, player: str = "greedy", start: str = "") -> str:
    """A game in this process against a player, or between two people when `player` is empty."""
    lines = iter(typed)

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    console = Console(width=100, record=True, file=open(os.devnull, "w"))  # noqa: SIM115, PTH123
    opponent = create(player) if player else None
    seats = Seats(human, opponent, player, "alphabeta:depth=4", Limit(seconds=0.2))
    TerminalGame(Board.from_text(start, Variant(size)), seats, console, read).run()
    return console.export_text()


def test_a_game_from_the_shell(tmp_path: Path):
    typed = "h8\nundo\nh8\nz9\nh8\nhint\nsave game.sgf\nresign\nquit\n"
    out = tengen("--player", "greedy", "--adviser", "alphabeta:depth=2", typed=typed, cwd=tmp_path)
    assert out.returncode == 0 and out.stderr == ""
    assert "off the board" in out.stdout and "h8 is occupied" in out.stdout
    assert "hint: " in out.stdout and "black resigns: white wins" in out.stdout
    (tree,) = load_games(tmp_path / "game.sgf")
    assert len(tree.moves()) == 2 and tree.moves()[0] == 7 * 15 + 7


def test_white_lets_the_player_open():
    out = tengen("--player", "greedy", "--color", "white", "--size", "9x7", "--rule", "renju", typed="")
    assert "greedy plays" in out.stdout and out.stdout.count("(X)") == 1 and "h i\n" in out.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--player", "nobody"], "unknown player 'nobody'"),
        (["--size", "40"], "40x40 board is not supported"),
        (["--size", "x"], "not a board size"),
        (["--rule", "go"], "'go' is not one of 'freestyle'"),
        (["--color", "red"], "'red' is not one of 'black'"),
        (["--seconds", "0"], "must be above zero"),
        (["--position", "h8h8"], "h8 is occupied"),
        (["--k", "9"], "k = 9 is not supported"),
    ],
)
def test_mistakes_are_one_line_and_code_2(args: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["terminal", *args])
    err = capsys.readouterr().err
    assert ended.value.code == 2 and message in err and err.count("\n") == 1


def test_undo_takes_back_both_plies():
    said = play("h8", "undo", "undo")
    assert "there is nothing to take back" in said
    boards = said.split("15 ")
    assert "X" not in boards[-1]


def test_undo_after_the_own_win_takes_one_ply():
    said = play("l8", "undo", "m1", player="", start="h8a1i8a2j8a3k8a5")
    assert "black wins with h8 i8 j8 k8 l8" in said and "X) X" not in said.split("black wins")[1]


def test_the_winning_row_is_marked_and_play_stops():
    said = play("l8", "m8", player="", start="h8a1i8a2j8a3k8a5")
    assert "(X X X X X)" in said and "the game is over; undo, new" in said


def test_a_full_board_is_a_draw():
    typed = ["a3", "b3", "c3", "b2", "a2", "c2", "b1", "a1", "c1", "undo", "c1"]
    out = tengen("--player", "human", "--size", "3", "--k", "3", typed="\n".join(typed) + "\n")
    assert out.stdout.count("the board is full: a draw") == 2


def test_undo_takes_a_resignation_back():
    said = play("h8", "resign", "resign", "i9", "undo", "i9", player="")
    assert said.count("resigns") == 1 and "the game is over; undo" in said


def test_a_new_game_starts_from_the_given_position():
    said = play("new", "undo", player="", start="h8i9")
    assert "there is nothing to take back" in said


def test_forbidden_cells_are_drawn_and_refused():
    # threes of black cross at h8: f8 g8 and h9 h10
    start = Board.from_text("f8a1g8a3h9a5h10a7", Variant(rule="renju"))
    plain = draw(Console(file=open(os.devnull, "w")), start).plain  # noqa: SIM115, PTH123
    assert plain.count("*") == 1 and plain.splitlines()[7].startswith(" 8 ")
    colourful = draw(Console(force_terminal=True, file=open(os.devnull, "w", encoding="utf-8")), start)  # noqa: SIM115, PTH123
    assert colourful.plain.count("×") == 1 and colourful.plain.count("●") + colourful.plain.count("◎") == 8


def test_help_and_nonsense():
    said = play("help", "", "what is this", "save", "save game.xyz")
    assert "take back your last move" in said and "is not a cell" in said
    assert "name a file" in said and "unknown game format" in said


class TestHumanPlayer:
    def ask(self, *answers: str):
        asked: list[str] = []
        pending = iter(answers)

        def ask(question: str) -> str:
            asked.append(question)
            try:
                return next(pending)
            except StopIteration:
                raise EOFError from None

        return HumanPlayer(ask), asked

    def test_asks_until_the_move_is_legal(self):
        agent, asked = self.ask("x", "h8", " I9 ")
        board = Board.from_text("h8")
        assert board.name(agent.choose(board, Limit()).move) == "i9"
        assert "white to move" in asked[0] and "not a cell" in asked[1] and "h8 is occupied" in asked[2]

    @pytest.mark.parametrize("answers", [["resign"], ["QUIT"], []])
    def test_leaving_is_a_resignation(self, answers: list[str]):
        agent, _ = self.ask(*answers)
        with pytest.raises(Resigned):
            agent.choose(Board(Variant(15)), Limit())
        record = play_game(self.ask(*answers)[0], create("random"), Board(Variant(15)), Limit(nodes=1))
        assert (record.winner, record.termination) == ("white", "resign")

    def test_is_in_the_registry(self):
        assert isinstance(create("human"), HumanPlayer)
