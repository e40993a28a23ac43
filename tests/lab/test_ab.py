"""`tengen ab`: engines built beside each other, even openings, a sequential test whose error rates hold."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tengen.arena.score import expected_score
from tengen.arena.sprt import Sprt
from tengen.cli import main
from tengen.errors import TengenError
from tengen.lab import ab_build
from tengen.lab.ab import Budget, Conditions, Tally, run_ab
from tengen.lab.ab_build import Engine, build, make_engine, parameters
from tengen.lab.ab_openings import load_openings, make_openings, opening_of_pair, parse_openings
from tengen.rules import Rule, Variant

GROUND = Variant(15, 15, 5, Rule.FREESTYLE)
BUNDLED = [Variant(15, 15, 5, rule) for rule in Rule] + [Variant(20, 20, 5, Rule.FREESTYLE)]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine("")


def play(engine: Engine, out: Path, new: Budget, old: Budget, games: int, test: Sprt | None = None) -> Tally:
    conditions = Conditions(GROUND, new, old)
    run_ab(engine, engine, conditions, load_openings(GROUND), out, test=test, max_games=games, threads=2)
    return Tally(json.loads(line) for line in out.read_text().splitlines()[1:])


def fails(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    text = capsys.readouterr().err.strip()
    assert len(text.splitlines()) == 1
    return text


def test_identical_engines_score_half(engine: Engine, tmp_path: Path) -> None:
    score = play(engine, tmp_path / "a.jsonl", Budget(300), Budget(300), 40).score()
    assert score.games == 40
    assert score.rate.low <= 0.5 <= score.rate.high
    assert score.pairs == (0, 0, 20, 0, 0)  # each pair is one game, played by both sides


def test_engines_play_with_networks(engine: Engine, tmp_path: Path) -> None:
    usual, named, none = (make_engine(text, GROUND) for text in ("", "network=lines", "network=none"))
    assert usual.network == named.network and usual.network.is_file()
    assert none.network is engine.network is None and usual.key != none.key == engine.key
    conditions = Conditions(GROUND, Budget(200), Budget(200))
    run_ab(usual, none, conditions, load_openings(GROUND), tmp_path / "a.jsonl", test=None, max_games=2)
    games = [json.loads(line)["games"] for line in (tmp_path / "a.jsonl").read_text().splitlines()[1:]]
    assert games[0][0]["moves"] != games[0][1]["moves"]  # the same engine would repeat its game


def test_an_engine_with_two_threads_shares_its_nodes(engine: Engine, tmp_path: Path) -> None:
    two = make_engine("threads=2,network=none")
    assert two.threads == 2 and two.key != engine.key
    conditions = Conditions(GROUND, Budget(4000), Budget(2000))
    run_ab(two, engine, conditions, load_openings(GROUND), tmp_path / "a.jsonl", test=None, max_games=2)
    game = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[1])["games"][0]
    nodes, old_nodes = game["nodes"]
    assert old_nodes < nodes < 3 * old_nodes


def test_processor_time_is_for_engines_of_one_thread(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["ab", "--new", "threads=2", "--old", "", "--games", "2", "--seconds", "0.01", "--cpu-time"]
    command += ["--out", str(tmp_path / "ab.jsonl")]
    assert "--cpu-time measures one thread" in fails(command, capsys)
    assert "threads must be from 1 to 64" in fails(["ab", "--new", "threads=0", "--nodes", "9"], capsys)


def test_a_network_of_another_game_is_refused(engine: Engine, tmp_path: Path) -> None:
    wrong = make_engine("network=lines-renju")
    with pytest.raises(ValueError, match="is no network for this board"):
        conditions = Conditions(GROUND, Budget(100), Budget(100))
        run_ab(wrong, engine, conditions, load_openings(GROUND), tmp_path / "a.jsonl", test=None, max_games=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("network=base-9", "takes line networks, and 'base-9' is none"),
        ("network=lines-renju", "plays renju, not freestyle"),
    ],
)
def test_a_network_that_cannot_play_is_refused_in_one_line(
    text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in fails(["ab", "--new", text, "--old", "", "--nodes", "100", "--games", "2"], capsys)


def test_an_engine_older_than_networks_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.lab.ab_build.parameters", lambda folder: {})
    assert make_engine("", GROUND).network is None
    with pytest.raises(TengenError, match="older than networks"):
        make_engine("network=lines", GROUND)


def test_a_handicap_is_found(engine: Engine, tmp_path: Path) -> None:
    tally = play(engine, tmp_path / "a.jsonl", Budget(2000), Budget(100), 400, Sprt(0, 50))
    assert tally.llr(Sprt(0, 50)) >= Sprt(0, 50).bounds[1]
    assert tally.score().rate.low > 0.6


def test_a_killed_test_goes_on_and_ends_the_same(engine: Engine, tmp_path: Path) -> None:
    whole = play(engine, tmp_path / "whole.jsonl", Budget(400), Budget(200), 20)
    data = (tmp_path / "whole.jsonl").read_bytes()
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(data[: len(data) * 2 // 3])
    again = play(engine, cut, Budget(400), Budget(200), 20)
    assert again.counts == whole.counts

    def games(path: Path) -> dict[int, list[list[int]]]:
        pairs = [json.loads(line) for line in path.read_text().splitlines()[1:]]
        return {pair["pair"]: [game["moves"] for game in pair["games"]] for pair in pairs}

    assert games(cut) == games(tmp_path / "whole.jsonl")


def test_another_test_is_not_mixed_in(engine: Engine, tmp_path: Path) -> None:
    play(engine, tmp_path / "a.jsonl", Budget(300), Budget(300), 2)
    with pytest.raises(ValueError, match="holds another test: its new_limit"):
        play(engine, tmp_path / "a.jsonl", Budget(400), Budget(300), 2)
    (tmp_path / "b.jsonl").write_text("not a test\n")
    with pytest.raises(ValueError, match=r"b\.jsonl is not a file of an engine test"):
        play(engine, tmp_path / "b.jsonl", Budget(400), Budget(300), 2)


@pytest.mark.skipif(sys.platform != "linux", reason="the processor time of a thread is read on Linux")
def test_processor_time_does_not_count_waiting_for_a_core(engine: Engine, tmp_path: Path) -> None:
    budget, out = Budget(seconds=0.004), tmp_path / "a.jsonl"
    conditions = Conditions(Variant(9), budget, budget, processor_time=True)
    openings = [(40, 41)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run_ab(engine, engine, conditions, openings, out, test=None, max_games=16, threads=8)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    games = [game for line in out.read_text().splitlines()[1:] for game in json.loads(line)["games"]]
    assert 0 < sum(sum(game["seconds"]) for game in games) <= 1.05 * used
    assert json.loads(out.read_text().splitlines()[0])["clock"] == "processor"


def test_two_who_want_the_same_build_make_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[str]] = []

    def build_slowly(folder: Path, tree: dict[str, bytes], targets: list[str]) -> None:
        made.append(targets)
        time.sleep(0.3)
        (folder / "tengen_runner").touch()

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(ab_build, "_build_into", build_slowly)
    with ThreadPoolExecutor(2) as people:
        folders = list(people.map(build, ["", ""]))
    assert folders[0] == folders[1] and len(made) == 1


def test_a_terminated_build_stops_its_compilers(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    script = f"""
from tengen.lab import ab_build
with ab_build._stop_when_terminated():
    ab_build._output(["sh", "-c", "sleep 60 & echo $! > {note}.new; mv {note}.new {note}; wait"])
