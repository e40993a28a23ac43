"""Puzzles claim only what the solver proves, and survive their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen import _core
from tengen.board import Board, symmetries
from tengen.cli.app import main
from tengen.errors import TengenError
from tengen.players.solver import Mode
from tengen.rules import Color, Rule, Variant, parse_moves
from tengen.study.difficulty import Panel
from tengen.study.forced import ForcedPlay, fives
from tengen.study.mining import Miner, Source
from tengen.study.puzzles import (
    NODES,
    Kind,
    Puzzle,
    bundled_puzzles,
    check_puzzle,
    packed,
    position_id,
    read_puzzles,
    solutions_of,
)


def cells(text: str) -> list[int]:
    return parse_moves(text, 15, 15)


def board(black: str, white: str, turn: Color = Color.BLACK, rule: Rule = Rule.FREESTYLE) -> Board:
    return Board.from_stones(cells(black), cells(white), turn, Variant(rule=rule))


def puzzle(**changes: object) -> Puzzle:
    """Fours at h8 and h9: the first must be played where it also builds a column."""
    b = board("e8f8g8h10h11", "d8g10i11f6k7")
    line = tuple(cells("h8i8h9h12h7"))
    values = {
        "id": position_id(b, Kind.VCF), "variant": b.variant, "black": tuple(cells("e8f8g8h10h11")),
        "white": tuple(cells("d8g10i11f6k7")), "turn": Color.BLACK, "kind": Kind.VCF, "solutions": tuple(cells("h8")),
        "line": line, "rating": 900,
    }  # fmt: skip
    return Puzzle(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def forced() -> ForcedPlay:
    return ForcedPlay()


class TestForcedPlay:
    def test_every_winning_move_is_found(self, forced: ForcedPlay) -> None:
        b = board("g8h8i8", "g9h10j10")
        assert {b.name(m) for m in forced.winning_moves(b, Mode.VCF)} == {"f8", "j8"}

    def test_a_four_that_loses_the_attack_does_not_win(self, forced: ForcedPlay) -> None:
        b = puzzle().board()
        assert forced.is_winning(b, cells("h8")[0], Mode.VCF) and not forced.is_winning(b, cells("i8")[0], Mode.VCF)

    def test_a_three_wins_only_against_every_reply(self, forced: ForcedPlay) -> None:
        b = board("g8h8j9j10", "g9h10k7e8")
        assert forced.none(b, Mode.VCF) and forced.is_winning(b, cells("j8")[0], Mode.VCT)
        assert not forced.is_winning(b, cells("a1")[0], Mode.VCT)

    def test_an_opponent_who_can_make_five_is_not_forced(self, forced: ForcedPlay) -> None:
        b = board("g8h8i8", "a1a2a3a4")
        assert not forced.winning_moves(b, Mode.VCT)

    def test_a_four_of_caro_is_stopped_from_behind(self, forced: ForcedPlay) -> None:
        """An open four wins nowhere else but here only if neither end is closed in time."""
        b = board("e8f8g8h8", "d8a1a3a5", Color.WHITE, Rule.CARO)
        assert {b.name(m) for m in forced.replies(b, Mode.VCT) or []} == {"i8", "j8"}
        free = board("e8f8g8", "a1a3a5", rule=Rule.CARO)
        assert {free.name(m) for m in forced.winning_moves(free, Mode.VCF)} == {"d8", "h8"}

    def test_a_no_is_settled_or_open(self, forced: ForcedPlay) -> None:
        b = board("g8h8j9j10", "g9h10k7e8")
        assert forced.settled(b, cells("j8")[0], Mode.VCT) is True
        assert forced.settled(b, cells("a1")[0], Mode.VCT) is False
        puzzle = next(p for p in bundled_puzzles() if p.kind is Kind.VCT and p.rating > 2000)
        short = ForcedPlay(10)
        assert all(short.settled(puzzle.board(), m, Mode.VCT) is not False for m in puzzle.solutions)


class TestFiles:
    def test_round_trip(self, tmp_path: Path) -> None:
        for name, data in (("a.jsonl", puzzle().to_json().encode()), ("a.jsonl.gz", packed([puzzle()]))):
            (tmp_path / name).write_bytes(data)
            assert list(read_puzzles(tmp_path / name)) == [puzzle()]

    def test_the_same_position_turned_is_the_same_puzzle(self) -> None:
        b = puzzle().board()
        for image in symmetries(15, 15):
            black, white = ([image[m] for m in side] for side in (puzzle().black, puzzle().white))
            assert position_id(Board.from_stones(black, white, b.turn, b.variant), Kind.VCF) == puzzle().id
        assert position_id(b, Kind.VCT) != puzzle().id

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"kind": "magic"}, "magic"), ({"solutions": ""}, "not legal"), ({"solutions": "e8"}, "not legal"),
            ({"black": "z9"}, "z9"), ({"variant": "99x99"}, "99x99"), ({"rating": None}, "int"), ({"turn": 3}, "3"),
        ],
    )  # fmt: skip
    def test_a_bad_line_is_named(self, tmp_path: Path, change: dict[str, object], message: str) -> None:
        file = tmp_path / "bad.jsonl"
        bad = json.dumps(json.loads(puzzle().to_json()) | change)
        file.write_text(puzzle().to_json() + "\n" + bad + "\n")
        with pytest.raises(TengenError, match=f"bad.jsonl, line 2: not a puzzle: .*{message}"):
            list(read_puzzles(file))

    def test_a_damaged_archive_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "x.jsonl.gz").write_bytes(packed([puzzle()])[:-9])
        with pytest.raises(TengenError, match="is not a puzzle file"):
            list(read_puzzles(tmp_path / "x.jsonl.gz"))


@pytest.mark.parametrize("action", ["check", "list"])
def test_a_file_without_puzzles_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], action: str) -> None:
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(SystemExit, match="2"):
        main(["puzzles", action, str(tmp_path / "none.jsonl")])
    assert "none.jsonl holds no puzzles" in capsys.readouterr().err


class TestProof:
    def test_a_true_claim_holds(self, forced: ForcedPlay) -> None:
        check_puzzle(puzzle(), forced)

    @pytest.mark.parametrize(
        "changes",
        [
            {"solutions": tuple(cells("i8"))},
            {"solutions": tuple(cells("h8i8"))},
            {"kind": Kind.VCT},
            {"kind": Kind.DEFENCE},
        ],
    )
    def test_a_false_claim_is_refused(self, forced: ForcedPlay, changes: dict[str, object]) -> None:
        with pytest.raises(TengenError, match="the moves that solve it are"):
            check_puzzle(puzzle(**changes), forced)

    def test_only_defences(self, forced: ForcedPlay) -> None:
        b = board("g9h10j10k6", "g8h8i8")
        assert {b.name(m) for m in solutions_of(b, Kind.DEFENCE, forced)} == {"f8", "j8"}


def test_mined_puzzles_are_proved_and_found_once(forced: ForcedPlay) -> None:
    """A game that ends in a forced win gives puzzles; the same game turned gives none."""
    moves = cells("h8g9i9g7g8i8h7h9f6j10")
    miner = Miner()
    found = list(miner.mine(Source(Variant(), tuple(moves))))
    for one in found:
        check_puzzle(one, forced)
        assert not fives(one.board(), Color.BLACK) and not fives(one.board(), Color.WHITE)
    turned = symmetries(15, 15)[3]
    assert not list(miner.mine(Source(Variant(), tuple(turned[m] for m in moves))))


class TestPositions:
    """The puzzle in a position that a person chose."""

    @pytest.mark.parametrize(
        ("black", "white", "kind", "first", "themes"),
        [
            ("e8f8g8h10h11", "d8g10i11f6k7", Kind.VCF, "h8", "short one-solution"),
            ("g8h8j9j10", "g9h10k7e8", Kind.VCT, "j8", "short"),
            ("g9h10j10k6", "g8h8i8", Kind.DEFENCE, "f8", "short block"),
            ("e8f8g8h10h11", "d8a1a2a3k7", Kind.VCF, "h8", "short race"),
            ("b15c15d15n2n6", "g8h8i8a15", Kind.DEFENCE, "e15", "short counter-four"),
        ],
    )
    def test_its_kind_solutions_and_themes(self, black: str, white: str, kind: Kind, first: str, themes: str) -> None:
        found = Miner().puzzle_at(board(black, white))
        assert found and found.kind is kind and cells(first)[0] in found.solutions
        assert set(themes.split()) <= set(found.themes)

    def test_there_is_none_where_five_can_be_made_or_nothing_happens(self) -> None:
        miner = Miner()
        for black, white in (("g8h8i8j8", "a1c3e5g1"), ("a1c3e5g1", "g8h8i8j8"), ("h8", "i9")):
            assert miner.puzzle_at(board(black, white)) is None

    def test_white_wins_because_black_may_not_answer(self) -> None:
        one = next(p for p in bundled_puzzles() if p.kind is Kind.FORBIDDEN)
        again = Miner().puzzle_at(one.board())
        assert again and (again.kind, again.solutions, again.id) == (Kind.FORBIDDEN, one.solutions, one.id)

    def test_moves_worth_a_try_are_fours_threes_or_replies(self, forced: ForcedPlay) -> None:
        b = board("e8f8g8h10h11", "d8g10i11f6k7")
        fours = [b.name(m) for m in forced.attacks(b, Mode.VCF)]
        assert fours == ["h8", "i8"] and forced.core.choices(b.core, Kind.VCF.number) == 2
        threes = b.core.cells_with(0, _core.Group.THREE)
        assert forced.core.choices(b.core, Kind.VCT.number) == 2 + len(threes)
        closed = board("g9h10j10k6", "g8h8i8")
        assert forced.core.choices(closed.core, Kind.DEFENCE.number) == len(forced.replies(closed, Mode.VCT) or [])


def test_a_check_goes_on_where_it_was_killed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, log = tmp_path / "a.jsonl", tmp_path / "findings"
    wrong = puzzle(id="wrong", solutions=tuple(cells("i8")))
    file.write_text(f"{puzzle().to_json()}\n{wrong.to_json()}\n")
    log.write_text("wrong puzzle wrong: as it was found\n" + puzzle().id)  # the second line was cut off
    with pytest.raises(SystemExit, match="1"):
        main(["puzzles", "check", str(file), "--log", str(log)])
    assert capsys.readouterr().out == "puzzle wrong: as it was found\n1 of 2 puzzles hold\n"
    assert f"{puzzle().id} holds" in log.read_text()


class TestDifficulty:
    def test_it_is_where_a_level_finds_every_other_one(self) -> None:
        shares = [(elo, 1 / (1 + 10 ** ((1500 - elo) / 400))) for elo in range(400, 3000, 200)]
        assert _core.puzzle_rating(shares, 1, 1, 1) == 1500
        ends = [_core.puzzle_rating([(1000, share)], 1, 1, 1) for share in (1.0, 0.0)]
        assert ends == [300, 2600]

    def test_longer_lines_and_more_choices_make_it_harder(self) -> None:
        """By 40 for each further attack, up to ten, and for each doubling of the choices."""
        rating = [_core.puzzle_rating([(1500, 0.5)], *facts) for facts in ((1, 2, 2), (4, 8, 2), (30, 1, 2))]
        assert rating == [1500, 1500 + 3 * 40 + 2 * 40, 1500 + 9 * 40]

    def test_more_levels_see_a_four_than_a_hidden_win(self, tmp_path: Path) -> None:
        panel = Panel()
        shares = [share for _, share in panel.shares(puzzle().board(), puzzle().solutions)]
        assert shares[-1] == 1.0 > shares[0]
        (tmp_path / "a.jsonl").write_text(puzzle().to_json())
        with pytest.raises(SystemExit, match="0"):
            main(["puzzles", "rate", str(tmp_path / "a.jsonl"), "--out", str(tmp_path / "b.jsonl.gz")])
        again = next(read_puzzles(tmp_path / "b.jsonl.gz"))
        assert again == puzzle(rating=again.rating) and 300 < again.rating < 2600


class TestBundled:
    def test_ids_are_unique_and_the_easiest_come_with_the_hardest(self) -> None:
        puzzles = bundled_puzzles()
        assert len({one.id for one in puzzles}) == len(puzzles) >= 2_000
        assert min(one.rating for one in puzzles) + 500 < max(one.rating for one in puzzles)

    def test_a_sample_is_proved_again(self) -> None:
        """All of them: `tengen puzzles check`."""
        forced = ForcedPlay(NODES)
        for one in bundled_puzzles()[::40]:
            check_puzzle(one, forced)
            assert position_id(one.board(), one.kind) == one.id
            attacks = (len(one.line) + 1) // 2
            themes = _core.puzzle_themes(one.board().core, one.kind.number, list(one.solutions), attacks)
            assert tuple(themes) == one.themes
