"""Tournaments and training over the network."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tengen.arena.ratings import Rating, RatingTable
from tengen.arena.score import Interval
from tengen.experiments import FOLDER
from tengen.training.run.loop import RunFolder
from tengen.web.tasks import Tasks
from tengen.web.tournaments import _rated
from tengen.web.training import Training
from tests.web.conftest import Server, eventually


def test_a_tournament_is_played_stopped_and_resumed(server: Server) -> None:
    thinker = "mcts:playouts=0"  # thinks for as long as it may: the stop comes long before the last game
    request = {"name": "test", "players": ["random", thinker], "size": 9, "games": 20, "seconds": 0.05}
    id = server.http.post("/api/tournaments", json=request).json()["id"]

    def shown() -> Any:
        return server.http.get(f"/api/tournaments/{id}").json()

    eventually(lambda: shown()["done"] >= 1, "a game is played")
    server.http.post(f"/api/tournaments/{id}/stop").raise_for_status()
    eventually(lambda: shown()["state"] != "running", "the tournament stops")
    stopped = shown()
    assert stopped["state"] == "stopped" and 1 <= stopped["done"] < 20, stopped["log"]
    server.http.post(f"/api/tournaments/{id}/resume").raise_for_status()
    eventually(lambda: shown()["state"] != "running", "the tournament ends", seconds=180)
    data = shown()
    assert data["state"] == "done", data["log"]
    assert data["done"] == 20
    assert data["standings"][0]["player"].startswith("mcts")
    assert {row["player"].split("@")[0] for row in data["cross"]} == {"random", thinker}
    opened = server.http.post(f"/api/tournaments/{id}/games/0").json()["id"]
    assert len(server.http.get(f"/api/games/{opened}").json()["game"]["nodes"]) > 5
    report = server.http.get(f"/api/tournaments/{id}/report")
    assert report.status_code == 200 and "sandbox" in report.headers["content-security-policy"]
    assert id in [row["id"] for row in server.http.get("/api/tournaments").json()]


def test_ratings_stand_on_the_scale_of_the_levels() -> None:
    def rating(player: str, elo: float) -> Rating:
        return Rating(player, Interval(elo, elo - 30, elo + 30), None, 10, 0.5, 0.0, 0, 0.1)

    zero = Interval(0, 0, 0)
    table = RatingTable([rating("a", 80), rating("b", 0), rating("c", -80)], zero, zero, [], "", 15)
    moved = {row.player: (row.value, row.low) for row in _rated(table, {"a": 900.0, "c": 700.0})}
    assert moved == {"a": (880, 850), "b": (800, 770), "c": (720, 690)}
    assert [row.value for row in _rated(table, {})] == [80, 0, -80] and _rated(None, {}) == []


def write_run(folder: Path, name: str, iterations: int, config: dict[str, Any] | None = None) -> None:
    run = folder / name
    run.mkdir(parents=True)
    about = {"format": 1, "method": "alphazero", "config": {"name": name} | (config or {})}
    (run / "run.json").write_text(json.dumps(about))
    rows = [
        {
            "iteration": i,
            "loss": 4 / i,
            "kl": 0.02,
            "rate": 1e-3,
            "ladder/greedy": 100 * i / iterations,
            "ladder_wins/greedy": 12,
            "ladder_draws/greedy": 2,
            "ladder_losses/greedy": 6,
        }
        for i in range(1, iterations + 1)
    ]
    (run / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows) + '{"iteration": 99')
    record: dict[str, Any] = {"black": "self", "white": "self", "width": 6, "height": 6, "k": 4, "rule": "freestyle",
                              "moves": [0, 6, 1, 7, 2, 8, 3], "winner": "black", "termination": "five",
                              "values": [0.1] * 7, "tags": {"iteration": "3"}}  # fmt: skip
    (run / "samples.jsonl").write_text(json.dumps(record) + "\n")


def test_runs_are_listed_and_their_games_replayed(server: Server) -> None:
    write_run(server.runs, "demo", 20)
    listed = server.http.get("/api/runs").json()
    assert "demo" in [run["name"] for run in listed["runs"]]
    run = server.http.get("/api/runs/demo").json()
    assert [row["iteration"] for row in run["metrics"]] == list(range(1, 21))
    assert server.http.get("/api/runs/demo", params={"after": 18}).json()["metrics"][0]["iteration"] == 19
    assert server.http.get("/api/runs/demo/games").json()[0]["winner"] == "black"
    opened = server.http.post("/api/runs/demo/games/0").json()["id"]
    assert server.http.get(f"/api/games/{opened}").json()["status"]["outcome"]["winner"] == "black"
    for path in ("/api/runs/..%2fstate", "/api/runs/nothing", "/api/runs/demo/games/9"):
        assert server.http.request("POST" if path.endswith("9") else "GET", path).status_code in (404, 405)


def test_without_torch_only_line_networks_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training = Training(tmp_path / "runs", Tasks(), tmp_path / "networks")
    assert {"lines", "dqn", "alphazero"} <= {one.method for one in training.overview().experiments}
    monkeypatch.setattr(Training, "available", lambda self: False)
    assert {one.method for one in training.overview().experiments} == {"lines"}


def test_a_run_without_a_checkpoint_has_no_network(server: Server) -> None:
    write_run(server.runs, "empty", 2)
    answer = server.http.post("/api/runs/empty/network")
    assert answer.status_code == 422 and "no network yet" in answer.json()["detail"]
    assert server.http.post("/api/runs/nobody/network").status_code == 404


def test_a_run_is_running_while_its_lock_is_held(server: Server) -> None:
    write_run(server.runs, "locked", 3)

    def running() -> bool:
        return bool(server.http.get("/api/runs/locked").json()["running"])

    assert not running()  # however fresh its files are
    with RunFolder(server.runs / "locked").locked():
        assert running()
    assert not running()


def test_plans_of_reproduce_cannot_be_trained(server: Server) -> None:
    listed = [row["name"] for row in server.http.get("/api/runs").json()["experiments"]]
    files = sorted(FOLDER.glob("*.toml"))
    plans = {file.stem for file in files if "kind" in tomllib.loads(file.read_text(encoding="utf-8"))}
    assert {"strength", "dqn-ablation"} <= plans and "quick" in listed
    assert listed == sorted(file.stem for file in files if file.stem not in plans)
    answer = server.http.post("/api/runs", json={"experiment": "strength"})
    assert answer.status_code == 422 and "unknown experiment" in answer.json()["detail"]


def test_only_known_experiments_and_plain_settings_start(server: Server) -> None:
    for body in ({"experiment": "../x"}, {"experiment": "nothing"}, {"experiment": "quick", "settings": ["a=../../x"]},
                 {"experiment": "quick", "settings": ["--resume"]}):  # fmt: skip
        assert server.http.post("/api/runs", json=body).status_code == 422
