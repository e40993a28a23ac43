"""Puzzles claim only what the solver proves, and survive their files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.board import Board, symmetries
from tengen.cli.app import main
from tengen.errors import TengenError
from tengen.players.solver import Mode
from tengen.rules import Color, Rule, Variant, parse_moves
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

    def test_caro_is_refused(self, forced: ForcedPlay) -> None:
        with pytest.raises(TengenError, match="caro"):
            forced.winning_moves(board("h8", "h9", rule=Rule.CARO), Mode.VCF)


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
    assert not list(miner.mine(Source(Variant(rule=Rule.CARO), tuple(moves))))


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
