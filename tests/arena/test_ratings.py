"""Ratings are checked by recovering known ones; SPRT by its error rates; collections by what they refuse."""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.collection import checked, collect
from tengen.arena.ratings import rate
from tengen.arena.schedule import Conditions
from tengen.arena.score import expected_score
from tengen.arena.sprt import Sprt, run_sprt
from tengen.cli.options import parse_anchor
from tengen.play.entrants import parse_entrant
from tengen.records import append_record
from tengen.rules import Limit, Result, Rule, Variant
from tests.helpers.simulated import run_cli, simulate

TRUE = {"a": -250.0, "b": -40.0, "c": 0.0, "d": 90.0, "e": 200.0}


@pytest.mark.parametrize("nu", [0.0, 0.7, 4.0])
def test_known_ratings_are_recovered(nu: float) -> None:
    table = rate(simulate(TRUE, 250, first=70, nu=nu), bootstrap=60)
    assert [r.player for r in table.ratings] == ["e", "d", "c", "b", "a"]
    for r in table.ratings:
        assert r.elo.value == pytest.approx(TRUE[r.player], abs=30)
        assert r.elo.high - r.elo.low < 60
    assert table.first_move.low < 70 < table.first_move.high
    assert table.draw_rate.value == pytest.approx(nu / (2 + nu), abs=0.04)


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    hits = boot_hits = total = 0
    for seed in range(20):
        table = rate(simulate(TRUE, 30, first=40, nu=1, seed=seed), bootstrap=80, seed=seed)
        for r in table.ratings:
            total += 1
            hits += r.elo.low <= TRUE[r.player] <= r.elo.high
            assert r.bootstrap is not None
            boot_hits += r.bootstrap.low <= TRUE[r.player] <= r.bootstrap.high
    assert hits / total >= 0.88 and boot_hits / total >= 0.86


def test_the_bootstrap_sees_that_games_of_a_pair_hang_together() -> None:
    """When openings decide the games, pairs are split and results vary less than independent games would."""
    table = rate(simulate({"x": 0.0, "y": 0.0}, 200, edge=600), bootstrap=300)
    for r in table.ratings:
        assert r.bootstrap is not None
        assert r.bootstrap.high - r.bootstrap.low < 0.6 * (r.elo.high - r.elo.low)


def test_a_player_that_won_everything_has_a_finite_rating() -> None:
    games = [
        replace(g, result=Result.BLACK if g.black == "x" else Result.WHITE) for g in simulate({"x": 0, "y": 0}, 20)
    ]
    table = rate(games, bootstrap=20)
    best = table.ratings[0]
    assert best.player == "x" and 300 < best.elo.value < 1500 and table.los[0][1] > 0.99


def test_anchor_and_superiority() -> None:
    table = rate(simulate(TRUE, 100, nu=0.5), ("b", 1500.0), bootstrap=0)
    by_name = {r.player: r for r in table.ratings}
    assert by_name["b"].elo.value == by_name["b"].elo.low == 1500
    assert by_name["e"].elo.value == pytest.approx(1740, abs=60) and by_name["e"].bootstrap is None
    for i, row in enumerate(table.los):
        assert row[i] == 0.5
        assert all(row[j] + table.los[j][i] == pytest.approx(1) for j in range(len(row)))
    with pytest.raises(ValueError, match="no games of the anchor 'z'; there are games of a, b"):
        rate(simulate(TRUE, 2), ("z", 0.0))


def test_players_without_common_games_are_refused() -> None:
    games = simulate({"a": 0, "b": 0}, 3) + simulate({"c": 0, "d": 0}, 3)
    with pytest.raises(ValueError, match="no chain of games joins a and c"):
        rate(games)


