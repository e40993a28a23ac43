"""Networks by name: the built-in ones, those of installed packages, and those that a user's own file registers.

A package offers a network by an entry point of the group `tengen.networks`, whose name is the network's and whose
object is its class. A file that is imported does so by the decorator `register_network`.
"""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Any, TypeVar

from tengen.errors import TengenError
from tengen.nets.body import Body

GROUP = "tengen.networks"

BUILT_IN = {
    "base": "tengen.nets.base:BaseNet",
    "enhanced": "tengen.nets.enhanced:EnhancedNet",
    "tengen": "tengen.nets.tengen:TengenNet",
}
"""Name -> module:class, as in an entry point."""

_registered: dict[str, type[Body]] = {}

N = TypeVar("N", bound=type[Any])


def register_network(network: N) -> N:
    """Makes a network class known under its `name`. Raises for a name that is taken by another class."""
    name = network.name
    if name in BUILT_IN or _registered.get(name, network).__qualname__ != network.__qualname__:
        raise TengenError(f"there is a network '{name}' already; give yours another name")
    _registered[name] = network
    return network


def network_names() -> list[str]:
    return [*BUILT_IN, *sorted({*_registered, *metadata.entry_points(group=GROUP).names} - set(BUILT_IN))]


def network_class(name: str) -> type[Body]:
    """The class of a network. Raises TengenError with the known names for another one."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return getattr(import_module(module), attribute)  # type: ignore[no-any-return]
    if name in _registered:
        return _registered[name]
    for entry in metadata.entry_points(group=GROUP, name=name):
        return entry.load()  # type: ignore[no-any-return]
    raise TengenError(f"unknown network '{name}'; choose one of {', '.join(network_names())}")
