"""`tengen data`: whole blocks or none, games that can be replayed, a fit that learns."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.board import Board
from tengen.errors import TengenError
from tengen.lab.ab_build import make_engine
from tengen.lab.engine_data import fit_data, make_data, read_games, read_header
from tengen.rules import Rule, Variant

VARIANT = Variant(15, 15, 5, Rule.RENJU)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "games.bin"
    make_data(make_engine(""), VARIANT, path, nodes=60, games=200, threads=2)
    return path


def test_games_can_be_replayed(data: Path) -> None:
    header = read_header(data)
    assert header.variant == VARIANT and header.nodes == 60 and len(header.engine) == 16
    games = list(read_games(data))
    assert len(games) == 200
    for game in games[:40]:
        board = Board(VARIANT, game.opening)
        for move, best in zip(game.plies["move"], game.plies["best"], strict=True):
            assert board.is_legal(int(best))
            board.play(int(move))
        assert (abs(game.values()) <= 1).all()
        if game.winner is not None and game.plies["value"][-1] > 30_000:
            assert game.winner == int(board.turn.other)
    assert sum(game.winner == 0 for game in games) > 40  # openings are even: neither colour wins all
    assert sum(game.winner == 1 for game in games) > 40


def test_a_killed_run_is_mended_and_goes_on(data: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.bin"
    cut.write_bytes(data.read_bytes()[:-100])
    with pytest.raises(ValueError, match="damaged after 1 whole blocks"):
        list(read_games(cut))
    make_data(make_engine(""), VARIANT, cut, nodes=60, games=200)

    def moves(path: Path) -> list[list[int]]:
        return sorted(game.moves for game in read_games(path))

    assert moves(cut) == moves(data)


def test_data_of_another_kind_is_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds data of another board, rule, engine or number of nodes"):
        make_data(make_engine(""), VARIANT, data, nodes=70, games=200)
    with pytest.raises(ValueError, match="holds data of another board, rule, engine or number of nodes"):
        make_data(make_engine("network=lines"), VARIANT, data, nodes=60, games=300)
    (tmp_path / "x.bin").write_bytes(b"something else, and long enough to hold a header")
    with pytest.raises(ValueError, match="is not a data file"):
        read_header(tmp_path / "x.bin")
    with pytest.raises(ValueError, match="is not a data file"):
        list(fit_data(tmp_path / "x.h", [tmp_path / "x.bin"], epochs=1, search_share=0.7))


def test_the_parameters_of_the_engine_count(data: Path, tmp_path: Path) -> None:
    wide = make_engine("limit_deep_base=60,limit_base=30")
    make_data(wide, VARIANT, tmp_path / "wide.bin", nodes=60, games=100)
    assert [g.moves for g in read_games(tmp_path / "wide.bin")] != [g.moves for g in read_games(data)][:100]
    with pytest.raises(ValueError, match="holds data of another board, rule, engine or number of nodes"):
        make_data(wide, VARIANT, data, nodes=60, games=300)
    with pytest.raises(TengenError, match="one thread each"):
        make_data(make_engine("threads=2"), VARIANT, tmp_path / "two.bin", nodes=60, games=100)


def test_the_fit_learns(data: Path, tmp_path: Path) -> None:
    lines = list(fit_data(tmp_path / "renju.h", [data], epochs=3, search_share=0.7))
    assert [line.split(":")[0] for line in lines] == ["epoch 1", "epoch 2", "epoch 3"]

    def move_loss(line: str) -> float:
        return float(line.partition("moves ")[2].split(",")[0])

    assert move_loss(lines[2]) < move_loss(lines[0])
    text = (tmp_path / "renju.h").read_text()
    assert "kBlackSide" in text and "kWhiteSide" in text
