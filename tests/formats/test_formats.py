"""Game files: what is written is read back, positions without symmetry keep their orientation, faults are named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.board import Board
from tengen.errors import IllegalMoveError, TengenError
from tengen.formats import GameTree, Node, Suggestion, load_games, parse_games, save_game
from tengen.formats.postext import format_text, parse_text
from tengen.formats.psq import format_psq, parse_psq
from tengen.formats.sgf import format_sgf, parse_sgf
from tengen.formats.tree import add_line, tree_of
from tengen.rules import Color, Rule, Variant

LOPSIDED = "h8i9b2a15o3"  # no symmetry of the board maps it to itself


def lopsided(width: int = 15, height: int | None = None, rule: Rule = Rule.FREESTYLE) -> GameTree:
    height = height or width
    tree = GameTree(Variant(width, height, rule=rule), black="Ann", white="Bo]b\\", result="B+R")
    add_line(tree, [0, width + 3, 2 * width + 1, width * height - 2])
    return tree


def shape(tree: GameTree) -> list[object]:
    """Everything that must survive a round trip."""
    nodes = [
        (n.move, n.color, n.comment, n.value, n.suggestions, n.seconds, n.extra, len(n.children)) for n in tree.nodes()
    ]
    head = (tree.variant, tree.black, tree.white, tree.result)
    return [head, (tree.black_stones, tree.white_stones, tree.first), nodes]


class TestPositionText:
    def test_rows_are_counted_from_the_bottom(self):
        assert parse_text("h8b2").moves() == [7 * 15 + 7, 13 * 15 + 1]

    @pytest.mark.parametrize(
        "game", ["15x15", "22x22", "9x13", "13x9 caro", "9x9 k=4", "15x15 renju", "6x6 k=4 standard"]
    )
    def test_round_trip(self, game: str):
        tree = GameTree(Variant.parse(game))
        add_line(tree, random.Random(1).sample(range(tree.variant.cells), 20))
        again = parse_text(format_text(tree))
        assert (again.variant, again.moves()) == (tree.variant, tree.moves())

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("h8h", "not a list of cells"),
            ("h16", "off the board"),
            ("h8i9h8", "'h8' is given twice"),
            ("8h", "not a"),
            ("0x20 k10l11m12", "0x20 board is not supported"),
            ("20x0 k10", "20x0 board is not supported"),
            ("99x99 a1", "99x99 board is not supported"),
            ("9x9 9x9 a1", "says width twice"),
            ("15x15 k=4 renju h8", "renju is played with k = 5"),
        ],
    )
    def test_faults(self, text: str, message: str):
        for parse in (parse_text, parse_games):
            with pytest.raises(TengenError, match=message):
                parse(text)


class TestSgf:
    def test_a_known_text(self):
        (tree,) = parse_sgf("(;GM[4]SZ[15]RU[Renju]PB[A]PW[B];B[hh]C[centre];W[ig](;B[aa])(;B[oa];W[bn]))")
        assert tree.variant.rule == Rule.RENJU and tree.black == "A"
        board = tree.board()
        assert "".join(board.name(m) for m in board.moves) == "h8i9a15"
        second = tree.root.children[0].children[0].children[1]
        assert board.name(second.move) == "o15" and board.name(second.children[0].move) == "b2"

    def test_letters_and_numbers_are_read_too(self):
        (tree,) = parse_sgf("(;GM[4]SZ[15];B[h8];W[B2])")
        assert tree.moves() == [7 * 15 + 7, 13 * 15 + 1]

    @pytest.mark.parametrize(("width", "height"), [(15, 15), (22, 22), (9, 13)])
    @pytest.mark.parametrize("rule", Rule)
    def test_round_trip(self, width: int, height: int, rule: Rule):
        tree = lopsided(width, height, rule)
        line = tree.main_line()
        line[1].comment = "a [bracket], a \\ backslash\nand a line: 五子棋"
        line[1].value, line[2].value = 0.25, -0.5
        line[2].suggestions = (Suggestion(5, -0.125, 900, (5, 6)), Suggestion(7, -0.5))
        line[3].seconds, line[3].extra = 1.25, {"LB": ["aa:1", "bb:2"]}
        line[2].add(8, Color.BLACK).add(9, Color.WHITE)
        line[2].add(10, Color.BLACK)
        text = format_sgf([tree])
        (again,) = parse_sgf(text)
        assert shape(again) == shape(tree) and format_sgf([again]) == text

    def test_values_are_blacks_in_the_file_and_the_side_to_moves_in_the_tree(self):
        (tree,) = parse_sgf("(;GM[4]SZ[9]V[0.5];B[ee]V[0.5];W[ff]V[0.5])")
        assert [node.value for node in tree.main_line()] == [0.5, -0.5, 0.5]

    def test_set_up_stones(self):
        (tree,) = parse_sgf("(;GM[4]SZ[9]AB[aa][bc]AW[cc:dd]PL[W];W[ii])")
        board = tree.board()
        assert board.at(0) == Color.BLACK and board.at(2 * 9 + 1) == Color.BLACK and board.stones == 7
        assert board.at(3 * 9 + 3) == Color.WHITE and board.at(80) == Color.WHITE
        assert shape(parse_sgf(format_sgf([tree]))[0]) == shape(tree)

    def test_four_in_a_row(self):
        tree = GameTree(Variant(6, k=4))
        assert parse_sgf(format_sgf([tree]))[0].variant.k == 4

    def test_collections_and_first_move_in_the_root(self):
        first, second = parse_sgf("(;GM[4]B[hh]C[here];W[aa]) \n (;SZ[9])")
        assert first.moves() == [7 * 15 + 7, 0] and first.main_line()[1].comment == "here"
        assert second.width == 9 and not second.moves()

    def test_long_and_wide_trees_need_no_recursion(self):
        tree = GameTree(Variant(22))
        add_line(tree, range(484))
        text = "(;GM[4]SZ[15]" + "(;B[aa]" * 3000 + ")" * 3000 + ")"
        assert len(parse_sgf(format_sgf([tree]))[0].moves()) == 484
        with pytest.raises(ValueError, match="occupied"):
            parse_sgf(text)
        wide = GameTree()
        for move in range(225):
            for answer in range(225):
                if answer != move:
                    wide.root.add(move, Color.BLACK).children.append(Node(answer, Color.WHITE))
            if move == 20:
                break
        assert sum(1 for _ in parse_sgf(format_sgf([wide]))[0].nodes()) == 1 + 21 * 225

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no game"),
            ("hello", "cannot read 'hello'"),
            ("(;GM[1]SZ[19])", r"GM\[1\] is another game"),
            ("(;GM[4]SZ[40])", "not supported"),
            ("(;GM[4]SZ[x])", "not a size"),
            ("(;GM[4]SZ[15];B[hh]", "missing"),
            ("(;GM[4]))", "closes nothing"),
            (";GM[4]", "outside"),
            ("(GM[4])", "before the first"),
            ("(;GM[4];B[zz])", "off the 15x15 board"),
            ("(;GM[4];B[])", "passes are not supported"),
            ("(;GM[4];B[hh];W[hh])", r"W\[hh\] is played on an occupied cell"),
            ("(;GM[4];B[hh]V[good])", "not a number"),
            ("(;GM[4];B[hh]V[nan])", "not a number"),
            ("(;GM[4];AB[hh])", "after the first node"),
            ("(;GM[4]AB[hh]AW[hh])", "two stones on one cell"),
            ("(;GM[4];B[hh", "cannot read"),
        ],
    )
    def test_faults(self, text: str, message: str):
        with pytest.raises(ValueError, match=message) as caught:
            parse_sgf(text)
        assert "\n" not in str(caught.value)

    @settings(max_examples=150, deadline=None)
    @given(st.text(alphabet="(;)BWGM[]4abh\\ \nCV0.", max_size=60))
    def test_noise_is_refused_or_survives_a_round_trip(self, text: str):
        try:
            trees = parse_sgf(text)
        except ValueError:
            return
        assert [shape(t) for t in parse_sgf(format_sgf(trees))] == [shape(t) for t in trees]


class TestPsq:
    def test_a_known_file(self):
        text = "Piskvorky 20x20, 11:11, 0\n11,8,100\n1,20,2500\n-1\n"
        tree = parse_psq(text)
        board = tree.board()
        assert [board.name(m) for m in board.moves] == ["k13", "a1"]
        assert [node.seconds for node in tree.main_line()[1:]] == [0.1, 2.5]

    @pytest.mark.parametrize("ending", ["\n", "\r\n"])
    @pytest.mark.parametrize("rule", Rule)
    def test_round_trip(self, ending: str, rule: Rule):
        tree = lopsided(20, 15, rule)
        tree.result = "B+"
        tree.main_line()[2].seconds = 0.75
        again = parse_psq(format_psq(tree).replace("\n", ending))
        assert (again.moves(), again.variant.rule, again.black, again.white) == (tree.moves(), rule, "Ann", "Bo]b\\")
        assert again.result == "B+" and again.main_line()[2].seconds == 0.75

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "line 1"),
            ("Gomoku\n", "line 1"),
            ("Piskvorky 40x40, 1:1, 0\n", "40x40 board is not supported"),
            ("Piskvorky 15x15, 1:1, 0\n16,1,0\n", "line 2: 16,1,0 is off"),
            ("Piskvorky 15x15, 1:1, 0\n0,1,0\n", "line 2: 0,1,0 is off"),
            ("Piskvorky 15x15, 1:1, 0\n1,1,0\n1,1,0\n", "line 3: 1,1,0 is occupied"),
        ],
    )
    def test_faults(self, text: str, message: str):
        with pytest.raises(ValueError, match=message):
            parse_psq(text)

    def test_what_it_cannot_say(self):
        with pytest.raises(ValueError, match="five in a row, not 4"):
            format_psq(GameTree(Variant(6, k=4)))
        with pytest.raises(ValueError, match="set up"):
            format_psq(GameTree(white_stones=(3,)))


class TestRecords:
    def test_board_to_tree_and_back(self):
        board = Board.from_stones([0, 20], [1], Color.WHITE, Variant(9, rule="renju"))
        board.play(40)
        tree = tree_of(board)
        assert tree.board().key == board.key and tree.first == Color.WHITE

    def test_forbidden_moves_are_found_when_played(self):
        six = GameTree(Variant(rule=Rule.RENJU))
        add_line(six, [0, 30, 1, 32, 2, 34, 4, 36, 5, 38, 3])
        with pytest.raises(IllegalMoveError, match="overline"):
            six.board()


class TestFiles:
    @pytest.mark.parametrize("ending", ["sgf", "psq", "pos", "txt"])
    @pytest.mark.parametrize(("width", "height"), [(15, 15), (9, 13)])
    def test_each_ending(self, tmp_path: Path, ending: str, width: int, height: int):
        tree = lopsided(width, height)
        save_game(tmp_path / f"game.{ending}", tree)
        (again,) = load_games(tmp_path / f"game.{ending}")
        assert again.moves() == tree.moves() and (again.width, again.height) == (width, height)
        assert [path.name for path in tmp_path.iterdir()] == [f"game.{ending}"]

    def test_faults_name_the_file(self, tmp_path: Path):
        with pytest.raises(ValueError, match=r"unknown game format '\.lib'"):
            load_games(tmp_path / "game.lib")
        (tmp_path / "bad.sgf").write_text("nothing")
        with pytest.raises(ValueError, match=r"bad\.sgf: SGF"):
            load_games(tmp_path / "bad.sgf")
        with pytest.raises(FileNotFoundError):
            load_games(tmp_path / "none.sgf")
        with pytest.raises(ValueError, match="set up"):
            save_game(tmp_path / "x.psq", GameTree(black_stones=(1,)))
        assert not (tmp_path / "x.psq").exists()

    def test_chinese_files(self, tmp_path: Path):
        path = tmp_path / "game.sgf"
        path.write_bytes("(;GM[4]CA[GB18030]PB[张三];B[hh])".encode("gb18030"))
        assert load_games(path)[0].black == "张三"
        path.write_bytes("(;GM[4]PB[张三];B[hh])".encode("gbk"))
        assert load_games(path)[0].black == "张三"

    @pytest.mark.parametrize("text", [LOPSIDED, " h8 i9, b2; a15 o3\n", "(;GM[4];B[hh];W[ig];B[bn];W[aa];B[om])"])
    def test_pasted_text(self, text: str):
        assert parse_games(text)[0].moves() == list(Board.from_text(LOPSIDED).moves)
