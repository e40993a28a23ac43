"""The library of games: kept, found, imported, counted; the explorer and the book."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tengen.board import Board, symmetries
from tengen.errors import TengenError
from tengen.formats import parse_games
from tengen.formats.sgf import format_sgf
from tengen.players.alphabeta import AlphaBetaPlayer
from tengen.records import GameRecord, append_record
from tengen.registry import create
from tengen.rules import Color, Limit, Result, Termination, Variant, parse_moves
from tengen.study.book import bundled_book, read_book
from tengen.study.book_maker import BookMaker, make_book, pack
from tengen.study.book_player import BookPlayer
from tengen.study.explorer import Explorer, bundled_matches, count_matches, read_matches
from tengen.study.library import Entry, Library, Score, Search, estimate
from tengen.study.library_files import import_files, import_texts, split_sgf
from tengen.study.openings import opening_of, openings
from tengen.study.positions import from_standard, key_of, next_keys, path_of
from tengen.study.proofs import Effort, Prover
from tengen.study.store import TABLES, Store

V = Variant()


def cells(text: str) -> tuple[int, ...]:
    return tuple(parse_moves(text, 15, 15))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(Store(tmp_path / "study.sqlite"))


def game(moves: str, winner: str = "black", black: str = "human", white: str = "level:casual", **more: object) -> Entry:
    return Entry(V, cells(moves), black, white, winner, 1000.0, "play", **more)  # type: ignore[arg-type]


# Positions.


def test_a_position_has_one_key_in_every_orientation() -> None:
    moves = cells("h8i9j7g6c3")
    images = [[image[m] for m in moves] for image in symmetries(15, 15)]
    assert len({key_of(V, image) for image in images}) == 1
    assert len({tuple(path_of(V, image).moves.tolist()) for image in images}) == 1
    assert key_of(V, moves) != key_of(Variant(rule=V.rule.RENJU), moves)
    assert int(next_keys(V, moves[:4])[moves[4]]) == key_of(V, moves)


def test_standard_moves_come_back_to_the_board_on_show() -> None:
    moves = cells("h8i9j7g6c3")
    for image in symmetries(15, 15):
        turned = [image[m] for m in moves]
        standard = int(path_of(V, turned).moves[-1])
        assert from_standard(V, turned[:-1], [standard]) == [turned[-1]]


def test_the_classical_openings_have_names() -> None:
    assert len(openings()) == len({key_of(V, opening.moves) for opening in openings()}) == 26
    found = opening_of(V, cells("h8h9i9"))
    assert found and (found.code, found.en, found.zh) == ("d4", "Kagetsu", "花月")
    turned = opening_of(V, cells("h8g8g9"))
    assert turned and turned.code == "d4"
    assert opening_of(V, cells("h8a1b2")) is None and opening_of(Variant(19, 19), (180, 161, 162)) is None


# Keeping and finding.


def test_games_are_found_by_every_field(library: Library) -> None:
    library.put(game("h8h9i9", id="one", tags=("sharp",)))
    library.put(game("h8i9j9", "white", id="two"))
    library.put(game("h8i9j8", "", black="Ann", white="Bo", id="three"))
    wanted = {
        "one": Search(result="won"), "two": Search(result="lost"), "three": Search(player="ann"),
    }  # fmt: skip
    for id, search in wanted.items():
        assert [entry.id for entry in library.find(search)] == [id]
    assert [e.id for e in library.find(Search(opening="d4"))] == ["one"]
    assert library.count(Search(tag="sharp")) == 1 and library.count(Search(tag="shar")) == 0
    assert library.count(Search(until=500.0)) == 0 and library.count(Search(source="play")) == 3
    with pytest.raises(TengenError, match="unknown result"):
        library.count(Search(result="maybe"))


def test_a_game_that_goes_on_keeps_its_tags(library: Library) -> None:
    library.put(game("h8h9", "", id="one"))
    library.annotate("one", ["good", "good", " "], "a note")
    library.put(game("h8h9i9", id="one", helped=True))
    kept = library.get("one")
    assert (kept.moves, kept.tags, kept.note, kept.helped) == (cells("h8h9i9"), ("good",), "a note", True)
    assert [s.move for s in library.moves_after(key_of(V, cells("h8h9")))]
    library.remove("one")
    assert library.count() == 0 and not library.moves_after(key_of(V, ()))


def test_results_against_levels_give_a_rating(library: Library) -> None:
    for number, winner in enumerate(["black", "black", "white", "draw"]):
        library.put(game("h8h9i9", winner, id=str(number)))
    library.put(game("h8h9i9", "white", id="helped", helped=True))
    assert library.scores() == {("15x15 freestyle", "casual"): Score(2, 1, 1)}
    found = estimate({1000.0: Score(75, 0, 25), 1400.0: Score(25, 0, 75)})
    assert found and found.low < 1200 < found.high and abs(found.elo - 1200) < 15
    assert estimate({1000.0: Score(1, 0, 0)}) is None
    clean = estimate({1000.0: Score(5, 0, 0)})
    assert clean and 1000 < clean.elo < 2000 and clean.high > clean.elo


def _put_for_ever(path: Path) -> None:
    library = Library(Store(path))
    for number in range(1_000_000):
        library.put(game("h8h9i9", id=str(number)))


def killed(job: Callable[[Path], None], path: Path) -> Library:
    """What is left of a library when whoever fills it is killed."""
    process = multiprocessing.get_context("spawn").Process(target=job, args=(path,))
    process.start()
    deadline = time.monotonic() + 60
    while not path.exists() or Library(Store(path)).count() < 5:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert process.pid
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    store = Store(path)
    assert store.set_aside is None
    return Library(store)


def test_a_killed_process_loses_nothing_that_was_put(tmp_path: Path) -> None:
    ids = sorted(int(id) for id in killed(_put_for_ever, tmp_path / "study.sqlite").ids())
    assert ids == list(range(len(ids)))


GAMES_OF_A_FILE = 200


def _file(number: int) -> list[tuple[str, str]]:
    a = "abcdefghijklmno"
    games = (f"(;GM[4]SZ[15]PB[{number}-{n}];B[hh];W[{a[n % 7]}{a[n // 7 % 7]}];B[ij])" for n in range(GAMES_OF_A_FILE))
    return [(f"{number}.sgf", "\n".join(games))]


def _import_for_ever(path: Path) -> None:
    library = Library(Store(path))
    for number in range(1_000_000):
        import_texts(library, _file(number))


def test_a_killed_import_keeps_whole_batches_and_is_made_up_for(tmp_path: Path) -> None:
    library = killed(_import_for_ever, tmp_path / "study.sqlite")
    files, rest = divmod(library.count(), GAMES_OF_A_FILE)
    assert files > 0 and rest == 0
    again, cut_off = import_texts(library, _file(0)), import_texts(library, _file(files))
    assert (again.new, again.doubles, cut_off.new, cut_off.doubles) == (0, GAMES_OF_A_FILE, GAMES_OF_A_FILE, 0)


def test_a_library_of_an_older_version_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(TABLES + "pragma user_version = 1")
        db.execute(
            "insert into games (id, variant, moves, black, white, winner, played, source, print, note) values"
            " ('one', '15x15 freestyle', 'h8h9i9', 'Ann', 'Bo', 'black', 1.0, 'play', 'x', 'kept')"
        )
        db.commit()
    store = Store(path)
    kept = Library(store).get("one")
    assert store.set_aside is None and (kept.moves, kept.note) == (cells("h8h9i9"), "kept")
    Library(store).put(game("h8h9i9", black="Ann", white="Bo", id="two"))  # a version 1 file refused doubles
    assert Library(store).count() == 2


# Files.


def test_an_import_keeps_the_good_and_lists_the_bad(library: Library, tmp_path: Path) -> None:
    good = "(;GM[4]SZ[15]PB[A)(]PW[B]DT[2020-05-01]RE[W+R];B[hh];W[ii](;B[jj])(;B[kk]C[idea]))"
    collection = tmp_path / "many.sgf"
    collection.write_text(f"{good}\n(;GM[4]SZ[15];B[hh];W[hh])\n{good.replace('[hh]', '[gg]')}\n{good}")
    psq = tmp_path / "one.psq"
    psq.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n")
    report = import_files(library, [collection, psq, tmp_path / "missing.sgf"])
    assert (report.new, report.doubles, len(report.bad)) == (3, 1, 2)
    assert "many.sgf, game 2" in report.bad[0] and "missing.sgf" in report.bad[1]
    entry = library.find(Search(player="A)("))[0]
    assert entry.winner == "white" and time.localtime(entry.played).tm_year == 2020 and "idea" in entry.sgf
    assert len(split_sgf(collection.read_text())) == 4


def test_records_of_matches_are_imported_and_the_whole_is_exported(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    append_record(path, GameRecord("greedy", "random", V, cells("h8a1i8a3j8a5k8a7l8"), Result.BLACK, Termination.FIVE))
    assert import_files(library, [path], "tournament").new == 1
    kept = library.find()[0]
    tree = parse_games(format_sgf([kept.tree()]))[0]
    assert tuple(tree.moves()) == kept.moves and tree.result == "B+"


def test_many_games_are_imported_fast(library: Library) -> None:
    """10,000 in a minute are asked for; a tenth of them within a tenth of the processor time."""
    alphabet = "abcdefghijklmno"
    texts = [(f"{n}.sgf", f"(;GM[4]SZ[15];B[hh];W[{alphabet[n % 15]}{alphabet[n // 15 % 15]}];B[ij];W[kd])")
             for n in range(225)]  # fmt: skip
    started = time.process_time()
    report = import_texts(library, texts)
    assert report.new + len(report.bad) == 225 and report.new > 200
    assert time.process_time() - started < 1.35


# The explorer and the book.


def test_the_explorer_counts_moves_up_to_symmetry(library: Library, tmp_path: Path) -> None:
    library.put(game("h8h9i9", id="one"))
    library.put(game("h8g8g9", "white", id="two"))
    records = [GameRecord("a", "b", V, cells("h8i8a1"), Result.DRAW, Termination.FULL)] * 2
    assert count_matches(records, tmp_path / "matches.npz") == 2
    explorer = Explorer(library, read_matches(tmp_path / "matches.npz"), bundled_book())
    found = explorer.look(V, cells("h8"))
    beside = next(row for row in found.moves if row.library)
    assert beside.library and (beside.library.black, beside.library.white) == (1, 1)
    assert beside.matches and beside.matches.draws == 2
    assert explorer.look(V, cells("h8h9i9")).opening == opening_of(V, cells("h8h9i9"))
    started = time.process_time()
    explorer.look(V, ())
    assert time.process_time() - started < 0.05


def test_the_bundled_book_is_sound() -> None:
    book = bundled_book()
    assert len(book) >= 20_000 and bundled_matches().games > 10_000
    seen = 0
    for opening in openings():
        here = book.look(opening.moves)
        if here is None or here.best is None:
            continue
        seen += 1
        board = Board(V, opening.moves)
        assert board.is_legal(here.best) and -1 <= here.value <= 1
        assert all(board.is_legal(move) for move in book.next(opening.moves))
    assert seen >= 20


def test_a_book_is_made_resumed_and_packed(tmp_path: Path) -> None:
    log, path = tmp_path / "log.jsonl", tmp_path / "book.npz"
    won = cells("h8a1i8a3j8a5")
    maker = BookMaker(V, AlphaBetaPlayer(), 500)
    maker.start([(), won])
    for _ in make_book(maker, log, 12):
        pass
    again = BookMaker(V, AlphaBetaPlayer(), 500)
    again.start([(), won])
    again.resume(log.read_text().splitlines())
    assert len(again) == len(maker) and again.looked.keys() == maker.looked.keys()
    pack(again, path)
    book = read_book(path)
    assert book.variant == V
    proven = book.look(won)
    assert proven and proven.winner == Color.BLACK and proven.value == 1.0
    assert Prover().win(Board(V, won), Effort(1000, 1000))
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(TengenError, match="is not an opening book"):
        read_book(path)


def test_a_player_opens_from_the_book() -> None:
    book = bundled_book()
    opening = next(o for o in openings() if (found := book.look(o.moves)) and found.best is not None)
    black, white = opening.moves[::2], opening.moves[1::2]
    player = BookPlayer(create("random", seed=1), book)
    known = player.choose(Board.from_stones(black, white, Color.WHITE, V), Limit(nodes=1))
    found = book.look(opening.moves)
    assert found and Board(V, opening.moves).is_legal(known.move) and known.value == -found.value
    assert key_of(V, (*opening.moves, known.move)) == key_of(V, (*opening.moves, found.best or 0))
    corner = Board(V, cells("a1o15b1"))
    assert corner.is_legal(player.choose(corner, Limit(nodes=1)).move)
