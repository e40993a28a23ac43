"""Games of other players as training data, and a warm start from them."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tengen.board import Board  # noqa: E402
from tengen.cli.app import main  # noqa: E402
from tengen.cli.output import GameProgress  # noqa: E402
from tengen.rules import Color, Result, Variant  # noqa: E402
from tengen.training.alphazero.config import check_config  # noqa: E402
from tengen.training.alphazero.trainer import AlphaZeroTrainer  # noqa: E402
from tengen.training.knowledge.expert import Recipe, play_chunk, read_games, write_games  # noqa: E402
from tengen.training.methods import export_run  # noqa: E402
from tengen.training.run.logs import NoLog  # noqa: E402
from tengen.training.run.loop import Budget, RunFolder, run  # noqa: E402
from tengen.training.run.workers import InlineWorkers  # noqa: E402
from tengen.training.samples.games import TrainingGame, load_games  # noqa: E402

RECIPE = Recipe(("alphabeta:hash_mb=1",), Variant(6, k=4), 200, "balanced", 0.2, 3, 1)


def settings(folder: Path, **warm: object) -> dict[str, object]:
    return {
        "board": {"width": 6, "height": 6, "k": 4},
        "network": {"kind": "base"},
        "selfplay": {"games": 4, "slots": 4, "sims_first": 4, "sims_last": 4},
        "learn": {"batch": 32, "threads": 1, "kl_target": 0.0, "symmetries": False},
        "warm": {"games": [str(folder)], "iterations": 2, "steps": 10} | warm,
    }


def trainer(data: dict[str, object], folder: Path) -> AlphaZeroTrainer:
    (folder / "games").mkdir(parents=True, exist_ok=True)
    return AlphaZeroTrainer(check_config(data, "test"), folder, InlineWorkers(), NoLog())


def replayed(game: TrainingGame) -> Board:
    return Board(game.variant, tuple(int(move) for move in game.moves))


def test_a_game_keeps_the_choice_of_the_player_even_where_chance_played() -> None:
    games = play_chunk(RECIPE, 0)
    random_moves_seen = 0
    for game in games:
        outcome = replayed(game).outcome()
        assert outcome is not None
        assert game.result is outcome.result
        assert np.all(game.policies.sum(axis=1) == 1)
        assert np.all(np.abs(game.values) <= 1)
        chosen = game.policies.argmax(axis=1)
        assert all(move not in game.moves[: game.opening + row] for row, move in enumerate(chosen))
        random_moves_seen += int((chosen != game.moves[game.opening :]).sum())
    assert random_moves_seen > 0


def test_of_several_players_every_ordered_pair_plays() -> None:
    recipe = replace(RECIPE, players=("greedy", "random"), nodes=0, random_moves=0.0, chunk=40)
    results = [game.result for game in play_chunk(recipe, 0)]
    assert results[0::2].count(Result.BLACK) > 15, "greedy has black in the even games"
    assert results[1::2].count(Result.WHITE) > 15, "and white in the odd ones"


def test_a_player_without_a_value_is_taken_to_expect_what_happened() -> None:
    for game in play_chunk(replace(RECIPE, players=("random",), nodes=0), 0):
        turns = [Color(ply % 2) for ply in range(game.opening, len(game.moves))]
        assert game.values.tolist() == [game.result.sign(turn) for turn in turns]


def test_an_interrupted_folder_is_filled_up_with_the_same_games(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert write_games(whole, RECIPE, 7, InlineWorkers()) == 9, "in whole files"
    write_games(parts, RECIPE, 3, InlineWorkers())
    write_games(parts, RECIPE, 9, InlineWorkers())
    for ours, theirs in zip(read_games(whole, 4, "freestyle"), read_games(parts, 4, "freestyle"), strict=True):
        assert [game.moves.tolist() for game in ours] == [game.moves.tolist() for game in theirs]


def test_a_folder_holds_games_of_one_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_games(tmp_path / "a", RECIPE, 3, InlineWorkers())
    with pytest.raises(ValueError, match="other players or settings"):
        write_games(tmp_path / "a", replace(RECIPE, nodes=300), 3, InlineWorkers())
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("mine")
    with pytest.raises(SystemExit) as end:
        main(["games", "random", "--out", str(tmp_path / "b")])
    assert end.value.code == 2
    assert "is not empty" in capsys.readouterr().err
    with pytest.raises(ValueError, match="not of renju"):
        list(read_games(tmp_path / "a", 5, "renju"))
    with pytest.raises(ValueError, match="holds no games"):
        list(read_games(tmp_path / "b", 4, "freestyle"))


def test_a_wrong_seed_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["games", "random", "--out", str(tmp_path / "g"), "--seed", "-1", "--workers", "1"])
    assert end.value.code == 2 and capsys.readouterr().err.strip().endswith("seed -1: choose 0 or more")
    assert not (tmp_path / "g").exists()


def test_progress_counts_the_games_that_will_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tengen.cli.games.GameProgress", partial(GameProgress, every=0.0))
    monkeypatch.setattr("tengen.training.run.workers.LocalWorkers", lambda count: InlineWorkers())
    with pytest.raises(SystemExit) as end:
        main(["games", "random", "--out", str(tmp_path / "g"), "--size", "5", "--games", "51", "--workers", "1"])
    said = capsys.readouterr()
    assert end.value.code == 0 and said.out.strip().endswith("g: 100 games")
    assert [line.split()[0] for line in said.err.splitlines()] == ["0/100", "50/100", "100/100"]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("about.json", "[]", r"about\.json holds a JSON list"),
        ("about.json", "{}", r"about\.json does not say what its games are: it lacks games with k and rule"),
        ("about.json", '{"games": [7]}', r"about\.json does not say"),
        ("about.json", '{"games": {"k": 4}}', r"about\.json does not say"),
        ("run.json", "[]", r"run\.json holds a JSON list"),
        ("run.json", "{}", r"run\.json does not say what its games are: it lacks config\.board with k and rule"),
        ("run.json", '{"config": {"board": []}}', r"run\.json does not say"),
        ("run.json", '{"method": "dqn", "config": {"env": {}}}', "method dqn, which keeps no games"),
    ],
)
def test_a_foreign_folder_of_games_is_told_in_one_line(tmp_path: Path, file: str, content: str, message: str) -> None:
    (tmp_path / file).write_text(content)
    with pytest.raises(ValueError, match=message):
        list(read_games(tmp_path, 4, "freestyle"))


def damaged_arrays() -> dict[str, bytes]:
    """What may lie in a folder under the name of a file of games."""
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3))
    files = {"one array": buffer.getvalue(), "a text": b"moves", "nothing": b""}
    good: dict[str, np.ndarray] = {
        "heads": np.array([[6, 6, 1, 0, 2]]), "moves": np.array([3, 4], np.int16),
        "policies": np.zeros(36, np.float16), "values": np.zeros(1), "weights": np.ones(1), "proven": np.zeros(1, int),
    }  # fmt: skip
    wrong = {
        "a foreign archive": {"photos": np.zeros(3)}, "flat heads": good | {"heads": np.array([6, 6, 1, 0, 2])},
        "heads of numbers with a point": good | {"heads": good["heads"] / 2}, "no game": good | {"moves": np.array(7)},
        "four columns": good | {"heads": good["heads"][:, :4]}, "off the board": good | {"moves": np.array([3, 36])},
        "more opening than moves": good | {"heads": np.array([[6, 6, 3, 0, 2]])},
        "values too short": good | {"values": np.zeros(0)}, "words": good | {"weights": np.array(["heavy"])},
    }  # fmt: skip
    for name, arrays in wrong.items():
        np.savez_compressed(buffer := io.BytesIO(), **arrays)
        files[name] = buffer.getvalue()
    return files


@pytest.mark.parametrize("name", damaged_arrays())
def test_a_damaged_file_of_games_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "000000.npz").write_bytes(damaged_arrays()[name])
    with pytest.raises(ValueError, match=r"000000\.npz is not a file of self-play games: [^\n]+$"):
        load_games(tmp_path / "000000.npz", Variant(6, k=4))


def test_a_file_with_a_flipped_byte_is_told_in_one_line(tmp_path: Path) -> None:
    write_games(tmp_path / "a", RECIPE, 3, InlineWorkers())
    file = tmp_path / "a" / "000000.npz"
    data = bytearray(file.read_bytes())
    for at in range(0, len(data), len(data) // 40):
        file.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            list(read_games(tmp_path / "a", 4, "freestyle"))  # in a part nobody reads it does no harm
        except ValueError as error:
            assert str(file) in str(error) and "\n" not in str(error)


def test_warm_iterations_learn_the_games_and_self_play_follows(tmp_path: Path) -> None:
    write_games(tmp_path / "games", RECIPE, 30, InlineWorkers())
    ours = trainer(settings(tmp_path / "games", iterations=4, steps=40), tmp_path / "run")
    rows = [ours.iterate() for _ in range(5)]
    assert [row["games"] for row in rows] == [0] * 4 + [4]
    assert rows[3]["loss_policy"] < 0.9 * rows[0]["loss_policy"]
    assert rows[4]["new_positions"] > 0


def test_a_stopped_warm_up_goes_on_to_the_same_network(tmp_path: Path) -> None:
    write_games(tmp_path / "games", RECIPE, 9, InlineWorkers())
    data = settings(tmp_path / "games")
    straight, stopped = trainer(data, tmp_path / "a"), trainer(data, tmp_path / "b")
    stopped.iterate()
    (tmp_path / "saved").mkdir()
    stopped.save(tmp_path / "saved")
    resumed = trainer(data, tmp_path / "b")
    resumed.load(tmp_path / "saved")
    for _ in range(3):
        straight.iterate()
    for _ in range(2):
        resumed.iterate()
    pairs = zip(straight.learner.network.parameters(), resumed.learner.network.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_games_of_another_board_are_refused(tmp_path: Path) -> None:
    write_games(tmp_path / "games", replace(RECIPE, variant=Variant(7, k=4)), 3, InlineWorkers())
    with pytest.raises(ValueError, match="other boards than 6x6"):
        trainer(settings(tmp_path / "games"), tmp_path / "run").iterate()
    with pytest.raises(ValueError, match=r"warm\.iterations needs"):
        check_config({"warm": {"iterations": 3}}, "test")


@pytest.mark.parametrize("archive", [False, True])
def test_an_archive_keeps_what_left_the_pool_for_others_to_learn_from(tmp_path: Path, archive: bool) -> None:
    data = settings(tmp_path) | {"warm": {}, "pool": {"window": 10, "growth": 0.0, "archive": archive}}
    run = RunFolder.create(tmp_path / "run", "alphazero", check_config(data, "test").resolved())
    ours = trainer(data, run.path)
    for _ in range(5):
        ours.iterate()
    files = len(list(read_games(run.path, 4, "freestyle")))
    assert files == 5 if archive else files < 5


def test_a_card_names_no_folder_of_the_trainers_machine(tmp_path: Path) -> None:
    write_games(tmp_path / "games", RECIPE, 3, InlineWorkers())
    data = settings(tmp_path / "games")
    folder = RunFolder.create(tmp_path / "run", "alphazero", check_config(data, "test").resolved())
    ours = trainer(data, folder.path)
    run(ours, Budget(iterations=1), NoLog(), folder)
    model = export_run(folder, "shared", tmp_path / "models")
    card = model.with_suffix(".json").read_text()
    assert str(tmp_path) not in card
    assert json.loads(card)["recipe"]["warm"]["games"] == ["games"]
