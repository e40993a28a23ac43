"""Training methods by name: the built-in ones and those of a user's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from tengen.errors import TengenError
from tengen.training.methods import check_method_workers, checked, find_method, method_names

OWN = """
from contextlib import nullcontext
from typing import Literal

from tengen.training.run.config import BudgetConfig, Strict
from tengen.training.run.method import Method


class CoinConfig(Strict):
    method: Literal["coin"] = "coin"
    name: str = "coin"
    seed: int = 1
    keep: int = 0
    keep_last: int = 0
    faces: int = 2
    budget: BudgetConfig = BudgetConfig()

    def resolved(self):
        return self.model_dump(mode="json")


METHODS = {
    "coin": Method("coin", CoinConfig, lambda config: None, lambda *given: nullcontext(), None, "random", ()),
    "empty": 3,
}
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "coin.py").write_text(OWN)
    monkeypatch.setenv("TENGEN_PLUGINS", str(tmp_path / "coin.py"))


@pytest.mark.parametrize("name", method_names())
def test_a_built_in_method_reads_its_own_settings(name: str) -> None:
    method = find_method(name)
    config = checked({"method": name}, "test")
    assert isinstance(config, method.config) and config.method == method.name == name
    assert checked(config.resolved(), "again") == config


def test_a_method_of_a_users_file_is_known_by_its_name(own: None) -> None:
    assert "coin" in method_names()
    assert checked({"method": "coin", "faces": 3}, "test").faces == 3
    with pytest.raises(TengenError, match="unknown key 'sides'"):
        checked({"method": "coin", "sides": 3}, "test")
    with pytest.raises(TengenError, match="method coin learns in one process"):
        check_method_workers(checked({"method": "coin"}, "test"), "ray")


def test_what_is_no_method_is_refused(own: None) -> None:
    with pytest.raises(TengenError, match=r"method 'empty' of .*coin\.py is not a "):
        find_method("empty")
    with pytest.raises(TengenError, match="test: unknown method 'chess'; choose one of alphazero, dqn"):
        checked({"method": "chess"}, "test")
