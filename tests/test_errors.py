"""Faults of settings in sentences."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tengen.errors import explain
from tengen.rules import Rule


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    batch: int = Field(1, ge=1, le=100)
    share: float = Field(0.5, gt=0, lt=1)


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    inner: Inner = Inner()
    rule: Rule = Rule.FREESTYLE
    kind: Literal["conv", "dense"] = "conv"
    on: bool = True
    seeds: list[int] = []
    folder: str = Field("x", pattern="^[a-z]+$")

    @field_validator("name")
    @classmethod
    def _short(cls, name: str) -> str:
        if len(name) > 20:
            raise ValueError("a name has at most 20 letters")
        return name


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "name is missing"),
        ({"name": "a", "nmae": "b"}, "unknown key 'nmae'"),
        ({"name": "a", "inner": {"batch": 0}}, "inner.batch = 0 must be at least 1"),
        ({"name": "a", "inner": {"batch": 101}}, "inner.batch = 101 must be at most 100"),
        ({"name": "a", "inner": {"share": 0}}, "inner.share = 0 must be above 0"),
        ({"name": "a", "inner": {"share": 1.5}}, "inner.share = 1.5 must be below 1"),
        ({"name": "a", "inner": {"batch": "many"}}, "inner.batch = 'many' is not a whole number"),
        ({"name": "a", "inner": {"batch": 1.5}}, "inner.batch = 1.5 is not a whole number"),
        ({"name": "a", "inner": {"share": "half"}}, "inner.share = 'half' is not a number"),
        ({"name": "a", "inner": 3}, "inner = 3 is not a table"),
        ({"name": 3}, "name = 3 is not text"),
        ({"name": "a", "on": "perhaps"}, "on = 'perhaps' is not true or false"),
        ({"name": "a", "seeds": 1}, "seeds = 1 is not a list"),
        ({"name": "a", "rule": "go"}, "rule = 'go' must be 'freestyle', 'standard', 'renju' or 'caro'"),
        ({"name": "a", "kind": "x" * 99}, f"kind = '{'x' * 36}... must be 'conv' or 'dense'"),
        ({"name": "a", "folder": "../x"}, "folder = '../x' must match ^[a-z]+$"),
        ({"name": "a" * 21}, "name: a name has at most 20 letters"),
        ({"rule": "go", "more": 1}, "name is missing; rule = 'go' must be 'freestyle', 'standard', 'renju' or 'caro'; "
                                    "unknown key 'more'"),
    ],
)  # fmt: skip
def test_faults_are_sentences(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(data)
    assert explain(caught.value.errors()) == sentence