def test_merged_files_rate_like_one(tmp_path: Path) -> None:
    games = simulate(TRUE, 10, nu=1)
    for name, part in (("one", games[::2]), ("two", games[1::2])):
        for game in part:
            append_record(tmp_path / f"{name}.jsonl", game)
    merged = rate(collect([tmp_path]).records, bootstrap=0)
    whole = rate(games, bootstrap=0)
    for one, two in zip(merged.ratings, whole.ratings, strict=True):
        assert one.player == two.player and one.elo.value == pytest.approx(two.elo.value, abs=1e-6)


def test_ten_thousand_records_in_two_seconds(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(game.to_json() for game in simulate(TRUE, 500, nu=1)) + "\n")
    start = time.process_time()
    table = rate(collect([path]).records)
    assert table.games == 10_000 and time.process_time() - start < 2


def test_mixed_grounds_are_refused_or_chosen() -> None:
    games = simulate({"a": 0, "b": 0}, 2)
    games += [replace(game, variant=Variant(9, rule=Rule.STANDARD)) for game in simulate({"a": 0, "b": 0}, 1, seed=2)]
    with pytest.raises(ValueError, match=r"4 games on 9x9 freestyle; 2 games on 9x9 standard"):
        checked(games)
    chosen = checked(games, Variant(9, 9, 5, Rule.STANDARD))
    assert len(chosen.records) == 2 and "4 games on other boards" in chosen.notes[0]
    with pytest.raises(ValueError, match="no game on 15x15"):
        checked(games, Variant())


def test_duplicates_and_cut_lines_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for game in [*simulate({"a": 0, "b": 0}, 2), *simulate({"a": 0, "b": 0}, 1)]:
        append_record(path, game)
    with path.open("a") as file:
        file.write('{"black":"a"')
    collection = collect([path])
    assert len(collection.records) == 4
    assert any("cut short" in note for note in collection.notes)
    assert any("2 duplicate games" in note for note in collection.notes)


