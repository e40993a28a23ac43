"""What packages, files and notebooks outside of this tree add: players, networks, encodings, methods, loggers.

A package declares an entry point, `[project.entry-points."tengen.players"] centre = "my_package:CentrePlayer"`. A file
of one's own is named by `--import FILE`, or in the environment variable TENGEN_PLUGINS (several are joined as in PATH);
a decorator names what it adds: `@tengen.player("centre")`, `@tengen.network`, `@tengen.encoding`, `@tengen.method`,
`@tengen.logger`. A table `PLAYERS = {"centre": CentrePlayer}` does the same. What is broken is named together with its
file and line, and does not take the rest down.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from tengen.errors import TengenError

PLAYERS, NETWORKS, METHODS = "tengen.players", "tengen.networks", "tengen.methods"
ENCODINGS, LOGGERS = "tengen.encodings", "tengen.loggers"
"""The groups of entry points."""
FILES = "TENGEN_PLUGINS"
MODULE_PREFIX = "tengen_plugin_"

T = TypeVar("T")
_named: dict[str, dict[str, dict[str, object]]] = {}
"""What decorators named, by module, group and name."""


class PluginError(TengenError):
    """A plugin that cannot be used; the message names it and the package or file it comes from."""


@dataclass(frozen=True, slots=True)
class Plugin:
    name: str
    source: str
    """`my-package 1.2`, or the path of a file and the line."""
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
    where = f" at {place}" if (place := raised_at(error)) else ""
    return PluginError(f"plugin '{name}' of {source} cannot be used: {type(error).__name__}{where}: {reason}")


def raised_at(error: BaseException) -> str:
    """`FILE:LINE` of the innermost frame outside of this package and of installed ones; empty if there is none."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    ours = str(Path(__file__).parent)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith((ours, "<frozen")) and "site-packages" not in frame.filename:
            return f"{frame.filename}:{frame.lineno}"
    return ""


def place_of(thing: object) -> str:
    """`FILE:LINE` where a class or function is written, as far as Python knows."""
    try:
        return f"{inspect.getsourcefile(thing)}:{inspect.getsourcelines(thing)[1]}"  # type: ignore[arg-type]
    except (TypeError, OSError):
        return ""


def named(group: str, name: str) -> Callable[[T], T]:
    """A decorator that adds what it decorates to a group."""

    def add(thing: T) -> T:
        module = getattr(thing, "__module__", "") or ""
        _named.setdefault(module, {}).setdefault(group, {})[name] = thing
        _discover.cache_clear()
        return thing

    return add


def player(name: str) -> Callable[[T], T]:
    """Names a class with `choose(board, limit) -> Decision` as a player."""
    return named(PLAYERS, name)


def network(name: str) -> Callable[[T], T]:
    """Names a torch module as a network (`tengen.nets.body.Body`)."""
    return named(NETWORKS, name)


def encoding(name: str) -> Callable[[T], T]:
    """Names a torch module as input planes (`tengen.nets.encodings.Encoding`)."""
    return named(ENCODINGS, name)


def method(name: str) -> Callable[[T], T]:
    """Names a function that returns a `tengen.training.run.method.Method` as a learning method."""
    return named(METHODS, name)


def logger(name: str) -> Callable[[T], T]:
    """Names a class as a logger: it is built with the run's folder and sees every iteration's metrics."""
    return named(LOGGERS, name)


def use_files(files: Sequence[str | Path]) -> None:
    """Adds files of one's own, for this process and those it starts. Raises PluginError for one that does not run."""
    known = plugin_files()
    for text in files:
        path = Path(text).expanduser().resolve()
        try:
            _module(path)
        except PluginError:
            raise
        except Exception as error:
            raise broken(path.stem, str(path), error) from error
        if str(path) not in known:
            known.append(str(path))
    os.environ[FILES] = os.pathsep.join(known)


def plugin_files() -> list[str]:
    """The files in use, in the order they were named."""
    return [text for text in os.environ.get(FILES, "").split(os.pathsep) if text]


def discover(group: str) -> Found:
    """The plugins of a group by name. Nothing of a package is imported before its plugin is loaded."""
    return _discover(group, os.environ.get(FILES, ""))


@cache
def _discover(group: str, files: str) -> Found:
    found: dict[str, Plugin] = {}
    problems: list[str] = []
    for item in (*_from_packages(group), *_from_files(group, files), *_from_program(group)):
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
            yield Plugin(name, place_of(thing) or text, lambda thing=thing: thing)  # type: ignore[misc]


def _from_program(group: str) -> Iterator[Plugin]:
    """What decorators named outside of such files: in a notebook, a script, a module that was imported."""
    for module, groups in list(_named.items()):
        if not module.startswith(MODULE_PREFIX):
            for name, thing in groups.get(group, {}).items():
                yield Plugin(name, place_of(thing) or module, lambda thing=thing: thing)  # type: ignore[misc]


def _table(module: ModuleType, group: str) -> dict[str, object]:
    """The names a file adds to a group, by decorators and in its table `PLAYERS`, `NETWORKS` and so on."""
    key = group.rpartition(".")[2].upper()
    table = getattr(module, key, {})
    if not isinstance(table, dict) or not all(isinstance(name, str) for name in table):
        raise PluginError(f"{module.__file__}: {key} must be a dictionary from names to what they stand for")
    return table | _named.get(module.__name__, {}).get(group, {})


def _module(path: Path) -> ModuleType:
    """The file as a module, run once; pickles of its classes work wherever TENGEN_PLUGINS is the same."""
    name = f"{MODULE_PREFIX}{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise PluginError(f"there is no Python file {path}; it is named by --import or in {FILES}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
