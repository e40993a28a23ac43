"""Line networks on the run loop: learned, resumed bit for bit, exported, played, and guarded against bad files."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen import _core
from tengen.board import Board
from tengen.errors import TengenError
from tengen.inference.lines import LineShape, from_bytes, load_network, to_bytes
from tengen.inference.models import BUNDLED, load_model
from tengen.players.alphazero import AlphaZeroPlayer, PlayOptions
from tengen.registry import create
from tengen.rules import Limit, Rule, Variant, parse_moves
from tengen.training.knowledge.expert import Recipe, write_games
from tengen.training.lines.config import LinesConfig
from tengen.training.lines.probe import KINDS, probe_metrics, probe_positions, solved
from tengen.training.lines.trainer import LinesTrainer, next_level, start_network
from tengen.training.methods import checked, export_run, find_method
from tengen.training.run.logs import NoLog
from tengen.training.run.loop import Budget, RunFolder, run
from tengen.training.run.workers import InlineWorkers

SETTINGS: dict[str, Any] = {
    "method": "lines",
    "board": {"width": 7, "height": 7, "k": 4},
    "network": {"channels": 16, "hidden": 16},
    "selfplay": {"games": 6, "visits": 12, "opening_max": 3},
    "pool": {"window": 120, "window_max": 120},
    "learn": {"batch": 32, "passes": 2},
}


def trained(path: Path, iterations: int, **changes: Any) -> LinesTrainer:
    config: LinesConfig = checked(SETTINGS | changes, "test")
    folder = RunFolder(path) if path.exists() else RunFolder.create(path, "lines", config.resolved())
    trainer = LinesTrainer(config, path, InlineWorkers(), NoLog())
    run(trainer, Budget(iterations), NoLog(), folder)
    return trainer


def test_a_run_resumes_bit_for_bit(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", 6)
    trained(tmp_path / "parts", 3)
    again = trained(tmp_path / "parts", 6)
    for name in ("weights", "average", "mean", "square"):
        assert np.array_equal(getattr(whole.learner, name), getattr(again.learner, name)), name
    assert whole.pool.samples == again.pool.samples
    assert whole.pool.generations < 6, "the window is small: old games must have left"
    assert len(list((tmp_path / "parts" / "games").glob("*.npz"))) < 6


def test_a_run_begins_with_another_network(tmp_path: Path) -> None:
    settings = SETTINGS | {"board": {"width": 15, "height": 15}, "network": {"channels": 32, "hidden": 32}}
    config: LinesConfig = checked(settings | {"warm": {"start": "lines-15"}}, "test")
    trainer = LinesTrainer(config, tmp_path, InlineWorkers(), NoLog())
    shape, tensors = from_bytes((BUNDLED / "lines-15.safetensors").read_bytes(), "lines-15")
    assert np.array_equal(trainer.learner.average, shape.flat(tensors))
    with pytest.raises(
        TengenError, match="lines-15 is freestyle with k = 5, 32 channels and 32 hidden units, the run is"
    ):
        start_network(checked(SETTINGS | {"warm": {"start": "lines-15"}}, "test"))
    with pytest.raises(TengenError, match="base-15 is not a line network"):
        start_network(checked(settings | {"warm": {"start": "base-15"}}, "test"))


def test_a_larger_network_begins_as_the_smaller_one_plays(tmp_path: Path) -> None:
    settings = SETTINGS | {"board": {"width": 15, "height": 15}, "network": {"channels": 64, "hidden": 48}}
    config: LinesConfig = checked(settings | {"warm": {"start": "lines-15"}}, "test")
    trainer = LinesTrainer(config, tmp_path / "run", InlineWorkers(), NoLog())
    small = load_network(BUNDLED / "lines-15.safetensors")
    board = Board.from_text("h8i9g9h10j7", Variant(15))
    assert trainer.network().evaluate(board.core)[1] == pytest.approx(small.evaluate(board.core)[1], abs=1e-6)
    assert trainer.network().evaluate(board.core)[0] == pytest.approx(small.evaluate(board.core)[0], abs=1e-6)
    before = trainer.learner.weights.copy()
    trainer.iterate()
    trainer.iterate()
    fresh = trainer.config.shape.split(trainer.learner.weights - before)["table"][:, :, 32:]
    assert np.abs(fresh).max() > 0, "its new features must learn too"


def test_openings_follow_the_results_of_the_colours(tmp_path: Path) -> None:
    winners = np.array([0, 0, 0, 1], np.int32)
    assert next_level(0.1, winners, 0.4) == pytest.approx(-0.1), "black won too often: worse openings for black"
    assert next_level(0.1, winners, 0.0) == 0.1
    assert next_level(0.55, np.array([1, 1, -1], np.int32), 1.0) == 0.6, "bounded"
    first, again = trained(tmp_path / "run", 2), trained(tmp_path / "run", 2)
    assert first._level == again._level != 0


@pytest.mark.parametrize("level", [0.0, -0.2])
def test_a_search_chooses_even_openings(level: float) -> None:
    network = load_network(BUNDLED / "lines-15.safetensors")
    off = []
    for checks in (0, 8):
        options = {
            "visits": 64,
            "noise_fraction": 0.0,
            "opening_checks": checks,
            "opening_level": level,
            "memory_mb": 4,
        }
        games = _core.line_games(network, 15, 15, 40, 1, options)
        rows = games["lengths"] - games["openings"]
        black = games["values"][np.cumsum(rows) - rows] * np.where(games["openings"] % 2, -1, 1)
        off.append(np.mean(np.abs(black - level)))
    assert off[1] < 0.6 * off[0]


def test_a_lost_checkpoint_costs_one_iteration_and_changes_nothing(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", 5)
    trained(tmp_path / "parts", 5)
    newest = RunFolder(tmp_path / "parts").checkpoint()
    for file in newest.iterdir():
        file.unlink()
    newest.rmdir()
    again = trained(tmp_path / "parts", 5)
    assert np.array_equal(whole.learner.average, again.learner.average)


def test_the_network_of_a_run_is_exported_and_plays(tmp_path: Path) -> None:
    trainer = trained(tmp_path / "run", 3)
    path = export_run(RunFolder(tmp_path / "run"), "four", tmp_path / "models")
    assert path.name == "four.safetensors"
    model = load_model(path)
    assert (model.native, model.variant.k, model.size_free) == (True, 4, True)
    board = Board(Variant(7, k=4), [24, 0])
    assert load_network(path).evaluate(board.core)[1] == trainer.network().evaluate(board.core)[1]
    player = create(f"alphazero:model={path},sims=60,solver=off")
    decision = player.choose(board, Limit())
    assert board.is_legal(decision.move)
    assert decision.nodes == 60
    assert player.choose(board, Limit()) == decision


def test_the_ladder_and_the_probe_measure_it(tmp_path: Path) -> None:
    ladder = {"opponents": ["random"], "games": 2, "every": 2, "sims": 8, "solver": False, "openings": "empty"}
    trained(tmp_path / "run", 2, ladder=ladder, probe={"every": 2, "positions": 5, "sims": 8})
    rows = RunFolder(tmp_path / "run").read_metrics()
    assert "ladder/random" not in rows[0]
    assert 0 <= rows[1]["ladder/random"] <= 100
    assert {f"probe/{kind}" for kind in KINDS} <= rows[1].keys()
    assert (tmp_path / "run" / "ladder.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_the_probe_knows_a_player_that_sees_and_one_that_does_not() -> None:
    variant = Variant(15)
    probes = probe_positions(variant, 10)
    assert [p.kind for p in probes] == [kind for kind in KINDS for _ in range(10)]
    shape = LineShape(5, "freestyle", 16, 16)
    blind = shape.network(np.zeros(len(shape.flat({n: np.zeros(e) for n, e in shape.tensors().items()})), np.float32))

    def sees(board: Board) -> int:
        search = _core.LineSearch(blind, board.core, {"solver": True, "memory_mb": 4})
        search.think(100)
        return search.best_move()

    assert solved(probes, variant, sees) == {"probe/five": 100, "probe/block": 100, "probe/open_four": 100}
    assert all(score < 60 for score in probe_metrics(blind, probes, variant, 8).values())


def engine_file(path: Path, games: int) -> Path:
    """A file as `tengen data` writes it: black wins a row of four on 7x7 while white plays below it."""
    moves, plies = [21, 28, 22, 29, 23, 30, 24], b""
    for i, move in enumerate(moves[2:]):
        plies += struct.pack("<HHh", move, move, 900 if i % 2 == 0 else -900)
    game = struct.pack("<HBB", len(moves), 2, 1) + struct.pack("<2H", *moves[:2]) + plies
    payload = game * games
    block = struct.pack("<4s4I", b"BLK1", 0, games, len(payload), zlib.crc32(payload))
    path.write_bytes(struct.pack("<8s4BI16s", b"TGDATA1\n", 7, 7, 4, 0, 600, b"test") + block + payload)
    return path


def test_warm_iterations_learn_from_data_of_the_engine(tmp_path: Path) -> None:
    data = engine_file(tmp_path / "games.bin", 20)
    warm = {"data": [str(data)], "iterations": 2, "steps": 200}
    trainer = trained(tmp_path / "run", 2, warm=warm)
    assert trainer.games == 0
    scores, value = trainer.network().evaluate(Board(Variant(7, k=4), [21, 28, 22, 29, 23, 30]).core)
    assert int(np.argmax(scores)) == 24
    assert value > 0.5
    assert trained(tmp_path / "run", 3, warm=warm).games == 6  # and then it plays


def test_warm_iterations_learn_from_games_of_players(tmp_path: Path) -> None:
    recipe = Recipe(("weight",), Variant(7, k=4), 0, "empty", 0.2, 4, 1)
    write_games(tmp_path / "games", recipe, 8, InlineWorkers())
    trainer = trained(tmp_path / "run", 1, warm={"games": [str(tmp_path / "games")], "iterations": 1, "steps": 5})
    assert trainer.learner.steps == 5


@pytest.mark.parametrize("warm", [{"data": ["nowhere.bin"]}, {"games": ["nowhere"]}])
def test_games_that_are_not_there_are_refused_before_a_run_begins(warm: dict[str, Any]) -> None:
    config = checked(SETTINGS | {"warm": warm | {"iterations": 1}}, "test")
    with pytest.raises(TengenError, match="nowhere"):
        find_method("lines").ready(config, True)


# -- files ----------------------------------------------------------------------------------------------------------

SHAPE = LineShape(4, "freestyle", 16, 16)


def weights(seed: int = 1) -> Any:
    return _core.LineLearner(SHAPE.k, SHAPE.rule, SHAPE.channels, SHAPE.hidden, seed).weights


def test_a_file_is_what_safetensors_reads() -> None:
    from safetensors.numpy import load

    data = to_bytes(SHAPE, weights())
    ours, theirs = from_bytes(data, "x")[1], load(data)
    assert ours.keys() == theirs.keys()
    assert np.array_equal(ours["table"], theirs["table"] / np.float32(512))
    assert np.array_equal(ours["gate_2"], theirs["gate_2"])


def model_at(folder: Path, data: bytes | None = None, **card: Any) -> Path:
    path = folder / "net.safetensors"
    path.write_bytes(to_bytes(SHAPE, weights()) if data is None else data)
    about = {
        "name": "net", "encoding": "lines", "size_free": True, "width": 7, "height": 7, "k": 4, "rule": "freestyle",
    }  # fmt: skip
    path.with_suffix(".json").write_text(json.dumps(about | card), encoding="utf-8")
    return path


@pytest.mark.parametrize("cut", [0, 5, 300, 20_000])
def test_a_file_that_is_cut_short_is_refused_in_one_line(tmp_path: Path, cut: int) -> None:
    path = model_at(tmp_path, to_bytes(SHAPE, weights())[:cut])
    with pytest.raises(TengenError) as error:
        AlphaZeroPlayer.from_model(str(path))
    assert "\n" not in str(error.value)


def test_altered_files_are_refused(tmp_path: Path) -> None:
    data = to_bytes(SHAPE, weights())
    with pytest.raises(TengenError, match="checksum"):
        load_model(model_at(tmp_path, data, sha256="0" * 64))
    with pytest.raises(TengenError, match="version 9"):
        from_bytes(data.replace(b'"version": "1"', b'"version": "9"'), "x")
    with pytest.raises(TengenError, match="not a line network"):
        from_bytes(data.replace(b"tengen-lines", b"something-el"), "x")
    with pytest.raises(TengenError, match="not a number"):
        load_network(model_at(tmp_path, data[:-4] + np.array([np.nan], "<f4").tobytes()))


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    player = AlphaZeroPlayer.from_model(str(model_at(tmp_path)), play=PlayOptions(sims=4))
    with pytest.raises(TengenError, match="plays 4 in a row"):
        player.choose(Board(Variant(7)), Limit())
    with pytest.raises(TengenError, match="plays freestyle"):
        player.choose(Board(Variant(7, k=4, rule=Rule.STANDARD)), Limit())
    assert player.choose(Board(Variant(9, k=4)), Limit()).nodes == 4  # sizes are free


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(TengenError, match="channels"):
        checked({"method": "lines", "network": {"channels": 20}}, "x")
    with pytest.raises(TengenError, match="opening_max"):
        checked({"method": "lines", "selfplay": {"opening_min": 3, "opening_max": 1}}, "x")


# -- the player -----------------------------------------------------------------------------------------------------


def test_the_player_keeps_its_tree_and_its_time(tmp_path: Path) -> None:
    import time

    player = create(f"alphazero:model={model_at(tmp_path)},sims=0,reuse=on,solver=off,memory_mb=8")
    board = Board(Variant(9, k=4), parse_moves("e5d5", 9, 9))
    start = time.perf_counter()
    first = player.choose(board, Limit(seconds=0.2))
    assert time.perf_counter() - start < 1.5
    board.play(first.move)
    board.play(next(m for m in board.legal_moves() if m != first.move))
    assert player.choose(board, Limit(seconds=0.05)).nodes > 0


def test_analysis_is_streamed(tmp_path: Path) -> None:
    player = create(f"alphazero:model={model_at(tmp_path)},sims=0,solver=off,memory_mb=8")
    assert isinstance(player, AlphaZeroPlayer)
    seen = []
    for analysis in player.analyse(Board(Variant(9, k=4), parse_moves("e5a1", 9, 9)), Limit(seconds=0.5)):
        seen.append(analysis.nodes)
    assert len(seen) >= 2
    assert seen == sorted(seen)