def test_a_bad_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"black":"a"\n' + simulate({"a": 0, "b": 0}, 1)[0].to_json() + "\n")
    with pytest.raises(ValueError, match=r"games\.jsonl, line 1"):
        collect([path])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"winner": "nobody"}, "winner = 'nobody'"),
        ({"width": "9"}, "whole numbers above zero"),
        ({"k": 0}, "whole numbers above zero"),
        ({"moves": [1, 2, 81], "opening": 0}, "off the 9x9 board"),
        ({"moves": [1, -2], "opening": 0}, "off the 9x9 board"),
        ({"moves": [1, 2, 1], "opening": 0}, "played twice"),
        ({"moves": [1.5], "opening": 0}, "off the 9x9 board"),
        ({"opening": 99}, "opening = 99"),
        ({"tags": 3}, "tags"),
        ({"seconds": ["a"]}, "seconds"),
        ({"black": None}, "must be text"),
    ],
)
def test_a_nonsense_record_is_not_rated(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = tmp_path / "games.jsonl"
    good, bad = simulate({"a": 0, "b": 0}, 1)
    path.write_text(good.to_json() + "\n" + json.dumps(json.loads(bad.to_json()) | change) + "\n")
    with pytest.raises(ValueError, match=rf"games\.jsonl, line 2 is not a game record: .*{words}"):
        collect([path])


def test_a_binary_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    for data in (b"\x89PNG\r\n\x1a\n\x00\xff", b"\xff\xfe"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"picture\.png"):
            collect([path])


def test_nothing_cannot_be_rated() -> None:
    with pytest.raises(ValueError, match="no game was played"):
        checked([])


def test_a_game_clock_makes_another_player() -> None:
    games = simulate({"a": 0, "b": 0}, 1)
    clocked = [replace(game, seed=9, tags=game.tags | {"black_limit": "", "game_seconds": "60"}) for game in games]
    assert checked(games + clocked).players == ["a@60s/game", "a@free", "b@60s/game", "b@free"]


def test_one_name_under_two_limits_is_two_players() -> None:
    games = simulate({"a": 0, "b": 0}, 2)
    tagged = [replace(game, tags=game.tags | {"black_limit": "1s", "white_limit": "1s"}) for game in games]
    slow = [replace(game, seed=9, tags=game.tags | {"black_limit": "5s", "white_limit": "1s"}) for game in games[::2]]
    collection = checked(tagged + slow)
    assert collection.players == ["a@1s", "a@5s", "b"] and "several limits" in collection.notes[0]


def _sprt_runs(elo: float, test: Sprt, runs: int) -> list[str]:
    rate_of_win = expected_score(elo)
    verdicts = []
    for run in range(runs):
        rng = random.Random(run)
        counts = [0] * 5
        while not (verdict := test.verdict(tuple(counts))):
            counts[2 * sum(rng.random() < rate_of_win for _ in range(2))] += 1
        verdicts.append(verdict)
    return verdicts


def test_sprt_keeps_its_error_rates() -> None:
    test = Sprt(0, 100)
    assert _sprt_runs(100, test, 80).count("elo0") <= 10
    assert _sprt_runs(0, test, 80).count("elo1") <= 10


def test_sprt_ratio_has_the_right_sign_and_scale() -> None:
    test = Sprt(0, 20)
    assert test.llr((0, 0, 0, 0, 0)) == 0
    assert test.llr((10, 20, 40, 40, 30)) > 0 > test.llr((30, 40, 40, 20, 10))
    assert test.llr((20, 40, 80, 80, 60)) == pytest.approx(2 * test.llr((10, 20, 40, 40, 30)), rel=1e-3)
    low, high = test.bounds
    assert low == pytest.approx(-2.944, abs=1e-3) and high == -low
    for bad in ({"elo0": 5, "elo1": 5}, {"elo0": 0, "elo1": 5, "alpha": 0.6}):
        with pytest.raises(ValueError):
            Sprt(**bad)


def test_sprt_command_stops_by_itself_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sprt.jsonl"
    args = f"sprt greedy random --size 9 --elo0 0 --elo1 200 --workers 2 --out {file}".split()
    code, out, _ = run_cli(capsys, *args)
    assert code == 0 and "accepted" in out and "LLR" in out
    size = file.stat().st_size
    code, out, _ = run_cli(capsys, *args)
    assert "accepted" in out and file.stat().st_size == size
    code, _, err = run_cli(capsys, *args, "--elo1", "-5")
    assert code == 2 and "must be below" in err


def test_sprt_does_not_mix_limits(tmp_path: Path) -> None:
    file, a, b = tmp_path / "sprt.jsonl", parse_entrant("greedy", Limit(nodes=100)), parse_entrant("random", Limit())
    conditions = Conditions(Variant(6, 6, 4), seed=1)
    assert run_sprt(a, b, Sprt(0, 200), conditions, 2, workers=0, out=file).score.games == 2
    assert run_sprt(a, b, Sprt(0, 200), conditions, 4, workers=0, out=file).score.games == 4
    for other in (replace(a, limit=Limit(nodes=500)), replace(a, limit=Limit())):
        with pytest.raises(ValueError, match=r"sprt\.jsonl holds games of greedy and random under other limits"):
            run_sprt(other, b, Sprt(0, 200), replace(conditions, seed=2), 6, workers=0, out=file)


def test_rate_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(game.to_json() for game in simulate(TRUE, 20, nu=1)) + "\n")
    assert "anchor: c" in run_cli(capsys, "rate", path, "--anchor", "c=100")[1]
    _, out, _ = run_cli(capsys, "rate", path, "--json", "--bootstrap", "0")
    assert len(json.loads(out)["ratings"]) == 5
    code, _, err = run_cli(capsys, "rate", tmp_path / "missing.jsonl")
    assert code == 2 and "there is no record file" in err


def test_anchor_text() -> None:
    assert parse_anchor("minimax=1500") == ("minimax", 1500.0)
    assert parse_anchor("minimax:depth=3") == ("minimax:depth=3", 0.0)
    assert parse_anchor("minimax:depth=3=1500") == ("minimax:depth=3", 1500.0)
    assert parse_anchor("") is None