"""
    build = subprocess.Popen([sys.executable, "-c", script])
    while not note.exists():
        time.sleep(0.02)
    build.terminate()
    assert build.wait(20) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        for _ in range(500):
            os.kill(int(note.read_text()), 0)
            time.sleep(0.01)


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "elo1"), (20.0, "elo0")])
def test_error_rates_hold_in_simulation(truth: float, wrong: str) -> None:
    """At either hypothesis the other is accepted in at most 5 % of the tests: 12 of 120 would be 3 deviations off."""
    test, draw, mistakes = Sprt(0, 20), random.Random(7), 0
    for _ in range(120):
        counts, verdict = [0] * 5, ""
        while not verdict:
            for _ in range(100):
                counts[simulated_pair(draw, truth)] += 1
            verdict = test.verdict((counts[0], counts[1], counts[2], counts[3], counts[4]))
        mistakes += verdict == wrong
    assert mistakes <= 12


def simulated_pair(draw: random.Random, elo: float) -> int:
    """Points of a pair in halves; the opening favours one colour, so that its two games are not independent."""
    rate, tilt = expected_score(elo), draw.choice((-0.25, 0.25))
    return 2 * sum(draw.random() < rate + side for side in (tilt, -tilt))


def test_a_revision_that_is_none_or_too_old(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = ["--nodes", "100", "--out", str(tmp_path / "a.jsonl")]
    assert "'nonsense' is not a revision" in fails(["ab", "--old", "nonsense", *out], capsys)
    assert not (tmp_path / "a.jsonl").exists()


def test_parameters_out_of_range_or_unknown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = ["--nodes", "100", "--out", str(tmp_path / "a.jsonl")]
    assert "razor_margin=-1 is out of range; choose 0 to" in fails(["ab", "--new", "razor_margin=-1", *out], capsys)
    assert "no parameter 'razor'" in fails(["ab", "--new", "razor=3", *out], capsys)
    assert "whole number" in fails(["ab", "--new", "razor_margin=x", *out], capsys)
    assert "the two engines are the same" in fails(["ab", "--old", "", *out], capsys)
    assert "a limit is needed" in fails(["ab", "--old", "", "--out", str(tmp_path / "a.jsonl")], capsys)


def test_every_parameter_lies_within_its_range() -> None:
    found = parameters(build(""))
    assert len(found) > 20
    for parameter in found.values():
        assert parameter.low <= parameter.value <= parameter.high and parameter.meaning


@pytest.mark.parametrize("variant", BUNDLED, ids=str)
def test_bundled_openings_are_whole_and_different(variant: Variant) -> None:
    openings = load_openings(variant)
    assert len(openings) >= 2000
    assert len(set(openings)) == len(openings)


def test_damaged_openings_are_named() -> None:
    text = make_openings(GROUND, 3, 5, 200, 0.3)
    assert len(parse_openings(text, GROUND, "x")) == 3
    with pytest.raises(ValueError, match="damaged: it says 3 openings, not 2"):
        parse_openings("\n".join(text.splitlines()[:3]), GROUND, "x")
    with pytest.raises(ValueError, match="x line 2"):
        parse_openings(text.replace("\n", "\nzz9", 1), GROUND, "x")
    with pytest.raises(ValueError, match="is not a file of openings"):
        parse_openings("h8", GROUND, "x")
    with pytest.raises(ValueError, match="another board or rule"):
        parse_openings(text, Variant(15, 15, 5, Rule.RENJU), "x")


def test_openings_repeat_only_turned() -> None:
    openings = load_openings(GROUND)[:50]
    first = {opening_of_pair(openings, pair, GROUND, 1) for pair in range(50)}
    assert first == set(openings)
    assert not first & {opening_of_pair(openings, pair, GROUND, 1) for pair in range(50, 100)}


@pytest.mark.parametrize("size,rule", [("9", "caro"), ("15", "renju"), ("12x10", "standard")])
def test_boards_and_rules(size: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    openings, out = tmp_path / "openings.txt", tmp_path / "a.jsonl"
    board = ["--size", size, "--rule", rule, "--nodes", "200"]
    with pytest.raises(SystemExit) as end:
        main(["ab", *board, "--make-openings", str(openings), "--count", "2", "--bound", "0.5"])
    assert not end.value.code
    with pytest.raises(SystemExit) as end:
        main(
            ["ab", *board, "--old", "razor_margin=1000", "--openings", str(openings), "--games", "4", "--out", str(out)]
        )
    assert not end.value.code
    assert "Elo" in capsys.readouterr().out
    assert len(out.read_text().splitlines()) == 3
