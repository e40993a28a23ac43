"""Whatever is read can be written and read again; whatever cannot be read is refused by one line, soon."""

from __future__ import annotations

import json
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.errors import TengenError
from tengen.files import parse_json
from tengen.formats import GameTree, Suggestion, format_game, parse_games
from tengen.formats.tree import add_line
from tengen.records import GameRecord
from tengen.rules import MAX_SIZE, Color, Result, Rule, Termination, Variant

ENDINGS = (".sgf", ".psq", ".txt")

variants = st.builds(
    lambda k, wide, high, rule: Variant(k + wide, k + high, k, rule),
    st.integers(3, 6), st.integers(0, 12), st.integers(0, 12), st.sampled_from([r for r in Rule if not r.only_k]),
) | st.integers(5, MAX_SIZE).map(lambda side: Variant(side, rule=Rule.RENJU))  # fmt: skip
texts = st.text(max_size=20)


@st.composite
def trees(draw: st.DrawFn) -> GameTree:
    """Any game: names of any text, variations, comments, analysis, set-up stones."""
    tree = GameTree(draw(variants), draw(texts), draw(texts), draw(st.sampled_from(["", "B+", "W+R", "0"]) | texts))
    cells = draw(st.permutations(range(tree.variant.cells)))
    set_up, played = cells[: draw(st.sampled_from([0, 0, 3]))], cells[3 : 3 + draw(st.integers(0, 8))]
    tree.black_stones, tree.white_stones = tuple(set_up[:2]), tuple(set_up[2:])
    add_line(tree, played)
    add_line(tree, [*played[:2], *cells[-2:]])
    node = draw(st.sampled_from(list(tree.nodes())))
    node.comment, node.value = draw(texts), draw(st.none() | st.floats(-1, 1))
    node.seconds = draw(st.none() | st.floats(0, 1e6)) if node.move is not None else None
    node.suggestions = (Suggestion(cells[0], draw(st.floats(-1, 1)), 7, (cells[0], cells[1])),)
    return tree


@settings(max_examples=150, deadline=None)
@given(trees(), st.sampled_from(ENDINGS))
def test_what_we_write_can_be_read_back(tree: GameTree, ending: str) -> None:
    try:
        text = format_game(tree, ending)
    except TengenError as error:
        assert ending != ".sgf" and "\n" not in str(error)
        return
    text.encode()
    (again,) = parse_games(text)
    assert (again.variant, again.moves()) == (tree.variant, tree.moves()) or ending == ".psq"
    assert again.moves() == tree.moves()
    assert format_game(again, ending) == text or ending == ".psq"
    assert format_game(parse_games(format_game(again, ending))[0], ending) == format_game(again, ending)


SAMPLES = (
    "(;GM[4]FF[4]SZ[15]RU[renju]PB[a]PW[b]RE[B+]TGK[5]AB[aa][bb]AW[cc]PL[B];B[hh]C[x]V[0.5]TGT[1.5]"
    "TGS[hh 0.5 10 hhii](;W[ii])(;W[hi]XX[y]))",
    "Piskvorky 15x15, 11:11, 0\n8,8,100\n9,9,50\nann\nbob\n-1\n1,Freestyle\n",
    "20x20 k10l11m12",
    "9x9 k=4 caro e5f6",
)
MARKS = "()[];:,.0129xX \n\\ae-=kKBWCTGSVAPLé"


def mutated(text: str, draw: random.Random) -> str:
    """A few characters changed, cut out, doubled or put in."""
    for _ in range(draw.randint(1, 6)):
        at = draw.randrange(len(text) + 1)
        upto = min(len(text), at + draw.randint(0, 5))
        text = text[:at] + draw.choice(["", draw.choice(MARKS), text[at:upto] * draw.choice([1, 2, 40])]) + text[upto:]
    return text


@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_mutated_texts_are_refused_or_survive(sample: int) -> None:
    draw = random.Random(sample)
    read = 0
    for _ in range(1500):
        text = mutated(SAMPLES[sample], draw)
        try:
            games = parse_games(text)
        except TengenError as error:
            assert "\n" not in str(error) and len(str(error)) < 400
            continue
        read += 1
        for game in games:
            written = format_game(game, ".sgf")
            assert format_game(parse_games(written)[0], ".sgf") == written
    assert read > 20


@pytest.mark.parametrize("text", ["(;GM[4];B[hh]TGS[hh 1e999 1])", "(;GM[4];B[hh]TGT[1e12])", "(;GM[4];B[hh]V[1e300])"])
def test_numbers_are_bounded(text: str) -> None:
    with pytest.raises(TengenError, match="too large a number"):
        parse_games(text)


def test_set_up_stones_are_bounded_while_they_are_read() -> None:
    began = time.process_time()
    with pytest.raises(TengenError, match="a second stone on a cell"):
        parse_games("(;GM[4]SZ[22]AB" + "[aa:vv]" * 56_000 + ")")
    assert time.process_time() - began < 5


# ---------------------------------------------------------------------------------------------- JSON and records

RECORD = GameRecord("a", "b", Variant(9), (1, 2), Result.BLACK, Termination.RESIGN, values=(0.5, None))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested too deep|Expecting"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e999", "too large"),
        ("9" * 5000, "too large"),
        ('"\\ud800"', "half a character"),
        ("{", "Expecting"),
    ],
)
def test_json_is_finite_shallow_and_whole(text: str, words: str) -> None:
    with pytest.raises(TengenError, match=words) as refusal:
        parse_json(text)
    assert "\n" not in str(refusal.value)
    assert parse_json('{"a": [1.5, "\\u5929"]}') == {"a": [1.5, "天"]}


@pytest.mark.parametrize(
    "change",
    [{"tags": {"a": ["b"]}}, {"tags": {"a": {}}}, {"values": ["x"]}, {"detail": 3}, {"black": "\ud800"},
     {"seconds": [None]}, {"values": [float("nan")]}, {"seconds": [float("inf")]}],
)  # fmt: skip
def test_records_hold_texts_and_finite_numbers(change: dict[str, object]) -> None:
    assert GameRecord.from_json(RECORD.to_json()) == RECORD
    with pytest.raises(TengenError):
        GameRecord.from_json(json.dumps(json.loads(RECORD.to_json()) | change))


def test_a_player_without_a_number_has_no_opinion_in_the_record() -> None:
    from tengen.board import Board
    from tengen.play.game import play_game
    from tengen.players.base import Decision
    from tengen.rules import Limit

    class Lost:
        def choose(self, board: Board, limit: Limit) -> Decision:
            return Decision(board.legal_moves()[0], value=float("nan"))

    record = play_game(Lost(), Lost(), Board(Variant(5, k=3)), Limit())
    assert set(record.values) == {None} and GameRecord.from_json(record.to_json()) == record
    assert record.result.winner is Color.BLACK
