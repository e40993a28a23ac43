"""What packages and files outside of this tree add: players, networks, training methods.

A package declares an entry point, `[project.entry-points."tengen.players"] centre = "my_package:CentrePlayer"`. A file
of one's own is named in the environment variable TENGEN_PLUGINS (several are joined as in PATH) and holds a table
named after the group: `PLAYERS = {"centre": CentrePlayer}`, `NETWORKS`, `METHODS`. What is broken is named together
with where it comes from, and does not take the rest down.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType

from tengen.errors import TengenError

PLAYERS, NETWORKS, METHODS = "tengen.players", "tengen.networks", "tengen.methods"
"""The groups of entry points."""
FILES = "TENGEN_PLUGINS"


class PluginError(TengenError):
    """A plugin that cannot be used; the message names it and the package or file it comes from."""


@dataclass(frozen=True, slots=True)
class Plugin:
    name: str
    source: str
    """`my-package 1.2`, or the path of a file."""
    _load: Callable[[], object]

    def load(self) -> object:
        """What the plugin stands for. Raises PluginError, whatever its code does."""
        try:
            return self._load()
        except Exception as error:
            raise broken(self.name, self.source, error) from error


@dataclass(frozen=True, slots=True)
class Found:
    plugins: dict[str, Plugin]
    problems: tuple[str, ...] = ()
    """One line for each file that cannot be read and each name that is taken."""


def broken(name: str, source: str, error: Exception) -> PluginError:
    reason = " ".join(str(error).split()) or "no reason given"
    return PluginError(f"plugin '{name}' of {source} cannot be used: {type(error).__name__}: {reason}")


def discover(group: str) -> Found:
    """The plugins of a group by name. Nothing of a package is imported before its plugin is loaded."""
    return _discover(group, os.environ.get(FILES, ""))


@cache
def _discover(group: str, files: str) -> Found:
    found: dict[str, Plugin] = {}
    problems: list[str] = []
    for item in (*_from_packages(group), *_from_files(group, files)):
        if isinstance(item, str):
            problems.append(item)
        elif item.name in found:
            problems.append(f"plugin '{item.name}' of {item.source} is left out: {found[item.name].source} has one too")
        else:
            found[item.name] = item
    return Found(found, tuple(problems))


def _from_packages(group: str) -> Iterator[Plugin]:
    for point in sorted(metadata.entry_points(group=group), key=lambda p: p.name):
        source = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        yield Plugin(point.name, source, point.load)


def _from_files(group: str, files: str) -> Iterator[Plugin | str]:
    """The plugins of each file, or a line that says what is wrong with it."""
    for text in filter(None, files.split(os.pathsep)):
        try:
            table = _table(_module(Path(text).expanduser().resolve()), group)
        except Exception as error:
            yield str(error) if isinstance(error, PluginError) else str(broken(Path(text).stem, text, error))
            continue
        for name, thing in table.items():
            yield Plugin(name, text, lambda thing=thing: thing)  # type: ignore[misc]


def _table(module: ModuleType, group: str) -> dict[str, object]:
    """The names a file adds to a group: its table `PLAYERS`, `NETWORKS` or `METHODS`, none where it has no such."""
    key = group.rpartition(".")[2].upper()
    table = getattr(module, key, {})
    if not isinstance(table, dict) or not all(isinstance(name, str) for name in table):
        raise PluginError(f"{module.__file__}: {key} must be a dictionary from names to what they stand for")
    return table


def _module(path: Path) -> ModuleType:
    """The file as a module, run once; pickles of its classes work wherever TENGEN_PLUGINS is the same."""
    name = f"tengen_plugin_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise PluginError(f"{FILES}: there is no Python file {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
