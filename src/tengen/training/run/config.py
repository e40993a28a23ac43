"""What the settings of every method share: strict tables, the budget, reading a TOML file, help texts."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tengen.errors import TengenError, explain
from tengen.experiments import read_toml
from tengen.inference.search_options import SearchOptions

KeyRow = tuple[str, str, str]
"""A setting: key, default, meaning."""


class Strict(BaseModel):
    """A table of settings in which an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def further_keys(cls) -> list[KeyRow]:
        """Keys that are not fields of the class, for `describe`."""
        return []


C = TypeVar("C", bound=Strict)


class BudgetConfig(Strict):
    iterations: int = Field(0, ge=0, description="iterations; 0: no limit")
    minutes: float = Field(0, ge=0, description="training time over all resumes; 0: no limit")
    games: int = Field(0, ge=0, description="self-play games; 0: no limit")
    cpu_minutes: float = Field(
        0,
        ge=0,
        description="processor minutes of self-play and learning over all processes, without the ladder; 0: no limit",
    )


class RunConfig(Strict):
    """The settings common to every method. A method narrows `method` to its own name."""

    method: str = Field("", description="the learning method")
    name: str = Field("run", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", description="name of the run's folder")
    seed: int = Field(1, ge=0, description="random seed")
    keep: int = Field(0, ge=0, description="keep the checkpoint of every n-th iteration; 0: the newest only")
    keep_last: int = Field(0, ge=0, description="maximum number of checkpoints kept by `keep`; 0: all")
    budget: BudgetConfig = BudgetConfig()

    def resolved(self) -> dict[str, Any]:
        """Every setting as plain data; validation reads it back."""
        return self.model_dump(mode="json")


def merged(data: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Changes win; tables are merged."""
    result = dict(data)
    for key, value in changes.items():
        old = result.get(key)
        result[key] = merged(old, value) if isinstance(value, dict) and isinstance(old, dict) else value
    return result


def read_settings(
    path: Path, settings: list[str] | None = None, tables: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The plain data of a config file with tables and `key=value` settings on top, not checked yet."""
    data = merged(read_toml(path), tables or {})
    data.setdefault("name", path.stem)
    for setting in settings or []:
        apply_setting(data, setting)
    return data


def validate(model: type[C], data: dict[str, Any], source: str) -> C:
    """Data as a config; raises TengenError with one line that names every mistake."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise TengenError(f"{source}: {explain(error.errors())}") from None


def apply_setting(data: dict[str, Any], setting: str) -> None:
    """Puts `learn.batch=512` into a nested table. The value is read as TOML, else as text."""
    key, equals, text = setting.partition("=")
    if not equals or not key.strip():
        raise TengenError(f"--set {setting}: write key=value, such as learn.batch=512")
    *tables, last = key.strip().split(".")
    for table in tables:
        data = data.setdefault(table, {})
        if not isinstance(data, dict):
            raise TengenError(f"--set {setting}: '{table}' is not a table")
    try:
        data[last] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        data[last] = text.strip()


def describe(model: type[BaseModel], prefix: str = "") -> list[KeyRow]:
    """Every setting, for the documentation and `--keys`."""
    rows: list[KeyRow] = []
    for name, info in model.model_fields.items():
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            rows += describe(kind, f"{prefix}{name}.")
        elif kind is SearchOptions:
            rows += [(f"{name}.{f.name}", str(f.default), f.metadata.get("help", "")) for f in fields(SearchOptions)]
        else:
            default = info.get_default(call_default_factory=True)
            rows.append((prefix + name, str(default), info.description or ""))
    if issubclass(model, Strict):
        rows += [(prefix + key, default, meaning) for key, default, meaning in model.further_keys()]
    return rows
